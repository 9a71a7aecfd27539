"""Answers judged a second in bubblewrap, whether the driver's memory stays flat, and 200 small programs that must pass."""

from __future__ import annotations

import os
import resource
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.small_programs import small_programs
from benchmarks.tables import Table
from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.code.evaluator import CodeTestsEvaluator
from modex.core.foundation.errors import JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig

_CODE = '''
def merge(intervals):
    """Overlapping intervals as one."""
    if not intervals:
        return []
    found = []
    start, end = None, None
    for one in sorted(intervals):
        low, high = one
        if low > high:
            raise ValueError(one)
        if start is None:
            start, end = low, high
        elif low <= end:
            end = max(end, high)
        else:
            found.append([start, end])
            start, end = low, high
    found.append([start, end])
    return found
'''
_TEST = """
def check(candidate):
    assert candidate([]) == []
    assert candidate([[1, 3], [2, 6]]) == [[1, 6]]
    assert candidate([[1, 4], [4, 5]]) == [[1, 5]]
    assert candidate([[5, 6], [1, 2]]) == [[1, 2], [5, 6]]
    assert candidate([[1, 9], [2, 3]]) == [[1, 9]]
"""
_THREADS = 2


def measure(*, quick: bool) -> list[Table]:
    """Both tables."""
    return [_speed(100 if quick else 5000), _programs()]


def judge(code: str, expected: dict[str, Any], packages: tuple[str, ...] = ()) -> EvaluationResult:
    """One judgement, as a run makes it."""
    sample = EvaluationSample(
        source="s", domain="d", level=1, test_id="t", epoch=1, prompt="", expected=expected, evaluator_id="code_tests",
        response=f"```python\n{code}\n```",
    )  # fmt: skip
    if packages:
        sample.definition = replace(
            sample.definition, sandbox={"packages": list(packages), "limits": {"seconds": 10, "memory_mb": 2048}}
        )
    context = JudgeContext(
        config=EvaluatorConfig("code_tests", "code_tests", "builtin"), template=str, sandbox="bubblewrap"
    )
    return CodeTestsEvaluator().evaluate(sample, context)


def _speed(count: int) -> Table:
    judge(_CODE, {"function": "merge", "test": _TEST})
    before, cpu, began = _resident(), _machine_cpu(), time.perf_counter()
    failed = threading.Event()

    def one(_: int) -> None:
        if judge(_CODE, {"function": "merge", "test": _TEST}).score != 1.0:
            failed.set()

    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(one, range(count)))
    took, spent = time.perf_counter() - began, _machine_cpu() - cpu
    assert not failed.is_set()
    rows = [
        ["judgements", f"{count:,}"],
        ["a second, 2 threads", f"{count / took:.1f}"],
        ["processor time of the machine each (with whatever else it does)", f"{1000 * spent / count:.0f} ms"],
        ["memory of the driver", f"{before:.0f} MB before, {_resident():.0f} MB after"],
    ]
    return Table("Code judged in bubblewrap: 20 lines, five assertions", ["", ""], rows)


def _programs() -> Table:
    programs = list(small_programs())
    wrong: list[str] = []
    for one in programs:
        try:
            result = judge(one.code, one.expected, one.packages)
        except JudgeError as error:
            wrong.append(f"{one.module}: {error}")
            continue
        if result.score != 1.0:
            wrong.append(f"{one.module}: {result.why}")
    rows = [
        ["correct small programs", str(len(programs))],
        ["passed", str(len(programs) - len(wrong))],
        *([["", line] for line in wrong]),
    ]
    return Table("Correct small programs over the standard library, numpy and pandas", ["", ""], rows)


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1024**2


def _machine_cpu() -> float:
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    return sum(int(fields[place]) for place in (0, 1, 2)) / os.sysconf("SC_CLK_TCK")
