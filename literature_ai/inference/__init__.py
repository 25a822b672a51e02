"""What a seat can know of a game, and how to prove it."""
