"""A change between two runs, and all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from modex.core.comparison.pairs import Pair, TestKey
from modex.core.store.rows import RunRow

ChangeKind = Literal[
    "model", "setting", "judge", "layer", "question", "asked", "gold", "rule", "added", "removed", "lost", "gained"
]
TITLES: dict[ChangeKind, str] = {
    "model": "model",
    "setting": "setting",
    "judge": "judge",
    "layer": "prompt layer",
    "question": "question",
    "asked": "asked otherwise",
    "gold": "gold",
    "rule": "rule",
    "added": "new test",
    "removed": "test left out",
    "lost": "lost",
    "gained": "gained",
}
"""What a change is called, causes before the verdicts."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is other in the second run."""

    kind: ChangeKind
    name: str
    """The setting, the layer with its file, or the test."""
    before: str = ""
    after: str = ""
    """What stood and what stands: a value, or the texts themselves."""
    tests: tuple[TestKey, ...] = ()
    """The tests that it is about."""
    why: str = ""
    """Of a verdict: whether question or rules of the test changed too, or neither did."""
    pair: Pair | None = None
    """Of a verdict: both sides."""
    written: bool = False
    """Whether `before` and `after` are text of a suite or a model."""

    def as_json(self, *, content: bool) -> dict[str, Any]:
        """Stable fields; what a suite or a model wrote stands under `untrusted`, and only where asked for."""
        texts = {"before": self.before, "after": self.after}
        return {
            "kind": self.kind,
            "name": self.name,
            "tests": [{"source": key[0], "test": "/".join(map(str, key[1:]))} for key in self.tests],
            "why": self.why or None,
            **(texts if not self.written else {"untrusted": texts} if content else {}),
        }


@dataclass(frozen=True, slots=True)
class Changes:
    """What is other in `second` than in `first`."""

    first: RunRow
    second: RunRow
    digests: tuple[str, str]
    """Of both runs' tests: questions, layers, golds, evaluators."""
    same: int
    """Tests that both have in the very same form."""
    both: int
    changes: tuple[Change, ...]

    def of(self, *kinds: ChangeKind) -> list[Change]:
        """The changes of these kinds."""
        return [one for one in self.changes if one.kind in kinds]

    @property
    def summary(self) -> str:
        """How the suites stand to each other, in a sentence."""
        if self.digests[0] == self.digests[1]:
            return f"the same {self.both} tests, word for word (suite {self.digests[0]})"
        return f"{self.same} of {self.both} common tests are the same; suite {self.digests[0]} is now {self.digests[1]}"

    def as_json(self, *, content: bool) -> dict[str, Any]:
        """Stable fields for scripts."""
        return {
            "first": self.first.exp_id,
            "second": self.second.exp_id,
            "suite_digests": list(self.digests),
            "tests_in_both": self.both,
            "tests_the_same": self.same,
            "counts": {kind: len(self.of(kind)) for kind in TITLES},
            "changes": [one.as_json(content=content) for one in self.changes],
        }
