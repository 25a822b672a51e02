"""What commands say and do before something that takes long and would look like a hang."""

from __future__ import annotations

import sys
from pathlib import Path


def say_if_compiling() -> bool:
    """Say so on the error output when the counting kernels must first be compiled: must they?"""
    import solver

    if any((Path(solver.__file__).parent / "__pycache__").glob("kernels.posterior-*.nbi")):
        return False  # The usual place of numba's cache; looking there spares importing numba.
    from solver.kernels import compiled_before

    if compiled_before():
        return False
    print(
        "literature: compiling the counting kernels; this happens once and takes some 15 s",
        file=sys.stderr,
        flush=True,
    )
    return True


def compile_now() -> None:
    """Compile the counting kernels, if that is yet to do, before processes share the work."""
    from literature_ai.agents.random import Random

    if say_if_compiling():
        Random.warm_up()
