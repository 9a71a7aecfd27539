"""What the judge did: PASS 2, judges asked, the verdict, earlier verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Compared, Extracted, find, reason_in
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Part
from modex.tui.widgets.transcript_text import Block, Section, block
from modex.tui.widgets.transcript_verdict import plain, verdict_blocks


def judging_sections(sample: EvaluationSample, earlier: Sequence[dict[str, Any]], glyphs: Glyphs) -> Iterator[Section]:
    """Everything after the response."""
    exchanges = sample.details.get("exchanges")
    for number, exchange in enumerate(exchanges if isinstance(exchanges, list) else (), 1):
        if isinstance(exchange, dict):
            yield from _exchange(sample, exchange, number)
    if sample.stage == "judged" or sample.score is not None:
        yield _verdict(sample, glyphs)
    elif sample.expected is not None:
        yield Section("verdict", "expected", [block(plain(sample.expected))], plain(sample.expected), hero=True)
    if earlier:
        yield _earlier(earlier, glyphs)


def _exchange(sample: EvaluationSample, exchange: dict[str, Any], number: int) -> Iterator[Section]:
    role = str(exchange.get("role", ""))
    answer = str(exchange.get("answer") or "")
    model = str(exchange.get("model") or "")
    title = {"pass2": "pass 2", "judge": "judge", "repair": "judge, asked again"}.get(role, role)
    messages = [message for message in exchange.get("messages") or () if isinstance(message, dict)]
    asked = "\n\n".join(str(message.get("content") or "") for message in messages)
    blocks: list[Block] = []
    note: tuple[Part, ...] = ((f"{model}  {fmt.seconds(exchange.get('duration_ms'))}", "faint"),)
    if role == "pass2":
        note = (*_extraction(sample), ("  ", "faint"), *note) if _extraction(sample) else note
        found = sample.extracted_answer
        blocks.append(block(answer or "nothing", "muted", lead=((f"{'answered':<11}", "muted"),)))
        blocks.append(block(found if found is not None else "none", lead=((f"{'extracted':<11}", "muted"),)))
    else:
        blocks.append(block(answer or "nothing"))
    yield Section(f"{role}.{number}.prompt", f"{title}: what was asked", [block(asked, "muted")], asked,
                  ((f"{fmt.count(len(asked))} characters", "faint"),), folded=True)  # fmt: skip
    if exchange.get("reasoning"):
        thought = str(exchange["reasoning"])
        yield Section(f"{role}.{number}.thinking", f"{title}: thinking", [block(thought, "muted")], thought,
                      ((f"{fmt.count(len(thought))} characters", "faint"),), folded=True)  # fmt: skip
    yield Section(f"{role}.{number}", title, blocks, answer, note)


def _extraction(sample: EvaluationSample) -> tuple[Part, ...]:
    """Where the extracted answer stands."""
    parts = sample.parts
    extracted, compared = find(parts, Extracted), find(parts, Compared)
    if extracted is None:
        return ()
    state, kind = extracted.state, compared.type if compared else ""
    words = {
        "found": "found in response",
        "not_in_response": "not in the response",
        "by_rules": "read by the rules",
        "no_answer": "the response gives none",
        "empty_response": "the response is empty",
    }.get(state, state)
    if extracted.span and sample.response:
        words += f", line {sample.response.count(chr(10), 0, extracted.span[0]) + 1}"
    role = "accent" if state in ("not_in_response", "by_rules") or extracted.fault else "faint"
    return ((f"{kind}  " if kind else "", "faint"), (words, role))


def _verdict(sample: EvaluationSample, glyphs: Glyphs) -> Section:
    names = [sample.evaluator_id]
    compared = find(sample.parts, Compared)
    if compared is not None and compared.type and compared.type != sample.evaluator_id:
        names.append(compared.type)
    if compared is not None and compared.tolerance:
        names.append(f"tolerance {compared.tolerance}")
    note: tuple[Part, ...] = ((f" {glyphs.dot} ".join(names), "faint"),)
    if sample.score is not None:
        state = "passed" if sample.status == "passed" else "failed" if sample.status == "failed" else "muted"
        note = (*note, (f"   {glyphs.status(sample.status)} {fmt.one(sample.score)}", state))
    blocks = verdict_blocks(sample, glyphs)
    source = "\n".join("".join(text for text, _ in item.lead) + item.text for item in blocks)
    return Section("verdict", "verdict", blocks, source, note, hero=True)


def _earlier(earlier: Sequence[dict[str, Any]], glyphs: Glyphs) -> Section:
    blocks: list[Block] = []
    for verdict in reversed(earlier):
        status = str(verdict.get("status") or "")
        got = verdict.get("extracted_answer")
        why = reason_in(verdict.get("details"), passed=status == "passed")
        said = verdict.get("error_message") or why
        words = "  ".join(
            str(piece)
            for piece in (
                str(verdict.get("completed_at") or "")[:16].replace("T", " "),
                verdict.get("evaluator_id") or "",
                f"got {got}" if got is not None else "",
                said,
            )
            if piece
        )
        lead = ((f"{glyphs.status(status)} ", status), (f"{fmt.one(verdict.get('score')):<6}", "text"))
        blocks.append(block(words, "muted", lead=lead))
    count = f"{len(earlier)} replaced by judging again"
    text = "\n".join(item.text for item in blocks)
    return Section("earlier", "earlier verdicts", blocks, text, ((count, "faint"),), folded=True)
