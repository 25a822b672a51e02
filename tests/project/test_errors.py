"""The exceptions of all packages."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from types import ModuleType
from typing import Any

import pytest

import literature_ai
import solver
import tournaments
from literature_ai.errors import LiteratureError
from literature_ai.events import Passed

PACKAGES = (literature_ai, solver, tournaments)
SAMPLES: dict[str, Any] = {"events": (1, 2), "event": Passed(0, 2), "line": 3, "seat": 1}
"""Arguments of constructors by name, where they are not texts."""


def modules() -> list[ModuleType]:
    """Every module of the packages but those that run a program when imported."""
    names = [
        module.name
        for package in PACKAGES
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
    ]
    return [importlib.import_module(name) for name in names]


def exceptions() -> list[type[Exception]]:
    """Every exception class of the packages, by name."""
    found = {
        each
        for module in modules()
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Exception)
        and each.__module__ == module.__name__
    }
    return sorted(found, key=lambda each: f"{each.__module__}.{each.__name__}")


def sample(error: type[Exception]) -> Exception:
    """An error of this class with arguments made up by their names."""
    if error.__init__ is ValueError.__init__:
        return error("what is wrong; what would be right")
    names = list(inspect.signature(error).parameters)
    return error(*(SAMPLES.get(name, f"some {name}") for name in names))


ERRORS = [each for each in exceptions() if issubclass(each, LiteratureError)]


def test_the_root_is_a_value_error() -> None:
    """Every error of wrong input is a ValueError, and no other exception class is."""
    assert issubclass(LiteratureError, ValueError)
    assert {each for each in exceptions() if issubclass(each, ValueError)} == set(ERRORS)


@pytest.mark.parametrize("error", ERRORS, ids=lambda each: each.__name__)
def test_errors_survive_pickling_and_copying(error: type[Exception]) -> None:
    """An unpickled or copied error has the same class, message and attributes."""
    one = sample(error)
    for twin in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert type(one) is type(twin)
        assert str(one) == str(twin)
        assert one.args == twin.args
        assert vars(one) == vars(twin)


def test_names_end_in_error() -> None:
    """Every error that reaches a user is called so."""
    assert all(error.__name__.endswith("Error") for error in ERRORS)
