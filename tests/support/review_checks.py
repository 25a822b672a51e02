"""Checks of reviews against independent computations, for random games of any length."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers import random_game, seat

from literature_ai.analysis.metrics import team_metrics
from literature_ai.analysis.review import Review, review
from literature_ai.analysis.review_page import page
from literature_ai.analysis.review_text import review_as_json as as_json
from literature_ai.cards import cards_of
from literature_ai.events import Asked, Claimed, Passed, TimedOut
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet


def record_of(game: Game, *hands: str) -> Record:
    """The record of the game, with all hands or only those of the seats named."""
    record = Record.of(game, "1")
    if not hands:
        return record
    return record.with_hands_of([seat(name) for name in hands])


def check_review_of_a_random_game(rules: RuleSet, rng: np.random.Generator, events: int) -> None:
    """Play so many events at random; check the review with all hands and with one."""
    game = random_game(rules, rng, until=events, claim=0.06)
    record = record_of(game)
    found = review(record)
    assert len(game.events) == len(found.decisions)
    check_chances(game, found)
    check_provable(game, found)
    check_metrics(game, found)
    for team, expected in enumerate(team_metrics(game)):
        asked = [s for s in found.summaries if s.seat % 2 == team]
        assert expected.asks == sum(s.asks for s in asked)
        assert expected.dead_asks == sum(s.dead_asks for s in asked)
        timely = [
            p for p in found.provable if p.team == team and p.right and p.claimant % 2 == team
        ]
        assert expected.timely_claims == len(timely)
        assert expected.claim_delay == sum(p.waited for p in timely)
    check_output(found)
    check_output(review(record_of(game, "B1")))


def check_metrics(game: Game, found: Review) -> None:
    """Dead asks and first proofs are those that the counting engine finds, event by event."""
    public = Knowledge(game.rules)
    views = [Knowledge(game.rules, seat, hand) for seat, hand in enumerate(game.dealt)]
    first: dict[tuple[int, int], tuple[int, list[int]]] = {}
    for number in range(len(game.events) + (not game.over)):
        for me, view in enumerate(views):
            for claim in view.certain_claims():
                since, provers = first.setdefault((me % 2, claim.half_suit), (number, []))
                if since == number:
                    provers.append(me)
        if number < len(game.events):
            event = game.events[number]
            if isinstance(event, Asked):
                dead = public.posterior()[event.card, event.target] == 0.0
                assert dead == found.decisions[number].judged.dead
            for knowledge in (public, *views):
                knowledge.observe(event)
    assert {key: (since, tuple(provers)) for key, (since, provers) in first.items()} == {
        (p.team, p.claim.half_suit): (p.since, p.provers) for p in found.provable
    }


def check_chances(game: Game, found: Review) -> None:
    """The chance of each decision of the seat that decided most, computed from its knowledge."""
    who = max(range(game.rules.players), key=[d.seat for d in found.decisions].count)
    me = Knowledge(game.rules, who, game.dealt[who])
    for decision, event in zip(found.decisions, game.events, strict=True):
        if decision.seat == who:
            posterior = me.posterior()
            assert len(me.certain()) == decision.located
            if isinstance(event, Asked):
                assert float(posterior[event.card, event.target]) == decision.judged.chance
                assert decision.judged.chance <= decision.judged.best_chance
                assert decision.judged.hopeless == (decision.judged.chance == 0.0)
                assert not (decision.judged.hopeless and event.hit)
            elif isinstance(event, Claimed):
                claims = {(c.half_suit, c.holders): c for c in me.claims()}
                same = claims.get((event.half_suit, event.holders))
                if same is not None:
                    assert decision.judged.chance == pytest.approx(same.probability, abs=1e-9)
                    assert same.certain == (decision.judged.chance == 1.0)
                best = max((c.probability for c in claims.values()), default=0.0)
                assert best == decision.judged.best_chance
            else:
                assert isinstance(event, Passed | TimedOut)
            assert decision.worth is None or 0.0 <= decision.worth <= 1.0
        me.observe(event)


def check_provable(game: Game, found: Review) -> None:
    """Each claim was true when it was found, and nobody claimed the half-suit in between."""
    holders: dict[int, int] = {card: s for s, hand in enumerate(game.dealt) for card in hand}
    places = [holders.copy()]
    for event in game.events:
        if isinstance(event, Asked) and event.hit:
            holders[event.card] = event.asker
        places.append(holders.copy())
    for claimable in found.provable:
        cards = cards_of(claimable.claim.half_suit)
        assert tuple(places[claimable.since][card] for card in cards) == claimable.claim.holders
        until = len(game.events) if claimable.until is None else claimable.until
        assert 0 <= claimable.since < until + (claimable.until is None)
        assert all(claimable.since < number < until + 1 for number in claimable.passed_up)


def check_output(found: Review) -> None:
    """The JSON is JSON; the page is well-formed and needs nothing from outside."""
    said = json.loads(json.dumps(as_json(found)))
    assert len(found.decisions) == len(said["decisions"]) == said["events"]
    check_page(page(found))


def check_page(text: str) -> None:
    root = ET.fromstring(text)
    assert "html" == root.tag
    assert {"head", "body"} == {child.tag for child in root}
    text = text.replace('<link rel="icon" href="data:,"/>', "")
    assert not set(re.findall(r"https?:|@import|url\(|<script|<link|src=|<img", text))
    assert len(root.findall(".//figure/svg")) in (8, 9)
