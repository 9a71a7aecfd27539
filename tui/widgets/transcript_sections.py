"""From a stored sample to the parts of its transcript, in the order in which things happened."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from modex.core.foundation.errors import advice_on
from modex.core.foundation.parties import fault_words
from modex.core.safety import clean_line
from modex.core.store.call_results import Entry, call_results
from modex.core.store.sample import EvaluationSample, shown_of, stored_values
from modex.core.verdict import Extracted, find
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import UNICODE, Glyphs
from modex.tui.look.paint import Part
from modex.tui.reading.alignment import normalised
from modex.tui.widgets.transcript_code import coloured
from modex.tui.widgets.transcript_judging import judging_sections
from modex.tui.widgets.transcript_text import Block, Section, block, marked

if TYPE_CHECKING:
    from modex.core.store.manager import Redo

_LONG = 1600
"""Prompts longer than this begin folded: the response is what one came for."""
MOST_COLOURED = 2_000_000
"""Characters of a whole transcript beyond which its texts keep one colour: reading them would take seconds."""
_KEYS: dict[Redo, str] = {
    "ask": "a asks again",
    "judge": "J judges it again",
    "changed": "e edits the test and runs it",
}
_MANY_CALLS = 6
"""Calls of a transcript beyond which each begins as one line."""
_LONGEST_TITLE = 300
_TALL = 6
"""Lines of what was asked beyond which it begins folded where the verdict stands first."""


@dataclass(frozen=True, slots=True)
class SampleStory:
    """A sample with what the transcript says beside it."""

    sample: EvaluationSample
    earlier: Sequence[dict[str, Any]] = ()
    """Judgements that later ones replaced, oldest first."""
    max_iterations: int = 5
    glyphs: Glyphs = field(default=UNICODE)
    colour: bool = True
    """Whether the terminal has colours enough for code, JSON and Markdown to be told apart."""
    verdict_first: bool = False
    """Whether the verdict stands first though the test passed: beside another transcript, whose test may have failed."""
    redo: Redo | None = None
    """What tries a sample with an error again, where the transcript has its key."""


def sections_of(story: SampleStory) -> list[Section]:
    """Every part of the transcript: the verdict of a failed test first, all else in the order of time."""
    sample = story.sample
    judging = list(judging_sections(sample, story.earlier, story.glyphs))
    first = [
        section
        for section in judging
        if section.key == "verdict" and (story.verdict_first or sample.status == "failed")
    ]
    asked = [_system_prompt(sample), *_prompt(sample)]
    sections = [
        *_error_section(story),
        *first,
        *(replace(section, folded=True) if first and _is_tall(section) else section for section in asked),
        *_tools_offered(sample),
        *_exchange(story),
        *(section for section in judging if section not in first),
        _figures(sample),
    ]
    if not story.colour or sum(len(item.text) for section in sections for item in section.blocks) > MOST_COLOURED:
        return sections
    return [_coloured(section) for section in sections]


def _coloured(section: Section) -> Section:
    """The part with the colours of its code, JSON and Markdown."""
    if section.key.startswith("tools"):
        blocks = [coloured(item, "call" if item.lead and item.role == "text" else "json") for item in section.blocks]
    elif section.markdown or section.key == "prompt":
        blocks = [coloured(item) if item.role == "text" else item for item in section.blocks]
    else:
        return section
    return replace(section, blocks=blocks)


def _is_tall(section: Section) -> bool:
    """Whether it would push the response out of sight below a verdict."""
    return (
        section.key == "system"
        or sum(1 + item.text.count("\n") + len(item.text) // 72 for item in section.blocks) > _TALL
    )


def opens_on(sample: EvaluationSample) -> str:
    """The key of the part to begin at: why a test failed, else what was answered."""
    return "verdict" if sample.status == "failed" else "response"


def raw_sections(story: SampleStory) -> list[Section]:
    """The stored sample as JSON."""
    text = json.dumps(
        {**stored_values(story.sample), "earlier_verdicts": list(story.earlier)},
        ensure_ascii=False,
        indent=2,
        default=str,
    )
    item = coloured(block(text), "json") if story.colour else block(text)
    return [Section("raw", "stored sample", [item], text, ((f"{fmt.count(len(text))} characters", "faint"),))]


def _error_section(story: SampleStory) -> Iterator[Section]:
    sample = story.sample
    if not sample.error_type and not sample.error_message:
        return
    words = sample.error_message or "no more is known"
    role = "muted" if sample.status == "skipped" else "error"
    title = "skipped" if sample.status == "skipped" else f"error: {sample.error_type or sample.status}"
    if at_fault := fault_words(sample):
        title += f", at fault: {at_fault}"
    note: tuple[Part, ...] = ()
    blocks = [block(words)]
    if sample.status == "error":
        kept = "the answer is kept; " if sample.response is not None else ""
        note = ((f"{kept}{_KEYS[story.redo] if story.redo else 'resume tries again'}", "faint"),)
        if advice := advice_on(sample.error_type, sample.error_message):
            blocks.append(block(advice, "accent"))
    yield Section("error", title, blocks, words, note, role=role, hero=True)


def _system_prompt(sample: EvaluationSample) -> Section:
    layers = sample.prompt_layers
    if not layers and not sample.system_prompt:
        return Section("system", "system prompt", note=(("none", "faint"),), folded=True)
    blocks: list[Block] = []
    for place, layer in enumerate(layers):
        gone = any(later.get("mode") == "overwrite" for later in layers[place + 1 :])
        scope = f"level {sample.level}" if layer.get("scope") == "level" else str(layer.get("scope", ""))
        head = f"{scope}  {layer.get('mode', '')}  {layer.get('file', '')}:{layer.get('line', '')}"
        if gone:
            head += "  replaced by a later layer"
        blocks.append(block(head, "faint"))
        blocks.append(block(str(layer.get("text") or "(cleared)"), "faint" if gone else "text", indent=4))
    if not layers:
        blocks.append(block(sample.system_prompt or ""))
    sent = next((e.get("content", "") for e in sample.transcript if e.get("role") == "system"), sample.system_prompt)
    if layers and sent and sent != sample.system_prompt and sample.system_prompt is not None:
        blocks += [block("as sent, with the instructions of this way of asking", "faint"), block(sent, indent=4)]
    modes = [f"{layer.get('scope')}{'' if layer.get('mode') == 'overwrite' else ' (append)'}" for layer in layers]
    text = sample.system_prompt or ""
    note = ((" + ".join(modes), "faint"),) if modes else ()
    return Section("system", "system prompt", blocks, text, note, folded=_size(blocks) > _LONG // 2)


def _prompt(sample: EvaluationSample) -> Iterator[Section]:
    turns = sample.definition.turns
    if turns:
        blocks: list[Block] = []
        for turn in turns:
            blocks.append(block(str(turn.get("role", "")), "accent"))
            blocks.append(block(str(turn.get("content", "")), indent=4))
        text = "\n\n".join(f"{turn.get('role')}: {turn.get('content')}" for turn in turns)
        note: tuple[Part, ...] = ((f"{len(turns)} turns", "faint"),)
    else:
        blocks, text, note = [block(sample.prompt)], sample.prompt, ()
    blocks += [block(f"attached: {fmt.attached(one)}", "faint") for one in sample.definition.attachments]
    folded = _size(blocks) > _LONG
    yield Section("prompt", "prompt", blocks, text, note or _length(text, folded), folded=folded)


def _tools_offered(sample: EvaluationSample) -> Iterator[Section]:
    """The tools that the model may call, and how often it called each."""
    definition = sample.definition
    called = Counter(
        str(call.get("name"))
        for entry in sample.transcript
        for call in entry.get("tool_calls") or ()
        if isinstance(call, dict)
    )
    own = [tool.get("function", tool) for tool in definition.tools if isinstance(tool, dict)]
    offered = [(str(id_), "", "") for id_ in definition.tool_ids]
    offered += [
        (str(tool.get("name", "")), _parameters(tool.get("parameters")), str(tool.get("description") or ""))
        for tool in own
        if isinstance(tool, dict)
    ]
    if not offered:
        return
    blocks: list[Block] = []
    for name, parameters, about in offered:
        count = called.pop(name, 0)
        times = f"   {_called(count)}" if count else "   not called"
        blocks.append(block(f"{name}{parameters}{times}", "text" if count else "muted"))
        if about:
            blocks.append(block(about, "faint", indent=4))
    blocks += [block(f"{name}   {_called(count)}, not offered", "error") for name, count in called.items()]
    text = "\n".join(item.text for item in blocks)
    note = ((f"{len(offered)}", "faint"),)
    yield Section("offered", "tools offered", blocks, text, note, folded=len(blocks) > _TALL)


def _called(count: int) -> str:
    return "called once" if count == 1 else f"called {count} times"


def _parameters(schema: Any) -> str:
    """A tool's parameters by name, those that may be left out with a question mark."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return "()"
    required = schema.get("required") if isinstance(schema, dict) else None
    needed = required if isinstance(required, list) else []
    return "(" + ", ".join(name if name in needed else f"{name}?" for name in map(str, properties)) + ")"


def _exchange(story: SampleStory) -> Iterator[Section]:
    sample = story.sample
    entries = list(sample.transcript)
    last = _answering(entries)
    told = max(
        (n for n, entry in enumerate(entries) if entry.get("phase") == "pass1" and entry.get("role") == "user"),
        default=0,
    )
    thought = False
    number = rounds = 0
    paired = call_results(entries)
    many = sum(map(len, paired.calls.values())) > _MANY_CALLS
    for place, entry in enumerate(entries):
        role, phase = entry.get("role"), str(entry.get("phase", ""))
        if role == "user" and phase == "conversation":
            if entry.get("simulated") and entry.get("tool_calls"):
                yield from _users_calls(entry, place, entries)
            elif entry.get("simulated"):
                yield _user_turn(entry)
            continue
        if role == "user" and phase != "pass1":
            number += 1
            title = f"{_phase(phase)}: what was asked"
            yield _part(f"asked.{number}", title, str(entry.get("content", "")), folded=True)
        if role != "assistant" or (place < told and "duration_ms" not in entry):
            continue
        if entry.get("reasoning"):
            thought = True
            yield _thinking(f"thinking.{place}", str(entry["reasoning"]))
        if entry.get("tool_calls"):
            rounds += 1
            yield from _calls(story, entry, paired.of(place), rounds, folded=many)
        elif place == last and phase != "conversation":
            yield from _structured(story, entry)
        elif entry.get("content"):
            title = "answer" if phase == "conversation" else _phase(phase)
            yield _part(f"{phase}.{place}", title, str(entry["content"]), _took(entry), markdown=True)
        if entry.get("told_calls"):
            words = "\n".join(_call(call) for call in entry["told_calls"])
            yield _part(f"told.{place}", "told by the agent, not seen", words)
        if counts := entry.get("calls"):
            words = f"{counts['seen']} seen, {counts['told']} told; those that were seen count"
            yield _part(f"counts.{place}", "calls", words, (("differ", "error"),))
        if entry.get("state_unknown"):
            yield _part(f"state.{place}", "the state at the end cannot be told", str(entry["state_unknown"]))
    if sample.reasoning and not thought:
        yield _thinking("thinking", sample.reasoning)
    yield _response(story)


def _user_turn(entry: dict[str, Any]) -> Section:
    """What a simulated user said; what it did wrong with that stands beside its title."""
    number = entry.get("iteration")
    note: tuple[Part, ...] = ((str(entry["fault"]), "error"),) if entry.get("fault") else _took(entry)
    title = f"simulated user, turn {number}" + (", leaves" if entry.get("leaves") else "")
    return _part(f"user.{number}", title, str(entry.get("content", "")), note)


def _users_calls(entry: dict[str, Any], place: int, entries: list[dict[str, Any]]) -> Iterator[Section]:
    """What a simulated user did with its own tools, a call and its result a section."""
    for number, call in enumerate(entry["tool_calls"]):
        results = (one for one in entries[place + 1 :] if one.get("tool_call_id") == call.get("id"))
        result = str(next(results, {}).get("content", ""))
        title = f"simulated user's own call, turn {entry.get('iteration')}: {call.get('name')}"
        yield _part(f"user.{place}.{number}", title, f"{call.get('arguments')}\n→ {result}", folded=len(result) > 400)


def _answering(entries: list[dict[str, Any]]) -> int:
    """The entry that holds the final answer, or -1."""
    for place in range(len(entries) - 1, -1, -1):
        if entries[place].get("role") == "assistant":
            return -1 if entries[place].get("tool_calls") else place
    return -1


def _structured(story: SampleStory, entry: dict[str, Any]) -> Iterator[Section]:
    """The final message as the model wrote it, where the response is only a part of it."""
    content = str(entry.get("content", ""))
    if content and content != (story.sample.response or ""):
        phase = str(entry.get("phase", ""))
        title = "synthesis" if phase == "synthesis" else "structured answer"
        yield _part("structured", title, content, _took(entry), folded=len(content) > 400)


def _response(story: SampleStory) -> Section:
    sample = story.sample
    text = sample.response
    if text is None:
        words = {
            "pending": "not asked yet",
            "running": "being asked now",
            "skipped": "not asked",
        }.get(sample.status, "there is none")
        return Section("response", "response", [block(words, "muted")], "", hero=True)
    if not text.strip():
        return Section("response", "response", [block("the model answered with nothing", "muted")], text, hero=True)
    extracted = find(sample.parts, Extracted)
    item = _answer(text, extracted.span if extracted else (), story.glyphs)
    flags = ", ".join(flag.replace("_", " ") for flag in sample.flags)
    note = ((flags, "accent"),) if flags else _length(text, len(text) > 4000)
    return Section("response", "response", [item], text, note, hero=True, markdown=True)


def _answer(text: str, span: Sequence[int], glyphs: Glyphs) -> Block:
    """The response, the extracted answer marked where it stands."""
    if len(span) == 2:
        start, end = span
        if 0 <= start < end <= len(text):
            before, after = ("[[", "]]") if glyphs.bar.isascii() else ("⟦", "⟧")
            return marked(text, start, end, before=before, after=after)
    return block(text)


def _thinking(key: str, text: str) -> Section:
    return Section(key, "thinking", [block(text, "muted")], text, _length(text, True), folded=True, markdown=True)


def _calls(
    story: SampleStory, entry: dict[str, Any], calls: Sequence[tuple[Entry, Entry | None]], number: int, *, folded: bool
) -> Iterator[Section]:
    """One turn of the tool loop: what the model called, a part each, and what came back of it."""
    phase = entry.get("phase")
    iteration = number if phase == "agent" else entry.get("iteration") or number
    towards, back = ("->", "<-") if story.glyphs.bar.isascii() else ("→", "←")
    of = "" if phase in ("conversation", "agent") else f" of {story.max_iterations}"
    for count, (call, result) in enumerate(calls):
        content = str((result or {}).get("content") or "")
        bad = result is not None and bool(result.get("is_error"))
        blocks = [block(str(entry["content"]), "muted")] if entry.get("content") and not count else []
        blocks.append(block(_call(call), lead=[(f"{towards} ", "accent")]))
        if result is None:
            blocks.append(block("no result", "error", indent=4))
        else:
            lead = [(f"{story.glyphs.error if bad else back} ", "error" if bad else "muted")]
            blocks.append(block(_pretty(content), "error" if bad else "muted", lead=lead, indent=4))
            blocks += [block(f"attached: {fmt.attached(one)}", "faint") for one in result.get("attachments", ())]
        took = "" if count or entry.get("duration_ms") is None else f"  {fmt.seconds(entry['duration_ms'])}"
        selecting = "tool selection, " if phase == "tool_selection" else ""
        note: list[Part] = [(f"{selecting}iteration {iteration}{of}{took}", "faint")]
        if bad or result is None:
            note.append(("   failed" if bad else "   no result", "error"))
        yield Section(
            f"tools.{iteration}" + (f".{count + 1}" if count else ""),
            clean_line(_call(call), _LONGEST_TITLE),
            blocks,
            f"{_call(call)}\n{content}",
            tuple(note),
            folded=folded or _size(blocks) > 2 * _LONG,
            kind=f"tools {call.get('name')}",
            alike=f"{call.get('name')} {normalised(call.get('arguments'))} {normalised(content)}"
            if story.verdict_first
            else "",
        )


def _call(call: Entry) -> str:
    return f"{call.get('name') or '(no name)'}({_compact(call.get('arguments'))})"


def _compact(arguments: Any) -> str:
    """Arguments on one line; as they came where they are no JSON object."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return str(arguments)
    if not isinstance(arguments, dict):
        return json.dumps(arguments, ensure_ascii=False)
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())


def _pretty(text: str) -> str:
    """A result: JSON that is not short is laid out over lines."""
    if len(text) < 100 or len(text) > 200_000 or text[:1] not in "{[":
        return text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except (ValueError, RecursionError):
        return text


def _part(
    key: str, title: str, text: str, note: tuple[Part, ...] = (), *, folded: bool = False, markdown: bool = False
) -> Section:
    folded = folded or len(text) > _LONG
    return Section(key, title, [block(text)], text, note or _length(text, folded), folded, markdown=markdown)


def _phase(phase: str) -> str:
    return {"pass1": "said", "tool_selection": "tool selection", "tool_loop": "tools"}.get(phase, phase or "said")


def _took(entry: dict[str, Any]) -> tuple[Part, ...]:
    return ((fmt.seconds(entry["duration_ms"]), "faint"),) if entry.get("duration_ms") is not None else ()


def _length(text: str, worth: bool) -> tuple[Part, ...]:
    return ((f"{fmt.count(len(text))} characters", "faint"),) if worth else ()


def _size(blocks: list[Block]) -> int:
    return sum(len(item.text) for item in blocks)


def _figures(sample: EvaluationSample) -> Section:
    judge = sample.judge_prompt_tokens + sample.judge_completion_tokens
    extra = [
        f"{fmt.count(number)} {name}"
        for number, name in ((sample.reasoning_tokens, "of them thinking"), (sample.cached_tokens, "cached"))
        if number
    ]
    facts: list[tuple[str, str]] = [
        ("tokens", f"{fmt.count(sample.prompt_tokens)} in, {fmt.count(sample.completion_tokens)} out"
         + (f" ({', '.join(extra)})" if extra else "")),
        ("cost", _cost(sample.cost_usd)),
        ("time", fmt.seconds(sample.duration_ms)),
        ("attempts", f"{sample.attempts}" + (f", ended by {sample.finish_reason}" if sample.finish_reason else "")),
    ]  # fmt: skip
    if judge:
        spent = f"{fmt.count(judge)} tokens, {_cost(sample.judge_cost_usd)}, {fmt.seconds(sample.judge_duration_ms)}"
        facts.append(("judging", spent))
    facts += shown_of(sample)
    facts += [
        (name, str(value))
        for name, value in (
            ("flags", ", ".join(sample.noted)),
            ("started", sample.started_at),
            ("completed", sample.completed_at),
            ("asked as", (sample.rollout_fingerprint or "")[:16]),
            ("judged as", (sample.judge_fingerprint or "")[:16]),
        )
        if value
    ]
    blocks = [block(value, lead=((f"{name:<11}", "muted"),)) for name, value in facts]
    source = "\n".join(f"{name}: {value}" for name, value in facts)
    tokens = f"{fmt.count(sample.prompt_tokens)}+{fmt.count(sample.completion_tokens)} tok"
    note = ((f"{tokens}  {fmt.seconds(sample.duration_ms)}  {_cost(sample.cost_usd)}", "faint"),)
    return Section("figures", "tokens, time, cost", blocks, source, note, folded=True)


def _cost(usd: float | None) -> str:
    return "no price known" if usd is None else fmt.cost(usd)
