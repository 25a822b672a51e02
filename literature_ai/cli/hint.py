"""Show what to claim and whom to ask: exact chances for one seat, and why.

The record needs the hand that the seat was dealt and all events so far; other hands in it are not
used. Asks are listed whether or not the seat is on turn. The best of them are examined: what
either answer would prove, what a miss would show everyone, and what the player who then gets the
turn would best ask for. Dangers are half-suits that the opponents may claim. The engine's choice
comes with its value, the expected result of the team (literature analyze tells more).

examples:
  literature hint game.lit --seat A1
  literature hint games.lit --game 17 --seat B2 --json
  literature hint game.lit --full
  literature hint game.lit --seat A1 --explain 5S
  literature hint game.lit --seat A1 --explain LS

--explain proves where a card, or a whole half-suit, is: the fewest events that are enough, in
steps that each follow from the ones above (exit code 1 when it is not certain). With --json:
"game", "seat", and of what is proved "holders" {card: seat}, "because" (as below) and "steps", each
with text, events, counting (whether it counts cards) and depth (1: it follows from a supposition).

--json prints one object: "game", "seat", "players", "turn", "events" (how many), "deals" (how many
fit, as text), and
  locations   {card: {seat: probability}}: where the cards in play are now
  claims      for each half-suit that the team may hold, the likeliest layout, likeliest first:
              half_suit, holders {card: seat}, probability, certain, because (the numbers of the
              events that prove it when it is certain; 0 stands for the own hand)
  asks        every ask that would be legal on turn, likeliest first: target, card, probability,
              dead (whether everyone knows that it must miss); and for those examined
                shows     whether it shows everyone for the first time that the seat has cards of
                          that half-suit
                if_hit    null when it cannot hit, else located {card: seat} and claims (half_suit,
                          holders): what would become certain for the seat; revealed {card: seat}:
                          what would become certain for everyone; exposed (half_suit, holders): what
                          every opponent could then prove. What is so already is left out
                if_miss   the same for a miss
                reply     the best ask of the target, who gets the turn by a miss: target, card,
                          public (the chance of a hit that everyone sees), allowed (the chance that
                          they may ask so) and probability (of a hit), both as the seat knows it
  half_suits  for each in play: half_suit, certain, best (the probability of the likeliest layout),
              held, held_against (the probability that the own team, or the opponents, hold all six
              cards), settled_by (the answers to a single ask that would make it certain: target,
              card, answer, probability (of that answer), holders)
  dangers     half-suits that the opponents may claim, the most pressing first: half_suit, holders
              (the likeliest layout), probability, held (that they hold it all), proven (whether
              everyone can prove it), provers (who of them can prove it if the cards lie so, from
              what everyone knows and their own cards of the half-suit; looked into when the layout
              is at least 5 % likely)
  engine      budget, seed, value, choice and reason as "literature analyze --json" has them; null
              with --no-engine, and when the game is over
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from literature_ai.analysis.consequences import (
    ASKS_EXAMINED,
    Answer,
    AskConsequences,
    Consequences,
    Danger,
    HalfSuitChances,
    Reply,
    consequences_of,
    with_consequences,
)
from literature_ai.analysis.engine import Analysis, analyze
from literature_ai.analysis.hints import Hint, hint, open_half_suits
from literature_ai.analysis.value_text import choice_in_words, summary_as_json
from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    Card,
    CardNames,
    Seat,
    cards_of,
    is_card,
    team_of,
)
from literature_ai.cli import terminal
from literature_ai.cli.compiling import ADVICE, ENGINE, compile_for
from literature_ai.errors import LiteratureError, UnknownNameError
from literature_ai.events import Ask, Claim
from literature_ai.inference.knowledge import BestClaim
from literature_ai.inference.recorded import knowledge_of, seat_to_advise, viewpoint_of
from literature_ai.records.lit import iter_games
from literature_ai.records.notation import (
    card_of_deck,
    half_suit_named,
    half_suit_of_deck,
)
from literature_ai.records.record import Record, choose
from literature_ai.rules import RuleSet
from literature_ai.wording import layout, percent, wanted

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

ASKS_SHOWN = 8
ANSWERS_SHOWN = 3
LEAST_DANGER = 0.1
"""A half-suit that no opponent can prove is shown from this probability on that they hold it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .lit record; - is the standard input")
    parser.add_argument(
        "--seat", metavar="SEAT", help="A1, B1, …; default the only one with a hand in the record"
    )
    parser.add_argument("--game", metavar="ID", help="the game with this id, if there are several")
    parser.add_argument(
        "--full",
        action="store_true",
        help=f"examine every ask, not just the {ASKS_EXAMINED} best; "
        "early in a game of 8, as many as can be counted in seconds",
    )
    parser.add_argument(
        "--explain", metavar="WHAT", help="a card or a half-suit: prove where it is, in words"
    )
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")
    parser.add_argument(
        "--no-engine", action="store_true", help="leave the engine's choice out, which saves time"
    )


def run(args: argparse.Namespace) -> int:
    record = choose(iter_games(args.file), args.game, args.file)
    seat = seat_to_advise(record, args.seat, args.file)
    cards = None if args.explain is None else _cards(args.explain, record.rules)
    with_engine = not args.no_engine and args.explain is None
    compile_for(*ADVICE, *(ENGINE if with_engine else ()))
    if cards is not None:
        return _explain(record, seat, cards, args)
    advice = hint(viewpoint_of(record, seat, args.file))
    consequences = consequences_of(advice, None if args.full else ASKS_EXAMINED)
    analysis = None
    if with_engine and advice.position.turn is not None and not record.ended:
        analysis = analyze(record, seat, knowledge=advice.viewpoint.knowledge)
    if args.json:
        said = with_consequences(advice, consequences)
        engine = (
            None if analysis is None else summary_as_json(analysis, advice.record.rules.card_names)
        )
        print(json.dumps({**said, "engine": engine}, indent=1))
    else:
        _show(advice, consequences, args.full, analysis)
    return 0


def _cards(text: str, rules: RuleSet) -> Sequence[Card]:
    """The card, or the six cards of the half-suit, that the text names in the deck in play."""
    if half_suit_named(text) is not None:
        return cards_of(half_suit_of_deck(text, rules))
    if is_card(text):
        return [card_of_deck(text, rules)]
    raise UnknownNameError(
        f"{text!r} is no card and no half-suit; write one as in 5S, or LS for low spades"
    )


def _explain(record: Record, seat: Seat, cards: Sequence[Card], args: argparse.Namespace) -> int:
    """Print why the cards are where they are; 1 when that is not certain."""
    from literature_ai.inference.proof import prove

    names = record.rules.card_names
    knowledge = knowledge_of(record, seat, args.file)
    possible = knowledge.possible_seats()
    layout = {}
    for card in cards:
        seats = possible[card]
        if not seats:
            raise LiteratureError(f"{args.file}: {names[card]} is not in play")
        if seats & (seats - 1):
            among = [SEAT_NAMES[s] for s in range(record.rules.players) if seats >> s & 1]
            print(
                f"{names[card]} is not certain: {', '.join(among[:-1])} or {among[-1]} has it",
                file=sys.stderr,
            )
            return 1
        layout[card] = seats.bit_length() - 1
    proof = prove(knowledge, record.events, layout)
    if args.json:
        steps = [dataclasses.asdict(step) for step in proof.steps]
        holders = {names[card]: SEAT_NAMES[s] for card, s in layout.items()}
        said = {"game": record.id, "seat": SEAT_NAMES[seat], "holders": holders}
        print(json.dumps({**said, "because": list(proof.events), "steps": steps}, indent=1))
    else:
        terminal.say(str(proof))
    return 0


def _show(advice: Hint, consequences: Consequences, full: bool, analysis: Analysis | None) -> None:
    from rich.text import Text

    console = terminal.console()
    names = advice.record.rules.card_names
    turn = advice.position.turn
    if turn is None:
        over = advice.position.nothing_follows()
        on_turn = f"{over.what} ({over.cure})"
    else:
        on_turn = f"{SEAT_NAMES[turn]} is on turn"
    said = (
        f"game {advice.record.id} as {SEAT_NAMES[advice.seat]} sees it after"
        f" {len(advice.record.events)} events: {on_turn}, {_deals(advice.deals)}"
    )
    terminal.show(console, Text(said))
    if analysis is not None:
        choice = Text(f"Engine: {choice_in_words(analysis, names)}", style="bold")
        terminal.show(console, choice, hanging=2)
    for title, lines in (
        ("Certain claims", list(_certain(advice))),
        ("Likely claims", list(_likely(advice, consequences))),
        ("Best asks", list(_asks(advice, consequences, full))),
        ("Dangers", list(_dangers(consequences.dangers, names))),
    ):
        console.print(Text(f"\n{title}", style="bold"))
        for indent, text in lines or [(2, Text("none"))]:
            terminal.show(console, text, indent, hanging=4)
    console.print(Text("\nWhere the cards are, in percent", style="bold"))
    terminal.show_table(console, _locations(advice))


def _deals(number: int) -> str:
    return "one deal is possible" if number == 1 else f"{number:,} deals are possible"


def _certain(advice: Hint) -> Iterator[tuple[int, Text]]:
    """Lines, each with its indent."""
    from rich.text import Text

    for claim in advice.claims:
        if claim.certain:
            text = Text(_claim(claim, advice.record.rules.card_names), style="green")
            text.append(f"  because of {_events(advice.because[claim.half_suit])}", style="default")
            yield 2, text


def _likely(advice: Hint, consequences: Consequences) -> Iterator[tuple[int, Text]]:
    from rich.text import Text

    names = advice.record.rules.card_names
    chances = {half.half_suit: half for half in consequences.half_suits}
    for claim in advice.claims:
        if not claim.certain:
            said = f"{HALF_SUIT_NAMES[claim.half_suit]}  {percent(claim.probability):>5} %"
            yield 2, Text(f"{said}  {layout(claim.half_suit, claim.holders, names)}")
            yield from _decisive(chances[claim.half_suit], names)
    unclaimable = [p for p in consequences.half_suits if not p.best and p.decisive]
    for half in unclaimable:
        yield 2, Text(f"{HALF_SUIT_NAMES[half.half_suit]}  not as the cards lie now")
        yield from _decisive(half, names)


def _decisive(chances: HalfSuitChances, names: CardNames) -> Iterator[tuple[int, Text]]:
    from rich.text import Text

    if chances.best:
        yield 6, Text(f"the team holds all six: {percent(chances.held)} %", style="dim")
    answers = [
        f"{wanted(s.ask, names)} {'hits' if s.hit else 'misses'} ({percent(s.probability)} %)"
        for s in chances.decisive
    ]
    if answers:
        yield 6, Text(f"settled if {_some(answers, ' or ')}", style="cyan")


def _asks(advice: Hint, consequences: Consequences, full: bool) -> Iterator[tuple[int, Text]]:
    from rich.text import Text

    names = advice.record.rules.card_names
    examined = {ask.ask: ask for ask in consequences.asks}
    shown = advice.asks if full else advice.asks[:ASKS_SHOWN]
    for likely in shown:
        text = Text(f"{wanted(likely.ask, names)}  {percent(likely.probability):>5} %")
        if likely.ask in consequences.dead:
            text.append("  everyone knows that it must miss", style="red")
        elif not likely.probability:
            text.append("  you know that it must miss", style="red")
        yield 2, text
        if likely.ask in examined:
            yield from _examined(examined[likely.ask], names)
    rest = len(advice.asks) - len(shown)
    if rest:
        yield 2, Text(f"and {rest} more (all of them with --full, or --json)")
    elif full and len(consequences.asks) < len(shown):
        left = len(shown) - len(consequences.asks)
        yield 2, Text(f"what follows from the last {left} takes long to count so early in the game")


def _examined(ask: AskConsequences, names: CardNames) -> Iterator[tuple[int, Text]]:
    from rich.text import Text

    if ask.shows:
        half_suit = HALF_SUIT_NAMES[ask.ask.card // 6]
        yield 6, Text(f"shows everyone that you have cards of {half_suit}", style="dim")
    for word, answer in (("hit", ask.if_hit), ("miss", ask.if_miss)):
        if answer is not None:
            said = list(_follows(answer, names))
            if word == "miss":
                said.insert(0, _turn_goes(ask.ask, ask.reply, names))
            if said:
                yield 6, Text(f"{word + ':':5} {'; '.join(said)}", style="dim")


def _turn_goes(ask: Ask, reply: Reply | None, names: CardNames) -> str:
    player = SEAT_NAMES[ask.target]
    if reply is None:
        return f"{player} gets the turn and has nothing to ask for"
    best = f"best asks {wanted(reply.ask, names)}: {percent(reply.public)} % for"
    said = f"{player} gets the turn; {best}"
    may = "" if reply.allowed == 1.0 else f", if {player} may ({percent(reply.allowed)} %)"
    return f"{said} everyone, {percent(reply.probability)} % as you know it{may}"


def _follows(answer: Answer, names: CardNames) -> Iterator[str]:
    if answer.claims:
        yield f"you can claim {_claims(answer.claims)}"
    if answer.located:
        yield f"you can place {_places(answer.located, names)}"
    public = {card: seat for card, seat in answer.revealed.items() if card not in answer.located}
    if public:
        yield f"everyone can place {_places(public, names)}"
    if answer.exposed:
        yield f"the opponents can claim {_claims(answer.exposed)}"


def _dangers(dangers: Sequence[Danger], names: CardNames) -> Iterator[tuple[int, Text]]:
    from rich.text import Text

    for danger in dangers:
        name, said = (
            HALF_SUIT_NAMES[danger.half_suit],
            layout(danger.half_suit, danger.holders, names),
        )
        if danger.proven:
            yield (
                2,
                Text(
                    f"{name}  {percent(1.0):>5} %  {said}: everyone can prove it", style="bold red"
                ),
            )
        elif danger.provers or danger.held >= LEAST_DANGER:
            yield 2, Text(f"{name}  {percent(danger.probability):>5} %  {said}")
            yield 6, Text(f"they hold all six: {percent(danger.held)} %", style="dim")
            if danger.provers:
                who = " and ".join(SEAT_NAMES[seat] for seat in danger.provers)
                yield 6, Text(f"if the cards lie so, {who} can prove it", style="red")


def _claim(claim: BestClaim, names: CardNames) -> str:
    return f"{HALF_SUIT_NAMES[claim.half_suit]}  {layout(claim.half_suit, claim.holders, names)}"


def _claims(claims: Iterable[Claim]) -> str:
    return " and ".join(HALF_SUIT_NAMES[claim.half_suit] for claim in claims)


def _places(places: dict[int, int], names: CardNames) -> str:
    return _some([f"{names[card]} at {SEAT_NAMES[seat]}" for card, seat in places.items()])


def _some(items: Sequence[str], between: str = ", ") -> str:
    """The first few of them."""
    more = len(items) - ANSWERS_SHOWN
    return between.join(items[:ANSWERS_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _events(numbers: tuple[int, ...]) -> str:
    events = [str(number) for number in numbers if number]
    reasons = [f"event{'s' * (len(events) > 1)} {', '.join(events)}"] if events else []
    return " and ".join([*reasons, *["the own hand"] * (0 in numbers)])


def _locations(advice: Hint) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for seat in range(advice.record.rules.players):
        ours = team_of(seat) == team_of(advice.seat)
        table.add_column(SEAT_NAMES[seat], justify="right", header_style="cyan" if ours else "")
    for i, (_, cards) in enumerate(open_half_suits(advice)):
        if i:
            table.add_row()
        for card in cards:
            table.add_row(
                advice.record.rules.card_names[card], *map(_cell, advice.locations[card].tolist())
            )
    return table


def _cell(chance: float) -> Text:
    from rich.text import Text

    if chance in (0.0, 1.0):
        return Text("100", style="bold green") if chance else Text(terminal.NOTHING, style="dim")
    style = "green" if chance >= 0.5 else "yellow" if chance >= 0.25 else ""
    return Text(percent(chance), style=style)
