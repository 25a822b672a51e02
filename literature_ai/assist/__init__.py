"""`literature assist` without the terminal: a game entered line by line, with advice after each.

A `Session` answers each line that a player types with a text. It asks for the set-up first
(`setup`), then accepts events in the notation of records (`changes`) and questions (`commands`).
Every event is checked against the rules and against all that is known before it counts
(`checking`), so the state of a session is always a valid record. `replies` are the texts, and
`completion` offers the next word. The file is written by `literature_ai.sessions`.
"""
