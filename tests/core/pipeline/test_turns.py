"""How many turns of the tool loop a sample may take."""

from __future__ import annotations

from typing import Any

from modex.core.pipeline.turns import most_turns
from modex.core.store.definition import Definition
from tests.rows import each_row


@each_row(
    ("definition", "turns"),
    [
        ({}, 5),
        ({"max_iterations": 3}, 5),
        ({"max_iterations": 9}, 9),
        ({"sandbox": {"packages": ["numpy"]}}, 5),
        ({"sandbox": {"files": {"a": "x"}}}, 40),
        ({"sandbox": {"files": {"a": "x"}, "limits": {"calls": 2}}, "max_iterations": 9}, 2),
    ],
)
def test_it_is_the_runs_number_or_the_tests_and_in_a_workspace_its_calls(
    definition: dict[str, Any], turns: int
) -> None:
    assert most_turns(Definition.of(definition), 5) == turns
