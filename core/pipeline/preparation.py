"""From tests to samples: one per epoch, as its processer prepares it, holding all that the later stages need of the test."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from modex.core.foundation.errors import ErrorType
from modex.core.pipeline.processers.factory import PROCESSER_FACTORY
from modex.core.pipeline.run_context import tool_to_dict
from modex.core.safety import redact
from modex.core.statistics.k_of_n import Required
from modex.core.store.definition import Definition, kept
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Location, PromptLayer, TestCase, ToolDefinition
from modex.core.suite.layers import fold
from modex.core.suite.provenance import prompt_layers

MESSAGE_LIMIT = 2000
"""Characters of an error's message that are stored with its sample."""

WORLD = (
    "The tools that you are offered answer from an invented, frozen market: its tokens, protocols, prices, addresses and "
    "pages exist nowhere else, and say nothing of the real world."
)
"""What a test is told that is offered the bundled world's tools without having named them."""


def suite_handlers(tools: Mapping[str, ToolDefinition]) -> list[ToolDefinition]:
    """The suite's tools that are written in Python: what an agentic test is offered that names none."""
    return [tool for tool in tools.values() if tool.handler and not tool.handler.startswith("live:")]


def prompt_of(test: TestCase) -> str:
    """The question as a sample stores it: turns as their JSON."""
    return test.prompt if isinstance(test.prompt, str) else json.dumps(list(test.prompt), ensure_ascii=False)


def samples_of(
    test: TestCase,
    *,
    epochs: int,
    required: Required | None = None,
    suite_tools: Collection[str],
    default_tools: Sequence[str] = (),
    default_note: str = "",
) -> Iterator[EvaluationSample]:
    """One sample per epoch of `test`; tools that the suite does not know by id are stored with the sample.

    With k of n (the test's own, else `required`) there are n of them. An agentic test that names no tools is offered
    `default_tools`, and `default_note` says in its system prompt what those are; one that is offered nothing is asked as
    `reasoning`, and called so.
    """
    required = test.required or required
    epochs = required.of if required else epochs
    offered = default_tools if test.rollout == "agentic" and not test.tools else ()
    acts = test.rollout != "agentic" or test.tools or offered
    layers = test.layers
    if offered and default_note:
        layers = (*layers, PromptLayer("test", default_note, "append", Location("(tools of the suite)")))
    said = kept(test)
    if not acts:
        said["rollout"] = "reasoning"
    definition = Definition(
        file=test.location.path,
        line=test.location.line,
        tool_ids=list(test.tool_ids or offered),
        tools=[tool_to_dict(tool) for tool in test.tools if tool.id not in suite_tools],
        turns=[] if isinstance(test.prompt, str) else list(test.prompt),
        attachments=[dataclasses.asdict(one) for one in test.attachments],
        **said,
    )
    template = EvaluationSample(
        source=test.source,
        domain=test.domain,
        level=test.level,
        test_id=test.test_id,
        name=test.name,
        weight=test.weight,
        cluster=test.cluster,
        pass_needed=required.passes if required else None,
        pass_of=required.of if required else None,
        system_prompt=fold(layers),
        prompt_layers=prompt_layers(layers),
        prompt=prompt_of(test),
        expected=test.expected,
        evaluator_id=test.evaluator_id,
        definition=definition,
    )
    if test.invalid:
        template.status = "skipped"
        template.error_type = ErrorType.INVALID_TEST
        template.error_message = test.invalid
    if epochs == 1:
        yield template
        return
    for epoch in range(1, epochs + 1):
        yield dataclasses.replace(template, epoch=epoch)


def preprocess_one(sample: EvaluationSample) -> EvaluationSample | None:
    """The sample as its processer prepares it; None leaves it out. One whose preparation fails is skipped, and says why."""
    processer = PROCESSER_FACTORY.get(sample.source, sample.evaluator_id)
    who = f"{type(processer).__name__}.preprocess_one"
    try:
        prepared: object = processer.preprocess_one(sample)
    except Exception as error:
        return _left_out(sample, f"{who}: {type(error).__name__}: {error}")
    if prepared is None:
        return None
    if isinstance(prepared, EvaluationSample):
        try:
            prepared.definition = Definition.of(prepared.definition)
        except ValueError as error:
            prepared.definition = Definition()
            return _left_out(prepared, f"{who} left a `definition` that is none: {error}")
        return prepared
    return _left_out(sample, f"{who} returned {type(prepared).__name__} instead of a sample or None")


def _left_out(sample: EvaluationSample, message: str) -> EvaluationSample:
    sample.status = "skipped"
    sample.error_type = str(ErrorType.INVALID_TEST)
    sample.error_message = redact(message)[:MESSAGE_LIMIT]
    return sample
