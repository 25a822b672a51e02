"""What each word of the rules means, in a sentence, as menus and forms show it.

>>> MEANINGS["split-claims"]
'A claim may name opponents too.'
"""

from __future__ import annotations

PRESETS_MEAN = {
    "canadian": "Canadian Fish: six players, usual rules.",
    "russian": "Russian Fish: eight players, usual rules.",
    "timed": "Thirty seconds for every decision.",
    "us54": "As deck-54 claim-any-time cardless-claims wrong-hides.",
    "pagat": "As on pagat.com: wrong-cancels play-out choose-claimant.",
    "silent": "Usual rules; asks are the only signals here anyway.",
}
DECKS_MEAN = {
    "": "Eights left out: low 2 to 7, high 9 to A.",
    "deck-54": "Eights and two jokers as a ninth half-suit, 6 players.",
    "without-7s": "Sevens left out: low A to 6, high 8 to K.",
    "without-2s": "Twos left out: low 3 to 8, high 9 to A.",
}
"""The usual deck has no word."""
SWITCHES_MEAN = {
    "split-claims": "A claim may name opponents too.",
    "claim-any-time": "Whoever has a card may claim between any two actions.",
    "cardless-claims": "With claim-any-time: a player without cards may claim too.",
    "pass-turn": "The turn may be passed to a teammate instead of asking.",
    "wrong-cancels": "A wrong claim of what the own team holds scores for nobody.",
    "wrong-hides": "A wrong claim does not show who held what.",
    "bluff-asks": "A player may ask for a card that they hold themselves.",
    "play-out": "The game goes on after a majority, until all is claimed.",
    "wrong-loses-turn": "A wrong claim gives the turn to the next opponent.",
    "claim-takes-turn": "Who claims off turn has the turn then, if they have cards.",
    "choose-claimant": "A team on turn without cards chooses who claims the rest.",
}
NUMBERS_MEAN = {
    "turn-seconds": "=N: who does not act within N seconds loses the turn.",
    "max-events": "=N: the game ends after N events.",
}
MEANINGS = {
    **PRESETS_MEAN,
    **{word: said for word, said in DECKS_MEAN.items() if word},
    **SWITCHES_MEAN,
    **NUMBERS_MEAN,
}
"""Every word that `RuleSet.parse` reads, in the order of menus."""
