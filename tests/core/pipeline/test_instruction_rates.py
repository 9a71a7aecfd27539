from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.pipeline.instruction_rates import instruction_rates
from modex.core.verdict import Instructions, InstructionVerdict, Part, Votes, details_of
from tests.tui.stores import StoreMaker, sample

WORDS, COMMA = "length_constraints:number_words", "punctuation:no_comma"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "m.db")
    yield maker
    maker.close()


def found(*verdicts: tuple[str, bool, bool]) -> Instructions:
    return Instructions(tuple(InstructionVerdict(name, strict, loose, "") for name, strict, loose in verdicts))


def test_prompts_and_instructions_are_counted_strictly_and_loosely(store: StoreMaker) -> None:
    verdicts: tuple[Part, ...] = (
        found((WORDS, True, True), (COMMA, True, True)),
        found((WORDS, True, True), (COMMA, False, True)),
        found((COMMA, False, False)),
        Instructions(),
        Votes(why="instructions"),
    )
    run_id = store.run(
        "e",
        samples=[
            sample("d", 1, n, "passed", details=details_of((one,), {})) for n, one in enumerate(verdicts)
        ],
    )  # fmt: skip
    rates = instruction_rates(store.manager, run_id, "suite")
    assert rates is not None
    assert {name: {level: (one["passed"], one["n"]) for level, one in rates[name].items()}
            for name in ("by_prompt", "by_instruction")} == {
        "by_prompt": {"strict": (1, 3), "loose": (2, 3)},
        "by_instruction": {"strict": (3, 5), "loose": (4, 5)},
    }  # fmt: skip
    assert rates["by_prompt"]["strict"]["rate"] == 1 / 3
    assert {name: (one["strict"]["passed"], one["loose"]["passed"], one["loose"]["n"])
            for name, one in rates["by_type"].items()} == {WORDS: (2, 2, 2), COMMA: (1, 2, 3)}  # fmt: skip
    assert instruction_rates(store.manager, run_id, "elsewhere") is None
