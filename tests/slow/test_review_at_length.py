"""Reviews of long random games with many players, whose fast tests stop after a few events."""

import numpy as np
import pytest
from helpers import EVERY_RULE
from review_checks import check_review_of_a_random_game

pytestmark = pytest.mark.slow

BIG = [rules for rules in EVERY_RULE if rules.players == 8 or rules.deck == 54]


@pytest.mark.parametrize("number", range(len(BIG)))
def test_reviews_of_long_games(number):
    """What holds of the beginning of a game holds of the rest, with all hands and with one."""
    check_review_of_a_random_game(BIG[number], np.random.default_rng([31, number]), 60)
