from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from modex.core.config.runconfig import DatasetSpec
from modex.core.suite.datasets import DatasetReader
from modex.core.suite.loading import load_suite
from plugins.crypto_world import HANDLERS
from tests.rows import each_row
from tests.suite.crypto_golds import GOLDS

ROOT = Path(__file__).parents[2]
DATASET = ROOT / "test_definitions" / "crypto_qa"
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in (DATASET / "crypto_qa.jsonl").read_text(encoding="utf-8").splitlines()
]
CATEGORIES = {"on-chain", "tokenomics", "projects", "trends", "overlap"}


@each_row("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_gold_is_what_the_tools_say(row: dict[str, Any]) -> None:
    assert row["answer"] == GOLDS[row["id"]]()


def test_every_question_has_a_recomputation_and_the_other_way_round() -> None:
    assert sorted(GOLDS) == sorted(row["id"] for row in ROWS)


def test_the_questions_cover_every_level_and_category() -> None:
    assert len(ROWS) >= 64
    assert {row["category"] for row in ROWS} == CATEGORIES
    levels = Counter(row["level"] for row in ROWS)
    assert set(levels) == {1, 2, 3, 4, 5}
    assert min(levels.values()) >= 10


def test_ids_and_questions_are_unique() -> None:
    assert len({row["id"] for row in ROWS}) == len({row["question"] for row in ROWS}) == len(ROWS)


def test_rows_name_existing_tools_and_hold_plain_fields() -> None:
    for row in ROWS:
        assert set(row) == {"id", "question", "answer", "level", "category", "tools"}
        assert row["tools"]
        assert set(row["tools"]) <= {*HANDLERS, "code_workspace"}
        assert row["question"].endswith((".", "?"))
        assert row["answer"] not in row["question"]


def test_every_tool_helps_with_a_question_or_is_offered_for_browsing() -> None:
    used = {tool for row in ROWS for tool in row["tools"]}
    assert set(HANDLERS) - used <= {"curated_streams"}


def test_the_dataset_offers_all_23_tools_and_is_run_by_name_only() -> None:
    settings = json.loads((DATASET / "dataset.json").read_text(encoding="utf-8"))
    assert sorted(settings["tool_ids"]) == sorted([*HANDLERS, "code_workspace"])
    assert len(settings["tool_ids"]) == 23
    assert settings["file"] == "crypto_qa.jsonl"
    assert settings["enabled"] is False
    assert (settings["rollout"], settings["evaluator_id"]) == ("agentic", "llm_judge")
    assert "invented" in settings["system_prompt"]


def test_the_rows_become_tests_whose_domain_is_their_category() -> None:
    reader = DatasetReader(DatasetSpec(path=str(DATASET / "crypto_qa.jsonl")), evaluator="llm_judge")
    tests = list(reader)
    assert reader.problems == []
    assert {test.source for test in tests} == {"crypto_qa"}
    assert [(test.test_id, test.domain, test.level, test.expected) for test in tests] == [
        (row["id"], row["category"], row["level"], row["answer"]) for row in ROWS
    ]


def test_the_bundled_suite_knows_the_dataset_and_its_tools() -> None:
    suite = load_suite(None)
    assert [problem for problem in suite.problems if "crypto_qa" in problem.path] == []
    dataset = next(dataset for dataset in suite.datasets if dataset.source == "crypto_qa")
    assert len(dataset.tools) == 23
    assert not dataset.enabled
