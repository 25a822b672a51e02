"""Finding, running and checking agents by their spec."""
