"""What tests work out once is what Textual works out each time."""

from __future__ import annotations

from typing import Any

import pytest
from rich.segment import Segment
from textual.app import App
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tests.tui.conftest import MakeApp
from tests.tui.idle import settle
from tests.tui.once import found_once, replace_all, worked_out
from tests.tui.stores import StoreMaker


def _differing(app: App[Any]) -> list[tuple[Widget, str]]:
    """The widgets of all screens that look otherwise than Textual would let them look."""
    wrong: list[tuple[Widget, str]] = []
    seen = 0
    for screen in app.screen_stack:
        for node in screen.walk_children(Widget, with_self=True):
            seen += 1
            own = node._has_hover_style, node._has_focus_within, node._has_order_style, node._has_odd_or_even
            wanted = worked_out(app.stylesheet, node)
            asked = node._has_hover_style, node._has_focus_within, node._has_order_style, node._has_odd_or_even
            found = found_once(app.stylesheet, node)
            if wanted != found:
                wrong.append((node, "rules"))
            there = {**node.styles.base._rules}
            if wanted is not None:
                replace_all(node, wanted)
            if there != node.styles.base._rules:
                wrong.append((node, "styles"))
            if own != asked:
                wrong.append((node, "what changes them"))
    assert seen > 10
    return wrong


async def test_every_widget_has_the_rules_that_textual_finds(make_app: MakeApp, store: StoreMaker) -> None:
    store.run("first")
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert _differing(app) == []
        for keys in (("down",), ("enter",), ("f1",), ("escape", "tab"), ("ctrl+p",)):
            await pilot.press(*keys)
            await settle(pilot)
            assert (keys, _differing(app)) == (keys, [])
        await pilot.hover(offset=(5, 5))
        app.screen.add_class("-narrow")
        app.theme = "textual-light"
        await settle(pilot)
        assert _differing(app) == []


def test_a_line_makes_the_caches_that_it_needs() -> None:
    line = Strip([Segment("one two")])
    assert line.crop(4, 7).text == "two"
    assert line.crop(4, 7) is line.crop(4, 7)
    assert [part.text for part in line.divide([3, 7])] == ["one", " two"]
    assert line.adjust_cell_length(9).text == "one two  "
    with pytest.raises(AttributeError, match="no_such_cache"):
        line.no_such_cache  # type: ignore[attr-defined]  # noqa: B018


class _Counting(Widget):
    number = reactive(1)
    double: reactive[int] = reactive(0)

    def compute_double(self) -> int:
        return self.number * 2


def test_what_is_set_is_read_and_what_is_computed_goes_on_being_computed() -> None:
    one = _Counting()
    assert (one.number, one.double) == (1, 2)
    one.number = 5
    assert (one.number, one.double, _Counting().number) == (5, 10, 1)
    with pytest.raises(Exception, match="super"):
        _Counting.__new__(_Counting).number  # noqa: B018
