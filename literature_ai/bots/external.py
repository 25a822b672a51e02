"""Bots in any language: programs that read and answer one JSON object a line.

The spec ``cmd:./bot --flag`` names such a program. It is started once for each seat that it plays
and kept for many games with the same number of players and the same deck. It reads messages on its
standard input and answers each one, in order, with one line on its standard output, within 10
seconds unless told otherwise. Its standard error is free for diagnostics: the last 64 KiB are kept
and shown when it fails. An answer is at most 64 KiB long.

Cards, half-suits and seats go by their names: ``"3D"``, ``"LS"``, ``"A1"``.

The messages, each with its answer (`protocol.schema.json` has them as a JSON Schema)::

    {"op": "hello", "protocol": "literature-json-1", "seats": […], "cards": […], "half_suits": […]}
        {"ok": true, "name": …, "version": …}    name and version may be left out
    {"op": "new_game", "seat": "A1", "start": "B1", "hand": […], "rules": {…}, "seed": 123,
     "seed_sequence": {…}}
        {"ok": true}
    {"op": "act", "view": {…}}                   on turn
        {"ask": {"target": "B2", "card": "3D"}}
        {"claim": {"half_suit": "LS", "holders": {"2S": "A1", …}}}
        {"pass": "A2"}
    {"op": "claim?", "view": {…}}                off turn
        {"claim": …} or {"none": true}
    {"op": "bye"}                                no answer; the program ends within a second

Any answer may be ``{"error": "…"}``, which forfeits the game.

``new_game``: ``hand`` is the hand as dealt, also when the game is in progress; the first view then
holds all events so far. ``start`` is the seat that starts. ``rules`` are the attributes of
`RuleSet` by name. Cards have the names of the deck, which ``hello`` lists; for another deck the
program is started again. ``seed`` is for the random numbers of this game: the same seed must lead
to the same play. ``seed_sequence`` (entropy and spawn key of numpy's SeedSequence) is for programs
that draw as an agent in this process would.

``view``:

- ``seat``, ``turn``, ``hand`` (own cards now), ``hand_sizes`` (by seat), ``score`` (by team) and
  ``in_play`` (half-suits);
- ``legal_asks``: objects that may be sent back as ``ask``; ``legal_passes``: seats that may be sent
  back as ``pass``, teammates, or opponents when one must be named (rule ``choose-claimant``);
  ``may_claim``: whether a claim is allowed now;
- ``new_events``: the events since the last message of this game, as a record writes them:
  ``"ask A1 B2 3D hit"``.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import IO, TYPE_CHECKING, Any, cast

from literature_ai import cards as c
from literature_ai.agents.base import Agent
from literature_ai.bots.processes import kill
from literature_ai.errors import BotError, SpecError, UnknownNameError
from literature_ai.events import Action, Ask, Claim, Event, Pass
from literature_ai.records.notation import format_event
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np

    from literature_ai.game.view import View

PROTOCOL = "literature-json-1"
ANSWER_SECONDS = 10.0
HELLO_SECONDS = 10.0
BYE_SECONDS = 1.0
_KILL_SECONDS = 5.0
_MOST_READS = 64
LONGEST_ANSWER = 64 * 1024
KEPT_DIAGNOSTICS = 64 * 1024


class ExternalAgent(Agent):
    """Plays as an external program decides.

    One agent plays one seat in any number of games, one after the other, with one process. Every
    method raises `BotError` when the program fails. A program that has failed is started again for
    the next game, and every program is for a game with other players or another deck.
    """

    def __init__(self, command: str, answer_seconds: float = ANSWER_SECONDS) -> None:
        """Raise `SpecError` when the command is empty, cannot be split into words, or cannot be run
        by this system."""
        if not hasattr(os, "set_blocking") or not hasattr(os, "killpg"):
            raise SpecError("programs as agents need Linux, macOS or WSL")
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise SpecError(f"the command {command!r} cannot be split: {error}") from None
        if not self.words:
            raise SpecError("the command is missing; write cmd:./bot --flag")
        self.answer_seconds = answer_seconds
        self.name = ""
        """Name and version that the program gives itself; empty before its ``hello``."""
        self._process: _Process | None = None
        self._greeted_for: tuple[int, c.CardNames] | None = None
        """The number of players and the deck of its ``hello``."""
        self._names = c.CARD_NAMES
        """The names of the cards in the game that it plays."""
        self._new_events: list[str] = []

    @property
    def longest_call(self) -> float:
        """The seconds that a call of any method takes at most, whatever the program does."""
        greeting = BYE_SECONDS + max(HELLO_SECONDS, self.answer_seconds)
        return greeting + self.answer_seconds + _KILL_SECONDS

    @property
    def process_group(self) -> int | None:
        """The id of the program's process group; None when it does not run."""
        return self._process.group if self._process else None

    @property
    def diagnostics(self) -> str:
        """The end of the program's standard error."""
        return self._process.diagnostics if self._process else ""

    def start(self, view: View, rng: np.random.Generator) -> None:
        self._names = view.rules.card_names
        self._new_events = [format_event(event, self._names) for event in view.events]
        setting = view.rules.players, self._names
        if self._process is None or not self._process.alive or setting != self._greeted_for:
            self.close()
            self._process = _Process(self.words)
            self._greet(view.rules)
            self._greeted_for = setting
        self._need_ok(
            {
                "op": "new_game",
                "seat": c.seat_name(view.seat),
                "start": c.seat_name(view.start),
                "hand": [self._names[card] for card in view.dealt],
                "rules": asdict(view.rules),
                "seed_sequence": _seed_sequence(rng),
                "seed": int(rng.integers(2**53)),
            },
            self.answer_seconds,
        )

    def observe(self, event: Event) -> None:
        self._new_events.append(format_event(event, self._names))

    def act(self, view: View) -> Action:
        answer = self._ask("act", view)
        match answer:
            case {"ask": {"target": str(target), "card": str(card)}}:
                return Ask(self._named(c.parse_seat, target), self._named(self._card, card))
            case {"claim": claim}:
                return self._claim(claim)
            case {"pass": str(to)}:
                return Pass(self._named(c.parse_seat, to))
        raise self._protocol_error(answer, 'answer {"ask": …}, {"claim": …} or {"pass": …}')

    def claim(self, view: View) -> Claim | None:
        answer = self._ask("claim?", view)
        match answer:
            case {"none": True}:
                return None
            case {"claim": claim}:
                return self._claim(claim)
        raise self._protocol_error(answer, 'answer {"claim": …} or {"none": true}')

    def say_goodbye(self) -> None:
        """Ask the program to end, without waiting for it. Call `close` afterwards."""
        if self._process is not None:
            self._process.say_goodbye()

    def close(self) -> None:
        """Ask the program to end, and kill it unless it does within a second."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _greet(self, rules: RuleSet) -> None:
        answer = self._need_ok(
            {
                "op": "hello",
                "protocol": PROTOCOL,
                "seats": c.SEAT_NAMES[: rules.players],
                "cards": rules.card_names,
                "half_suits": c.HALF_SUIT_NAMES[: rules.half_suits],
            },
            max(HELLO_SECONDS, self.answer_seconds),
        )
        self.name = " ".join(str(answer[key]) for key in ("name", "version") if key in answer)

    def _need_ok(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        answer = self._exchange(message, seconds)
        if answer.get("ok") is not True:
            raise self._protocol_error(answer, f'answer {message["op"]} with {{"ok": true}}')
        return answer

    def _ask(self, op: str, view: View) -> dict[str, Any]:
        answer = self._exchange(
            {"op": op, "view": view_in_names(view, self._new_events)}, self.answer_seconds
        )
        self._new_events = []
        return answer

    def _exchange(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        if self._process is None:
            raise BotError("crash", "the program is not running")
        try:
            text = self._process.exchange(json.dumps(message), seconds)
            answer = _object(text)
            if "error" in answer:
                raise BotError("error", f"the program says: {answer['error']}")
        except BotError as failure:
            # Anything that it writes from now on would be read as an answer in the next game.
            raise self._killed(failure) from None
        return answer

    def _killed(self, failure: BotError) -> BotError:
        """The failure with the program's diagnostics, after ending the program."""
        assert self._process is not None
        self._process.kill()
        return BotError(failure.kind, str(failure), self._process.diagnostics)

    def _protocol_error(self, answer: object, cure: str) -> BotError:
        return self._killed(BotError("protocol", f"it answered {_shown(answer)}; {cure}"))

    def _claim(self, claim: object) -> Claim:
        match claim:
            case {"half_suit": str(name), "holders": dict(holders)}:
                half_suit = self._named(c.parse_half_suit, name)
                seats = {
                    self._named(self._card, card): self._named(c.parse_seat, seat)
                    for card, seat in holders.items()
                }
                if seats.keys() == set(c.cards_of(half_suit)):
                    return Claim(half_suit, tuple(seats[card] for card in sorted(seats)))
        raise self._protocol_error(
            claim, "a claim names its half-suit and the holders of all six cards"
        )

    def _card(self, text: str) -> c.Card:
        return c.parse(text, self._names)

    def _named(self, parse: Callable[[str], int], text: object) -> int:
        try:
            return parse(str(text))
        except UnknownNameError as error:
            raise self._killed(BotError("protocol", str(error))) from None


def _seed_sequence(rng: np.random.Generator) -> dict[str, Any]:
    """What the generator was made from, as numbers."""
    sequence: Any = rng.bit_generator.seed_seq
    return {"entropy": sequence.entropy, "spawn_key": list(sequence.spawn_key)}


def how_it_ended(code: int) -> str:
    """The return code of a process in words; negative codes are signals."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def view_in_names(view: View, new_events: list[str]) -> dict[str, Any]:
    """The view as it is sent to a program."""
    seats, cards = c.SEAT_NAMES, view.rules.card_names
    return {
        "seat": seats[view.seat],
        "turn": None if view.turn is None else seats[view.turn],
        "hand": [cards[card] for card in view.hand],
        "hand_sizes": dict(zip(seats, view.hand_sizes, strict=False)),
        "score": dict(zip(c.TEAM_NAMES, view.score, strict=True)),
        "in_play": [c.HALF_SUIT_NAMES[h] for h in view.in_play],
        "legal_asks": [
            {"target": seats[ask.target], "card": cards[ask.card]} for ask in view.legal_asks
        ],
        "legal_passes": [seats[seat] for seat in view.legal_passes],
        "may_claim": view.may_claim,
        "new_events": new_events,
    }


def _object(text: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        raise BotError("protocol", f"it answered {_shown(text)}; answer one JSON object") from None
    if not isinstance(answer, dict):
        raise BotError("protocol", f"it answered {_shown(answer)}; answer one JSON object")
    return answer


def _shown(value: object) -> str:
    text = value.decode(errors="replace") if isinstance(value, bytes) else json.dumps(value)
    return repr(text if len(text) <= 100 else f"{text[:100]}…")


class _Process:
    """The program's process, with limits on every wait and on the length of what it sends.

    It runs in a process group of its own, so that killing it also kills the processes it started.
    """

    def __init__(self, words: list[str]) -> None:
        try:
            self._popen = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                process_group=0,
            )
        except OSError as error:
            raise BotError(
                "crash", f"the program {words[0]!r} does not start: {error.strerror}"
            ) from None
        self.group = self._popen.pid
        self._stdin = cast(IO[bytes], self._popen.stdin)
        self._stdout = cast(IO[bytes], self._popen.stdout)
        self._stderr = cast(IO[bytes], self._popen.stderr)
        self._answers = bytearray()
        self._diagnostics = bytearray()
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)
        os.set_blocking(self._stdin.fileno(), False)

    @property
    def alive(self) -> bool:
        return self._popen.poll() is None

    @property
    def diagnostics(self) -> str:
        return self._diagnostics.decode(errors="replace")

    def exchange(self, message: str, seconds: float) -> bytes:
        """Send a line and return the line that answers it, within ``seconds``."""
        deadline = time.monotonic() + seconds
        self._read(0)
        if self._answers:
            raise BotError(
                "protocol", f"it said {_shown(bytes(self._answers))} before it was asked"
            )
        waiting = memoryview(message.encode() + b"\n")
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        try:
            while waiting or b"\n" not in self._answers:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise BotError("timeout", f"no answer within {seconds:g} seconds")
                if self._read(left) and waiting:
                    waiting = waiting[self._send(waiting) :]
                    if not waiting:
                        self._selector.unregister(self._stdin)
        finally:
            if waiting:
                self._selector.unregister(self._stdin)
        answer, _, rest = self._answers.partition(b"\n")
        self._answers = rest
        return bytes(answer)

    def _send(self, waiting: memoryview) -> int:
        try:
            return os.write(self._stdin.fileno(), waiting)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise self._crashed() from None

    def _read(self, seconds: float) -> bool:
        """Read what is there, waiting up to ``seconds``; whether its input can be written to."""
        writable = False
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._stdin:
                writable = True
                continue
            chunk = os.read(key.fd, 1 << 16)
            if key.fileobj is self._stderr:
                if not chunk:
                    self._selector.unregister(self._stderr)
                self._diagnostics = (self._diagnostics + chunk)[-KEPT_DIAGNOSTICS:]
            elif not chunk:
                raise self._crashed()
            else:
                self._answers += chunk
                if len(self._answers.partition(b"\n")[0]) > LONGEST_ANSWER:
                    raise BotError("protocol", f"an answer longer than {LONGEST_ANSWER} bytes")
        return writable

    def _crashed(self) -> BotError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(BYE_SECONDS)
        self._read_rest_of_diagnostics()
        code = self._popen.returncode
        if code is None:
            return BotError("crash", "the program closed its output")
        return BotError("crash", f"the program {how_it_ended(code)}")

    def _read_rest_of_diagnostics(self) -> None:
        with contextlib.suppress(BlockingIOError):
            # A process that it has left behind could write for ever.
            for _ in range(_MOST_READS):
                chunk = os.read(self._stderr.fileno(), 1 << 16)
                if not chunk:
                    break
                self._diagnostics = (self._diagnostics + chunk)[-KEPT_DIAGNOSTICS:]

    def say_goodbye(self) -> None:
        if not self._stdin.closed:
            with contextlib.suppress(OSError):
                os.write(self._stdin.fileno(), b'{"op": "bye"}\n')
            self._stdin.close()

    def end(self) -> None:
        """Ask it to end, wait a second at most, then kill it."""
        self.say_goodbye()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(BYE_SECONDS)
        self.kill()
        self._selector.close()
        for pipe in (self._stdout, self._stderr):
            pipe.close()

    def kill(self) -> None:
        """Kill the program and its whole process group."""
        kill(self.group)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_KILL_SECONDS)
