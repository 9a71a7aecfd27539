"""One test in the page: a line that says it all, and a comment with the data of the rest, drawn when it is opened.

A comment costs a browser nothing; thousands of elements more would.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from modex.core.features.export.page.text import as_text, data, lines
from modex.core.foundation.errors import advice_on
from modex.core.foundation.parties import party_of
from modex.core.safety import clean
from modex.core.store.call_results import Entry, call_results
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Compared, find, lines_of

_LONGEST = 200_000
"""Characters of an answer; more stands in the JSON export."""
_LONGEST_MESSAGE = 30_000
_IN_LINE = 160
_SIGNS = {"passed": "●", "failed": "○", "error": "!", "skipped": "–"}


def row(sample: EvaluationSample, run_name: str = "", where: str | None = None) -> str:
    """The test as a folded element; `run_name` tells runs apart where there are several, `where` says on which machine."""
    name = f"{sample.domain}/{sample.level}/{sample.test_id}" + (f" #{sample.epoch}" if sample.epoch != 1 else "")
    value = "" if sample.score is None else f"{sample.score:.2f}"
    got = sample.extracted_answer if sample.extracted_answer is not None else (sample.response or "")
    why = sample.why or (f"{sample.error_type}: {sample.error_message}" if sample.error_message else "")
    why = f"{party}: {why}" if (party := party_of(sample)) else why
    status, domain, level, test, whose, expected, told, reason = lines(
        (sample.status, 20),
        (sample.domain, 200),
        (str(sample.level), 9),
        (name, 120),
        (run_name, 40),
        (_gold(sample), _IN_LINE),
        (got, _IN_LINE),
        (why, 240),
    )
    run = f'<span class="run">{whose}</span>' if whose else ""
    return (
        f'<details class="t" data-s="{status}" data-d="{domain}" data-l="{level}"><summary>'
        f'<span class="st {status}">{_SIGNS.get(sample.status, "·")} {status}</span><span class="id">{test}</span>'
        f'{run}<span class="sc">{value}</span><span class="ex">{expected}</span>'
        f'<span class="go">{told}</span><span class="wy">{reason}</span></summary>'
        f"<!--{data(_block(sample, got, why, where))}--></details>\n"
    )


def _gold(sample: EvaluationSample) -> str:
    """What was expected, as it was compared where one value was."""
    compared = find(sample.parts, Compared)
    gold = sample.expected if compared is None or compared.expected is None else compared.expected
    return "" if gold is None else as_text(gold)


def _block(sample: EvaluationSample, got: str, why: str, where: str | None) -> dict[str, Any]:
    block: dict[str, Any] = {
        "evaluator": clean(sample.evaluator_id),
        "why": clean(why),
        "verdict": [[part.depth, clean(part.label), clean(part.text)] for part in lines_of(sample.parts)],
        "expected": _cut(as_text(sample.expected), _LONGEST_MESSAGE) if sample.expected is not None else "",
        "got": _cut(got, _LONGEST_MESSAGE) if sample.extracted_answer is not None else "",
        "system": _cut(sample.system_prompt or "", _LONGEST_MESSAGE),
        "prompt": _cut(sample.prompt, _LONGEST),
        "response": _cut(sample.response or "", _LONGEST),
        "reasoning": _cut(sample.reasoning or "", _LONGEST_MESSAGE),
        "numbers": _numbers(sample, where),
        "transcript": _messages(sample),
    }
    if sample.error_message:
        block["error"] = clean(f"{sample.error_type}: {sample.error_message}")
        if sample.status == "error" and (advice := advice_on(sample.error_type, sample.error_message)):
            block["error"] += f"\n{advice}"
    return {name: value for name, value in block.items() if value}


def _numbers(sample: EvaluationSample, where: str | None) -> str:
    lines = [f"{sample.duration_ms / 1000:.1f} s", f"{sample.prompt_tokens} + {sample.completion_tokens} tokens"]
    if sample.cost_usd:
        lines.append(f"${sample.cost_usd:.5f}")
    if sample.attempts > 1:
        lines.append(f"{sample.attempts} attempts")
    lines += [where] if where else []
    return ", ".join([*lines, *(clean(str(flag)) for flag in sample.noted)])


def _messages(sample: EvaluationSample) -> list[list[str]]:
    """Every message; what came back of a call stands with the call."""
    entries = [entry for entry in sample.transcript if isinstance(entry, dict)]
    paired = call_results(entries)
    return [
        _message(entry, paired.of(place))
        for place, entry in enumerate(entries)
        if entry.get("role") != "tool" or place in paired.apart
    ]


def _message(entry: dict[str, Any], calls: Iterable[tuple[Entry, Entry | None]]) -> list[str]:
    """Who, what kind, and the text; calls stand behind the text of the message that makes them, each with its result."""
    text = as_text(entry.get("content") or "")
    for call, result in calls:
        text += f"\n→ {call.get('name', '')}({as_text(call.get('arguments', ''))})\n{_came_back(result)}"
    kind = "error" if entry.get("is_error") else str(entry.get("phase", ""))
    who = " ".join(str(entry[name]) for name in ("role", "name") if entry.get(name))
    return [clean(who), clean(kind), _cut(text.strip(), _LONGEST_MESSAGE)]


def _came_back(result: Entry | None) -> str:
    if result is None:
        return "  (no result)"
    text = ("✗ error: " if result.get("is_error") else "← ") + as_text(result.get("content") or "")
    text += "".join(f"\n(attached) {one.get('name')}" for one in result.get("attachments") or ())
    return "\n".join(f"  {line}" for line in _cut(text, _LONGEST_MESSAGE).splitlines())


def _cut(text: str, limit: int) -> str:
    left = len(text) - limit
    return clean(text if left <= 0 else f"{text[:limit]}\n[… {left:,} more characters: see the JSON export]")
