"""The rules and the games played by them."""
