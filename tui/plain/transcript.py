"""A sample's whole story as plain text: prompt by layer, every message and tool call, PASS 2, verdict; all of it cleaned."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.foundation.errors import ErrorType, advice_on
from modex.core.foundation.parties import fault_words, party_of
from modex.core.reports.machines import host_fact
from modex.core.safety import as_words, clean, clean_line
from modex.core.store.call_results import call_results
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample, shown_of, stored_values
from modex.core.verdict import SHOWS_GOLD, Line, Votes, find, fold, lines_of, reason_in
from modex.tui.look import format as fmt
from modex.tui.reading.redo import mended_by

_RULE = "─" * 78
_ENDED_AT_TOKENS = frozenset({ErrorType.TRUNCATED_OUTPUT, ErrorType.TRUNCATED_REASONING})
_INDENT = "  "


def transcript_text(sample: EvaluationSample, earlier: list[dict[str, Any]], run: RunRow) -> str:
    """The transcript of one sample of `run`, in the order in which it happened."""
    lines = [
        *_head(sample, run),
        *_layers(sample),
        *_exchange(sample),
        *_judging(sample),
        *_verdict(sample),
        *_earlier(earlier),
    ]
    return "\n".join(lines) + "\n"


def sample_json(sample: EvaluationSample, earlier: list[dict[str, Any]]) -> dict[str, Any]:
    """Every stored field, whose fault it is where there is no fair verdict, and the verdicts that later ones replaced."""
    return {**stored_values(sample), "fault": party_of(sample), "earlier_verdicts": earlier}


def _head(sample: EvaluationSample, run: RunRow) -> Iterator[str]:
    epoch = f" #{sample.epoch}" if sample.epoch > 1 else ""
    score = "" if sample.score is None else f" {fmt.one(sample.score)}"
    at_fault = fault_words(sample)
    fault = f", at fault: {clean_line(at_fault)}" if at_fault else ""
    yield f"{clean_line(sample.domain)} / {sample.level} / {clean_line(sample.test_id)}{epoch}   {sample.status}{score}{fault}"
    yield (
        f"{fmt.seconds(sample.duration_ms)}   {sample.prompt_tokens}+{sample.completion_tokens} tokens"
        f"   {fmt.cost(sample.cost_usd, unpriced=sample.cost_usd is None)}"
        f"   {sample.attempts} attempt{'s' if sample.attempts != 1 else ''}"
        + (f"   {', '.join(map(clean_line, sample.noted))}" if sample.noted else "")
    )
    if sample.simulated_user is not None and sample.simulated_user.fault:
        yield clean_line(sample.simulated_user.said)
    estimated = "speed_estimated" in sample.flags
    if speed := fmt.speed(sample.ttft_ms, sample.output_tokens_per_s, sample.thinking_ms, estimated=estimated):
        yield "   ".join(speed)
    if where := host_fact(run, sample):
        yield f"asked {where}"
    if shown := shown_of(sample):
        yield "   ".join(f"{name} {clean_line(words)}" for name, words in shown)
    if sample.error_type:
        yield f"{sample.error_type}: {clean(sample.error_message or '')}"
        if advice := "; ".join(_advice(sample, run)):
            yield f"what to do: {advice}"
    yield _RULE


def _advice(sample: EvaluationSample, run: RunRow) -> Iterator[str]:
    """What to do about the sample's error, and the command that tries it again."""
    if sample.status == "error" and (advice := advice_on(sample.error_type, sample.error_message)):
        yield advice
    redo = mended_by(sample, run)
    if redo and sample.error_type == ErrorType.TIME_LIMIT:  # which a resume keeps
        yield f"the command of the run with {as_words('--exp-id', run.exp_id)} and a larger --max-seconds asks it again"
    elif redo and sample.error_type in _ENDED_AT_TOKENS:  # asked again with as many it would end there again
        yield f"`modex resume {as_words(run.exp_id)} --more-tokens N` asks all answers that were cut off again, with N tokens"
    elif redo:
        test = f"{sample.domain}/{sample.level}/{sample.test_id}"
        command, does = ("judge", "judges") if redo == "judge" else ("resume", "asks")
        yield f"`modex {command} {as_words(run.exp_id, '--test', test)}` {does} it again"


def _layers(sample: EvaluationSample) -> Iterator[str]:
    for layer in sample.prompt_layers:
        yield f"[system prompt: {layer['scope']}, {layer['mode']}, {clean_line(str(layer['file']))}:{layer['line']}]"
        yield _indented(layer["text"])


def _exchange(sample: EvaluationSample) -> Iterator[str]:
    if not sample.transcript:
        yield "[prompt]"
        yield _indented(sample.prompt)
        if sample.response:
            yield "[response]"
            yield _indented(sample.response)
    paired = call_results(sample.transcript)
    for place, entry in enumerate(sample.transcript):
        if entry.get("role") == "tool" and place not in paired.apart:
            continue  # it stands with its call
        phase = entry.get("phase", "")
        iteration = f" {entry['iteration']}" if entry.get("iteration") else ""
        name = f" {clean_line(entry['name'])}" if entry.get("name") else ""
        error = " error" if entry.get("is_error") else ""
        error += " of the user" if entry.get("role") == "tool" and entry.get("by") == "user" else ""
        leaves = ", leaves" if entry.get("leaves") else ""
        yield f"[{entry['role']}{name}{error}: {phase}{iteration}{leaves}]"
        if entry.get("fault"):
            yield _indented(f"(fault) {entry['fault']}")
        if entry.get("reasoning"):
            yield _indented("(thinking) " + entry["reasoning"])
        if entry.get("content"):
            yield _indented(entry["content"])
        for attached in entry.get("attachments", ()):
            yield _indented(f"(attached) {fmt.attached(attached)}")
        for call, result in paired.of(place):
            yield _indented(f"→ {call.get('name')}({call.get('arguments')})")
            yield _result(result)
        for call in entry.get("told_calls", ()):
            yield _indented(f"told, not seen: {call['name']}({call['arguments']})")
        if counts := entry.get("calls"):
            yield _indented(f"(calls: {counts['seen']} seen, {counts['told']} told; those that were seen count)")
        if entry.get("state_unknown"):
            yield _indented(f"(the state at the end cannot be told: {entry['state_unknown']})")


def _result(result: Mapping[str, Any] | None) -> str:
    """What came back of a call, under it."""
    if result is None:
        return f"{_INDENT * 2}(no result)"
    sign = "✗ error: " if result.get("is_error") else "← "
    lines = clean(sign + str(result.get("content") or "")).splitlines()
    lines += [clean(f"(attached) {fmt.attached(attached)}") for attached in result.get("attachments", ())]
    return "\n".join(_INDENT * 2 + line for line in lines)


def _judging(sample: EvaluationSample) -> Iterator[str]:
    for exchange in sample.details.get("exchanges", ()):
        yield f"[{exchange['role']}: {clean_line(str(exchange['model']))}]"
        for message in exchange["messages"]:
            yield _indented(str(message.get("content") or ""))
        yield _indented("→ " + str(exchange["answer"]))


def _verdict(sample: EvaluationSample) -> Iterator[str]:
    yield f"[verdict: {clean_line(sample.evaluator_id)}]"
    parts = sample.parts
    if reason := sample.why:
        yield f"{_INDENT}{clean_line(reason)}"
    votes = find(parts, Votes)
    shows_gold = any(isinstance(part, SHOWS_GOLD) for part in parts)
    if sample.expected is not None and not shows_gold and (votes is None or votes.reference is None):
        yield _labelled(Line("expected", fold(_plain(sample.expected))))
    if sample.extracted_answer is not None and not shows_gold:
        yield _labelled(Line("got", fold(sample.extracted_answer)))
    yield from map(_labelled, lines_of(parts))


def _labelled(line: Line) -> str:
    """A label and its text, later rows of the text under its first."""
    head = f"{_INDENT * (line.depth + 1)}{clean_line(line.label):<9} "
    return f"\n{' ' * len(head)}".join((head + clean(line.text)).rstrip().splitlines())


def _earlier(earlier: list[dict[str, Any]]) -> Iterator[str]:
    for verdict in earlier:
        reason = reason_in(verdict.get("details"), passed=verdict["status"] == "passed")
        yield (
            f"[earlier verdict: {clean_line(str(verdict['evaluator_id']))}] {verdict['status']}"
            f" {fmt.one(verdict['score'])} {clean_line(str(verdict['completed_at']))} {clean_line(reason)}"
        ).rstrip()


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _indented(text: str) -> str:
    return "\n".join(_INDENT + line for line in clean(text).splitlines())
