"""Stored words are never altered: hostile and harmless strings through the store, an import, an agent and the exports.

python -m benchmarks words           a million strings, seeded (`--quick`: 20,000)
python -m benchmarks.words N [SEED]  as many as you like; exits 1 where one came out otherwise
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from xml.etree import ElementTree

from benchmarks.tables import Table
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.config.values import unguarded
from modex.core.edge.foreign.plain import strict
from modex.core.edge.imports.lm_eval import read_lm_eval
from modex.core.edge.imports.storing import store_run
from modex.core.features.export.export import export
from modex.core.pipeline.rollout.agents import take_answer
from modex.core.pipeline.rollout.answer_files import read_answers
from modex.core.pipeline.rollout.asking import Asking, Rollout
from modex.core.reports.formats import FORMATS
from modex.core.reports.markdown import fenced, one_line
from modex.core.safety import clean
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import ROLLOUT_FIELDS, VERDICT_FIELDS, EvaluationSample
from modex.core.store.writer import Writer
from modex.core.tools.base import ToolResult

_NAMES = (
    "bearer",
    "basic",
    "sk",
    "pk",
    "hf",
    "token",
    "Bearer",
    "BASIC",
    "api_key",
    "authorization",
    "ghp",
    "password",
    "AKIA",
)
_JOINTS = (" ", "-", "_", "=", ": ", "\u00a0", "\t", "\n", "?key=", "\u200b", "&token=", "")
_WORDS = (
    "arithmetic", "certificate", "customer_id", "learn", "abcdefghijkl", "of the realm", "ized", "transformers",
    "0123456789abcdef",
    "proj-ABCDEFGHijklmnop0123456789", "dXNlcjpwYXNzd29yZA==", "https://user:pass@host/v1?api_key=abcdef123456", "«»", "日本語",
    "\U0001f600", "***************", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "</script>-->", "]]>", "'=1+1", "```",
)  # fmt: skip
_ODD = [
    *map(chr, range(256)),
    "\u200b",
    "\u200d",
    "\u202e",
    "\ufeff",
    "\u2028",
    "\ud800",
    "\udfff",
    "\ufdd0",
    "\uffff",
    "\U0010ffff",
]
_FORMATS = tuple(FORMATS)
_MODEL = "openai/sk-learn-basic-arithmetic-pk_customer_id"
"""A name that is no key, for what holds no sample's words."""
_PER_SAMPLE = 6
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FIELDS = tuple(dict.fromkeys((*ROLLOUT_FIELDS, *VERDICT_FIELDS)))


def strings(seed: int) -> Iterator[str]:
    """Words that look like keys and are none, every odd character, and what forms of keys there are; without an end."""
    draws = random.Random(seed)
    yield from _ODD
    yield from (f"{name}{joint}{word}" for name in _NAMES for joint in _JOINTS for word in _WORDS)
    while True:
        parts: list[str] = []
        for _ in range(draws.randint(1, 4)):
            parts += [draws.choice(_NAMES), draws.choice(_JOINTS), draws.choice(_WORDS), draws.choice((" ", *_ODD))]
        yield "".join(parts)


def differing(count: int, seed: int = 0) -> Iterator[tuple[str, list[str]]]:
    """Each way, once it was gone, with those of `count` strings that came out otherwise than they went in."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _through_the_store(Path(folder), count, seed)
        yield "agent", _through_an_agent(islice(strings(seed), count))
        yield "import answers", _through_a_file_of_answers(Path(folder), count, seed)
        yield "import", _through_an_import(Path(folder), count, seed)


def _samples(count: int, seed: int) -> Iterator[EvaluationSample]:
    source = islice(strings(seed), count)
    number = 0
    while chunk := list(islice(source, _PER_SAMPLE)):
        words = [*chunk, *[""] * (_PER_SAMPLE - len(chunk))]
        number += 1
        yield EvaluationSample(
            domain="d", test_id=f"t{number}", prompt=words[0], expected=words[1], evaluator_id="match", stage="judged",
            status="failed", score=0.0, response=words[2], reasoning=words[3], extracted_answer=words[4],
            completed_at="2026-01-01T00:00:00.000Z",
            transcript=[
                {"role": "assistant", "content": words[2], "phase": "tool_loop", "iteration": 1,
                 "tool_calls": [{"id": "1", "name": "f", "arguments": words[5]}]},
            ],
        )  # fmt: skip


def _through_the_store(folder: Path, count: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    manager = DBDataManager(folder / "words.db")
    run_id = manager.create_run("words", RunConfig(model=ModelSpec(model=_MODEL)))
    writer = Writer(open_database(manager.path), run_id)
    lost: list[str] = []
    try:
        made = _samples(count, seed)
        while chunk := list(islice(made, 500)):
            for sample in chunk:
                sample.run_id = run_id
            planned = manager.plan(run_id, chunk)
            for sample, sample_id in zip(chunk, planned.to_do, strict=True):
                sample.id = sample_id
                writer.save(sample, _FIELDS, before="pending")
        writer.flush()
        run = manager.reader.run("words")
        for sent, kept in zip(_samples(count, seed), manager.reader.samples(run.id), strict=True):
            lost += _other(_words_of(sent), _words_of(kept)) + list(kept.flags)
        yield "store", lost
        for kind in _FORMATS:
            yield f"export {kind}", _EXPORTS[kind](manager.reader, run, _samples(count, seed))
    finally:
        writer.close()
        manager.close()


def _words_of(sample: EvaluationSample) -> list[Any]:
    call = sample.transcript[0]
    return [sample.prompt, sample.expected, sample.response, sample.reasoning, sample.extracted_answer, call["content"],
            call["tool_calls"][0]["arguments"]]  # fmt: skip


def _other(sent: Sequence[Any], kept: Sequence[Any]) -> list[str]:
    return [str(one) for one, other in zip(sent, kept, strict=True) if one != other]


def _json(reader: Reader, run: RunRow, sent: Iterable[EvaluationSample]) -> list[str]:
    found = json.loads("".join(export(reader, run, "json")))["samples"]
    return [
        word
        for one, other in zip(sent, found, strict=True)
        for word in _other(
            _words_of(one),
            [*(other[name] for name in ("prompt", "expected", "response", "reasoning", "extracted_answer")),
             other["transcript"][0]["content"], other["transcript"][0]["tool_calls"][0]["arguments"]],
        )
    ]  # fmt: skip


def _csv(reader: Reader, run: RunRow, sent: Iterable[EvaluationSample]) -> list[str]:
    rows = csv.DictReader(io.StringIO("".join(export(reader, run, "csv")), newline=""))
    names = ("prompt", "expected", "response", "extracted_answer")
    return [
        word
        for one, row in zip(sent, rows, strict=True)
        for word in _other([strict(getattr(one, name)) for name in names], [unguarded(row[name]) for name in names])
    ]


def _md(reader: Reader, run: RunRow, sent: Iterable[EvaluationSample]) -> list[str]:
    text = "".join(export(reader, run, "md"))
    return _in_turn(text, (fenced(word) for one in sent for word in (one.prompt, one.response or "")))


def _in_turn(text: str, wanted: Iterable[str]) -> list[str]:
    """Those of `wanted` that do not stand in `text` behind the one before."""
    lost, at = [], 0
    for word in wanted:
        found = text.find(word, at)
        if found < 0:
            lost.append(word)
        else:
            at = found + len(word)
    return lost


def _html(reader: Reader, run: RunRow, sent: Iterable[EvaluationSample]) -> list[str]:
    page = "".join(export(reader, run, "html"))
    blocks = (json.loads(one) for one in re.findall(r"<!--(\{.*?\})-->", page))
    names = ("prompt", "response", "reasoning")
    return [
        word
        for one, block in zip(sent, blocks, strict=True)
        for word in _other([clean(getattr(one, name)) for name in names], [block.get(name, "") for name in names])
    ]


def _junit(reader: Reader, run: RunRow, sent: Iterable[EvaluationSample]) -> list[str]:
    cases = ElementTree.fromstring("".join(export(reader, run, "junit"))).iter("testcase")
    return [
        str(one.response)
        for one, case in zip(sent, cases, strict=True)
        if _NOT_XML.sub("\ufffd", clean(one.response or "")) != (case[0].text or "")
    ]


def _inspect(reader: Reader, run: RunRow, sent: Iterable[EvaluationSample]) -> list[str]:
    found = json.loads("".join(export(reader, run, "inspect")))["samples"]
    return [
        word
        for one, other in zip(sent, found, strict=True)
        for word in _other(
            [strict(one.prompt), strict(one.expected), strict(one.response)],
            [other["input"], other["target"], other["output"]["completion"]],
        )
    ]


def _github(reader: Reader, run: RunRow, sent: Iterable[EvaluationSample]) -> list[str]:
    """The table lists the first failures, as far as a comment holds them, each cell cut."""
    text = "".join(export(reader, run, "github"))
    listed = islice(sent, text.count("\n| d/1/"))
    cells = ((one_line(str(one.expected), 80), one_line(one.extracted_answer or "", 80)) for one in listed)
    lost = _in_turn(text, (f" | {expected} | {got} | " for expected, got in cells))
    return lost + ([] if one_line(_MODEL) in text and "\n| d/1/" in text else [_MODEL])


def _eee(reader: Reader, run: RunRow, _: Iterable[EvaluationSample]) -> list[str]:
    """The record holds no sample: the model's name is what it could alter."""
    found = json.loads("".join(export(reader, run, "eee")))["model_info"]["id"]
    return [] if found == _MODEL else [found]


def _caia(reader: Reader, run: RunRow, samples: Iterable[EvaluationSample]) -> list[str]:
    """The score file holds no words of a model: the tasks' names are what it could alter."""
    found = [row["task_id"] for row in json.loads("".join(export(reader, run, "caia")))]
    return _other([sample.test_id for sample in samples], found)


_EXPORTS: dict[str, Callable[[Reader, RunRow, Iterable[EvaluationSample]], list[str]]] = {
    "json": _json, "csv": _csv, "md": _md, "html": _html, "junit": _junit, "inspect": _inspect, "github": _github, "eee": _eee,
    "caia": _caia,
}  # fmt: skip


def _through_an_agent(words: Iterable[str]) -> list[str]:
    lost: list[str] = []
    for word in words:
        rollout = Rollout()
        kept: list[str] = []
        no_tools = SimpleNamespace(tools_of=lambda _: ())
        asking = SimpleNamespace(
            rollout=rollout, record_result=partial(_keep_result, kept), context=no_tools, sample=EvaluationSample()
        )
        step = {"tool": "f", "content": word, "arguments": word, "result": word}
        take_answer({"answer": word, "reasoning": word, "steps": [step]}, cast("Asking", asking))
        said = [rollout.response, *rollout.reasoning, *kept, rollout.transcript[0]["content"]]
        said += [rollout.transcript[0]["tool_calls"][0]["arguments"], rollout.transcript[1]["content"]]
        lost += [word] if any(one != word for one in said) else []
    return lost


def _keep_result(kept: list[str], _: object, result: ToolResult, *__: object) -> None:
    kept.append(result.content)


def _through_an_import(folder: Path, count: int, seed: int) -> list[str]:
    """A log of lm-evaluation-harness, its questions, golds and answers."""
    log = folder / "samples_words_2026-01-01T00-00-00.000000.jsonl"
    with log.open("w", encoding="ascii") as file:
        for number, word in enumerate(islice(strings(seed), count)):
            row = {
                "doc_id": number, "doc": {"question": word}, "target": word or "-", "arguments": [[word, {}]], "resps": [[word]],
                "filtered_resps": [word], "filter": "none", "exact_match": 1.0, "metrics": ["exact_match"],
            }  # fmt: skip
            file.write(json.dumps(row) + "\n")
    manager = DBDataManager(folder / "imported.db")
    try:
        lost: list[str] = []
        for run in read_lm_eval(log, None, 1.0):
            store_run(manager, run)
            samples = manager.reader.samples(manager.reader.run(run.name).id)
            for word, kept in zip(islice(strings(seed), count), samples, strict=True):
                asked, gold = word or "-", (kept.expected or {}).get("value")
                sent = [asked, word, word, asked if asked.strip() else None]  # who is asked nothing has no gold either
                lost += _other(sent, [kept.prompt, kept.response, kept.extracted_answer, gold])
        return lost
    finally:
        manager.close()
        log.unlink()


def _through_a_file_of_answers(folder: Path, count: int, seed: int) -> list[str]:
    """A file for `import answers`, as it is read."""
    path = folder / "answers.jsonl"
    with path.open("w", encoding="ascii") as file:
        for number, word in enumerate(islice(strings(seed), count)):
            file.write(json.dumps({"id": number, "response": word}) + "\n")
    said = (str(row.data["answer"]) for row in read_answers(path).rows)
    return [word for word, kept in zip(islice(strings(seed), count), said, strict=True) if word != kept]


def measure(*, quick: bool = False) -> list[Table]:
    """A table of how many strings came out otherwise, by way."""
    count = 20_000 if quick else 1_000_000
    rows = [[way, f"{count:,}", f"{len(lost):,}"] for way, lost in differing(count)]
    return [Table("Words that came out otherwise", ("way", "strings", "altered"), rows)]


def main() -> None:
    """Print what was altered; exits 1 where anything was."""
    count, seed = (int(word) for word in (*sys.argv[1:3], *("1000000", "0")[len(sys.argv) - 1 :]))
    altered = 0
    for way, lost in differing(count, seed):
        altered += len(lost)
        told = f"{len(lost):,} of {count:,} altered {lost[:3]!r}" if lost else f"all {count:,} equal"
        print(f"{way:>16}: {told}", flush=True)
    sys.exit(1 if altered else 0)


if __name__ == "__main__":
    main()
