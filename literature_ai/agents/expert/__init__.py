"""The parts of `expert` and `champion`: beliefs, opponent model, values, rollouts, search."""
