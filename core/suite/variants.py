"""Tests made from templates: the same question with other values, drawn by a seed.

A test that carries a `template` stands in its file with one set of values written out; `--variant SEED` draws others, so
that an answer learnt by heart does not help. The template's code computes the gold in the sandbox's interpreter:

- `draw`: names and what is drawn for each: `[least, most]` a whole number, `{"int": [least, most], "count": n}` a list of
  them (`"distinct": true` for different ones), `{"choice": […]}`, `{"sample": […], "count": n}`, `{"shuffle": […]}`;
- `code`: Python whose last expression is a dictionary of values (`{"again": True}` draws once more);
- `prompt`, `expected`, and of `metadata` what differs (`good_answer`): as in a test, with `{{name}}` for a value; a text
  that is only `{{name}}` becomes the value itself.
"""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from modex.core.foundation.errors import Problem, SuiteError
from modex.core.sandbox.python import PythonSession, python_session, python_unavailable
from modex.core.suite.definitions import Suite, TestCase

TEMPLATE_KEYS = ("draw", "code", "prompt", "expected", "metadata")
_SECONDS = 5.0
_MAX_DRAWS = 1000
_DRAWS = ("int", "choice", "sample", "shuffle")
_HOLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class VariantError(ValueError):
    """A template gives no test; the message says why."""


def template_problems(template: Any) -> Iterator[str]:
    """What is wrong with a test's `template`, one message each. Its code is not run."""
    if not isinstance(template, Mapping):
        yield "'template' must be an object with draw, code, prompt, expected and metadata"
        return
    for name in sorted(set(template) - set(TEMPLATE_KEYS)):
        yield f"'template.{name}' is not known; there are {', '.join(TEMPLATE_KEYS)}"
    if not isinstance(template.get("code"), str):
        yield "'template.code' must be Python whose last expression is a dictionary"
    prompt = template.get("prompt")
    if not isinstance(prompt, str) and not (
        isinstance(prompt, list) and all(isinstance(turn, Mapping) for turn in prompt)
    ):
        yield "'template.prompt' must be a text, or a list of turns, as in a test"
    if not isinstance(template.get("metadata", {}), Mapping):
        yield "'template.metadata' must be an object, as in a test"
    draw = template.get("draw", {})
    if not isinstance(draw, Mapping):
        yield "'template.draw' must be an object of names and what is drawn for each"
        return
    for name, how in draw.items():
        if not name.isidentifier():
            yield f"'template.draw.{name}': a drawn value needs a name that Python can use"
        elif fault := _draw_fault(how):
            yield f"'template.draw.{name}' {fault}; correct it"


MOST_DRAWN = 1_000_000
"""Values that one name of a template may draw: a number in a file is a request for memory."""


def _draw_fault(how: Any) -> str | None:
    if isinstance(how, Mapping):
        kinds = [kind for kind in _DRAWS if kind in how]
        if len(kinds) != 1:
            return f"names one of {', '.join(_DRAWS)}"
        values, count = how[kinds[0]], how.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            return "has a 'count' that is no whole number"
        if count > MOST_DRAWN:
            return f"has a 'count' of {count:,}; at most {MOST_DRAWN:,} are drawn"
        if kinds[0] == "int":
            fault = _range_fault(values)
            if fault is None and how.get("distinct") and count > values[1] - values[0] + 1:
                return "asks for more distinct numbers than its range holds"
            return fault
        if not isinstance(values, list) or not values:
            return "draws from a list with something in it"
        return "takes more out of its list than is in it" if kinds[0] == "sample" and count > len(values) else None
    return _range_fault(how)


def _range_fault(how: Any) -> str | None:
    whole = isinstance(how, list) and len(how) == 2 and all(isinstance(n, int) and not isinstance(n, bool) for n in how)
    return None if whole and how[0] <= how[1] else "is [least, most], two whole numbers"


def varied(suite: Suite, seed: int | None, taken: Callable[[TestCase], bool] = lambda _: True) -> Suite:
    """The suite with every `taken` test that has a template made anew by `seed`; the others stay as they are.

    Without a seed only those are made whose file writes no values out (a text of megabytes has no place in a file); theirs
    is the seed 0.

    Raises:
        SuiteError: a template fails, each named with its file.
    """
    templates = [
        test
        for test in suite.tests
        if test.template is not None and test.invalid is None and (seed is not None or not test.written) and taken(test)
    ]
    if not templates:
        return suite
    problems: list[Problem] = []
    made: dict[int, TestCase] = {}
    if missing := python_unavailable():
        raise SuiteError([Problem(test.location.path, test.location.line, missing) for test in templates])
    for test in templates:
        try:
            made[id(test)] = variant_of(test, seed or 0)
        except VariantError as error:
            problems.append(
                Problem(
                    test.location.path, test.location.line, f"template of '{test.test_id}': {error}; correct its code"
                )
            )
    if problems:
        raise SuiteError(problems)
    return dataclasses.replace(suite, tests=[made.get(id(test), test) for test in suite.tests])


def variant_of(test: TestCase, seed: int) -> TestCase:
    """`test` with values drawn by `seed`; the same seed gives the same test on every machine.

    Raises:
        VariantError: its code fails or never gives values.
    """
    assert test.template is not None
    template = test.template
    dice = random.Random(f"{seed}/{test.domain}/{test.test_id}")
    with python_session(_SECONDS) as session:
        values = _values(template, dice, session)
    prompt = _filled(template["prompt"], values)
    return dataclasses.replace(
        test,
        prompt=prompt if isinstance(prompt, str) else tuple(prompt),
        expected=_filled(template.get("expected"), values),
        metadata={**test.metadata, **_filled(template.get("metadata", {}), values), "variant": seed},
        written=True,
    )


def _values(template: Mapping[str, Any], dice: random.Random, session: PythonSession) -> Mapping[str, Any]:
    for _ in range(_MAX_DRAWS):
        drawn = {name: _drawn(how, dice) for name, how in template.get("draw", {}).items()}
        ran = session.run(template["code"], drawn)
        if ran.error is not None:
            raise VariantError(ran.error.strip().splitlines()[-1])
        if not isinstance(ran.value, Mapping):
            raise VariantError("its last expression is not a dictionary")
        if not ran.value.get("again"):
            return {**drawn, **ran.value}
    raise VariantError(f"it asked to draw again {_MAX_DRAWS} times")


def _drawn(how: Any, dice: random.Random) -> Any:
    if isinstance(how, list):
        return dice.randint(how[0], how[1])
    count = how.get("count", 1)
    if "int" in how:
        least, most = how["int"]
        if how.get("distinct"):
            return dice.sample(range(least, most + 1), count)
        return [dice.randint(least, most) for _ in range(count)]
    if "choice" in how:
        return dice.choice(how["choice"])
    if "sample" in how:
        return dice.sample(how["sample"], count)
    return dice.sample(how["shuffle"], len(how["shuffle"]))


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    """`value` with every hole filled.

    Raises:
        VariantError: a hole has no value.
    """
    if isinstance(value, str):
        whole = _HOLE.fullmatch(value)
        if whole:
            return _value(whole[1], values)
        return _HOLE.sub(lambda hole: str(_value(hole[1], values)), value)
    if isinstance(value, Mapping):
        return {name: _filled(one, values) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(one, values) for one in value]
    return value


def _value(name: str, values: Mapping[str, Any]) -> Any:
    if name not in values:
        raise VariantError(f"'{{{{{name}}}}}' has no value; there are {', '.join(sorted(values))}")
    value = values[name]
    return list(value) if isinstance(value, tuple) else value
