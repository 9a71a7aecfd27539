"""The benchmark that lays our reading of multiple choice beside a benchmark's own."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.choices import LATER, NOWHERE, OTHER_WORDS, SEVERAL, STRAY, readings_of


def test_each_difference_has_its_reason(tmp_path: Path) -> None:
    answers = {
        "same": ("The answer is (B).", "B", ""),
        "other words": ("The closest option is (B).", None, OTHER_WORDS),
        "nowhere": ("I do not know.", "D", NOWHERE),
        "stray": ("The circle D is round.", "D", STRAY),
        "several": ("The answer is (A) and (B).", "A", SEVERAL),
        "later": ("The answer is (A). Wait, the answer is (B).", "A", LATER),
    }
    row = {
        "id": "1",
        "question": "Which?",
        "options": ["one", "two", "three", "four"],
        "answer": "B",
        "answers": {model: {"text": text, "their_reading": theirs} for model, (text, theirs, _) in answers.items()},
    }
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(row) + "\n")
    found, _ = readings_of(path)
    assert {reading.model: reading.why for reading in found} == {model: why for model, (_, _, why) in answers.items()}
