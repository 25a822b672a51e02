"""A game at the table, entered line by line: what `literature assist` does, terminal apart.

A `Session` takes what a player types, one line after the other, and answers each with a text. It
asks for the table first (`setup`), then takes events in the short words of `shorthand`; every line
is read by the reader of records and held against all that is known before it counts (`checking`),
so a session never has a state that is no valid record. `replies` puts into words what it says,
`completion` offers the next word, and `storage` keeps the file.
"""
