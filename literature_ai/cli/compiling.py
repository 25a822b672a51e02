"""Compiles what a command is going to call, and shows on the error output how far that is.

It happens once on a machine; without it the first call of each function would look like a hang.
"""

from __future__ import annotations

import sys

from literature_ai.terminal_text import plain

_CURE = "NUMBA_CACHE_DIR=FOLDER names one that can"
DEALS = "solver.kernels.deals:deals_residues"
POSTERIOR = "solver.kernels.posterior:posterior"
MOVE = "solver.kernels.posterior:move"
CLAIMS = "solver.kernels.claims:claims"
LAYOUTS = "solver.kernels.distributions:layouts"
IN_ORDER = "solver.kernels.enumeration:next_deals"
SAMPLE = "solver.kernels.samples:sample"
LIKELIEST = "literature_ai.agents.likeliest:likeliest"

ADVICE = (CLAIMS, POSTERIOR, DEALS, MOVE)
"""What hints and reviews call."""
GAMES = (CLAIMS, POSTERIOR, MOVE, LIKELIEST)
"""What most agents call."""


_EXPERT = "literature_ai.agents.expert."
ENGINE = (
    CLAIMS,
    POSTERIOR,
    MOVE,
    SAMPLE,
    *(
        f"{_EXPERT}{module}:{name}"
        for module, names in {
            "belief": "start_belief copy_belief believe observe_ask observe_claim known_to_hold",
            "action_value": "action_values best_pass new_buffers",
            "ask_model": "describe_asks worth_of",
            "choice_model": "ask_likelihoods",
            "opponent_model": "masks_of multiply project",
            "rollout": "compare next_moves apply_move sure_move",
        }.items()
        for name in names.split()
    ),
)
"""What the engine calls."""


def compile_for(*entries: str) -> None:
    """Compile these functions, and what they call, unless that has been done before."""
    from solver.precompilation import cache_folder, compile_ahead, uncompiled

    missing = uncompiled(entries)
    if not missing:
        return
    folder = cache_folder(missing)
    if folder is None:
        _tell(f"compiling the counting kernels, in every run, as no folder can keep them; {_CURE}")
        compile_ahead(missing, lambda done, of: None)
        return
    compile_ahead(missing, _show if sys.stderr.isatty() else _say)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if uncompiled(missing):
        _tell(f"the compiled kernels cannot be kept in {folder}, perhaps for want of room; {_CURE}")


def _show(done: int, of: int) -> None:
    """A counter that a terminal shows on one line."""
    print(
        f"\rliterature: compiling, once: {done} of {of}",
        end="",
        file=sys.stderr,
        flush=True,
    )


def _say(done: int, of: int) -> None:
    """One line at the beginning, for those who read a log."""
    if done == 0:
        _tell("compiling, once; this takes up to 10 s, and with the engine up to a minute")


def _tell(what: str) -> None:
    print(f"literature: {plain(what)}", file=sys.stderr, flush=True)
