"""Which epochs of a test with k of n are still needed: those that may not be are held back until others have ended."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from modex.core.statistics.k_of_n import Required
from modex.core.store.sample import EvaluationSample

TestKey = tuple[str, str, int, str]


@dataclass(slots=True)
class _Test:
    required: Required
    passed: int
    failed: int
    asking: int = 0
    held: list[EvaluationSample] = field(default_factory=list)


class Needed:
    """Counts the epochs of each test; used by many threads at once.

    A try is let through where it is needed however those in flight end, so that several are asked at a time and never one
    that asking one after the other would have spared.
    """

    def __init__(self, standing: Mapping[TestKey, tuple[int, int]]) -> None:
        """`standing`: how many epochs passed and failed before, by test."""
        self._standing = standing
        self._tests: dict[TestKey, _Test] = {}
        self._spared: set[int] = set()
        self._free: list[EvaluationSample] = []
        self._lock = threading.Lock()

    def admits(self, sample: EvaluationSample) -> bool:
        """Whether a worker may take the sample now; else it is held and comes with `freed` later."""
        if not sample.pass_needed or not sample.pass_of or sample.stage != "init":
            return True
        with self._lock:
            return self._admits(self._test(sample), sample)

    def spared(self, sample: EvaluationSample) -> str:
        """Why the sample need not be asked any more; empty where it is to be."""
        with self._lock:
            if sample.id not in self._spared:
                return ""
            test = self._test(sample)
        return f"not asked: {test.required} was decided by {test.passed} passed and {test.failed} failed"

    def ended(self, sample: EvaluationSample) -> None:
        """Count how a sample ended that a worker had; whatever this frees is there for `freed`."""
        if not sample.pass_needed or not sample.pass_of:
            return
        with self._lock:
            test = self._test(sample)
            if sample.id in self._spared:
                return
            test.asking -= 1
            test.passed += sample.status == "passed"
            test.failed += sample.status == "failed"
            held, test.held = test.held, []
            self._free += [one for one in held if self._admits(test, one)]

    def freed(self) -> EvaluationSample | None:
        """A sample that was held and may be taken now."""
        with self._lock:
            return self._free.pop(0) if self._free else None

    @property
    def holds(self) -> bool:
        """Whether any sample is held, or free and not taken yet."""
        with self._lock:
            return bool(self._free) or any(test.held for test in self._tests.values())

    def _test(self, sample: EvaluationSample) -> _Test:
        key = sample.key[:4]
        if key not in self._tests:
            assert sample.pass_needed is not None
            assert sample.pass_of is not None
            self._tests[key] = _Test(Required(sample.pass_needed, sample.pass_of), *self._standing.get(key, (0, 0)))
        return self._tests[key]

    def _admits(self, test: _Test, sample: EvaluationSample) -> bool:
        """Let the sample through, to be asked or spared, or hold it."""
        if test.required.verdict(test.passed, test.failed) is not None:
            assert sample.id is not None
            self._spared.add(sample.id)
            return True
        if test.required.needs(test.passed, test.failed, test.asking):
            test.asking += 1
            return True
        test.held.append(sample)
        return False
