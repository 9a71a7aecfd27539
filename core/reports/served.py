"""How the models of a run were served by this program, in words: the file, its size, the server, context, slots and memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modex.core.reports.reached import address_of, entry_of
from modex.core.safety import clean_line
from modex.core.store.rows import RunRow

_COMPARED = {
    "file_digest": "file",
    "command": "command",
    "quantization": "quantization",
    "server": "server",
    "build": "build",
    "context": "context",
    "slots": "slots",
    "threads": "threads",
    "template_digest": "chat template",
}
"""What can change answers, or how fast they come, with its name for a person."""
_NOT_OF_BOTH = ("file_digest", "command")
"""What is served is one of them."""
_BRIEF = ("file", "quantization", "server")
"""What tells apart how a model was served, in the fewest words."""
_MOST = 80
_DIGITS = 8
"""Of a digest: enough to tell files apart."""


def served_lines(run: RunRow) -> tuple[str, ...]:
    """`served here: small.gguf (llama, 135 M, Q4_1, 4fe3…) by xllamacpp 1.0, 4 × 2,048 tokens, 2 threads, 358 MB at most`, a
    model a line; none where the run's models were served by others."""
    return tuple(f"served here: {_words(one)}" for one in _served(run))


def served_briefly(run: RunRow) -> str:
    """`small.gguf, Q4_1, xllamacpp 1.0`: file, quantization and server of the run's own model; empty where others served it."""
    model: Any = run.config.get("model")
    weights = model.get("gguf") if isinstance(model, dict) else None
    names = {entry_of(run), f"gguf:{weights}", run.model}
    found = next((one for one in _served(run) if one.get("name") in names), None)
    return "" if found is None else ", ".join(_said(found[name]) for name in _BRIEF if found.get(name))


def other_serving(runs: Sequence[RunRow]) -> str | None:
    """Says in what the first models of runs that stand beside each other were served otherwise, those at a server of somebody
    else's beside those served here too; else None."""
    known = [(run.exp_id, found[0]) for run in runs if (found := _served(run))]
    elsewhere = [(run.exp_id, at) for run in runs if not _served(run) and (at := address_of(run))]
    parts = []
    if known and elsewhere:
        here = [(exp_id, f"by modex with {_said(one.get('server'))}") for exp_id, one in known]
        told = [*here, *((exp_id, f"at {at}") for exp_id, at in elsewhere)]
        parts.append(", ".join(f"{where} ({clean_line(exp_id, 60)})" for exp_id, where in told))
    for name, words in _COMPARED.items():
        said = [(exp_id, _of_one(one, name)) for exp_id, one in known]
        if len({value for _, value in said}) > 1:
            parts.append(f"{words} " + ", ".join(f"{value} ({clean_line(exp_id, 60)})" for exp_id, value in said))
    return f"served otherwise: {'; '.join(parts)}" if parts else None


def _served(run: RunRow) -> list[Mapping[str, Any]]:
    return [one for one in run.served if isinstance(one, dict)]


def _words(one: Mapping[str, Any]) -> str:
    size = one.get("parameters")
    model = (one.get("architecture"), _count(size) if isinstance(size, int) and size else None, one.get("quantization"),
             str(one.get("file_digest") or "")[:_DIGITS])  # fmt: skip
    inside = ", ".join(_said(part) for part in model if part)
    parts = [f"{_said(one.get('file') or one.get('model') or one.get('name'))}{f' ({inside})' if inside else ''}"]
    parts[0] += f" by {_said(one.get('server'))}" if one.get("server") else ""
    slots, context = one.get("slots"), one.get("context")
    if isinstance(context, int) and isinstance(slots, int):
        parts.append(f"{slots} × {context:,} tokens")
    if one.get("threads"):
        parts.append(f"{_said(one['threads'])} threads")
    if isinstance(peak := one.get("peak_bytes"), int) and peak:
        parts.append(f"{peak / 1e6:,.0f} MB at most")
    if isinstance(starts := one.get("starts"), int) and starts > 1:
        parts.append(f"started {starts} times")
    return ", ".join(parts)


def _count(parameters: int) -> str:
    return f"{parameters / 1e9:.1f} B" if parameters >= 1e9 else f"{parameters / 1e6:.0f} M"


def _of_one(one: Mapping[str, Any], name: str) -> str:
    if one.get(name) is None and name in _NOT_OF_BOTH:
        return "none"
    return _said(one.get(name))[: _DIGITS if name.endswith("_digest") else _MOST]


def _said(value: object) -> str:
    return "unknown" if value is None else clean_line(str(value), _MOST)
