"""The benchmark that lays our verdicts on instructions beside the reference checker's."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.ifeval import CHANCE, LANGUAGE, RULE, measure, verdicts_of

ROWS = [
    ("same", "punctuation:no_comma", {}, "none", (True, True)),
    ("loosely", "punctuation:no_comma", {}, "Well, so:\nnone", (False, True)),
    ("chance", "keywords:letter_frequency", {"letter": "#", "let_frequency": 1}, "#a", (False, False)),
    ("language", "change_case:english_lowercase", {}, "etchings", (False, False)),
    ("rule", "detectable_format:title", {}, "<<A>>", (False, True)),
    ("letter", "keywords:letter_frequency", {"letter": "Z", "let_frequency": 1}, "z", (False, False)),
]


def written(folder: Path) -> Path:
    path = folder / "answers.jsonl"
    lines = [
        {"model": name, "key": 7, "prompt": "p", "instruction_id_list": [kind], "kwargs": [given], "response": text,
         "strict": [theirs[0]], "loose": [theirs[1]]}
        for name, kind, given, text, theirs in ROWS
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_each_difference_has_its_reason(tmp_path: Path) -> None:
    found, _ = verdicts_of(written(tmp_path))
    differ = {one.model: one.why for (one,) in found if one.ours != one.theirs}
    assert differ == {"chance": CHANCE, "language": LANGUAGE, "rule": RULE, "letter": RULE}


def test_figures_and_agreement_are_told(tmp_path: Path) -> None:
    figures, agreement, reasons, each = measure(written(tmp_path))
    assert [row for row in figures.rows if row[0] in ("chance", "loosely")] == [
        ["chance", "1", *["100.0, published 0.0"] * 4],
        [
            "loosely",
            "1",
            "0.0, published 0.0",
            "100.0, published 100.0",
            "0.0, published 0.0",
            "100.0, published 100.0",
        ],
    ]
    assert agreement.rows[0] == ["all", "6", "33.33 % (4 differ)", "50.00 % (3 differ)"]
    assert [row for row in agreement.rows if row[0] == "punctuation:no_comma"] == [
        ["punctuation:no_comma", "2", "100.00 %", "100.00 %"]
    ]
    assert {row[0]: row[1] for row in reasons.rows} == {CHANCE: "1", LANGUAGE: "1", RULE: "2"}
    assert len(each.rows) == 4
    assert ["rule", "7", "detectable_format:title", "loosely", "followed", "the title 'A'", RULE] in each.rows
    assert measure(written(tmp_path), words=True)[-1].rows[-1][-1] == "`z`"
