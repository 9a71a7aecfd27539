"""How far `match` agrees with people on free answers, beside "the gold stands in the answer". No model is asked.

python -m benchmarks.free_answers FILE    JSON lines, gzipped or not, such as those of EVOUNA (wangcunxiang/QA-Eval)

A line is `{"id": "NQ-1", "question": "…", "answer": ["alternative", …], "answers": {system: {"text": "…", "right": true}}}`;
what stands before the first `-` of an id is the data set.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.tables import Table
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.foundation.errors import JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.templates import Templates

Judged = tuple[bool, bool]
"""What a reader says, and what people said."""


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def contains(golds: list[str], text: str) -> bool:
    """Whether a gold stands in the text, case and punctuation aside."""
    padded = f" {_plain(text)} "
    return any(f" {plain} " in padded for gold in golds if (plain := _plain(gold)))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def measure(path: Path) -> Table:
    """Agreement and false passes of both readers by data set, and of `match` by system."""
    config = find_config("match", {})
    assert config is not None
    evaluator, context = get_evaluator(config), JudgeContext(config=config, template=Templates(None).text)
    found: dict[tuple[str, str, str], list[Judged]] = defaultdict(list)
    spent = 0.0
    count = 0
    for row in rows_of(path):
        source = row["id"].partition("-")[0]
        for system, answer in row["answers"].items():
            sample = EvaluationSample(
                domain=source, level=1, test_id=row["id"], prompt=row["question"], response=answer["text"],
                transcript=[], expected=row["answer"], evaluator_id="match",
            )  # fmt: skip
            began = time.process_time()
            try:
                passed = evaluator.evaluate(sample, context).status == "passed"
            except JudgeError:
                passed = False
            spent += time.process_time() - began
            count += 1
            for name in ("all systems", system):
                found[source, "match", name].append((passed, answer["right"]))
                found[source, "contains", name].append((contains(row["answer"], answer["text"]), answer["right"]))
    lines = [
        [source, name, str(len(judged)), _share(judged), _passes(judged), _share(other), _passes(other)]
        for (source, reader, name), judged in sorted(found.items())
        if reader == "match" and (other := found[source, "contains", name])
    ]
    header = ["data set", "answers of", "answers", "match agrees", "false passes", "contains agrees", "false passes"]
    note = f"A verdict of `match` takes {1000 * spent / max(count, 1):.2f} ms of processor time."
    return Table("Free answers, judged by people", header, lines, note)


def _share(judged: list[Judged]) -> str:
    return f"{sum(said == right for said, right in judged) / len(judged):.3f}"


def _passes(judged: list[Judged]) -> str:
    return f"{100 * sum(said and not right for said, right in judged) / len(judged):.1f} %"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    print(measure(parser.parse_args().file).markdown())
