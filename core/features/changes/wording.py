"""Two texts as the lines in which they differ."""

from __future__ import annotations

from difflib import unified_diff

_MOST = 8


def differing_lines(before: str, after: str, most: int = _MOST) -> list[str]:
    """The lines taken away (`-`) and the lines come in (`+`), `most` of them."""
    if not before or not after:
        only, sign = (after, "+") if after else (before, "-")
        found = [f"{sign} {line}" for line in only.splitlines() if line.strip()]
    else:
        differing = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
        found = [f"{line[0]} {line[1:]}" for line in differing if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return found if len(found) <= most else [*found[: most - 1], f"… {len(found) - most + 1} more lines"]
