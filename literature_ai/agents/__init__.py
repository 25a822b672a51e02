"""The players, one module each."""
