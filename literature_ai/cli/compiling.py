"""Compiles what a command is going to call, and shows on the error output how far that is.

It happens once on a machine; without it the first call of each function would look like a hang.
"""

from __future__ import annotations

import sys

DEALS = "solver.kernels.deals:deals_residues"
POSTERIOR = "solver.kernels.posterior:posterior"
MOVE = "solver.kernels.posterior:move"
CLAIMS = "solver.kernels.claims:claims"
LAYOUTS = "solver.kernels.distributions:layouts"
SAMPLE = "solver.kernels.samples:sample"
LIKELIEST = "literature_ai.agents.likeliest:likeliest"

ADVICE = (CLAIMS, POSTERIOR, DEALS, MOVE)
"""What hints and reviews call."""
GAMES = (CLAIMS, POSTERIOR, MOVE, LIKELIEST)
"""What most agents call."""


_ENGINE = (
    "literature_ai.agents.expert.rollout:compare",
    "literature_ai.agents.expert.rollout:next_moves",
    "literature_ai.agents.expert.choice_model:ask_likelihoods",
)
"""What the engine calls; the types of its arguments are known when it is called, not before."""


def announce_engine() -> None:
    """Say that the engine is going to be compiled, unless that has been done before."""
    from solver.precompilation import uncompiled

    if uncompiled(_ENGINE):
        print(
            "literature: compiling the engine; this happens once and takes up to a minute",
            file=sys.stderr,
            flush=True,
        )


def compile_for(*entries: str) -> None:
    """Compile these functions, and what they call, unless that has been done before."""
    from solver.precompilation import compile_ahead, uncompiled

    missing = uncompiled(entries)
    if missing:
        compile_ahead(missing, _show if sys.stderr.isatty() else _say)
        if sys.stderr.isatty():
            print(file=sys.stderr)


def _show(done: int, of: int) -> None:
    """A counter that a terminal shows on one line."""
    print(
        f"\rliterature: compiling the counting kernels, once: {done} of {of}",
        end="",
        file=sys.stderr,
        flush=True,
    )


def _say(done: int, of: int) -> None:
    """One line at the beginning, for those who read a log."""
    if done == 0:
        print(
            "literature: compiling the counting kernels; this happens once and takes up to 10 s",
            file=sys.stderr,
            flush=True,
        )
