"""`literature bot`: agents of ours as programs, and the schema of the protocol."""

from __future__ import annotations

import io
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from helpers import EVERY_RULE_SOME_SLOW
from processes import LITERATURE

from literature_ai.bots import external
from literature_ai.bots.registry import parse_spec
from literature_ai.bots.serve import Program, serve
from literature_ai.game.game import Game
from literature_ai.game.turns import play, steps
from literature_ai.rules import RuleSet

SIMPLE = Path(__file__).parents[1] / "support" / "bots" / "simple.py"
SCHEMA = json.loads(Path(external.__file__).with_name("protocol.schema.json").read_text())


VALIDATORS = {
    kind: jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{kind}"}]})
    for kind in ("message", "answer")
}


def valid(kind: str, value: Any) -> None:
    """The value is a message, or an answer, of the protocol's schema."""
    VALIDATORS[kind].validate(value)


class Served:
    """Stands for the process of a program: `serve`'s side of the protocol, in this process.

    The words of its command are the spec of the agent.
    """

    alive, diagnostics, group = True, "", 0
    said: list[tuple[Any, Any]] = []  # noqa: RUF012 (each test begins a list of its own)
    """All messages with their answers."""

    def __init__(self, words: list[str]) -> None:
        self.program = Program(parse_spec(words[0]))

    def exchange(self, message: str, seconds: float) -> bytes:
        sent = json.loads(message)
        answer = self.program.answer(sent)
        self.said.append((sent, answer))
        return json.dumps(answer).encode()

    def end(self) -> None:
        """Nothing runs."""

    kill = end


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """External agents are served in this process; all that is said."""
    monkeypatch.setattr(external, "_Process", Served)
    monkeypatch.setattr(Served, "said", [])
    return Served.said


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=str)
def test_agents_play_the_same_as_programs(rules: RuleSet, served: list[tuple[Any, Any]]) -> None:
    """Under every rule an agent that draws at random plays as a program just the game that it
    plays in the process of the referee, and every message and answer fits the schema."""
    spec = f"{SIMPLE}:Asker"
    games = []
    for make in (lambda: parse_spec(spec).make(), lambda: external.ExternalAgent(spec)):
        game = Game.deal(rules, seed=4)
        agents = [make() for _ in range(rules.players)]
        for number, _ in enumerate(steps(game, agents, np.random.default_rng(7))):
            if number > 60:
                break
        games.append(game.events)
    assert games[0] == games[1]
    assert served
    kinds: Counter[tuple[str, str]] = Counter()
    for message, answer in served:
        kind = message["op"], next(iter(answer))
        kinds[kind] += 1
        if kinds[kind] <= 5:  # of each kind: validating takes longer than playing
            valid("message", message)
            valid("answer", answer)


def test_a_program_of_its_own() -> None:
    """`literature bot` plays, in processes of its own, the game that its agent plays here; what an
    agent prints is no answer."""
    rules, games = RuleSet.parse("us54"), []
    for spec in ("greedy", f"cmd:{' '.join(LITERATURE)} bot greedy"):
        game = Game.deal(rules, seed=9)
        agents = [parse_spec(spec).make() for _ in range(6)]
        play(game, agents, np.random.default_rng(1))
        games.append(game.events)
        for agent in agents:
            if isinstance(agent, external.ExternalAgent):
                assert agent.name.startswith("greedy ")
                agent.close()
    assert games[0] == games[1]


def answers_to(*messages: object, spec: str = "random") -> list[dict[str, Any]]:
    """The answers to these messages."""
    out = io.StringIO()
    lines = [m if isinstance(m, str) else json.dumps(m) for m in messages]
    serve(parse_spec(spec), lines, out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    for answer in answers:
        valid("answer", answer)
    return answers


@pytest.fixture
def opening(served: list[tuple[Any, Any]]) -> list[dict[str, Any]]:
    """The messages of a referee up to the first decision of seat A1."""
    game = Game.deal(RuleSet(), seed=3, start=0)
    agent = external.ExternalAgent("random")
    agent.start(game.view(0), np.random.default_rng(1))
    agent.act(game.view(0))
    return [message for message, _ in served]


def test_what_it_says_to_wrong_messages(opening: list[dict[str, Any]]) -> None:
    """Every wrong message is answered with an error that says what is wrong, and the program goes
    on; it ends at bye."""
    hello, new_game, act = opening
    for message, error in (
        ("[1", "one JSON object a line"),
        ([1], 'a JSON object with an "op"'),
        ({"op": "dance"}, "there is no message 'dance'; the messages are hello, new_game"),
        ({"op": "hello", "protocol": "chess-1"}, "the protocol 'chess-1' is unknown"),
        (act, "act comes before new_game"),
        ({"op": "act"}, 'needs a "view" with "new_events"'),
        ({**new_game, "rules": {"players": 6, "wild": True}}, "does not know the rule 'wild'"),
    ):
        wrong, right, *rest = answers_to(message, hello, {"op": "bye"}, hello)
        assert error in wrong["error"]
        assert right["ok"] is True
        assert not rest
    ok, wrong = answers_to({**new_game, "hand": ["2S", "9Z"]}, act)
    assert ok == {"ok": True}
    assert "'9Z' is no card" in wrong["error"]
    other_hand = {**act, "view": {**act["view"], "hand": ["2S"]}}
    assert "contradicts the deal" in answers_to(new_game, other_hand)[1]["error"]


def test_a_referee_that_does_not_say_who_starts(opening: list[dict[str, Any]]) -> None:
    """Without "start" the program finds the start that fits the first view, and plays the same."""
    hello, new_game, act = opening
    old = {key: value for key, value in new_game.items() if key != "start"}
    assert answers_to(hello, old, act) == answers_to(hello, new_game, act)


def test_an_agent_that_raises(opening: list[dict[str, Any]], tmp_path: Path) -> None:
    """An exception of the agent is answered with an error in one line, and the program goes on."""
    (tmp_path / "raising.py").write_text(
        "from literature_ai import Agent\n"
        "class Raising(Agent):\n"
        "    def act(self, view):\n"
        "        raise RuntimeError('no idea')\n"
    )
    spec = f"{tmp_path}/raising.py:Raising"
    *_, wrong, right = answers_to(*opening, opening[0], spec=spec)
    assert wrong == {"error": "RuntimeError: no idea"}
    assert right["ok"] is True


def test_the_command(tmp_path: Path, opening: list[dict[str, Any]]) -> None:
    """The command explains a wrong spec in one line with exit code 2, --warm-up says nothing, and
    what an agent prints goes to standard error."""
    wrong = subprocess.run(
        [*LITERATURE, "bot", "expret"], capture_output=True, text=True, check=False
    )
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "did you mean 'expert'" in wrong.stderr
    warm = subprocess.run([*LITERATURE, "bot", "random", "--warm-up"], capture_output=True)
    assert (warm.returncode, warm.stdout) == (0, b"")
    (tmp_path / "loud.py").write_text(
        "from literature_ai import Agent\n"
        "class Loud(Agent):\n"
        '    """Prints."""\n'
        "    def act(self, view):\n"
        "        print('thinking')\n"
        "        return view.legal_asks[0]\n"
    )
    loud = subprocess.run(
        [*LITERATURE, "bot", "loud.py:Loud"],
        input="\n".join(json.dumps(message) for message in opening),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert [list(json.loads(line)) for line in loud.stdout.splitlines()] == [
        ["ok", "name", "version"],
        ["ok"],
        ["ask"],
    ]
    assert "thinking" in loud.stderr


def test_an_agent_whose_error_cannot_be_shown(
    opening: list[dict[str, Any]], tmp_path: Path
) -> None:
    """An exception whose own text raises is answered too, and the program goes on."""
    (tmp_path / "wordless.py").write_text(
        "from literature_ai import Agent\n"
        "class Wordless(Exception):\n"
        "    def __str__(self):\n"
        "        raise ValueError\n"
        "class Silent(Agent):\n"
        "    def act(self, view):\n"
        "        raise Wordless\n"
    )
    *_, wrong, right = answers_to(*opening, opening[0], spec=f"{tmp_path}/wordless.py:Silent")
    assert wrong == {"error": "Wordless: (it cannot be shown)"}
    assert right["ok"] is True
