"""The commands ``tournament``, ``benchmark``, ``resume`` and ``report``."""
