"""From tests to samples: one per epoch, holding everything the later stages need, so that none of them needs the test."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from core.errors import ErrorType
from core.pipeline.services import tool_to_dict
from core.store.sample import EvaluationSample
from core.suite.definitions import Location, TestCase
from core.suite.layers import fold
from core.suite.provenance import prompt_layers


def samples_of(
    test: TestCase, *, epochs: int, suite_tools: Collection[str], default_tools: Sequence[str] = ()
) -> Iterator[EvaluationSample]:
    """One sample per epoch of `test`; tools that the suite does not know by id are stored with the sample.

    An agentic test that names no tools is offered `default_tools`.
    """
    definition: dict[str, Any] = {"file": test.location.path, "line": test.location.line}
    if test.rollout != "direct":
        definition["rollout"] = test.rollout
    if test.tool_ids:
        definition["tool_ids"] = list(test.tool_ids)
    elif test.rollout == "agentic" and not test.tools:
        definition["tool_ids"] = list(default_tools)
    if embedded := [tool_to_dict(tool) for tool in test.tools if tool.id not in suite_tools]:
        definition["tools"] = embedded
    if test.timeout_ms is not None:
        definition["timeout_ms"] = test.timeout_ms
    if test.metadata:
        definition["metadata"] = test.metadata
    if not isinstance(test.prompt, str):
        definition["turns"] = list(test.prompt)
    template = EvaluationSample(
        source=test.source,
        domain=test.domain,
        level=test.level,
        test_id=test.test_id,
        name=test.name,
        weight=test.weight,
        system_prompt=fold(test.layers),
        prompt_layers=prompt_layers(test.layers),
        prompt=test.prompt if isinstance(test.prompt, str) else json.dumps(list(test.prompt), ensure_ascii=False),
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


def test_of(sample: EvaluationSample) -> TestCase:
    """The test behind a stored sample, for checks that speak of tests; layers and tools are left out."""
    definition = sample.definition
    turns = definition.get("turns")
    return TestCase(
        source=sample.source,
        domain=sample.domain,
        level=sample.level,
        test_id=sample.test_id,
        prompt=tuple(turns) if turns else sample.prompt,
        expected=sample.expected,
        evaluator_id=sample.evaluator_id,
        location=Location(str(definition.get("file", "")), int(definition.get("line", 1))),
        name=sample.name,
        weight=sample.weight,
        metadata=definition.get("metadata", {}),
    )
