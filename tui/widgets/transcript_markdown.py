"""Markdown for reading: headings, lists, tables and code laid out at a width, as a block like any other."""

from __future__ import annotations

import io

from modex.tui.widgets.transcript_text import Block, Span, tidy

MOST = 100_000
"""Characters; longer texts stay plain."""


def markdown_block(text: str, width: int) -> Block:
    """`text` (data: cleaned here) as Markdown in `width` columns. Links are text, never live."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.style import Style

    console = Console(
        file=io.StringIO(), width=max(20, width), color_system="truecolor", force_terminal=True, legacy_windows=False
    )
    document = Markdown(tidy(text), hyperlinks=False, code_theme="bw", inline_code_theme="bw")
    lines: list[str] = []
    spans: list[Span] = []
    at = 0
    for segments in console.render_lines(document, pad=False):
        start = at
        for segment in segments:
            role = _role(segment.style or Style.null())
            if role != "text" and segment.text.strip():
                spans.append((at, at + len(segment.text), role))
            at += len(segment.text)
        line = "".join(segment.text for segment in segments)
        kept = line.rstrip()
        at = start + len(kept) + 1
        lines.append(kept)
    text = "\n".join(lines).rstrip("\n")
    first = next((number for number, line in enumerate(lines) if line), 0)
    skipped = sum(len(line) + 1 for line in lines[:first])
    return Block(
        text[skipped:],
        spans=tuple((max(0, s - skipped), e - skipped, role) for s, e, role in spans if e > skipped),
        wraps=False,
    )


def _role(style: object) -> str:
    """The palette's role for a style of rich's Markdown."""
    if getattr(style, "bold", None):
        return "title"
    if getattr(style, "bgcolor", None) is not None:
        return "panel"
    if getattr(style, "dim", None):
        return "faint"
    return "mark" if getattr(style, "underline", None) else "text"
