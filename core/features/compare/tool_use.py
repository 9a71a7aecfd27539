"""How a run used its tools: which, how often, in how many iterations, and which answers got lost on the way."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from modex.core.store.readers import Readers
from modex.core.store.rows import RunRow
from modex.core.store.tool_samples import counts, with_calls


@dataclass(slots=True)
class ToolUse:
    """Sums over the samples of a run that called tools or could have."""

    samples: int = 0
    with_calls: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    """Calls by tool name."""
    categories: Counter[str] = field(default_factory=Counter)
    """Calls by the tools' categories."""
    errors: int = 0
    """Calls that a tool answered with an error."""
    iterations: int = 0
    at_limit: int = 0
    """Samples that used every iteration."""
    lost_in_synthesis: int = 0
    """Failed samples whose gold answer stood in a tool's result, but not in the final answer."""

    def as_dict(self) -> dict[str, Any]:
        """The sums and the rates that follow from them."""
        return {
            "samples": self.samples,
            "with_calls": self.with_calls,
            "calls": sum(self.calls.values()),
            "calls_by_tool": dict(self.calls.most_common()),
            "calls_by_category": dict(self.categories.most_common()),
            "errors": self.errors,
            "mean_iterations": self.iterations / self.samples if self.samples else None,
            "at_limit": self.at_limit,
            "at_limit_share": self.at_limit / self.samples if self.samples else None,
            "lost_in_synthesis": self.lost_in_synthesis,
        }


def tool_use(readers: Readers, run: RunRow) -> ToolUse | None:
    """How `run` used tools; None where no sample did or could."""
    calling, without_calls = counts(readers, run.id)
    if not calling:  # nothing to name by its suite's categories, which would have to be read
        return ToolUse(samples=without_calls) if without_calls else None
    known = _categories(run)
    use = ToolUse()
    for sample in with_calls(readers.reader, run.id):
        _add(
            use,
            known,
            status=sample["status"],
            flags=sample["flags"],
            transcript=sample["transcript"],
            gold=sample["expected"],
            answer=sample["response"] or "",
        )
    use.samples += without_calls
    return use


def _add(
    use: ToolUse,
    known: dict[str, str],
    *,
    status: str,
    flags: list[str],
    transcript: list[dict[str, Any]],
    gold: Any,
    answer: str,
) -> None:
    results = [entry for entry in transcript if entry.get("role") == "tool"]
    use.samples += 1
    use.with_calls += 1
    use.at_limit += "tool_limit" in flags
    use.iterations += max((entry.get("iteration", 0) for entry in results), default=0)
    for entry in results:
        name = str(entry.get("name", ""))
        use.calls[name] += 1
        use.categories[known.get(name, "other")] += 1
        use.errors += bool(entry.get("is_error"))
    if status == "failed":
        wanted = _folded(_gold_text(gold))
        found = wanted and any(wanted in _folded(str(entry.get("content", ""))) for entry in results)
        use.lost_in_synthesis += bool(found and wanted not in _folded(answer))


def _gold_text(gold: Any) -> str:
    if isinstance(gold, dict):
        gold = gold.get("value", gold.get("answer", ""))
    return gold if isinstance(gold, str) else json.dumps(gold) if isinstance(gold, int | float) else ""


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace(",", "").split())


def _categories(run: RunRow) -> dict[str, str]:
    """The categories of the run's suite and of the bundled tools, as far as the suite can still be read."""
    from pathlib import Path

    from modex.core.foundation.errors import ModexError
    from modex.core.suite.loading import load_suite

    path = run.config.get("selection", {}).get("suite")
    found: dict[str, str] = {}
    for root in (None, Path(path) if path else None):
        try:
            tools = load_suite(root).tools
        except (ModexError, OSError):
            continue
        found.update({tool.name: tool.category for tool in tools.values() if tool.category})
    return found
