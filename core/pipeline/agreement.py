"""How far several LLM judges agreed: κ over the samples that all of them judged."""

from __future__ import annotations

from typing import Any

from core.evaluators.kappa import cohens_kappa, fleiss_kappa
from core.store.exact import decode_json
from core.store.manager import DBDataManager

_PAGE = 500


def judge_agreement(manager: DBDataManager, run_id: int, source: str) -> dict[str, Any] | None:
    """`{"judges", "n", "unanimous", "kappa", "statistic"}`; None where at most one judge gave verdicts."""
    ratings: list[list[float]] = []
    after = 0
    while True:
        rows = manager.database.rows(
            "SELECT id, details FROM individual_test_results WHERE run_id = ? AND source = ? AND id > ?"
            f" AND details LIKE '%\"judges\"%' ORDER BY id LIMIT {_PAGE}",
            [run_id, source, after],
        )
        for id_, details in rows:
            after = id_
            votes = (decode_json(details) or {}).get("judges") or []
            ratings.append([vote["score"] for vote in votes if isinstance(vote, dict) and "score" in vote])
        if len(rows) < _PAGE:
            break
    most = max(map(len, ratings), default=0)
    complete = [item for item in ratings if len(item) == most]
    if most < 2:
        return None
    columns = list(zip(*complete, strict=True))
    kappa = cohens_kappa(columns[0], columns[1]) if most == 2 else fleiss_kappa(complete)
    return {
        "judges": most,
        "n": len(complete),
        "unanimous": sum(len(set(item)) == 1 for item in complete) / len(complete),
        "kappa": kappa,
        "statistic": "Cohen's κ" if most == 2 else "Fleiss' κ",
    }
