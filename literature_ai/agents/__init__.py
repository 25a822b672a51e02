"""The agents, one module each."""
