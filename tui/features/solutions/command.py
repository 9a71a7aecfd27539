"""`modex check --solutions`: each test that carries a solution passes by it, and by doing nothing does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from modex.core.foundation.exit_codes import ExitCode
from modex.tui.commands.options import print_json

if TYPE_CHECKING:
    from modex.core.features.solutions.checking import SolutionCheck, TriedTest

_REASONS = 5
"""Tests that cannot be judged here and are named; the others are counted."""


def solutions_of(directory: str | None, options: Mapping[str, Any], *, as_json: bool) -> int:
    """Try the solutions of a suite or of datasets, print what is wrong, and return the exit code."""
    from modex.core.config.configuration import configuration
    from modex.core.config.options import merged
    from modex.core.features.solutions.checking import check_solutions
    from modex.core.foundation.processes import cores
    from modex.core.safety import clean_line
    from modex.tui.plain.narration import say

    config = configuration("demo", merged({"suite": directory}, dict(options)))
    count = 0

    def found(one: TriedTest) -> None:
        nonlocal count
        count += 1
        for wrong in one.wrong:
            if not as_json:
                click.echo(clean_line(f"{one.path}:{one.line}: {one.test}: {wrong}"))

    try:
        result = check_solutions(config, narrate=say, found=found, threads=options.get("concurrency") or cores())
    except KeyboardInterrupt:
        say(f"stopped: {count:,} solutions were tried")
        raise
    if as_json:
        print_json(_json(result))
    else:
        for one in result.not_tried[:_REASONS]:
            click.echo(clean_line(f"not tried: {one.path}:{one.line}: {one.test}: {one.not_tried}"), err=True)
        if (more := len(result.not_tried) - _REASONS) > 0:
            click.echo(f"not tried: {more:,} more (--json names them)", err=True)
    say(words_of(result))
    return ExitCode.MISSED if result.wrong or result.not_tried else ExitCode.FINISHED


def words_of(result: SolutionCheck) -> str:
    """What came of it, in a line."""
    if not result.tried and not result.by_judge:
        return (
            f"none of {_tests(result.total)} carries a solution: a workspace test has one as `sandbox.solution`, a code test as"
            " `sandbox.solution` too, as text"
        )
    tried = len(result.tried) - len(result.not_tried)
    words = f"{tried:,} of {_tests(result.total)} tried by their solution: {result.right:,} right, {len(result.wrong):,} wrong"
    left = (
        (len(result.not_tried), "cannot be judged here"),
        (result.by_judge, "not tried, since an LLM judge decides"),
        (result.without, "without a solution"),
    )
    return "; ".join([words, *(f"{number:,} {why}" for number, why in left if number)])


def _tests(count: int) -> str:
    return f"{count:,} test{'' if count == 1 else 's'}"


def _json(result: SolutionCheck) -> dict[str, Any]:
    return {
        "kind": "solutions",
        "version": 1,
        "root": str(result.suite.root),
        "tests": result.total,
        "tried": len(result.tried) - len(result.not_tried),
        "right": result.right,
        "without_solution": result.without,
        "by_judge": result.by_judge,
        "wrong": [
            {"test": one.test, "path": one.path, "line": one.line, "what": wrong.what, "why": wrong.why}
            for one in result.wrong
            for wrong in one.wrong
        ],
        "not_tried": [
            {"test": one.test, "path": one.path, "line": one.line, "why": one.not_tried} for one in result.not_tried
        ],
    }
