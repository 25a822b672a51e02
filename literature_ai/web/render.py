"""Renders HTML pages from Jinja2 templates.

Pages that extend ``base.html`` have ``static/style.css`` inside, so such a page is one file that
needs no network; those in ``pages`` are served, with what they load. Values are escaped unless they
are `markupsafe.Markup`, and what a terminal would obey is shown as `literature_ai.terminal_text`
does; undefined ones are errors.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from literature_ai.terminal_text import plain_lines

_PACKAGE = "literature_ai.web"


def render(template: str, /, *, package: str = _PACKAGE, **context: Any) -> str:
    """The page that a template of the package makes from the context."""
    return _environment(package).get_template(template).render(context)


@cache
def _environment(package: str) -> Environment:
    """Finds the templates of a package, in its folder ``templates``, and those of this one."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(_PACKAGE)]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["style"] = Markup(
        files(_PACKAGE).joinpath("static/style.css").read_text("utf-8")
    )
    return environment


def _shown(value: Any) -> Any:
    """A value as it is shown; the templates themselves are left alone."""
    return plain_lines(value) if type(value) is str else value
