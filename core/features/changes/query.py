"""Each test of a run as it was asked and judged: what two runs are compared by, beside their verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from peewee import fn

from modex.core.store.exact import decode_json, decode_text
from modex.core.store.reader import Reader
from modex.core.store.rows import whole_level
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors


class Form(NamedTuple):
    """One test as a run asked it; all but the id are those of its first epoch. Texts and JSON as stored."""

    source: str
    domain: str
    level: int
    test_id: str
    id: int
    system_prompt: str | None
    prompt_layers: str | None
    prompt: str
    expected: str | None
    evaluator_id: str
    rollout_fingerprint: str | None
    judge_fingerprint: str | None

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What identifies the test, as stored."""
        return self[:4]


def forms(reader: Reader, run_id: int) -> Iterator[Form]:
    """Every test of a run in the order of their keys; nothing is kept."""
    query = (
        Result.select(
            Result.source, Result.domain, Result.level, Result.test_id, fn.min(Result.id), Result.system_prompt,
            Result.prompt_layers, Result.prompt, Result.expected, Result.evaluator_id, Result.rollout_fingerprint,
            Result.judge_fingerprint,
        )
        .where(Result.run == run_id)
        .group_by(Result.source, Result.domain, Result.level, Result.test_id)
        .order_by(Result.source, Result.domain, Result.level, Result.test_id)
    )  # fmt: skip
    with plain_errors(reader.path):
        for source, domain, level, test_id, *rest in reader.database.each(query):
            yield Form(source, domain, whole_level(level), test_id, *rest)


def layers_of(form: Form) -> dict[str, dict[str, Any]]:
    """Its layers by scope: `text`, `mode`, `file`, `line`; none where the row is damaged."""
    try:
        value = decode_json(form.prompt_layers)
    except (ValueError, TypeError, RecursionError):
        return {}
    layers = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return {str(one.get("scope")): one for one in layers}


def text_of(stored: str | None) -> str:
    """A stored text as it was."""
    return "" if stored is None else decode_text(str(stored))
