from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import Selection
from modex.core.foundation.errors import SuiteError
from modex.core.sandbox.python import close_python
from modex.core.suite import variants
from modex.core.suite.loading import load_suite
from modex.core.suite.plan import SelectedTests
from modex.core.suite.variants import VariantError, template_problems, varied
from tests.cli import call, write_suite
from tests.rows import each_row

TEMPLATE = {
    "draw": {"a": [2, 90], "b": [2, 90], "who": {"choice": ["Ana", "Budi", "Chen"]}},
    "code": "{'again': a == b, 'total': a + b}",
    "prompt": "{{who}} has {{a}} pens and buys {{b}}. How many now?",
    "expected": {"type": "numeric", "value": "{{total}}", "aliases": ["{{total}}.0"]},
}


@pytest.fixture(autouse=True, scope="module")
def _close() -> Iterator[None]:
    yield
    close_python()


def suite_with(tmp_path: Path, **test: Any) -> Path:
    return write_suite(tmp_path, [{"id": "pens", "template": TEMPLATE} | test], evaluator_id="two_pass")


def the_test(root: Path, variant: int | None, **selection: Any) -> Any:
    (test,) = SelectedTests(load_suite(root), Selection(suite=str(root), variant=variant, **selection))
    return test


def test_a_seed_gives_other_values_and_their_own_gold(tmp_path: Path) -> None:
    root = suite_with(tmp_path, prompt="Ana has 1 pen and buys 2.", expected={"type": "numeric", "value": 3})
    written, one, again, two = (the_test(root, seed) for seed in (None, 1, 1, 2))
    assert written.prompt == "Ana has 1 pen and buys 2."
    assert one == again
    assert one.prompt != two.prompt
    a, b = map(int, re.findall(r"\d+", one.prompt))
    assert one.expected == {"type": "numeric", "value": a + b, "aliases": [f"{a + b}.0"]}
    assert one.metadata["variant"] == 1


def test_what_differs_in_the_metadata_follows_the_values(tmp_path: Path) -> None:
    template = {**TEMPLATE, "metadata": {"good_answer": "{{total}} pens"}}
    root = suite_with(tmp_path, template=template, metadata={"language": "en", "good_answer": "3 pens"})
    made = the_test(root, 1)
    assert made.metadata == {"language": "en", "good_answer": f"{made.expected['value']} pens", "variant": 1}


def test_a_test_whose_file_writes_no_values_out_is_made_when_a_run_takes_it(tmp_path: Path) -> None:
    root = suite_with(tmp_path)
    assert load_suite(root).tests[0].prompt == TEMPLATE["prompt"]
    made = the_test(root, None)
    assert "{{" not in made.prompt
    assert made == the_test(root, 0)
    assert call("check", str(root)).code == 0
    assert "{{" not in call("prompt", "pens", "--suite", str(root)).out


def test_a_test_that_is_not_taken_is_not_made(tmp_path: Path) -> None:
    broken = {**TEMPLATE, "code": "1 / 0"}
    tests = [{"id": "broken", "template": broken}, {"id": "fine", "template": TEMPLATE}]
    root = write_suite(tmp_path, tests, evaluator_id="two_pass")
    assert the_test(root, 3, tests=("fine",)).test_id == "fine"
    with pytest.raises(SuiteError, match=r"tests\.jsonl:1: template of 'broken': ZeroDivisionError"):
        the_test(root, 3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"code": "while True: pass"}, "time"),
        ({"code": "3"}, "not a dictionary"),
        ({"code": "{'again': True}"}, "draw again"),
        ({"prompt": "{{nobody}}"}, "has no value; there are a, again, b, total, who"),
    ],
)
def test_a_template_that_gives_no_test_is_named(
    tmp_path: Path, change: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modex.core.suite.variants._SECONDS", 0.3)
    root = write_suite(tmp_path, [{"id": "pens", "template": {**TEMPLATE, **change}}], evaluator_id="two_pass")
    with pytest.raises(SuiteError, match=said):
        varied(load_suite(root), 1)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ({**TEMPLATE, "promt": "x"}, "'template.promt' is not known"),
        ({**TEMPLATE, "code": 3}, "Python whose last expression"),
        ({**TEMPLATE, "prompt": 3}, "'template.prompt' must be a text"),
        ({**TEMPLATE, "metadata": 3}, "'template.metadata' must be an object"),
        ({**TEMPLATE, "draw": {"a": [3, 2]}}, "[least, most]"),
        ({**TEMPLATE, "draw": {"a": {"sample": [1], "count": 2}}}, "takes more out of its list"),
        ({**TEMPLATE, "draw": {"a": {"choice": []}}}, "something in it"),
        ({**TEMPLATE, "draw": {"a": {"int": [1, 2], "count": 3, "distinct": True}}}, "more distinct numbers"),
        ({**TEMPLATE, "draw": {"a": {"int": [1, 2], "count": 300_000_000}}}, "at most 1,000,000 are drawn"),
        ({**TEMPLATE, "draw": {"a b": [1, 2]}}, "a name that Python can use"),
        ({**TEMPLATE, "draw": {"a": {"pick": [1]}}}, "names one of int, choice, sample, shuffle"),
    ],
)
def test_a_mistake_in_a_template_is_named_before_anything_runs(tmp_path: Path, template: Any, said: str) -> None:
    assert any(said in problem for problem in template_problems(template))
    root = write_suite(tmp_path, [{"id": "pens", "prompt": "x", "expected": 1, "template": template}])
    called = call("check", str(root))
    assert called.code == 2
    assert said in called.out + called.err


def test_the_values_written_in_the_bundled_suite_are_those_of_seed_nought() -> None:
    suite = load_suite(None)
    templates = [test for test in suite.tests if test.template is not None and test.written]
    made = {test.test_id: test for test in varied(suite, 0).tests}
    for test in templates:
        assert (made[test.test_id].prompt, made[test.test_id].expected) == (test.prompt, test.expected), test.test_id
        assert made[test.test_id].metadata == {**test.metadata, "variant": 0}, test.test_id
    assert json.dumps([test.prompt for test in templates])


def test_a_template_of_which_few_draws_fit_gives_a_test_all_the_same() -> None:
    seed = 36
    made = varied(load_suite(None), seed, lambda test: test.test_id == "six_with_a_spy")
    assert {test.metadata["variant"] for test in made.tests if test.test_id == "six_with_a_spy"} == {seed}


def _of(**more: Any) -> dict[str, Any]:
    return {"code": "{}", "prompt": "p", **more}


@each_row(
    ("template", "said"),
    [
        (_of(), []), (_of(prompt=[{"role": "user"}], metadata={}, expected=1), []), (_of(draw={"a": [1, 1]}), []),
        (_of(draw={"a": {"int": [1, 3], "count": 3, "distinct": True}}), []),
        (_of(draw={"a": {"sample": [1, 2], "count": 2}}), []),
        (_of(draw={"a": {"choice": [1], "count": 0}}), []), (_of(draw={"a": {"shuffle": [1], "count": 1_000_000}}), []),
        ("x", ["'template' must be an object"]),
        ({"prompt": "p"}, ["'template.code' must be"]), ({"code": "1"}, ["'template.prompt' must"]),
        (_of(prompt=["x"]), ["'template.prompt' must"]), (_of(prompt=3), ["'template.prompt' must"]),
        (_of(metadata=[]), ["'template.metadata' must"]), (_of(draw=[]), ["'template.draw' must"]),
        (_of(b=1, a=2), ["'template.a' is not known", "'template.b' is not known"]),
        (_of(draw={"a b": [1, 2]}), ["'template.draw.a b': a drawn value needs a name"]),
        *((_of(draw={"a": how}), [f"'template.draw.a' {fault}"]) for how, fault in (
            ([2, 1], "is [least, most]"), ([1], "is [least, most]"), ([1, True], "is [least, most]"), (3, "is [least, most]"),
            ({}, "names one of"), ({"int": [1, 2], "choice": [1]}, "names one of"), ({"int": [2, 1]}, "is [least, most]"),
            ({"int": [1, 3], "count": 4, "distinct": True}, "asks for more distinct numbers"),
            ({"int": [1, 2], "count": -1}, "has a 'count' that is no whole number"),
            ({"int": [1, 2], "count": True}, "has a 'count' that is no whole number"),
            ({"int": [1, 2], "count": 1_000_001}, "has a 'count' of 1,000,001; at most 1,000,000"),
            ({"choice": []}, "draws from a list"), ({"choice": "ab"}, "draws from a list"),
            ({"sample": [1], "count": 2}, "takes more out of its list"))),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_template_is_told_without_running_it(template: Any, said: list[str]) -> None:
    found = list(template_problems(template))
    assert [one[: len(start)] for one, start in zip(found, said, strict=True)] == said


def test_values_are_drawn_as_the_template_says() -> None:
    dice = random.Random(1)
    ranged = {variants._drawn([1, 3], dice) for _ in range(50)}
    assert ranged == {1, 2, 3}
    many = variants._drawn({"int": [1, 3], "count": 50}, dice)
    assert (len(many), set(many)) == (50, {1, 2, 3})
    assert sorted(variants._drawn({"int": [1, 3], "count": 3, "distinct": True}, dice)) == [1, 2, 3]
    assert len(variants._drawn({"int": [1, 3]}, dice)) == 1
    assert {variants._drawn({"choice": ["a", "b"]}, dice) for _ in range(50)} == {"a", "b"}
    assert len(set(variants._drawn({"sample": [1, 2, 3], "count": 2}, dice))) == 2
    assert sorted(variants._drawn({"shuffle": [1, 2, 3]}, dice)) == [1, 2, 3]


@pytest.mark.long
def test_holes_are_filled_at_any_depth_and_a_whole_one_keeps_the_values_form() -> None:
    values = {"a": 1, "b": (1, 2)}
    assert variants._filled({"x": ["{{ a }}", "{{a}} of {{b}}", 3, ("{{b}}",)]}, values) == {
        "x": [1, "1 of [1, 2]", 3, [[1, 2]]]
    }
    with pytest.raises(VariantError, match=r"'\{\{c\}\}' has no value; there are a, b"):
        variants._filled("{{c}}", values)
