"""Drawings as SVG texts: a table, a hand, a log, a record, and the heat map of what a seat knows.

>>> from literature_ai.game.game import Game
>>> from literature_ai.rules import RuleSet
>>> drawing = table(Game.deal(RuleSet(), seed=7, start=0).view(0))
>>> drawing[:4], drawing[-6:]
('<svg', '</svg>')

They need no other package, and stand alone: a notebook shows them (games, views, records and
knowledge draw themselves there), a page embeds them, a file keeps them. Suits differ by their signs
and teams by their names, not by colour alone.
"""

from literature_ai.svg.drawings import hand, heat_map, log, record, table

__all__ = ["hand", "heat_map", "log", "record", "table"]
