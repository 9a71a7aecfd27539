"""Fingerprints in their simplest form, the digest of one list made into JSON as a whole: databases out there hold these."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from modex.core.config.runconfig import ModelSpec
from modex.core.pipeline.fingerprints import most_iterations, rollout_mode, user_spec
from modex.core.pipeline.plugins import code_digest
from modex.core.pipeline.processers.factory import PROCESSER_FACTORY
from modex.core.pipeline.run_context import RunContext
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig

_TEMPLATES = {
    "direct": (),
    "reasoning": ("qa/reasoning",),
    "agentic": ("qa/analysis", "qa/tool_selection", "qa/text_protocol", "qa/synthesis"),
    "conversation": ("user/simulated",),
}
_MODEL = ("model", "temperature", "max_tokens", "seed", "reasoning_effort")
_OF_ENTRIES = ("top_p", "frequency_penalty", "presence_penalty", "stop", "extra_body")


def digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def model_digest(spec: ModelSpec) -> str:
    items = [getattr(spec, name) for name in _MODEL]
    if spec.gguf_digest is not None:
        items[0] = f"gguf {spec.gguf_digest}"
    if said := {name: getattr(spec, name) for name in _OF_ENTRIES if getattr(spec, name)}:
        items.append(said)
    return digest(items)


def asked(sample: EvaluationSample, context: RunContext) -> str:
    """What the rollout fingerprint of a run without files and answers of its own is."""
    mode, tools = rollout_mode(sample, context), context.tools_of(sample)
    definition, config = sample.definition, context.config
    items: list[Any] = [
        model_digest(config.model),
        sample.system_prompt,
        definition.turns or sample.prompt,
        mode,
        [[tool.schema(), tool.mock, tool.handler] for tool in tools],
        most_iterations(sample, context) if tools else None,
        sample.epoch,
        [context.templates.text(name) for name in _TEMPLATES[mode]],
        definition.metadata.get("snapshot_date") if mode != "direct" else None,
    ]
    if definition.attachments:
        places = ("name", "digest", "turn", "at")
        items.append(["attachments", [[one.get(name) for name in places] for one in definition.attachments]])
    if definition.tool_faults:
        items.append(definition.tool_faults)
    if definition.tool_state:
        items.append(["state", definition.tool_state])
    if mode == "conversation":
        items.append(["user", definition.simulated_user, model_digest(user_spec(config))])
    if worked := definition.sandbox if "files" in definition.sandbox else {}:
        known = ("files", "workspace", "digest", "needs", "packages", "limits")
        items.append(["workspace", {name: worked.get(name) for name in known}])
        if worked.get("places"):
            items.append(["places", worked["places"]])
    if config.agent:
        items.append(["agent", config.agent, None, *(["stays"] if config.agent_stays else [])])
    if config.benchmark:
        items.append(["benchmark", config.benchmark, context.benchmark_digest])
    return digest(items)


def judged(sample: EvaluationSample, context: RunContext) -> str:
    """What the judge fingerprint is, where no plugin judges."""
    config, evaluator_id = context.config, PROCESSER_FACTORY.get(sample.source, sample.evaluator_id).judged_by(sample)
    extracts, by_model = context.extracts(sample, evaluator_id), context.is_judged(sample, evaluator_id)
    tools, expected = context.tools_of(sample), sample.expected
    document = expected if isinstance(expected, dict) else {}
    free = document.get("extra_reads") is True
    items: list[Any] = [
        [expected, [tool.name for tool in tools if tool.read_only]] if free else expected,
        {
            name: value
            for name, value in sample.definition.metadata.items()
            if (sample.source, name) != ("mmlu", "subject")
        }
        or None,
        _evaluator(context.evaluators[evaluator_id], context),
        context.digest_of_templates("pass2/") if extracts else None,
        context.digest_of_templates("judge/") if by_model else None,
        model_digest(config.extractor or config.model) if extracts else None,
        [model_digest(spec) for spec in config.judges] if by_model else None,
    ]
    if claims := [tool.claims for tool in tools if tool.claims]:
        items.append(claims)
    if "state" in document and sample.definition.tool_state:
        items.append(["state", sample.definition.tool_state])
    if by_model and (config.judge_repeats, config.judge_settle) != (1, "auto"):
        items.append(["repeats", config.judge_repeats, config.judge_settle])
    if config.reading != "modex" and sample.source == "gsm8k":
        items.append(["reading", config.reading])
    if "files" in sample.definition.sandbox:
        items.append(["packages and limits", {**sample.definition.sandbox}])
    if config.sandbox != "auto" and evaluator_id == "code_tests":
        items.append(["sandbox", config.sandbox])
    return digest(items)


def _evaluator(config: EvaluatorConfig, context: RunContext) -> list[Any]:
    parts = [context.evaluators[part["evaluator"]] for part in config.config.get("parts", ())]
    return [
        config.id,
        config.type,
        config.eval_prompt,
        config.extraction_regex,
        config.uses_pass2,
        config.config,
        code_digest(type(context.find_evaluator(config))),
        [_evaluator(part, context) for part in parts],
    ]
