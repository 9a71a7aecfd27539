"""One finished sample as one line: when, what became of it, which test, its score, and why."""

from __future__ import annotations

from typing import Any

from modex.core.foundation.parties import fault_words, party_of
from modex.core.safety import clean_line
from modex.core.store.reader import expected_text
from modex.core.store.rows import SampleHead
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs

COLOURS = {"passed": "green", "failed": "red", "error": "magenta", "running": "cyan", "skipped": "bright_black"}


def sample_line(head: SampleHead, glyphs: Glyphs, *, elapsed_s: float | None = None, colour: bool = False) -> str:
    """`2:12 ● math/3/discount_chain  1.00  2.1 s  numeric 84 = 84`, cleaned; coloured where asked."""
    import click

    mark = glyphs.status(head.status)
    if colour:
        mark = click.style(mark, fg=COLOURS.get(head.status))
    start = f"{fmt.clock(elapsed_s):>7} " if elapsed_s is not None else ""
    name = clean_line(f"{head.domain}/{head.level}/{head.test_id}", 60)
    if head.epoch > 1:
        name += f" #{head.epoch}"
    score = fmt.one(head.score) if head.status in ("passed", "failed") else head.status
    return f"{start}{mark} {name:<44} {score:>7} {fmt.seconds(head.duration_ms):>7}  {reason(head)}".rstrip()


def head_json(head: SampleHead) -> dict[str, Any]:
    """A sample of a list as scripts get it."""
    return {**{name: getattr(head, name) for name in head.__dataclass_fields__}, "fault": party_of(head)}


def reason(head: SampleHead, limit: int = 60) -> str:
    """Why a sample has its status, in a few words."""
    if head.status in ("error", "skipped"):
        whose = f"{party}: " if (party := fault_words(head)) else ""
        return clean_line(f"{whose}{head.error_type or ''} {head.error_message or ''}".strip(), limit)
    if head.status == "failed" and (whose := fault_words(head)):
        return clean_line(f"{whose}: {head.evaluator_id} {head.reason or ''}", limit + 12)
    if head.status == "failed" and head.reason:
        return clean_line(f"{head.evaluator_id} {head.reason}", limit + 12)
    got = clean_line(head.extracted_answer or "", limit // 2)
    expected = clean_line(expected_text(head), limit // 2)
    if not got and not expected:
        return clean_line(head.evaluator_id, limit)
    if not expected:
        return clean_line(f"{head.evaluator_id} {got}", limit + 12)
    sign = "=" if head.status == "passed" else "≠"
    return clean_line(f"{head.evaluator_id} {got} {sign} {expected}", limit + 12)
