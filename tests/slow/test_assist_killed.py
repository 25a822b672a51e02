"""`literature assist`, killed at any moment of many sessions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers import EVERY_RULE, random_game
from terminal import Terminal

from literature_ai.assist.session import Session
from literature_ai.cards import SEAT_NAMES
from literature_ai.records.lit import read_games
from literature_ai.records.notation import format_event
from literature_ai.records.record import Record

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(4))
def test_a_session_killed_at_any_moment_loses_at_most_the_line_being_typed(
    seed: int, tmp_path: Path
):
    """SIGKILL sometimes after the reply and sometimes at once after Enter, under any rules: the
    file holds the session before the line or after it, and goes on to the same record."""
    rng = np.random.default_rng(seed)
    rules = EVERY_RULE[rng.integers(len(EVERY_RULE))]
    game = random_game(rules, rng, until=20)
    hand = " ".join(rules.card_names[card] for card in game.dealt[0])
    lines = [str(rules.players), rules.words() or "none", "A1", hand, SEAT_NAMES[game.start]]
    for event in game.events:
        lines += ["nonsense"] * int(rng.integers(2)) + [format_event(event, rules.card_names)]
    file = tmp_path / "kitchen.lit"
    mirror = Session("kitchen")
    done = 0
    while done < len(lines):
        with Terminal("assist", "kitchen.lit", folder=tmp_path, kind="dumb") as terminal:
            terminal.until(mirror.prompt)
            for _ in range(rng.integers(1, 5)):
                if done < len(lines):
                    mirror.enter(lines[done])
                    terminal.answer(lines[done], f"\n{mirror.prompt}")
                    assert mirror.text == file.read_text()
                    done += 1
            if done < len(lines) and rng.random() < 0.5:
                terminal.type(f"{lines[done]}\r")
            terminal.kill()
        before = mirror.text
        if file.read_text() != before:
            mirror.enter(lines[done])
            done += 1
            assert mirror.text == file.read_text()
    hands = (game.dealt[0], *(None for _ in game.dealt[1:]))
    assert [replace(Record.of(game, "kitchen"), hands=hands)] == read_games(file)
