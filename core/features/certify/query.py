"""Certificates of judges as they are stored: written once, read by the digests of a judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from modex.core.store.clock import now
from modex.core.store.exact import decode_json
from modex.core.store.reader import Reader
from modex.core.store.tables import Certificate, fields_of
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.words import plain_errors

_FIELDS = ("id", "run_id", "evaluator_id", "model_digest", "prompt_digest", "found", "created_at")


@dataclass(frozen=True, slots=True)
class CertificateRow:
    """What one judge was found to be worth."""

    id: int
    run_id: int
    evaluator_id: str
    model_digest: str
    prompt_digest: str
    found: dict[str, Any]
    created_at: str
    exp_id: str
    """The run whose labels it stands on."""


def store_certificate(
    reader: Reader, run_id: int, evaluator_id: str, digests: tuple[str, str], found: dict[str, Any]
) -> None:
    """Keep what was found of a judge with these digests (model, prompt). `reader` must be able to write.

    Raises:
        StoreError: it cannot be written.
    """
    model, prompt = digests
    row = {"run": run_id, "evaluator_id": evaluator_id, "model_digest": model, "prompt_digest": prompt, "found": found}
    with plain_errors(reader.path), reader.database.atomic("IMMEDIATE"):
        reader.database.change(Certificate.insert({**row, "created_at": now()}))


def certificates(reader: Reader, evaluator_id: str) -> list[CertificateRow]:
    """Every certificate of an evaluator's judges, the newest first."""
    query = (
        Certificate.select(*fields_of(Certificate, _FIELDS), Run.exp_id)
        .join(Run, on=Certificate.run == Run.id)
        .where(Certificate.evaluator_id == evaluator_id)
        .order_by(Certificate.id.desc())
    )
    with plain_errors(reader.path):
        rows = reader.database.fetch(query)
    return [
        CertificateRow(id_, run_id, evaluator, model, prompt, decode_json(found) or {}, created_at, exp_id)
        for id_, run_id, evaluator, model, prompt, found, created_at, exp_id in rows
    ]
