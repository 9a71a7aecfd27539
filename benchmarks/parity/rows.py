"""Real answers with a verdict of people or of a benchmark's own script, read from the files that hold them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchmarks.parity.by_reading import BY_READING, digest

Kind = Literal["open", "number", "choice"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer and its label."""

    set: str
    """Which row of the table it belongs to."""
    system: str
    kind: Kind
    question: str
    golds: list[str]
    text: str
    right: bool
    options: dict[str, str] = field(default_factory=dict)
    read: bool | None = None
    """What a person who read the text says, where its label is a script's."""

    def line(self) -> str:
        """As the other tools get it: a JSON object."""
        return json.dumps(asdict(self), ensure_ascii=True)


def every_answer(folder: Path) -> Iterator[Answer]:
    """The answers of the files that are there; a file that is not is left out."""
    for name, read in (
        ("evouna_1400x5.jsonl.gz", _evouna),
        ("gsm8k_race_200.jsonl", _gsm8k),
        ("mmlupro_answers_14x120.jsonl.gz", _mmlu_pro),
    ):
        if (folder / name).is_file():
            yield from read(folder / name)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    content = path.read_bytes()
    for line in (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines():
        yield json.loads(line)


def _evouna(path: Path) -> Iterator[Answer]:
    for row in _lines(path):
        golds = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
        named = "Natural Questions" if str(row["id"]).startswith(("nq", "NQ")) else "TriviaQA"
        for system, answer in row["answers"].items():
            yield Answer(named, system, "open", row["question"], golds, answer["text"], bool(answer["right"]))


def _gsm8k(path: Path) -> Iterator[Answer]:
    for row in _lines(path):
        gold = str(row["answer"]).rpartition("####")[2].strip()
        for system, answer in row["answers"].items():
            text, right = answer["response"], bool(answer["is_correct"])
            yield Answer("GSM8K", system, "number", row["question"], [gold], text, right)


def _mmlu_pro(path: Path) -> Iterator[Answer]:
    for row in _lines(path):
        options = {chr(ord("A") + number): text for number, text in enumerate(row["options"])}
        for system, answer in row["answers"].items():
            text, right = answer["text"], answer["their_reading"] == row["answer"]
            read, _ = BY_READING.get(digest(row["question"], text), (right, ""))
            yield Answer("MMLU-Pro", system, "choice", row["question"], [row["answer"]], text, right, options, read)
