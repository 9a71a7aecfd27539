from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from modex.core.suite.definitions import Suite
from modex.core.suite.provenance import prompt_layers, provenance
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions"


def test_each_layer_says_where_it_came_from_and_what_replaced_it(load: Load) -> None:
    suite = load(
        {
            f"{D}/d/domain.json": {"system_prompt": "one"},
            f"{D}/d/level_2/level.json": {"name": "Two", "system_prompt": "two", "system_prompt_mode": "overwrite"},
            f"{D}/d/level_2/a.json": case("a"),
            "prompts/d/a.md": "---\nmode: append\n---\nthree",
        }
    )
    assert suite.problems == []
    found = provenance(suite.tests[0])
    assert found.effective == "two\n\nthree"
    data = found.as_dict()
    json.dumps(data)
    assert [(layer["scope"], layer["file"], layer["line"], layer["overwritten_by"]) for layer in data["layers"]] == [
        ("domain", f"{D}/d/domain.json", 2, f"{D}/d/level_2/level.json:3"),
        ("level", f"{D}/d/level_2/level.json", 3, None),
        ("test", "prompts/d/a.md", 4, None),
    ]
    assert prompt_layers(suite.tests[0].layers)[2] == {
        "scope": "test",
        "mode": "append",
        "text": "three",
        "file": "prompts/d/a.md",
        "line": 4,
    }


def test_a_test_without_layers_has_no_system_prompt(load: Load) -> None:
    found = provenance(load({f"{D}/d/level_1/a.json": case()}).tests[0])
    assert found.effective is None
    assert found.as_dict()["layers"] == []
