"""What is opened lazily is there, takes what its type says, and is not imported before."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys

import pytest

from modex.tui import lazy
from modex.tui.lazy import Lazy

OPENED = {name: one for name, one in vars(lazy).items() if isinstance(one, Lazy)}


def told(name: str) -> tuple[list[str], str]:
    """The parameters and the result that the annotation of a name says."""
    declared = ast.parse(lazy.__annotations__[name], mode="eval").body
    assert isinstance(declared, ast.Subscript)
    assert isinstance(declared.slice, ast.Tuple)
    parameters, made = declared.slice.elts
    assert isinstance(parameters, ast.List)
    return [ast.unparse(one) for one in parameters.elts], ast.unparse(made)


def test_each_takes_what_its_type_says() -> None:
    assert len(OPENED) > 10
    for name, one in OPENED.items():
        found = one.find()
        assert getattr(found, "__name__", "") == name
        parameters = list(inspect.signature(found).parameters.values())
        types, made = told(name)
        assert [one.annotation for one in parameters[: len(types)]] == types, name
        assert all(one.default is not one.empty for one in parameters[len(types) :]), name
        if inspect.isclass(found):
            assert made == "Screen[None]"
            assert found.__orig_bases__[0].__args__ == (type(None),)  # type: ignore[attr-defined]


def test_a_thing_may_be_replaced_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.tui.features.race.start.start_race", lambda *args: args)
    called: object = lazy.start_race.find()(1, 2)  # type: ignore[call-arg,arg-type]
    assert called == (1, 2)


def test_no_feature_is_imported_before_it_is_opened() -> None:
    words = (
        "import sys, modex.tui.lazy; print([m for m in sys.modules if m.startswith(('modex.tui.features', 'textual'))])"
    )
    assert subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout == "[]\n"
