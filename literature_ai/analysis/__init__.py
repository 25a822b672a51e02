"""Analysis of positions and games: hints, consequences of asks, reviews."""
