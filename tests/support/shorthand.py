"""Events as people type them: in the short forms of the notation, chosen at random."""

from __future__ import annotations

import numpy as np

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, CardNames
from literature_ai.events import Asked, Claimed, Event, Passed, TimedOut
from literature_ai.records.notation import format_event


class Typed:
    """Tells events in short words, and every fifth in the long form; case and words vary."""

    def __init__(self, rng: np.random.Generator, names: CardNames) -> None:
        self.rng = rng
        self.names = names

    def __call__(self, event: Event) -> str:
        """One way to type the event in the position in which it is the next."""
        if self.rng.random() < 0.2:
            return format_event(event, self.names)
        match event:
            case Asked(asker, target, card, hit):
                answer = self.any_of("y yes + hit h" if hit else "n no - miss m")
                words = [SEAT_NAMES[target], self.names[card], answer]
                return " ".join([SEAT_NAMES[asker]] * int(self.rng.integers(2)) + words).lower()
            case Claimed(claimant, half_suit, holders, right):
                words = ["c", SEAT_NAMES[claimant], HALF_SUIT_NAMES[half_suit]]
                answer = self.any_of("y yes + right r" if right else "n no - wrong w")
                words += [self.layout(half_suit, holders), answer]
                if event.shown is not None and not right:
                    words.append(self.layout(half_suit, event.shown))
                elif not right:
                    lost = enumerate(event.lost or ())
                    words += [f"{SEAT_NAMES[seat]}:{count}" for seat, count in lost if count]
                return " ".join(words).lower()
            case Passed(_, to):
                return f"p {SEAT_NAMES[to]}"
            case TimedOut():
                return "timeout"

    def any_of(self, words: str) -> str:
        """One of the words."""
        return str(self.rng.choice(words.split()))

    def layout(self, half_suit: int, holders: tuple[int, ...]) -> str:
        """Who holds the six cards, without their suit; the last seat has the rest."""
        cut = slice(0, 1) if half_suit < 8 else slice(0, 2)
        cards: dict[str, list[str]] = {}
        for card, seat in zip(range(6 * half_suit, 6 * half_suit + 6), holders, strict=True):
            cards.setdefault(SEAT_NAMES[seat], []).append(self.names[card][cut])
        said = [f"{seat}:{','.join(names)}" for seat, names in cards.items()]
        said[-1] = said[-1].partition(":")[0]
        return " ".join(said)
