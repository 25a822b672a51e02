"""Sessions at a table, for every face: who sits where, the game so far, and its file.

`table` is a game between persons and bots, `seats` who sits at it, `bots` how bots decide, `seen`
what each viewer may see, and `saved` its text. `storage` and `keeper` write the file of any
session, that of ``literature assist`` too. Nothing here knows of a terminal or of pages.
"""
