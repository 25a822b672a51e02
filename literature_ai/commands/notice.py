"""What commands say before something that takes long and would look like a hang."""

from __future__ import annotations

import sys


def say_if_compiling() -> None:
    """Say so on the error output when the counting kernels must first be compiled."""
    from solver.kernels import compiled_before

    if not compiled_before():
        print(
            "literature: compiling the counting kernels; this happens once and takes some 15 s",
            file=sys.stderr,
            flush=True,
        )
