"""Is this version stronger than that one? Play agents of now against those of an earlier commit.

    python benchmarks/against.py HEAD~1 expert                      # SPRT of +10 against 0 Elo
    python benchmarks/against.py 8b9aa60 expert --pairs 1000 --no-sprt
    python benchmarks/against.py v1.0 champion:budget=300 --sprt=-10,0 --store champion.db

The commit is installed in an environment of its own below `.against/` (once), and its agents take
their seats as programs: nothing of the two versions is shared but the protocol. Every change of
strength is judged this way. The tournament is that of `literature tournament`, with its report,
stopping rule, and results that resume; options not listed here are passed on to it.

By default the test is an SPRT of H1 "+10 Elo" against H0 "0 Elo" at 5 % errors of both kinds. The
same version against itself is accepted as H0; use it to check a machine.

exit code: that of the tournament; 2 when the commit cannot be installed
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / ".against"
BRIDGE = Path(__file__).with_name("earlier_bot.py")


def environment_of(commit: str) -> Path:
    """The Python of an environment in which the commit is installed, made if it is missing."""
    shown = git("rev-parse", "--short=12", f"{commit}^{{commit}}")
    place = ENVIRONMENTS / shown
    python = place / "env" / "bin" / "python"
    if (place / "installed").exists():
        return python
    print(f"installing {shown} …", file=sys.stderr, flush=True)
    place.mkdir(parents=True, exist_ok=True)
    archive, source = place / "source.tar", place / "source"
    git("archive", "--format=tar", f"--output={archive}", shown)
    with tarfile.open(archive) as packed:
        packed.extractall(source, filter="data")
    archive.unlink()
    venv.create(place / "env", with_pip=True, clear=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", source]
    subprocess.run(install, check=True)
    (place / "installed").touch()
    return python


def git(*words: str) -> str:
    """What git prints. Exits with code 2 when it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"against.py: {done.stderr.strip()}", file=sys.stderr)
        raise SystemExit(2)
    return done.stdout.strip()


def program(python: Path, spec: str) -> list[str]:
    """The command that plays the agent of the earlier version."""
    knows = "import literature_ai.bots.serve"
    own = subprocess.run([python, "-P", "-c", knows], check=False, stderr=subprocess.DEVNULL)
    if own.returncode == 0:
        # -P: what lies in the current folder is not imported instead of what is installed.
        return [str(python), "-P", "-m", "literature_ai", "bot", spec]
    return [str(python), "-P", str(BRIDGE), spec]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit", help="the earlier version: anything that git knows as a commit")
    parser.add_argument("specs", nargs="+", metavar="SPEC", help="agents that both versions have")
    parser.add_argument("--sprt", default="0,10", metavar="ELO0,ELO1", help="bounds (0,10)")
    parser.add_argument("--no-sprt", action="store_true", help="play all pairs")
    parser.add_argument("--pairs", default="20000", metavar="N", help="at most so many (20000)")
    args, others = parser.parse_known_args()

    try:
        python = environment_of(args.commit)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"against.py: {args.commit} cannot be installed: {error}", file=sys.stderr)
        return 2
    code = 0
    for spec in args.specs:
        command = program(python, spec)
        # Compile beforehand: a referee does not wait as long as that takes.
        subprocess.run([*command, "--warm-up"], check=True)
        tournament = [sys.executable, "-m", "literature_ai", "tournament", spec]
        tournament += [f"cmd:{shlex.join(command)}", f"--pairs={args.pairs}", *others]
        if not args.no_sprt:
            tournament.append(f"--sprt={args.sprt}")
        code = max(code, subprocess.run(tournament, check=False).returncode)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
