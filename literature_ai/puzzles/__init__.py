"""Puzzles: positions from games of our agents, with a question that is graded exactly.

`claims`: is this claim certain? `misses`: which card does this miss prove? `asks`: which ask is
best? A puzzle is known by its name (`naming`), and the same name is the same puzzle everywhere, so
nothing has to be kept of it; `making` makes puzzles from names, and the daily set from a date.
Nothing here knows of a page.
"""
