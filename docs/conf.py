"""Configuration of the documentation, which `make docs` builds into build/docs."""

import os
import sys
from pathlib import Path

# Compiled functions are plain ones here: with their docstrings, and at once.
os.environ["NUMBA_DISABLE_JIT"] = "1"
sys.path.insert(0, str(Path(__file__).parents[1]))

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

from literature_ai import __version__

lexers["lit"] = TextLexer()

project = "literature-ai"
author = "The literature-ai authors"
version = release = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
]
templates_path = ["_templates"]
html_theme = "furo"
html_title = f"literature-ai {version}"
html_show_copyright = False

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

default_role = "py:obj"
autosummary_generate = True
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
