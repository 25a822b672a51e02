"""``python -m literature_ai`` is the ``literature`` command."""

import sys

from literature_ai.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
