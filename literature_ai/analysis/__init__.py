"""What can be said of a position or a game: hints, consequences, reviews."""
