"""Where a run's model was asked, and by which name: the entry of `models.toml` and the address, as the run keeps them."""

from __future__ import annotations

from typing import Any

from modex.core.safety import clean_line, redact
from modex.core.store.rows import RunRow

_NAME, _ADDRESS = 100, 200


def entry_of(run: RunRow) -> str | None:
    """The name by which the model was asked for, where that was an entry's."""
    return _said(run, "entry", _NAME)


def address_of(run: RunRow) -> str | None:
    """The address at which the model was asked, where one was given; never with a key in it."""
    found = _said(run, "api_base", _ADDRESS)
    return None if found is None else redact(found)


def named_model(run: RunRow) -> str:
    """`small: openai/qwen`: the model, behind the entry's name where it had one."""
    entry = entry_of(run)
    return clean_line(run.model if entry in (None, run.model) else f"{entry}: {run.model}")


def reached_model(run: RunRow) -> str:
    """`small: openai/qwen at http://gpu1:8000/v1`: the model, with the entry's name and the address where there are any."""
    address = address_of(run)
    return named_model(run) + (f" at {address}" if address else "")


def _said(run: RunRow, name: str, most: int) -> str | None:
    model: Any = run.config.get("model")
    found = model.get(name) if isinstance(model, dict) else None
    return clean_line(found, most) if isinstance(found, str) and found else None
