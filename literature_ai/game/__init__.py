"""The rules, and games, positions and matches played by them."""
