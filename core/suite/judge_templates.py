"""What a judge's prompt may ask for: the placeholders of an evaluator's `eval_prompt` and of the files in `prompts/judge/`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from modex.core.suite.frontmatter import parse_prompt
from modex.core.suite.state import Loading
from modex.core.suite.suggest import closest

PLACEHOLDERS = ("prompt", "expected", "response", "level", "transcript", "reasoning", "tool_calls")
"""What a judge's prompt may ask for."""
_FRAMED = (*PLACEHOLDERS, "delimiter", "form")
_BOUNDS = ("min_score", "max_score")
_FILES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("binary", "browsecomp", "browsecomp_zh", "webwalkerqa", "xbench"), _FRAMED),
    **dict.fromkeys(("caia", "rubric"), (*_FRAMED, "items")),
    **dict.fromkeys(("rating", "pattern"), ("instructions", "delimiter", "form", *_BOUNDS)),
    **dict.fromkeys(("form_rating", "form_pattern"), ("pattern", *_BOUNDS)),
    "form_binary": (),
    **dict.fromkeys(("form_rubric", "form_points"), ("items",)),
    "repair": ("problem", "form"),
}
"""What each file of `prompts/judge/` is filled with; a file of another name is a plugin's own."""
_PLACEHOLDER = re.compile(r"(?<![\\{A-Za-z])\{([A-Za-z_]\w*)\}(?!\})")
"""`{name}`, and neither LaTeX's `\\boxed{name}` nor `{{name}}`, which stands for itself."""


def placeholder_faults(text: str, known: Sequence[str] = PLACEHOLDERS) -> Iterator[tuple[int, str]]:
    """Each placeholder of `text` that nobody fills, once: the line of its first occurrence, from 1, and what is wrong with it."""
    seen: set[str] = set()
    for match in _PLACEHOLDER.finditer(text):
        word = match[1]
        if word in known or word in seen:
            continue
        seen.add(word)
        meant = closest(word, known)
        there = f"there are {', '.join(f'{{{name}}}' for name in known)}" if known else "there are none here"
        hint = f"; did you mean '{{{meant}}}'?" if meant else f" ({there}; '{{{{{word}}}}}' stands for itself)"
        yield text.count("\n", 0, match.start()) + 1, f"unknown placeholder '{{{word}}}'{hint}"


def escaped(text: str, known: Sequence[str] = PLACEHOLDERS) -> str:
    """`text` with every placeholder that nobody fills written so that it stands for itself."""
    return _PLACEHOLDER.sub(lambda match: match[0] if match[1] in known else f"{{{match[0]}}}", text)


def check_judge_templates(loading: Loading) -> None:
    """Name the placeholders in the suite's own `prompts/judge/` that no judge is given."""
    for name in loading.folder("prompts/judge").files:
        known = _FILES.get(name.removesuffix(".md"))
        if known is None or not name.endswith(".md"):
            continue
        source = loading.read(f"prompts/judge/{name}")
        if source is None:
            continue
        prompt = parse_prompt(source.text)
        for line, message in placeholder_faults(prompt.text, known):
            source.add_at(prompt.line + line - 1, message)
        loading.report.take(source)
