"""Bots: finding agents by name, running programs as agents, checking any of them."""
