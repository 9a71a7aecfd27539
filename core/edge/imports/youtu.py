"""youtu-agent's past experiments: its SQLite database (table `evaluation_data`), and files of such samples as JSON or lines.

Source of the form: `utu/db/eval_datapoint.py` of https://github.com/TencentCloudADP/youtu-agent.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from modex.core.edge.imports.databases import foreign_rows
from modex.core.edge.imports.records import ForeignRun, ForeignSample, label, moment, whole
from modex.core.edge.imports.spool import Spool
from modex.core.foundation.errors import ConfigurationError, ModelCallError
from modex.core.pipeline.rollout.told import told_entries
from modex.core.suite.datasets.mapping import bent_level, bent_levels, level_of
from modex.core.suite.datasets.rows import BadRow, iter_rows, json_lines

TOOL = "youtu-agent"
SUFFIXES = (".db", ".sqlite", ".sqlite3", ".json", ".jsonl")
_TABLE = "evaluation_data"
_MAGIC = b"SQLite format 3\x00"
_READ = frozenset(
    {
        "id", "created_at", "updated_at", "dataset", "dataset_index", "source", "raw_question", "level",
        "augmented_question", "correct_answer", "trace_id", "trace_url", "response", "time_cost", "trajectory",
        "trajectories", "extracted_final_answer", "judged_response", "reasoning", "correct", "reward", "confidence",
        "exp_id", "stage",
    }
)  # fmt: skip
_SHOWN = 6
_LEVEL = 40
_NO_GOLD = "it has no gold answer: youtu-agent counts it as unknown"


def read_youtu(path: Path, model: str) -> Iterator[ForeignRun]:
    """A run for each experiment in `path`, in the order in which they begin; `model` is who answered, which nothing there says.

    Raises:
        ConfigurationError: it cannot be read, or holds no samples of youtu-agent.
    """
    experiments: dict[str, _Experiment] = {}
    left_out: list[str] = []
    for row in _rows(path, left_out):
        name = str(row.get("exp_id") or path.stem)
        experiments.setdefault(name, _Experiment()).take(row, path.stem)
    if not experiments:
        raise ConfigurationError(
            f"{path}: no sample of youtu-agent stands in it; name its database or a file of results"
        )
    for name, found in experiments.items():
        yield ForeignRun(
            tool=TOOL,
            path=path,
            name=label(name, path.stem),
            task=label(found.dataset, path.stem),
            model=model,
            scorer="its own judge",
            samples=found.spool.__iter__,
            started_at=found.begun,
            completed_at=found.ended,
            finished=not found.open,
            reason=f"{found.open:,} of its samples were not judged there" if found.open else None,
            notes=[*found.notes(), *_first_words(left_out)],
            bent=list(found.bent()),
        )


def _first_words(left_out: list[str]) -> Iterator[str]:
    """Which rows of the file are no samples, told with its first run."""
    if left_out:
        more = f" and {len(left_out) - _SHOWN} more" if len(left_out) > _SHOWN else ""
        yield f"rows that are no samples: {'; '.join(left_out[:_SHOWN])}{more}"
        left_out.clear()


class _Experiment:
    """What is known of one experiment while its rows are read."""

    def __init__(self) -> None:
        self.spool = Spool()
        self.dataset = ""
        self.begun: str | None = None
        self.ended: str | None = None
        self.open = 0
        """Samples that were not judged."""
        self._unread: Counter[str] = Counter()
        self._odd: Counter[str] = Counter()
        """Samples that are read in another way than the others, by why."""
        self._levels: dict[str, Any] = {}
        """Levels that are none, by how they are written; the first of them."""
        self._names: dict[str, int] = {}

    def take(self, row: Mapping[str, Any], stem: str) -> None:
        """Add a sample."""
        self.dataset = self.dataset or str(row.get("dataset") or "")
        for at in (moment(row.get("created_at")), moment(row.get("updated_at"))):
            if at is not None:
                self.begun, self.ended = min(self.begun or at, at), max(self.ended or at, at)
        self.open += row.get("stage") != "judged"
        self._unread.update(
            name for name, value in row.items() if name not in _READ and value not in (None, "", [], {})
        )
        sample = _sample(row, self._name(row), stem)
        if "trajectory" in sample.found:
            self._unread["trajectory in another form"] += 1
        self._odd.update(_oddities(row))
        if level_of(level := row.get("level")) is None and len(self._levels) < 2 * _SHOWN:
            self._levels.setdefault(repr(level)[:_LEVEL], level)
        self.spool.put(sample)

    def _name(self, row: Mapping[str, Any]) -> str:
        """The test's id: its index in the dataset; where there is none, the number of its question in this experiment."""
        if isinstance(index := row.get("dataset_index"), int):
            return str(index)
        question = str(row.get("raw_question") or "")
        return str(self._names.setdefault(question, len(self._names) + 1))

    def notes(self) -> Iterator[str]:
        """What is not carried over."""
        if self._unread:
            yield ", ".join(f"`{name[:60]}` ({number:,})" for name, number in self._unread.most_common(12))

    def bent(self) -> Iterator[str]:
        """What is read in another way than it says."""
        for why, number in self._odd.items():
            yield f"{number:,} {'sample' if number == 1 else 'samples'} {why}"
        yield from bent_levels(list(self._levels.values()))


def _oddities(row: Mapping[str, Any]) -> Iterator[str]:
    """What of a sample is not as youtu-agent writes it, in words that follow a number of samples."""
    if not str(row.get("raw_question") or "").strip():
        yield "without a question"
    if row.get("stage") == "judged" and row.get("correct") is not None and _truth(row["correct"]) is None:
        yield "whose `correct` is neither true nor false: it is no verdict"


def _truth(correct: Any) -> bool | None:
    """What `correct` says; SQLite holds truth as 0 and 1. None where it says neither."""
    return bool(correct) if isinstance(correct, bool | int | float) and correct in (0, 1) else None


def _sample(row: Mapping[str, Any], name: str, stem: str) -> ForeignSample:
    told = row.get("level")
    entries, odd = _way(row)
    sample = ForeignSample(
        test_id=name,
        question=str(row.get("raw_question") or ""),
        gold=row.get("correct_answer") or None,
        domain=label(row.get("source") or row.get("dataset"), stem),
        level=level_of(told) or bent_level(told),
        response=row.get("response") if isinstance(row.get("response"), str) else None,
        answer=row.get("extracted_final_answer") or None,
        transcript=entries,
        duration_ms=whole(1000 * float(row["time_cost"])) if isinstance(row.get("time_cost"), int | float) else 0,
        started_at=moment(row.get("created_at")),
        completed_at=moment(row.get("updated_at")),
        why=row.get("reasoning") or None,
        found={
            **{key: row.get(key) for key in ("judged_response", "confidence", "reward", "trace_id", "trace_url")},
            **({} if told in (None, "", level_of(told)) else {"level there": told}),
            **({"trajectory": odd} if odd else {}),
        },
    )
    if row.get("stage") != "judged":
        sample.error = f"it stands at the stage {str(row.get('stage'))[:20]!r}: not judged there"
    elif row.get("judged_response") == "invalid" or sample.gold in (None, "unknown"):
        sample.error = _NO_GOLD
    elif (truth := _truth(row.get("correct"))) is not None:
        sample.score = float(truth)
    elif isinstance(reward := row.get("reward"), int | float) and 0 <= reward <= 1:
        sample.score = float(reward)
    return sample


def _way(row: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Any]:
    """The transcript of what the agents did, and what could not be read as one."""
    for key in ("trajectories", "trajectory"):
        value = row.get(key)
        if isinstance(value, str) and value.strip():
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                return [], row[key]
        if not isinstance(value, list) or not value:
            continue
        messages = [
            one
            for part in value
            for one in (part["trajectory"] if isinstance(part, dict) and isinstance(part.get("trajectory"), list) else [part])
        ]  # fmt: skip
        try:
            entries = told_entries({"messages": messages})
        except ModelCallError:
            entries = []
        return entries, None if entries else row[key]
    return [], None


def _rows(path: Path, left_out: list[str]) -> Iterator[dict[str, Any]]:
    """The samples in a database or a file, as they stand there; rows behind the first one that are none go to `left_out`.

    Raises:
        ConfigurationError: it cannot be read, or its first row is no sample of youtu-agent.
    """
    begun = False
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror or error}); name a file that can be"
        ) from None
    if head == _MAGIC:
        yield from _of_database(path)
        return
    for row in iter_rows(path) if path.suffix.lower() in (".json", ".jsonl") else json_lines(path):
        if isinstance(row, BadRow):
            if not begun:
                raise ConfigurationError(f"{path}:{row.line}: {row.message}")
            left_out.append(f"line {row.line}: {row.message}")
            continue
        if missing := [name for name in ("raw_question", "stage") if name not in row.data]:
            if begun:
                left_out.append(f"line {row.line}: no {' and no '.join(missing)}")
                continue
            raise ConfigurationError(
                f"{path}:{row.line}: this is no sample of youtu-agent: it has `raw_question` and `stage`; rows of questions are"
                " a dataset (`modex run --dataset`)"
            )
        begun = True
        yield row.data


def _of_database(path: Path) -> Iterator[dict[str, Any]]:
    def fault(why: str) -> str:
        return (
            f"{path}: no `{_TABLE}` of youtu-agent can be read in it ({why}); name its database, or a file of results"
        )

    return foreign_rows(path, f'SELECT * FROM "{_TABLE}" ORDER BY exp_id, id', fault=fault)
