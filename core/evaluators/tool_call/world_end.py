"""What a whole conversation with a simulated user came to: the world at its end, what was called, and what the user was told.

What is compared and how follows tau2-bench's evaluators (Barres et al., 2025): `evaluator_env.py`, `evaluator_action.py`,
`evaluator_communicate.py` and `evaluator_nl_assertions.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.foundation.errors import JudgeError
from modex.core.jsonvalues.changes import first_difference
from modex.core.jsonvalues.jsonargs import decode_arguments
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Part

_KEYS = frozenset({"state", "says", "calls", "holds"})
_CALL = frozenset({"name", "args", "only"})


def end_problems(end: Any) -> Iterator[str]:
    """What is wrong with `expected.end`."""
    if not isinstance(end, dict) or not set(end) <= _KEYS:
        yield f"'end' is an object of {', '.join(sorted(_KEYS))}"
        return
    if not isinstance(end.get("state", {}), dict) or not all(
        isinstance(one, dict) for one in end.get("state", {}).values()
    ):
        yield "'state' of 'end' is an object of objects: what the tools tell under each name"
    for name in ("says", "holds"):
        texts = end.get(name, [])
        if not isinstance(texts, list) or not all(isinstance(one, str) and one.strip() for one in texts):
            yield f"'{name}' of 'end' is a list of texts"
    calls = end.get("calls", [])
    if not isinstance(calls, list) or not all(_is_call(one) for one in calls):
        yield "'calls' of 'end' is a list of objects with 'name', 'args' and, where not all count, 'only' (names of arguments)"


def _is_call(one: Any) -> bool:
    if not isinstance(one, dict) or not set(one) <= _CALL or not isinstance(one.get("name"), str):
        return False
    only = one.get("only", [])
    return (
        isinstance(one.get("args", {}), dict) and isinstance(only, list) and all(isinstance(name, str) for name in only)
    )


def judge_end(sample: EvaluationSample, end: Mapping[str, Any], context: JudgeContext) -> EvaluationResult:
    """1 where everything holds and the user ended the conversation, else 0; the first that does not hold is told.

    Raises:
        JudgeError: nobody told what the tools knew, or a judge reached no verdict.
        ModelCallError: a judge could not be asked.
    """
    if fault := next(_faults(sample, end), None):
        return EvaluationResult(0.0, reason=fault)
    if not end.get("holds"):
        return EvaluationResult(1.0, reason="the conversation came to what it should")
    return _held(sample, end["holds"], context)


def _faults(sample: EvaluationSample, end: Mapping[str, Any]) -> Iterator[str]:
    user = sample.simulated_user
    if user is None or user.ended != "left":
        yield "the conversation ended before the user left"
    for name, wanted in end.get("state", {}).items():
        if sample.tool_state is None or name not in sample.tool_state:
            raise JudgeError(
                f"nobody told what the tools knew of {name!r} at the end; judge a run whose server has 'state'"
            )
        told = sample.tool_state[name]
        if difference := first_difference(wanted, told if isinstance(told, dict) else {}):
            yield f"{name} {difference}"
    made = list(_calls(sample.transcript))
    for call in end.get("calls", ()):
        if not any(_matches(call, name, arguments) for name, arguments in made):
            yield f"{call['name']} was not called as expected"
    for text in end.get("says", ()):
        if not _was_said(text, sample.transcript):
            yield f"the user was not told {text!r}"


def _calls(transcript: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every call, the user's own with the model's."""
    for entry in transcript:
        for call in entry.get("tool_calls") or ():
            arguments = call.get("arguments")
            decoded = arguments if isinstance(arguments, dict) else decode_arguments(str(arguments or ""))
            yield str(call.get("name")), decoded if isinstance(decoded, dict) else {}


def _matches(wanted: Mapping[str, Any], name: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a call is the wanted one: in the arguments that count, or, where all do, in each that it has."""
    if name != wanted["name"]:
        return False
    given, only = wanted.get("args", {}), wanted.get("only")
    counted = arguments if only is None else only
    return {key: arguments[key] for key in counted if key in arguments} == {
        key: given[key] for key in counted if key in given
    }


def _was_said(text: str, transcript: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a message to the user holds a text, whatever the case and commas between digits."""
    return any(
        entry.get("role") == "assistant" and text.lower() in str(entry.get("content") or "").lower().replace(",", "")
        for entry in transcript
    )


def _held(sample: EvaluationSample, statements: Sequence[str], context: JudgeContext) -> EvaluationResult:
    """What a judge says of statements about the conversation, all of which have to hold."""
    from modex.core.evaluators.judging.rubric import RubricEvaluator

    items = [{"id": f"s{number}", "says": text, "required": True} for number, text in enumerate(statements, 1)]
    spoken = "\n\n".join(
        f"{'Agent' if entry['role'] == 'assistant' else 'Customer'}: {entry['content']}"
        for entry in sample.transcript
        if entry.get("role") in ("assistant", "user") and str(entry.get("content") or "").strip()
    )
    result = RubricEvaluator().evaluate(replace(sample, expected={"items": items}, response=spoken), context)
    parts: tuple[Part, ...] = result.parts
    return EvaluationResult(1.0 if result.score >= 1.0 else 0.0, result.details, parts=parts, reason=result.reason)
