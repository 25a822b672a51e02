"""Ctrl-C during imports and in destructors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from literature_ai.cli.interrupts import Interrupts

IMPORTED = {
    "swallowed": "try: interrupt()\nexcept BaseException: raise ImportError('no such thing')\n",
    "in a destructor": (
        "class Fragile:\n    def __del__(self): interrupt()\nFragile()\ndel Fragile\n"
    ),
    "twice": "interrupt()\ninterrupt()\n",
}
"""Modules that are interrupted while they are imported, and would make something else of it."""
COMMAND = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
sys.path.insert(0, {folder!r})
import builtins
builtins.interrupt = lambda: os.kill(os.getpid(), signal.SIGINT)
from literature_ai.cli import commands, main
import literature_ai.__main__ as entry
from types import ModuleType

def run(args):
    import fragile
    for _ in range(10_000_000):
        pass
    print("nothing interrupted it")

probe = ModuleType("probe", "A command for tests.")
probe.add_arguments, probe.run = lambda parser: None, run
sys.modules["probe"] = probe
commands.BUILT_IN["probe"] = "probe"
sys.argv = ["literature", "probe"]
sys.exit(entry.main())
"""


@pytest.mark.parametrize("how", IMPORTED)
def test_an_interrupt_during_an_import_ends_the_command(how: str, tmp_path: Path) -> None:
    """Ctrl-C during imports, too, ends the command quietly with exit code 130, even where the
    imported module makes another error of it, or it comes in a destructor."""
    (tmp_path / "fragile.py").write_text(IMPORTED[how])
    done = subprocess.run(
        [sys.executable, "-c", COMMAND.format(folder=str(tmp_path))],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_interrupt_of_the_first_imports_is_quiet() -> None:
    """Ctrl-C while the command line itself is imported ends quietly with exit code 130."""
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Finder:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'literature_ai.cli.main': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv = ['literature', 'agents']\n"
        "from literature_ai.__main__ import main\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_who_ignores_interrupts_is_left_alone() -> None:
    """Where Ctrl-C is ignored, as in a job in the background, it stays ignored."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    hook = sys.unraisablehook
    try:
        interrupts = Interrupts()
        interrupts.install()
        os.kill(os.getpid(), signal.SIGINT)
        interrupts.finish()
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
        assert sys.unraisablehook is hook
