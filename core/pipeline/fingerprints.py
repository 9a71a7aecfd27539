"""What decides whether a sample must be asked or judged again: one digest of each side's inputs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from typing import Any

from modex.core.config.options import fields_asked
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.evaluators.official.rules import rule_of
from modex.core.pipeline.plugins import code_digest
from modex.core.pipeline.rollout.agent_option import is_asked
from modex.core.pipeline.rollout.answers import answers_of, digest_of
from modex.core.pipeline.run_context import RunContext
from modex.core.pipeline.turns import most_turns
from modex.core.sandbox.workspace.spec import has_workspace
from modex.core.store.sample import EvaluationSample
from modex.core.suite.datasets.presets import preset_of
from modex.core.suite.definitions import EvaluatorConfig, is_played
from modex.core.suite.likelihood import EVALUATOR

_MOST_PARTS = 8
_ASKED_OF_A_MODEL = fields_asked("model.")
_ASKED_BY_ENTRIES = ("top_p", "frequency_penalty", "presence_penalty", "stop", "extra_body")
_TEMPLATES_OF_ROLLOUT = {
    "direct": (),
    "reasoning": ("qa/reasoning",),
    "agentic": ("qa/analysis", "qa/tool_selection", "qa/text_protocol", "qa/synthesis"),
    "conversation": ("user/simulated",),
}


_WORKED_IN = ("files", "workspace", "digest", "needs", "packages", "limits")
"""What of a workspace its model can notice."""
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)


def _digest(value: Any) -> str:
    return hashlib.blake2b(_CANONICAL.encode(value).encode(), digest_size=16).hexdigest()


def _digest_of_list(items: Iterable[str]) -> str:
    """`_digest` of a list whose items are canonical JSON already: what all samples share is made into JSON once."""
    return hashlib.blake2b(f"[{','.join(items)}]".encode(), digest_size=16).hexdigest()


def _canonical(value: Any) -> str:
    if value is None:
        return "null"
    # A new encoder of C's is made for each value but texts.
    return encode_basestring_ascii(value) if type(value) is str else _CANONICAL.encode(value)


@lru_cache(maxsize=64)
def _model_digest(spec: ModelSpec) -> str:
    """A model with its sampling; its entry's name, prices and where it is reached do not change what it answers."""
    asked = [getattr(spec, name) for name in _ASKED_OF_A_MODEL]
    if spec.gguf_digest is not None:
        asked[_ASKED_OF_A_MODEL.index("model")] = (
            f"gguf {spec.gguf_digest}"  # wherever the file lies, whatever it is called
        )
    # What only entries say is left out where none says it: what was asked before there were entries is not asked again.
    more = {name: value for name in _ASKED_BY_ENTRIES if (value := getattr(spec, name)) not in (None, (), {})}
    return _digest([*asked, more] if more else asked)


def rollout_fingerprint(sample: EvaluationSample, context: RunContext) -> str:
    """The digest of what is asked: prompt, layers, tools, model, sampling parameters, the mode's templates."""
    mode = rollout_mode(sample, context)
    definition, config = sample.definition, context.config
    tools = context.tools_of(sample)
    items = [
        context.kept("model asked", lambda: _canonical(_model_digest(config.model))),
        _canonical(sample.system_prompt),
        _canonical(definition.turns or sample.prompt),
        f'"{mode}"',
        _canonical([[tool.schema(), tool.mock, tool.handler] for tool in tools]) if tools else "[]",
        str(most_iterations(sample, context)) if tools else "null",
        str(sample.epoch),
        context.kept(
            f"templates of {mode}",
            lambda: _canonical([context.templates.text(name) for name in _TEMPLATES_OF_ROLLOUT[mode]]),
        ),
        _canonical(definition.metadata.get("snapshot_date")) if mode != "direct" else "null",
    ]
    if definition.attachments:
        items.append(_canonical(["attachments", _attached(sample)]))
    if definition.tool_faults:
        items.append(_canonical(definition.tool_faults))
    if definition.tool_state:
        items.append(_canonical(["state", definition.tool_state]))
    if definition.tool_setup:
        items.append(_canonical(["setup", definition.tool_setup]))
    if mode == "conversation":
        player = _model_digest(user_spec(config)) if is_played(definition.simulated_user) else None
        items.append(_canonical(["user", definition.simulated_user, player]))
        if own := context.users_tools_of(sample):
            asked = [[tool.schema(), tool.mock, tool.handler] for tool in own]
            items.append(_canonical(["user's tools", asked, context.templates.text("user/tools")]))
    if definition.sandbox and has_workspace(definition.sandbox):
        items.append(_canonical(["workspace", {key: definition.sandbox.get(key) for key in _WORKED_IN}]))
        if places := definition.sandbox.get("places"):
            items.append(_canonical(["places", places]))
    if sample.evaluator_id == EVALUATOR:
        items.append(_canonical(["likelihood", definition.likelihood, config.likelihood_by]))
    if config.agent:
        stays = ["stays"] if config.agent_stays else []
        items.append(_canonical(["agent", config.agent, _given(sample, config), *stays]))
    if config.benchmark:
        items.append(_canonical(["benchmark", config.benchmark, context.benchmark_digest]))
    return _digest_of_list(items)


def _told(sample: EvaluationSample) -> dict[str, Any]:
    """A test's metadata without the column that only names its domain once more: nobody judges by that."""
    metadata = sample.definition.metadata
    preset = preset_of(sample.source) if metadata and sample.source != "suite" else None
    if preset is None:
        return metadata
    return {
        name: value
        for name, value in metadata.items()
        if name not in preset.category or str(value).strip() != sample.domain
    }


def _attached(sample: EvaluationSample) -> list[list[Any]]:
    """What of its attachments reaches the model: names, contents and places; where the files lie does not."""
    return [[one.get(name) for name in ("name", "digest", "turn", "at")] for one in sample.definition.attachments]


def _given(sample: EvaluationSample, config: RunConfig) -> str | None:
    """The digest of an answer that was made elsewhere."""
    answers = answers_of(config)
    return None if answers is None else digest_of(sample, answers)


def judge_fingerprint(sample: EvaluationSample, context: RunContext, evaluator_id: str) -> str:
    """The digest of how it is judged: expected, evaluator, its templates, extractor and judge models."""
    config = context.config
    extracts, judged = context.extracts(sample, evaluator_id), context.is_judged(sample, evaluator_id)
    tools = context.tools_of(sample)
    claims = [tool.claims for tool in tools if tool.claims]
    free = isinstance(sample.expected, dict) and sample.expected.get("extra_reads") is True
    items = [
        _canonical([sample.expected, [tool.name for tool in tools if tool.read_only]] if free else sample.expected),
        _canonical(_told(sample) or None),
        context.kept(
            f"evaluator {evaluator_id}",
            lambda: _canonical(_evaluator(context.evaluators[evaluator_id], context)),
        ),
        _canonical(context.digest_of_templates("pass2/") if extracts else None),
        _canonical(context.digest_of_templates("judge/") if judged else None),
        context.kept("extractor", lambda: _canonical(_model_digest(config.extractor or config.model)))
        if extracts
        else "null",
        context.kept("judges", lambda: _canonical([_model_digest(spec) for spec in config.judges]))
        if judged
        else "null",
    ]
    if claims:
        items.append(_canonical(claims))
    if _state_counts(sample):
        items.append(_canonical(["state", sample.definition.tool_state]))
    repeats, settled = config.judge_repeats, config.judge_settle
    if judged and (repeats, settled) != (1, "auto"):
        items.append(_canonical(["repeats", repeats, settled]))
    if config.reading == "official" and rule_of(sample.source) is not None:
        items.append(_canonical(["reading", config.reading]))
    if sample.definition.sandbox:
        judging = {key: value for key, value in sample.definition.sandbox.items() if key != "solution"}
        items.append(_canonical(["packages and limits", judging]))
        if judged and has_workspace(judging):
            items.append(_canonical(["workspace", context.templates.text("workspaces/judge")]))
    if config.sandbox != "auto" and evaluator_id == "code_tests":
        items.append(_canonical(["sandbox", config.sandbox]))
    return _digest_of_list(items)


def _state_counts(sample: EvaluationSample) -> bool:
    """Whether what the mocks began with decides the verdict."""
    return isinstance(sample.expected, dict) and "state" in sample.expected and bool(sample.definition.tool_state)


def judge_identity(evaluator_id: str, context: RunContext) -> dict[str, Any]:
    """What an LLM judge is, whatever it judges: its models, a digest of these with their settings, one of what it is told."""
    models = [client.model for client in context.judges]
    return {
        "models": models,
        "model": _digest([models, [_model_digest(spec) for spec in context.config.judges]]),
        "prompt": _digest(
            [_evaluator(context.evaluators[evaluator_id], context), context.digest_of_templates("judge/")]
        ),
    }


def user_spec(config: RunConfig) -> ModelSpec:
    """The model that plays users: the one named, else the model under test."""
    return config.user or config.model


def most_iterations(sample: EvaluationSample, context: RunContext) -> int:
    """How many turns of the tool loop the sample may take."""
    return most_turns(sample.definition, context.config.max_iterations)


def rollout_mode(sample: EvaluationSample, context: RunContext) -> str:
    """How the sample is asked: the run's override, else the test's own mode."""
    if sample.definition.simulated_user and (context.config.agent is None or is_asked(context.config.agent)):
        return "conversation"  # its question is what the user goes on to say, so there is no other way to ask it
    mode = context.config.rollout or sample.definition.rollout
    if mode == "conversation":
        return "direct"
    if mode == "agentic" and context.config.agent is None and not context.tools_of(sample):
        return "reasoning"  # without a tool there is nothing to act with
    return mode


def _evaluator(config: EvaluatorConfig, context: RunContext, depth: int = 0) -> list[Any]:
    """An evaluator's configuration with those of its parts; circles were refused by the suite's check."""
    parts = config.config.get("parts", ()) if depth < _MOST_PARTS else ()
    names = [part.get("evaluator") for part in parts if isinstance(part, dict)]
    return [
        config.id,
        config.type,
        config.eval_prompt,
        config.extraction_regex,
        config.uses_pass2,
        config.config,
        code_digest(type(context.find_evaluator(config))),
        [_evaluator(found, context, depth + 1) for name in names if (found := context.evaluators.get(str(name)))],
    ]
