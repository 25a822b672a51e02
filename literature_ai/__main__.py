"""``python -m literature_ai`` is the ``literature`` command.

What it imports before it handles Ctrl-C is as little as can be.
"""

import sys

try:
    from literature_ai.cli.interrupts import INTERRUPTED, Interrupts
except KeyboardInterrupt:
    sys.exit(130)


def main() -> int:
    """Run the command line and return its exit code; Ctrl-C ends it quietly from the beginning."""
    interrupts = Interrupts()
    interrupts.install()
    try:
        from literature_ai.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        interrupts.finish()


if __name__ == "__main__":
    sys.exit(main())
