"""A finding: what is the matter with which tests, with its numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from modex.core.comparison.pairs import TestKey
from modex.core.statistics.distributions import LEVEL_TEXT

FaultKind = Literal[
    "gold_suspect", "against_rest", "leaked_gold", "judges_differ", "same_question", "alike", "no_verdict", "all_fail",
    "all_pass",
]  # fmt: skip
TITLES: dict[FaultKind, str] = {
    "gold_suspect": "gold in doubt",
    "against_rest": "against the rest",
    "leaked_gold": "answer in the prompt",
    "judges_differ": "verdict in doubt",
    "same_question": "asked twice",
    "alike": "nearly alike",
    "no_verdict": "never a verdict",
    "all_fail": "all fail",
    "all_pass": "all pass",
}
"""What a finding is called, in the order in which it deserves to be read."""
MEANINGS: dict[FaultKind, str] = {
    "gold_suspect": "the abler half of the models agrees on an answer that is not the gold",
    "against_rest": f"the abler a model is elsewhere, the worse it does here ({LEVEL_TEXT} sure)",
    "leaked_gold": "the gold stands in what is asked",
    "judges_differ": "judges split, the same judge judges otherwise, or people say otherwise",
    "same_question": "word for word the question of another test",
    "alike": "four fifths of the words of another test, and no cluster that says so",
    "no_verdict": "every answer ended as an error",
    "all_fail": "no model passes: too hard, or broken",
    "all_pass": "every model passes: it tells nobody apart",
}


@dataclass(frozen=True, slots=True)
class SuiteFinding:
    """What is the matter with some tests."""

    kind: FaultKind
    tests: tuple[TestKey, ...]
    """The first is the one it is about."""
    samples: tuple[int, ...]
    """Each test's sample in the newest run that has it."""
    words: str
    """The numbers in a sentence; nothing that a model or a suite wrote."""
    figures: dict[str, Any] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    """What a model or the suite wrote that bears it out: `answer`, `gold`."""

    @property
    def name(self) -> str:
        """The first test's `domain/level/id`."""
        return name_of(self.tests[0])

    def as_json(self, *, content: bool) -> dict[str, Any]:
        """Stable fields; what was written stands under `untrusted`, and only where it is asked for."""
        return {
            "kind": self.kind,
            "tests": [{"source": key[0], "test": name_of(key)} for key in self.tests],
            "words": self.words,
            **self.figures,
            **({"untrusted": self.written} if content else {}),
        }


def name_of(key: TestKey) -> str:
    """`domain/level/id`."""
    return "/".join(map(str, key[1:]))


@dataclass(frozen=True, slots=True)
class SuiteFaults:
    """What the stored runs of one suite say of its tests."""

    suite: str | None
    """Its folder; None is the bundled one."""
    runs: int
    models: tuple[str, ...]
    tests: int
    otherwise: int
    """Answers to older forms of tests, left out."""
    findings: tuple[SuiteFinding, ...]
    notes: tuple[str, ...] = ()
    """What cannot be told from so few models, or was left out as the suite's own way."""

    def of(self, kind: FaultKind) -> list[SuiteFinding]:
        """The findings of one kind, the clearest first."""
        return [one for one in self.findings if one.kind == kind]

    def as_json(self, *, content: bool) -> dict[str, Any]:
        """Stable fields for scripts."""
        return {
            "suite": self.suite,
            "runs": self.runs,
            "models": list(self.models),
            "tests": self.tests,
            "asked_otherwise": self.otherwise,
            "unsaid": list(self.notes),
            "counts": {kind: len(self.of(kind)) for kind in TITLES},
            "findings": [one.as_json(content=content) for one in self.findings],
        }
