"""Rendering of pages: escaping, errors in templates, and the shared base."""

from __future__ import annotations

import re

import jinja2
import pytest

from literature_ai.web import render as web
from literature_ai.web.render import render


@pytest.fixture
def template(monkeypatch):
    """Makes a template `page.html` of the text."""

    def make(text: str) -> None:
        environment = web._environment("literature_ai.web").overlay()
        loader = jinja2.DictLoader({"page.html": text})
        environment.loader = jinja2.ChoiceLoader([loader, environment.loader])
        monkeypatch.setattr(web, "_environment", lambda package: environment)

    return make


def test_values_are_escaped(template):
    """Text from outside never becomes markup, in elements and in attributes."""
    template('<p title="{{ text }}">{{ text }}</p>')
    escaped = "&lt;b class=&#34;x&#34;&gt;&amp;"
    assert render("page.html", text='<b class="x">&') == f'<p title="{escaped}">{escaped}</p>'


def test_control_characters_are_shown(template):
    """What a terminal or a page would obey is shown, in text but not in the template itself."""
    template("<pre>\t{{ text }}</pre>")
    said = "a\x1b[2J\u202eb\udcff\n\tc"
    assert render("page.html", text=said) == "<pre>\ta\\x1b[2J\\u202eb\\udcff\n\tc</pre>"


def test_a_missing_value_is_an_error(template):
    """A value that a template uses and nobody gives does not just vanish."""
    template("{{ missing }}")
    with pytest.raises(jinja2.UndefinedError, match="missing"):
        render("page.html")


def test_pages_share_one_style_sheet(template):
    """A page that extends the base has the style sheet inline, unescaped, and fetches nothing."""
    template('{% extends "base.html" %}{% block body %}<h1>x</h1>{% endblock %}')
    text = render("page.html")
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert 'font: 16px/1.5 system-ui, -apple-system, "Segoe UI"' in style
    assert "prefers-color-scheme: dark" in style
    assert not re.search(r"https?:|@import|url\(|<script", text)


def test_a_package_adds_its_own_templates():
    """Templates of another package are found together with the base they extend."""
    environment = web._environment("tournaments")
    assert {"base.html", "report.html"} <= set(environment.list_templates())
