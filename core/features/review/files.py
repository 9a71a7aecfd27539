"""Reviews as JSONL or CSV: taken out, filled in elsewhere, and brought back to the samples they are of."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from modex.core.config.values import starts_formula, unguarded
from modex.core.features.review.query import (
    MOST_OF_A_NOTE,
    VERDICTS,
    HumanVerdict,
    OwnVerdict,
    ReviewRow,
    answer_digest,
    clean_label,
    say,
    verdict_in,
)
from modex.core.features.review.query import reviews as stored
from modex.core.foundation.errors import ConfigurationError, StoreError
from modex.core.reports.cells import csv_row
from modex.core.safety import clean_line
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.suite.files import FileFaultError, read_text

FileFormat = Literal["jsonl", "csv"]
KEY = ("source", "domain", "level", "test_id", "epoch")
SAID = ("author", "verdict", "own_verdict", "label", "note")
FIELDS = ("run", *KEY, *SAID, "answer_digest", "stale", "created_at", "status", "score")
SHOWN = ("prompt", "expected", "response")
"""What a draw adds, for those who read elsewhere."""
_OWN: tuple[OwnVerdict, ...] = get_args(OwnVerdict)


def format_of(path: Path, given: FileFormat | None = None) -> FileFormat:
    """The format asked for, else that of the file's name."""
    return given or ("csv" if path.suffix.lower() == ".csv" else "jsonl")


def exported(rows: Iterable[ReviewRow]) -> Iterator[dict[str, Any]]:
    """Stored reviews as records."""
    for row in rows:
        yield {"run": row.exp_id, **{name: getattr(row, name) for name in FIELDS if name != "run"}}


def drawn(run: RunRow, samples: Iterable[EvaluationSample], author: str) -> Iterator[dict[str, Any]]:
    """Samples as records to be filled in: what was asked, what came, and empty places for what a person says.

    The verdict is left out: who fills them in has not seen it.
    """
    for sample in samples:
        key = {name: getattr(sample, name) for name in KEY}
        empty = {"author": author, "verdict": None, "own_verdict": None, "label": None, "note": None}
        shown = {"prompt": sample.prompt, "expected": sample.expected, "response": sample.response}
        yield {"run": run.exp_id, **key, **empty, "answer_digest": answer_digest(sample), **shown}


def written(records: Iterable[dict[str, Any]], kind: FileFormat) -> Iterator[str]:
    """Records as pieces of a file; what a spreadsheet would take for a formula is made harmless in CSV."""
    if kind == "jsonl":
        for record in records:
            yield json.dumps(record, ensure_ascii=True, default=str) + "\n"
        return
    names: tuple[str, ...] | None = None
    for record in records:
        if names is None:
            names = tuple(record)
            yield _csv_line(names)
        yield _csv_line([_cell(record.get(name)) for name in names])
    if names is None:
        yield _csv_line(FIELDS)


def _csv_line(values: Sequence[str]) -> str:
    return csv_row(values).removesuffix("\r\n") + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return f"'{value}" if _is_formula(value) else value


MAX_BYTES = 256 * 1024 * 1024
"""A larger file of labels is refused."""


@dataclass(slots=True)
class Imported:
    """What an import came to."""

    stored: int = 0
    unchanged: int = 0
    empty: int = 0
    """Records in which nothing is said."""
    changed_since: int = 0
    """Reviews of answers that are other ones now: not stored, for they would be taken for reviews of what stands."""
    problems: list[str] = field(default_factory=list)
    """Records that are of nothing here, or say what is not understood; with file and line."""


def bring_in(
    reader: Reader, path: Path, kind: FileFormat, *, run: RunRow | None = None, author: str | None = None
) -> Imported:
    """Store what the file says; `run` and `author` stand where a record names none. `reader` must be able to write.

    A record finds its sample by run, source, domain, level, test and epoch; what is not named does not restrict, as long as
    one sample is meant.

    Raises:
        ConfigurationError: the file cannot be read or is of another form.
        StoreError: it cannot be written.
    """
    found = Imported()
    runs: dict[str, RunRow | None] = {}
    for number, record in _records(path, kind):
        where = f"{path}:{number}"
        try:
            verdict, said = _verdict_of(record)
            if said.empty and not verdict:
                found.empty += 1
                continue
            sample = _sample_of(reader, record, run, runs)
        except ConfigurationError as error:
            found.problems.append(f"{where}: {error}")
            continue
        digest = record.get("answer_digest")
        if digest and digest != answer_digest(sample):
            found.changed_since += 1
            continue
        said = replace(said, own_verdict=said.own_verdict or _own_by_agreement(verdict, sample))
        who = str(record.get("author") or "").strip() or author or ""
        before = [row for row in stored(reader, result_ids=[sample.id or 0], author=who) if not row.stale]
        if before and verdict_in(before[-1]) == said:
            found.unchanged += 1
            continue
        say(reader, sample, who, said, at=str(record["created_at"]) if record.get("created_at") else None)
        found.stored += 1
    return found


def _records(path: Path, kind: FileFormat) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        text = read_text(path, MAX_BYTES)  # a carriage return within a cell stays what it is
    except FileFaultError as fault:
        raise ConfigurationError(f"{path}: {fault.message}") from None
    if kind == "csv":
        rows = csv.DictReader(io.StringIO(text, newline=""))
        if not rows.fieldnames or "test_id" not in rows.fieldnames:
            raise ConfigurationError(f"{path}:1: the first line must name the columns, test_id among them")
        try:
            for record in rows:
                yield rows.line_num, {name: unguarded(value) for name, value in record.items() if name and value}
        except csv.Error as error:
            raise ConfigurationError(f"{path}:{rows.line_num}: this is no CSV ({error}); correct the line") from error
        return
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(f"{path}:{number}: this is no JSON ({error}); correct the line") from error
        if not isinstance(record, dict):
            raise ConfigurationError(f"{path}:{number}: each line must be an object")
        yield number, {name: value for name, value in record.items() if value is not None}


def _is_formula(value: str) -> bool:
    return starts_formula(value.lstrip("'"))


def _verdict_of(record: dict[str, Any]) -> tuple[str, HumanVerdict]:
    """The verdict as it is written, and what else is said."""
    texts: dict[str, str] = {}
    for name in SAID:
        value = record.get(name, "")
        if not isinstance(value, str):
            raise ConfigurationError(f"{name} must be a text, not {type(value).__name__}")
        texts[name] = value
    verdict, own = texts["verdict"].strip().lower(), texts["own_verdict"].strip().lower()
    if verdict and verdict not in VERDICTS:
        raise ConfigurationError(f"verdict must be {', '.join(VERDICTS)} or empty, not {clean_line(verdict, 40)!r}")
    if own and own not in _OWN:
        raise ConfigurationError(f"own_verdict must be passed, failed or empty, not {clean_line(own, 40)!r}")
    held: OwnVerdict | None = "passed" if own == "passed" else "failed" if own == "failed" else None
    note = " ".join(texts["note"].split())[:MOST_OF_A_NOTE] or None
    return verdict, HumanVerdict(held, verdict == "unsure" and held is None, clean_label(texts["label"]), note)


def _own_by_agreement(verdict: str, sample: EvaluationSample) -> OwnVerdict | None:
    if verdict not in ("agree", "disagree") or sample.status not in ("passed", "failed"):
        return None
    return "passed" if (sample.status == "passed") == (verdict == "agree") else "failed"


def _sample_of(
    reader: Reader, record: dict[str, Any], run: RunRow | None, runs: dict[str, RunRow | None]
) -> EvaluationSample:
    name = record.get("run")
    if run is None or (name and name != run.exp_id):
        if not isinstance(name, str):
            raise ConfigurationError("no run is named; give its name as `run`")
        if name not in runs:
            runs[name] = reader.find_run(name)
        if (run := runs[name]) is None:
            raise ConfigurationError(f"there is no run {clean_line(name, 60)!r} here; `modex runs` lists them")
    try:
        level = None if record.get("level") in (None, "") else int(record["level"])
        epoch = None if record.get("epoch") in (None, "") else int(record["epoch"])
    except (TypeError, ValueError):
        raise ConfigurationError("level and epoch must be whole numbers") from None
    test = record.get("test_id")
    if not isinstance(test, str) or not test:
        raise ConfigurationError("no test_id is given; name the test")
    query = SampleQuery(
        test_ids=(test,),
        domains=(str(record["domain"]),) if record.get("domain") else (),
        sources=(str(record["source"]),) if record.get("source") else (),
        levels=() if level is None else (level,),
    )
    found = [head.id for head in reader.heads(run.id, query) if epoch is None or head.epoch == epoch]
    if len(found) != 1:
        many = (
            f"{len(found)} samples fit; give `domain`, `level` or `epoch`"
            if found
            else "no such sample; correct the line"
        )
        raise ConfigurationError(f"{run.exp_id}: {clean_line(test, 80)}: {many}")
    try:
        return reader.sample(found[0])
    except StoreError as error:
        raise ConfigurationError(str(error)) from error
