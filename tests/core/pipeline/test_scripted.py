"""What the scripted model is told of a call, which is asked like any model's."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.evaluators.base import BaseEvaluator, JudgeContext
from modex.core.evaluators.hybrid import HybridEvaluator
from modex.core.evaluators.judging.custom import CustomEvaluator
from modex.core.evaluators.judging.llm_judge import LLMJudgeEvaluator
from modex.core.evaluators.judging.rubric import RubricEvaluator
from modex.core.foundation.errors import JudgeError
from modex.core.llm.demo.cues import Cue, cued, current_cue
from modex.core.llm.types import Completion, Message
from modex.core.pipeline.scripted import as_judge, as_user
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig
from modex.core.suite.templates import Templates, render

TEMPLATES = Templates()
RUBRIC = {
    "items": [
        {"id": "kind", "says": "It is kind.", "points": 1},
        {"id": "rest", "says": "It names rest.", "points": 1, "any": ["rest"]},
    ],
    "gates": [{"id": "harm", "says": "It harms."}],
}


class _Listening:
    """A model that notes what it is told beside the call, and answers nothing of use."""

    def __init__(self, model: str = "demo") -> None:
        self.model = model
        self.cues: list[Cue | None] = []

    def complete(self, messages: list[Message], **_: Any) -> Completion:
        assert messages
        self.cues.append(current_cue())
        return Completion("-")


def _sample(**fields: Any) -> EvaluationSample:
    plain = {
        "domain": "d",
        "level": 2,
        "test_id": "t",
        "epoch": 3,
        "prompt": "p",
        "expected": "gold",
        "response": "It is 4.",
    }
    return EvaluationSample(**{**plain, **fields})


def _context(sample: EvaluationSample, model: _Listening, **config: Any) -> JudgeContext:
    given = EvaluatorConfig(**{"id": "e", "name": "e", "type": "builtin", **config})
    return JudgeContext(given, TEMPLATES.text, extractor=model, judges=(model,), sample=sample, around=as_judge)


def _told(evaluator: BaseEvaluator, sample: EvaluationSample, **config: Any) -> Cue:
    model = _Listening()
    with pytest.raises(JudgeError):
        evaluator.evaluate(sample, _context(sample, model, **config))
    first, repair = model.cues
    assert first == repair, "asked again, it is told the same"
    assert first is not None
    return first


def test_pass_2_is_told_which_kind_of_answer_its_template_asks_for() -> None:
    sample, model = _sample(), _Listening()
    context = _context(sample, model)
    kinds = [name.removeprefix("pass2/") for name in TEMPLATES.names() if name.startswith("pass2/")]
    assert len(kinds) > 8
    for kind in kinds:
        values = {name: f"{{response}} {name}" for name in ("prompt", "response", "options", "tools")}
        message = render(TEMPLATES.text(f"pass2/{kind}"), delimiter="DATA-1", **values)
        context.ask("pass2", model, [{"role": "user", "content": message.rstrip() + " more"}])
        cue = model.cues[-1]
        assert cue is not None
        own = kind in ("numeric", "choice", "boolean", "math", "tool_calls")
        assert (cue.role, cue.context["type"]) == ("pass2", kind if own else "text")


def test_a_judge_is_told_the_gold_the_reply_and_the_scale() -> None:
    cue = _told(LLMJudgeEvaluator(), _sample())
    assert (cue.role, cue.key, cue.level, cue.expected) == ("judge", "d/2/t/3", 2, "gold")
    wanted = {"response": "It is 4.", "expected": "gold", "min_score": 0.0, "max_score": 1.0, "pattern": None}
    assert cue.context == wanted
    own = {"eval_prompt": "Rate {response} by {prompt}.", "config": {"min_score": 1, "max_score": 5}}
    assert _told(CustomEvaluator(), _sample(), **own).context == {**wanted, "min_score": 1.0, "max_score": 5.0}
    pattern = {**own, "extraction_regex": r"SCORE: (\d)"}
    assert _told(CustomEvaluator(), _sample(), **pattern).context["pattern"] == r"SCORE: (\d)"


def test_a_judge_that_reads_what_pass_2_found_is_told_that() -> None:
    sample, model = _sample(response="First 3.\nIt is 4."), _Listening()
    prompt = "<<<DATA-1\nFirst 3.\nIt is 4.\nDATA-1>>>\n<<<DATA-1\n4\nDATA-1>>>"
    context = _context(sample, model)
    for content, judged in ((prompt, sample.response), (prompt[prompt.rindex("<<<") :], "4")):
        context.ask("judge", model, [{"role": "user", "content": content}])
        cue = model.cues[-1]
        assert cue is not None
        assert cue.context["response"] == judged


def test_a_judge_of_a_rubric_is_told_the_statements_that_it_is_asked_about() -> None:
    metadata = {"good_answer": "Rest.", "bad_answer": "Run."}
    cue = _told(RubricEvaluator(), _sample(expected=RUBRIC, definition=Definition(metadata=metadata)))
    assert cue.context == {
        "response": "It is 4.", "expected": RUBRIC, "items": ["kind"], "gates": ["harm"],
        "says": {"kind": "It is kind.", "harm": "It harms."}, **metadata,
    }  # fmt: skip


def test_a_judge_within_a_hybrid_is_told_the_gold_of_its_part() -> None:
    parts = [{"evaluator": "llm_judge", "expected": "another"}]
    cue = _told(HybridEvaluator(), _sample(), type="hybrid", config={"parts": parts})
    assert (cue.expected, cue.context["expected"]) == ("another", "another")


def test_no_other_model_is_told_anything() -> None:
    other, sample = _Listening("openai/m"), _sample()
    context = _context(sample, other)
    context.ask("judge", other, [{"role": "user", "content": "?"}])
    with as_user(other, sample):
        assert current_cue() is None
    unsaid = _Listening()
    JudgeContext(context.config, TEMPLATES.text, around=as_judge).ask(
        "judge", unsaid, [{"role": "user", "content": "?"}]
    )
    assert [*other.cues, *unsaid.cues] == [None, None]


def test_the_user_of_a_conversation_is_told_what_to_say() -> None:
    with as_user(SimpleNamespace(model="demo/hasty"), _sample(definition=Definition(simulated_user={"goal": "g"}))):
        cue = current_cue()
    assert cue == Cue("user", "suite/d/2/t/3", 2, context={"user": {"goal": "g"}})
    assert current_cue() is None


def test_each_worker_plays_its_own_test() -> None:
    seen: list[Cue | None] = []
    with cued(Cue("rollout", "mine")):
        thread = threading.Thread(target=lambda: seen.append(current_cue()))
        thread.start()
        thread.join()
        with cued(Cue("pass2", "mine")):
            pass
        assert current_cue() == Cue("rollout", "mine")
    assert seen == [None]
