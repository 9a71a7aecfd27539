"""Answers judged a second in bubblewrap, whether the driver's memory stays flat, and 200 small programs that must pass."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import resource
import subprocess
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
from modex.core.sandbox.bubblewrap import judged
from modex.core.sandbox.bubblewrap.box import Box
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
_END_S = 10.0
_PR_SET_CHILD_SUBREAPER = 36


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
    alone = _cost(min(count, 200))
    before, began, left = _resident(), time.perf_counter(), itertools.count(1)
    failed = threading.Event()

    def judging() -> None:
        while next(left) <= count:  # no list of what is to come, whose memory would be counted
            if judge(_CODE, {"function": "merge", "test": _TEST}).score != 1.0:
                failed.set()

    with ThreadPoolExecutor(_THREADS) as pool:
        for done in [pool.submit(judging) for _ in range(_THREADS)]:
            done.result()
    took = time.perf_counter() - began
    assert not failed.is_set()
    rows = [
        ["judgements", f"{count:,}"],
        ["a second, 2 threads", f"{count / took:.1f}"],
        ["processor time each: driver, boxes", f"{alone[0]:.0f} ms, {alone[1]:.0f} ms"],
        ["a second that two cores have room for", f"{_THREADS * 1000 / sum(alone):.0f}"],
        ["memory of the driver", f"{before:.0f} MB before, {_resident():.0f} MB after"],
    ]
    return Table("Code judged in bubblewrap: 20 lines, five assertions", ["", ""], rows)


def _cost(count: int) -> tuple[float, float]:
    """Milliseconds of processor time each of this process and of the boxes, one after the other.

    Of a box that is killed nobody counts the time; here each ends by itself, and what it leaves is waited for by this process.
    """
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    killed = Box.close

    def ended(box: Box) -> None:
        stream = box._process.stdin
        if stream is not None and not stream.closed:
            stream.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                box._process.wait(_END_S)
        killed(box)

    judged.end_kept()
    Box.close = ended  # type: ignore[method-assign, assignment]
    try:
        before = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        for _ in range(count):
            judge(_CODE, {"function": "merge", "test": _TEST})
        judged.end_kept()
        time.sleep(0.5)  # the last ones end
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        after = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    finally:
        Box.close = killed  # type: ignore[method-assign]
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    spent = [new.ru_utime + new.ru_stime - old.ru_utime - old.ru_stime for old, new in zip(before, after, strict=True)]
    return 1000 * spent[0] / count, 1000 * spent[1] / count


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
