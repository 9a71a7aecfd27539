"""A test of a suite as foldable parts: what it asks by layer, what it expects, who scores it, which tools answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase, ToolDefinition
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Part
from modex.tui.reading.suite import Leaf, SuiteView
from modex.tui.widgets.transcript_text import Block, Section, block

_LONG = 2400
_ASKED = {
    "direct": "directly",
    "reasoning": "for structured reasoning",
    "agentic": "as an agent with tools",
    "conversation": "in a conversation",
}
Parts = tuple[list[Section], dict[str, Location]]
"""The sections, and for some of them by key the place in the suite's files where they are written."""


def test_parts(leaf: Leaf, evaluators: Mapping[str, EvaluatorConfig], glyphs: Glyphs) -> Parts:
    """Everything known of one test."""
    test = leaf.test
    sections: list[Section] = []
    places: dict[str, Location] = {"test": test.location, "prompt": test.location, "expected": test.location}
    findings = [*leaf.findings, *([test.invalid] if test.invalid and not leaf.findings else [])]
    if findings:
        blocks = [block(words, "error", lead=((f"{glyphs.error} ", "error"),)) for words in findings]
        count = f"{len(findings)} finding{'s' if len(findings) != 1 else ''} of check"
        sections.append(Section("findings", count, blocks, "\n".join(findings), role="error", hero=True))
        places["findings"] = test.location
    sections.append(_about(test))
    sections += _layers(test, places)
    sections.append(_prompt(test))
    expected = test.expected if isinstance(test.expected, str) else _json(test.expected)
    sections.append(Section("expected", "expected", [block(expected)], expected, hero=True))
    sections.append(_evaluator(test, evaluators, places))
    for number, tool in enumerate(test.tools, 1):
        key = f"tool.{number}"
        places[key] = tool.location
        sections.append(_tool(key, tool))
    if test.metadata:
        text = _json(test.metadata)
        sections.append(Section("metadata", "metadata", [block(text)], text, folded=True))
    return sections, places


def _about(test: TestCase) -> Section:
    facts: list[tuple[str, str]] = [("name", test.name), ("says", test.description), ("file", str(test.location))]
    facts.append(("asked", _ASKED[test.rollout]))
    if test.weight != 1:
        facts.append(("weight", f"{test.weight:g}"))
    if test.timeout_ms:
        facts.append(("timeout", fmt.seconds(test.timeout_ms)))
    if test.disabled_by:
        facts.append(("off", f"disabled by the {test.disabled_by}: a run takes it only by name"))
    blocks = [block(text, lead=((f"{name:<9}", "muted"),)) for name, text in facts if text]
    return Section("test", f"{test.domain} / {test.level} / {test.test_id}", blocks, str(test.location))


def _layers(test: TestCase, places: dict[str, Location]) -> list[Section]:
    from modex.core.suite.provenance import provenance

    origin = provenance(test)
    if not origin.layers:
        return [Section("system", "system prompt", note=(("none", "faint"),), folded=True)]
    sections: list[Section] = []
    for number, folded in enumerate(origin.layers, 1):
        layer = folded.layer
        key = f"layer.{number}"
        places[key] = layer.location
        scope = f"level {test.level}" if layer.scope == "level" else layer.scope
        note: tuple[Part, ...] = ((f"{layer.mode}  {layer.location}", "faint"),)
        gone = folded.overwritten_by
        blocks = [block(layer.text or "(cleared)", "faint" if gone else "text")]
        if gone is not None:
            blocks.insert(0, block(f"replaced by the {gone.scope}'s layer, {gone.location}", "accent"))
        sections.append(Section(key, f"system prompt, {scope}", blocks, layer.text, note, folded=gone is not None))
    text = origin.effective or ""
    if len(origin.layers) > 1:
        note = ((f"{fmt.count(len(text))} characters", "faint"),)
        sections.append(
            Section("effective", "effective system prompt", [block(text or "(none)")], text, note, folded=True)
        )
    return sections


def _prompt(test: TestCase) -> Section:
    files = [
        block(f"not sent, an error of this test: {one.unsent}", "error")
        if one.unsent
        else block(f"attached: {fmt.attached(asdict(one))}", "faint")
        for one in test.attachments
    ]
    if isinstance(test.prompt, str):
        return Section(
            "prompt", "prompt", [block(test.prompt), *files], test.prompt, folded=len(test.prompt) > _LONG, hero=True
        )
    blocks: list[Block] = []
    for turn in test.prompt:
        blocks += [block(turn.get("role", ""), "faint"), block(turn.get("content", ""), indent=4)]
    blocks += files
    text = "\n\n".join(f"{turn.get('role')}: {turn.get('content')}" for turn in test.prompt)
    return Section("prompt", "prompt", blocks, text, ((f"{len(test.prompt)} turns", "faint"),), hero=True)


def _evaluator(test: TestCase, evaluators: Mapping[str, EvaluatorConfig], places: dict[str, Location]) -> Section:
    config = evaluators.get(test.evaluator_id)
    blocks: list[Block] = []
    note: tuple[Part, ...] = ()
    if config is not None:
        place = f"  {config.location}" if config.location else "  comes with modex"
        note = ((f"{config.type}{place}", "faint"),)
        if config.location:
            places["evaluator"] = config.location
        for name, value in (("name", config.name), ("pattern", config.extraction_regex), ("asks", config.eval_prompt),
                            ("config", _json(config.config) if config.config else None)):  # fmt: skip
            if value:
                blocks.append(block(value, lead=((f"{name:<9}", "muted"),)))
    return Section("evaluator", f"evaluator {test.evaluator_id}", blocks, test.evaluator_id, note, folded=True)


def _tool(key: str, tool: ToolDefinition) -> Section:
    answers = tool.handler or f"{len(tool.mock) if isinstance(tool.mock, list) else 1} mock answers"
    blocks = [block(tool.description), block("parameters", "faint"), block(_json(tool.parameters), indent=4)]
    if tool.handler:
        blocks += [block("answered by", "faint"), block(tool.handler, indent=4)]
    elif tool.mock is not None:
        blocks += [block("mock answers", "faint"), block(_json(tool.mock), indent=4)]
    note = ((f"{answers}  {tool.location}", "faint"),)
    return Section(key, f"tool {tool.name}", blocks, _json(tool.schema()), note, folded=True)


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 100 else json.dumps(value, ensure_ascii=False, default=str, indent=1)


def group_parts(view: SuiteView, group: str) -> Parts:
    """What is known of a domain, with the findings that belong to none of its tests."""
    domain = view.suite.domains.get(group)
    leaves = [leaf for leaf in view.leaves if leaf.group == group]
    facts = [(name, text) for name, text in (
        ("name", domain.name if domain else ""),
        ("says", domain.description if domain else ""),
        ("file", str(domain.location) if domain else ""),
        ("tests", f"{len(leaves)} on {len({leaf.test.level for leaf in leaves})} levels"),
        ("off", "a run takes it only by name" if group in view.off else ""),
    ) if text]  # fmt: skip
    blocks = [block(text, lead=((f"{name:<9}", "muted"),)) for name, text in facts]
    sections = [Section("domain", group, blocks, group)]
    places = {"domain": domain.location} if domain else {}
    if view.general:
        here = [f"{problem}" for problem in view.general]
        blocks = [block(words, "error") for words in here]
        sections.insert(0, Section("findings", "findings outside the tests", blocks, "\n".join(here), role="error"))
        first = view.general[0]
        places["findings"] = Location(first.path, max(1, first.line))
    return sections, places
