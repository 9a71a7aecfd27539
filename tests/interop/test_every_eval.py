"""Every Eval Ever: our records are valid against the schema of its package."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest

from tests.cli import call, write_suite
from tests.interop.conftest import Modex
from tests.interop.tools import eee_schema
from tests.server import ServerHandle

SUMS = [
    {"id": f"t{n}", "prompt": f"Add {n} and 1", "expected": {"keywords": [str(n + 1)]}, "evaluator_id": "keyword"}
    for n in range(5)
]


@pytest.mark.parametrize("model", ["demo", "openai/m"])
@pytest.mark.parametrize("epochs", ["1", "2"])
def test_a_record_is_valid(
    modex: Modex, server: ServerHandle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, epochs: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    where = () if model == "demo" else ("--api-base", server.url)
    suite = write_suite(tmp_path / "suite", SUMS)
    modex("run", "--suite", suite, "--model", model, *where, "--headless", "--exp-id", "r", "--epochs", epochs)
    record = modex("export", "r", "--format", "eee").data
    assert mistakes(record) == []
    names = {one["evaluation_name"] for one in record["evaluation_results"]}
    assert "weighted_score" in names
    assert ("ttft_ms_median" in names) is (model != "demo"), "what answers at once has no first token"


def test_the_record_of_a_run_that_was_stopped_is_valid_too(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", SUMS)
    modex("run", "--suite", suite, "--model", "demo", "--headless", "--exp-id", "r", "--until", "rollout")
    assert mistakes(modex("export", "r", "--format", "eee").data) == []


def test_the_record_of_an_imported_run_is_valid_too(modex: Modex) -> None:
    log = Path(__file__).parents[1] / "fixtures" / "foreign" / "sums.eval"
    assert call("import", "inspect", log, "--db", modex.database).code == 0
    assert mistakes(modex("export", modex.runs()[0].exp_id, "--format", "eee").data) == []


def mistakes(record: object) -> list[str]:
    """What the schema says against it."""
    validator = jsonschema_rs.validator_for(json.loads(eee_schema().read_text()))
    return [error.message for error in validator.iter_errors(record)]
