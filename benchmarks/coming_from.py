"""What another system's users find here: how many tests are asked, which verdicts differ, and because of what. Asks no model.

python -m benchmarks.coming_from evonic SUITE VERDICTS    SUITE: its folder; VERDICTS: JSON lines, gzipped or not
python -m benchmarks.coming_from caia FOLDER              a checkout of CAIA as it is (`dataset/`, `example_score_result.json`)
python -m benchmarks.coming_from youtu FILE               JSON lines `{"source", "answer", "response", "judge", "theirs"}`

A line of VERDICTS is what evonic's own evaluator said of a scripted answer: `{"id", "kind", "response", "pass2", "their_status",
"their_score", "their_details"}`. `pass2` is what every model replies that an evaluator asks; the calls of tools are read from
`their_details` (`called_tools`). A difference that no rule of `REASONS` explains ends the command with exit code 1.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.coming_from_rows import caia, youtu
from benchmarks.free_answers import rows_of
from benchmarks.scripted import ScriptedModel
from benchmarks.tables import Table
from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import default_configs, find_config, get_evaluator
from modex.core.foundation.errors import JudgeError
from modex.core.pipeline.assembly import open_suite, select_tests
from modex.core.pipeline.preparation import samples_of
from modex.core.suite.definitions import Suite, TestCase
from modex.core.suite.templates import Templates

_CALLED = re.compile(r"'called_tools': (\[[^\]]*\])")
_KEPT_CHARS = 300
"""Characters of an answer that the file keeps."""
_STAND_IN = {"string": "x", "integer": 1, "number": 1, "boolean": True, "object": {}, "array": []}


@dataclass(frozen=True, slots=True)
class Judged:
    """One scripted answer: what they say of it, and what is said here."""

    row: dict[str, Any]
    test: TestCase
    ours: str
    """`passed`, `failed` or `error`."""
    score: float | None
    why: str

    @property
    def theirs(self) -> str:
        """`passed` or `failed`: there, partial is no pass."""
        return "passed" if self.row["their_status"] == "passed" else "failed"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict differs, and whose answers it holds for."""

    words: str
    holds: Callable[[Judged], bool]


def _mentions_gold(one: Judged) -> bool:
    """Whether the gold stands in a wrong answer without being its answer."""
    gold = one.test.expected.get("value") if isinstance(one.test.expected, dict) else one.test.expected
    said = f"{gold:g}" if isinstance(gold, float) else str(gold)
    return one.theirs == "passed" and one.ours == "failed" and said.casefold() in str(one.row["response"]).casefold()


def _is_right(one: Judged) -> bool:
    """Whether the answer is the gold, which PASS 2 repeats with words around it."""
    gold = one.test.expected.get("value") if isinstance(one.test.expected, dict) else one.test.expected
    said = f"{gold:g}" if isinstance(gold, float) else str(gold)
    repeated = str(one.row["pass2"])
    return (
        one.theirs == "failed"
        and one.ours == "passed"
        and said in repeated
        and len(repeated.split()) > len(said.split())
    )


def _is_other_form(one: Judged) -> bool:
    """Whether a program's output, or a number of so many decimals, is written otherwise than asked for."""
    return one.ours == "failed" and ("another case or spacing" in one.why or "decimals are asked for" in one.why)


def _names_part(one: Judged) -> bool:
    """Whether the test asks for a part of the query that the answer has not."""
    return one.theirs == "passed" and one.ours == "failed" and one.why.startswith("missing: ")


REASONS: tuple[Reason, ...] = (
    Reason(
        "a judge that gives no verdict is an error of the judge, counted beside the scores, and no wrong answer",
        lambda one: one.ours == "error" and one.theirs == "failed" and one.why.startswith("no verdict from the judge"),
    ),
    Reason(
        "a program's output counts in its case and spacing, and two decimals asked means two",
        lambda one: one.row["evaluator"] == "two_pass" and _is_other_form(one),
    ),
    Reason(
        "a wrong answer in which the gold is mentioned on the way, or stands within another word, is wrong",
        lambda one: one.row["evaluator"] in ("two_pass", "regex_matcher") and _mentions_gold(one),
    ),
    Reason(
        "a right answer is right where PASS 2 repeats it with its label or its sentence",
        lambda one: one.row["evaluator"] == "two_pass" and _is_right(one),
    ),
    Reason(
        "a query without the part that the test asks for does not pass by running",
        lambda one: one.row["evaluator"] == "sql_executor" and _names_part(one),
    ),
)
"""Our better judgement: each rule with its reason; the first that holds is said."""


def judge(suite: Suite, test: TestCase, row: dict[str, Any]) -> Judged:
    """What is said here of the answer in `row`."""
    sample = next(iter(samples_of(test, epochs=1, suite_tools=suite.tools)))
    sample.response = _whole(test, row)
    sample.transcript = _transcript(test, row)
    config = find_config(test.evaluator_id, suite.evaluators)
    assert config is not None
    model = ScriptedModel(row["pass2"])
    context = JudgeContext(
        config=config,
        template=Templates(None).text,
        extractor=model,
        judges=(model,),
        tools={tool.name: tool for tool in test.tools},
        suite_root=suite.root,
        configs={**default_configs(), **suite.evaluators},
        sample=sample,
    )
    try:
        result = get_evaluator(config).evaluate(sample, context)
    except JudgeError as error:
        return Judged(row, test, "error", None, str(error))
    return Judged(row, test, result.status, result.score, result.why)


def _whole(test: TestCase, row: dict[str, Any]) -> str:
    """The answer; one that is the gold and was cut where the file cuts them has the rest of the gold."""
    response = str(row["response"])
    gold = json.dumps(test.expected, ensure_ascii=False)
    return gold if len(response) == _KEPT_CHARS and gold.startswith(response) else response


def _transcript(test: TestCase, row: dict[str, Any]) -> list[dict[str, Any]]:
    """The question, the calls that were made, each in a turn of its own with the gold's arguments, and the answer."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": test.prompt if isinstance(test.prompt, str) else ""}]
    found = _CALLED.search(row.get("their_details") or "")
    names: Sequence[str] = ast.literal_eval(found[1]) if found else ()
    for number, name in enumerate(name for name in names if name != "NONE"):
        call: dict[str, Any] = {"id": f"call_{number}", "name": name, "arguments": _arguments(test, name)}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "{}"})
    return [*messages, {"role": "assistant", "content": row["response"]}]


def _arguments(test: TestCase, name: str) -> str:
    """The gold's arguments of a call, and something that fits for the others that the tool needs."""
    expected = test.expected if isinstance(test.expected, dict) else {}
    call: dict[str, Any] = next((one for one in expected.get("calls", ()) if one.get("name") == name), {})
    tool = next((one for one in test.tools if one.name == name), None)
    properties = tool.parameters.get("properties", {}) if tool is not None else {}
    needed = tool.parameters.get("required", []) if tool is not None else []
    given = {key: value for key, value in (call.get("args") or {}).items() if not isinstance(value, dict)}
    values = list(call.get("values", ()))
    for key in needed:
        if key not in given:
            given[key] = values.pop(0) if values else _STAND_IN.get(properties.get(key, {}).get("type", "string"), "x")
    return json.dumps(given, ensure_ascii=False)


def evonic(suite_path: Path, verdicts: Path) -> tuple[list[Table], list[Judged]]:
    """The tables, and the differences that nothing explains."""
    suite = open_suite(str(suite_path), allow_plugins=False)
    selected = select_tests(suite, RunConfig(model=ModelSpec(model="demo"), selection=Selection(suite=str(suite_path))))
    tests = {test.test_id: test for test in selected}
    asked = [test for test in tests.values() if test.invalid is None]
    judged = [
        judge(suite, test, row) for row in rows_of(verdicts) if (test := tests[row["id"]]).invalid is None
    ]  # fmt: skip
    differing = [one for one in judged if one.ours != one.theirs]
    explained = {id(one): next((why.words for why in REASONS if why.holds(one)), "") for one in differing}
    counted = Counter(explained.values())
    whys = Counter(test.invalid for test in tests.values() if test.invalid)
    rows = [
        ["tests", str(len(tests)), ""],
        ["asked", str(len(asked)), ""],
        *(["not asked", str(count), why or ""] for why, count in whys.most_common()),
        ["scripted answers", str(len(judged)), ""],
        ["verdict as by its own code", str(len(judged) - len(differing)), ""],
        *(["differs", str(count), words or "not explained"] for words, count in counted.most_common()),
    ]
    return [Table("evonic", ["what", "how many", "because"], rows)], [
        one for one in differing if not explained[id(one)]
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables of one system; what differs and is not explained goes to stderr, and ends it with 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    systems = parser.add_subparsers(dest="system", required=True)
    for name, places in (("evonic", ("suite", "verdicts")), ("caia", ("folder",)), ("youtu", ("file",))):
        system = systems.add_parser(name)
        for place in places:
            system.add_argument(place, type=Path)
    given = parser.parse_args(arguments)
    if given.system == "evonic":
        tables, unexplained = evonic(given.suite, given.verdicts)
        wrong = [
            f"{one.row['id']} ({one.row['kind']}): there {one.theirs}, here {one.ours}: {one.why}"
            for one in unexplained
        ]
    else:
        tables, wrong = caia(given.folder) if given.system == "caia" else youtu(given.file)
    for table in tables:
        print(table.markdown())
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
