"""`world`: what a conversation did to the world of its tools, turn by turn and at the end.

What is compared and when follows the checkers of BFCL's tests of several turns (Patil et al., 2025) and of tau2-bench (Barres et
al., 2025).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.tool_call.world_end import end_problems, judge_end
from modex.core.foundation.errors import JudgeError
from modex.core.jsonvalues.changes import first_difference
from modex.core.jsonvalues.jsonargs import decode_arguments
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase

_TURN = frozenset({"changes", "results", "acts"})
_CHANGES = "state_changes"
_SHOWN = 200


@dataclass(slots=True)
class _Turn:
    """What happened between two messages of the user."""

    calls: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    changes: Mapping[str, Any] | None = None


class WorldEvaluator(BaseEvaluator):
    """Passes where every turn left the world as its gold did, or the whole conversation; the first difference is told."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`."""
        del config, suite_root
        yield from _problems(test.expected)

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Where statements about the conversation have to hold."""
        del config
        return isinstance(expected, dict) and bool(isinstance(end := expected.get("end"), dict) and end.get("holds"))

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Compare turn after turn, or what the conversation came to.

        Raises:
            JudgeError: `expected` cannot be used, nobody told what the tools knew, or a judge reached no verdict.
            ModelCallError: a judge could not be asked.
        """
        if problem := next(_problems(sample.expected), None):
            raise JudgeError(f"expected: {problem}")
        if "end" in sample.expected:
            return judge_end(sample, sample.expected["end"], context)
        wanted: Sequence[Mapping[str, Any]] = sample.expected["turns"]
        turns = _turns(sample.transcript)
        right = 0
        for number, gold in enumerate(wanted):
            fault = _fault(turns, number, gold, sample.flags)
            if fault is not None:
                facts = {"turns right": right, "turns": len(wanted)}
                return EvaluationResult(0.0, facts, reason=f"turn {number + 1}: {fault}")
            right += 1
        return EvaluationResult(
            1.0, {"turns right": right, "turns": len(wanted)}, reason="every turn came to what it should"
        )


def _problems(expected: Any) -> Iterator[str]:
    if isinstance(expected, dict) and set(expected) == {"end"}:
        yield from end_problems(expected["end"])
        return
    turns = expected.get("turns") if isinstance(expected, dict) else None
    if not isinstance(turns, list) or not turns or set(expected) != {"turns"}:
        yield "expected is an object with 'turns', a list with what each turn has to come to, or with 'end'"
        return
    for number, turn in enumerate(turns, 1):
        if not isinstance(turn, dict) or not set(turn) <= _TURN:
            yield f"turn {number} is an object of {', '.join(sorted(_TURN))}"
        elif not isinstance(turn.get("changes", {}), dict):
            yield f"turn {number}: 'changes' is an object of places and what stands there"
        elif not isinstance(turn.get("results", []), list) or not all(
            isinstance(one, str) for one in turn.get("results", [])
        ):
            yield f"turn {number}: 'results' is a list of texts"


def _turns(transcript: Sequence[Mapping[str, Any]]) -> list[_Turn]:
    """The conversation, cut where the user speaks."""
    turns = [_Turn()]
    for entry in transcript:
        role = entry.get("role")
        if role == "user" and entry.get("simulated"):
            turns.append(_Turn())
        elif role == "assistant":
            for call in entry.get("tool_calls") or ():
                arguments = call.get("arguments")
                decoded = arguments if isinstance(arguments, dict) else decode_arguments(str(arguments or ""))
                turns[-1].calls.append((str(call.get("name")), decoded if isinstance(decoded, dict) else {}))
        elif role == "tool":
            turns[-1].results.append(str(entry.get("content") or ""))
        if isinstance(entry.get(_CHANGES), dict):
            turns[-1].changes = entry[_CHANGES]
    return turns


def _fault(turns: Sequence[_Turn], number: int, gold: Mapping[str, Any], flags: Iterable[str]) -> str | None:
    """What is wrong with a turn, or None.

    Raises:
        JudgeError: its state is not known.
    """
    if number >= len(turns):
        return "it was not reached" + (": the turn before used up its calls" if "tool_limit" in flags else "")
    turn = turns[number]
    if gold.get("acts") and not turn.calls:
        return "nothing was called"
    if "changes" in gold:
        if turn.changes is None:
            raise JudgeError(
                f"nobody told what the tools knew after turn {number + 1}; judge a run whose server has 'state'"
            )
        if difference := first_difference(gold["changes"], turn.changes):
            return difference
    given = Counter(result for one in turns[: number + 1] for result in one.results)
    if missing := Counter(gold.get("results") or ()) - given:
        told = next(iter(missing))
        return f"no call so far gave {told if len(told) <= _SHOWN else told[:_SHOWN] + '…'}"
    return None
