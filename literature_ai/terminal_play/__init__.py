"""`literature play` at a terminal: a table session that persons play by typing.

`dialogue` is the conversation, `commands` what can be typed besides moves, `claiming` a claim card
by card, `completion` the next word of a line, and `screen` the texts.
"""
