"""`literature_ai.svg`: drawings are well-formed, complete, and show nothing that is hidden."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from helpers import SIZES, random_game

from literature_ai import svg
from literature_ai.cards import SEAT_NAMES
from literature_ai.game.game import Game
from literature_ai.game.position import Position
from literature_ai.inference.knowledge import Knowledge
from literature_ai.records.lit import read
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

RULES = (*SIZES, RuleSet.parse("without-7s"), RuleSet.parse("without-2s"))


def titles(drawing: str) -> list[str]:
    """The names of the cards whose faces are drawn."""
    tree = ElementTree.fromstring(drawing)
    found = tree.iter("{http://www.w3.org/2000/svg}rect")
    return [title.text or "" for rect in found for title in rect]


def words(drawing: str) -> str:
    """All that the drawing says, its title included."""
    return " ".join(ElementTree.fromstring(drawing).itertext())


@pytest.mark.parametrize("rules", RULES, ids=str)
class TestTable:
    """A table shows just what its viewer may see, under every deck and size."""

    def test_game(self, rules: RuleSet) -> None:
        """A game shows every card in a hand, once, by the names of its deck."""
        game = random_game(rules, np.random.default_rng(2), until=30)
        held = sorted(rules.card_names[card] for s in range(rules.players) for card in game.hand(s))
        assert sorted(titles(svg.table(game))) == held
        assert game._repr_svg_() == svg.table(game)

    def test_view(self, rules: RuleSet) -> None:
        """A view, and a game with a viewer, show the faces of the viewer's own hand only."""
        game = random_game(rules, np.random.default_rng(3), until=30)
        for seat in range(rules.players):
            own = [rules.card_names[card] for card in game.hand(seat)]
            assert titles(svg.table(game.view(seat))) == own
            assert titles(svg.table(game, viewer=seat)) == own

    def test_position(self, rules: RuleSet) -> None:
        """A position shows no face, and every seat with its number of cards."""
        game = random_game(rules, np.random.default_rng(4), until=30)
        position = Position(rules, game.start)
        for event in game.events:
            position.follow(event)
        drawing = svg.table(position)
        assert not titles(drawing)
        for seat, size in enumerate(game.hand_sizes):
            assert re.search(rf"{SEAT_NAMES[seat]} {size} card", words(drawing))

    def test_heat_map(self, rules: RuleSet) -> None:
        """The heat map says the exact chance of each card with each seat, to a tenth of a percent
        or 0 and 100 when certain."""
        game = random_game(rules, np.random.default_rng(5), until=25)
        knowledge = Knowledge.of(game.view(1))
        posterior = knowledge.posterior()
        said = titles(svg.heat_map(knowledge))
        assert len(said) == 6 * len(knowledge.in_play) * rules.players
        for title in said:
            match = re.fullmatch(r"(..) with (..): ([\d.]+) %", title)
            assert match is not None
            card = rules.card_names.index(match[1])
            chance = posterior[card, SEAT_NAMES.index(match[2])]
            assert abs(100 * chance - float(match[3])) <= 0.1
            assert (match[3] in ("0", "100")) == (chance in (0.0, 1.0))


def test_hand_and_log() -> None:
    """A hand draws its cards in order; a log has every event with its number, or the last ones."""
    game = random_game(RuleSet(), np.random.default_rng(6), until=12)
    names = game.rules.card_names
    assert titles(svg.hand(reversed(game.hand(0)), names)) == [names[c] for c in game.hand(0)]
    assert "no cards" in words(svg.hand((), names))
    whole, last = words(svg.log(game)), words(svg.log(game, last=3))
    assert all(f"{n}. " in whole for n in range(1, len(game.events) + 1))
    assert f"{len(game.events)}. " in last
    assert " 1. " not in last


def test_records() -> None:
    """Records draw with all hands, with one, and with none, and with the names of the players,
    which are never read as markup."""
    game = random_game(RuleSet(), np.random.default_rng(7), until=20)
    names = ("<b>&amp;", *[None] * 5)
    whole = Record.of(game, "1", names)
    assert len(titles(whole._repr_svg_())) == sum(game.hand_sizes)
    assert "<b>&amp;" in words(whole._repr_svg_())
    text = str(whole).splitlines()
    for kept in (1, 0):
        hands = [line for line in text if line.startswith("hand ")]
        lines = [line for line in text if line not in hands[kept:]]
        (some,) = read("\n".join(lines))
        assert len(titles(some._repr_svg_())) == (game.hand_sizes[0] if kept else 0)


def test_no_game_is_too_short_or_too_long() -> None:
    """A game before its first event and one that is over draw themselves as well."""
    game = Game.deal(RuleSet(players=8), seed=1)
    assert "0 events" in words(svg.table(game))
    over = random_game(RuleSet(play_out=True), np.random.default_rng(8))
    assert "the game is over" in words(svg.table(over))
    assert "every half-suit is claimed" in words(svg.table(over)) or over.in_play
    assert "no half-suit is in play" in words(svg.heat_map(Knowledge.of(over.view(0)))) or (
        over.in_play
    )


def test_files_are_as_drawn(tmp_path: Path) -> None:
    """A drawing written to a file is a whole SVG file."""
    file = tmp_path / "table.svg"
    file.write_text(svg.table(Game.deal(RuleSet(), seed=1)), encoding="utf-8")
    assert ElementTree.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"
