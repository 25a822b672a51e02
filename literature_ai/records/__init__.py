"""Game records: their text, their grammar, and what they say by themselves."""
