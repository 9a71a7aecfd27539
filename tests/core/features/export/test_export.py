"""Every format, each safe for what opens it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modex.core.config.values import unguarded
from modex.core.features.export import export as module
from modex.core.features.export.export import export, file_name
from modex.core.reports.formats import Format
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.store.selecting import SampleQuery
from modex.core.verdict import details_of, lines_of
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample, side_by_side
from tests.core.verdict.examples import CALLS, EXAMPLES

ATTACKS = [
    "\x1b]52;c;aGk=\x07\x1b[2J",
    "</pre></td><script>alert(1)</script>",
    '" onmouseover="alert(1)',
    '=HYPERLINK("http://x")',
    "+1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1+1",
    "| a | b |\n|---|---|",
    "```\n# not a heading\n```",
    "]]></failure>",
    "\x00\x0b\ufffe\ud800 \U0001f600",
    "\u202egnp.exe",
    "a\r\nb\rc",
    "![x](javascript:alert(1)) <img src=x>",
]


def attacked(text: str, status: str = "failed") -> EvaluationSample:
    """A sample whose every text is hostile."""
    done = finished(
        sample("t", name=text, prompt=text, expected=text),
        score=0.0,
        response=text,
        reasoning=text,
        extracted_answer=text,
        details={"why": text},
        transcript=[{"role": "assistant", "content": text, "phase": "pass1"}],
    )
    if status == "error":
        done.status, done.stage, done.score = "error", "rollout", None
        done.error_type, done.error_message = "judge_error", text
    return done


def text_of(manager: DBDataManager, run: RunRow, kind: Format) -> str:
    return "".join(export(manager.reader, run, kind))


class Tags(HTMLParser):
    """Every tag and attribute of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.scripts += tag == "script"
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def all_attacks(*statuses: str) -> list[EvaluationSample]:
    """Every attack as a failed answer and as an error, in one run."""
    return [
        replace(attacked(text, status), test_id=f"{status}{number}")
        for status in statuses
        for number, text in enumerate(ATTACKS)
    ]


@pytest.mark.parametrize("kind", sorted({*get_args(Format)} - {"csv"}))
def test_no_format_carries_what_a_terminal_would_obey(manager: DBDataManager, store: Store, kind: Format) -> None:
    text = text_of(manager, store("e", all_attacks("failed", "error")), kind)
    assert not [
        hex(ord(mark)) for mark in text if (ord(mark) < 32 and mark not in "\n\t\r") or 0x7F <= ord(mark) < 0xA0
    ]
    assert "\u202e" not in text
    text.encode()
    if kind not in ("eee", "caia"):
        assert "gnp.exe" in text, "the attacks are in it"


def test_html_has_no_tag_of_the_models(manager: DBDataManager, store: Store) -> None:
    plain, page = Tags(), Tags()
    plain.feed(text_of(manager, store("p", [attacked("plain")]), "html"))
    page.feed(text_of(manager, store("e", all_attacks("failed")), "html"))
    assert page.tags - plain.tags <= {"circle", "line", "polyline"}, "of the chart over both runs"
    assert page.scripts == plain.scripts
    assert not page.tags & {"img", "iframe", "a", "object", "form", "link"}
    assert not [name for name in page.attributes if name.startswith("on") or name in ("src", "href")]


def test_csv_has_no_formula(manager: DBDataManager, store: Store) -> None:
    text = text_of(manager, store("e", all_attacks("failed")), "csv")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == len(ATTACKS)
    for row in rows:
        assert None not in row
        for value in row.values():
            assert not value.lstrip().startswith(("=", "+", "@", "|", "%")), value


def test_a_csv_reader_gets_every_text_as_it_was(manager: DBDataManager, store: Store) -> None:
    texts = [
        *ATTACKS,
        "a\u200bb\u2028c\x1b[2Jd\x00e\r\nf\rg",
        "'=1",
        "''+1",
        "'",
        "'a",
        "-5",
        "'-5",
        " -5",
        "\u200b=1",
        "",
    ]
    samples = [replace(attacked(text, "failed"), test_id=f"t{number:03}") for number, text in enumerate(texts)]
    text = text_of(manager, store("e", samples), "csv")
    rows = {row["test_id"]: row["response"] for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert [unguarded(rows[sample.test_id]) for sample in samples] == [
        re.sub("[\ud800-\udfff]", "\ufffd", sample.response or "") for sample in samples
    ]


def test_junit_is_xml_with_the_failures_in_it(manager: DBDataManager, store: Store) -> None:
    root = ElementTree.fromstring(text_of(manager, store("e", all_attacks("failed", "error")), "junit"))
    assert len(root.findall(".//testcase")) == 2 * len(ATTACKS)
    assert len(root.findall(".//failure")) == len(root.findall(".//error")) == len(ATTACKS)


def attacked2(text: str) -> EvaluationSample:
    other = attacked(text, "error")
    other.test_id = "u"
    return other


def test_markdown_tables_keep_their_columns(manager: DBDataManager, store: Store) -> None:
    text = text_of(manager, store("e", all_attacks("failed")), "md")
    rows = [line for line in text.splitlines() if line.startswith("| failed |")]
    assert len(rows) == len(ATTACKS)
    for row in rows:
        assert row.replace("\\|", "").count("|") == 8
        assert "<script" not in row
        assert "<img" not in row


def test_a_table_says_what_two_numbers_are_only_where_there_are_two(manager: DBDataManager, store: Store) -> None:
    right = finished(sample("t"))
    every, open_ = (
        store("every", [right]),
        store("open", [right, replace(attacked2("x"), error_type="truncated_output")]),
    )
    said = "Two numbers are a score with all that lacks a verdict wrong"
    assert said not in text_of(manager, every, "md")
    text = text_of(manager, open_, "md")
    assert said in text
    assert "| d | 50.0 to 100.0 (n 1) |" in text


def test_what_is_expected_is_read_in_its_own_letters(manager: DBDataManager, store: Store) -> None:
    run = store("e", [finished(sample("t", expected={"größe": ["ß"]}), score=0.0, response="-")])
    for kind in ("md", "junit"):
        assert "größe" in text_of(manager, run, kind)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("csv", "a-b_c-second.csv"),
        ("inspect", "2026-03-04T05-06-07+00-00_a-b-c-second_1.json"),
    ],
)
def test_a_file_is_called_by_its_runs_and_a_log_of_inspect_ai_by_when_it_began_too(
    manager: DBDataManager, store: Store, kind: Format, name: str
) -> None:
    one, other = store("a/b_c", []), store("second", [])
    assert file_name([replace(one, started_at="2026-03-04T05:06:07.123Z"), other], kind) == name
    assert file_name([replace(one, started_at=None)], "inspect").startswith("1970-01-01T00-00-00+00-00_a-b-c_")
    assert file_name([replace(one, exp_id="." + 200 * "x")], "csv") == 149 * "x" + ".csv"


def test_json_holds_everything_exactly(manager: DBDataManager, store: Store) -> None:
    run = store("e", [attacked(text) for text in ["\ud800 \x00 ü \U0001f600"]])
    document = json.loads(text_of(manager, run, "json"))
    (item,) = document["samples"]
    assert item["response"] == "\ud800 \x00 ü \U0001f600"
    assert item["transcript"][0]["content"] == item["response"]
    assert document["run"]["exp_id"] == "e"
    assert document["level_scores"][0]["domain"] == "d"


def test_numbers_stay_numbers_in_csv(manager: DBDataManager, store: Store) -> None:
    done = finished(sample("t", expected=-5), response="-5")
    (row,) = csv.DictReader(io.StringIO(text_of(manager, store("e", [done]), "csv"), newline=""))
    assert (row["response"], row["expected"], row["score"]) == ("-5", "-5", "1.0")


@pytest.mark.parametrize("kind", get_args(Format))
def test_an_empty_run_is_exported_too(manager: DBDataManager, store: Store, kind: Format) -> None:
    assert text_of(manager, store("e", []), kind)


def test_junit_counts_agree_with_its_cases(manager: DBDataManager, store: Store) -> None:
    items = [finished(sample(str(n), epoch=1), score=n / 4) for n in range(5)]
    skipped = sample("s", status="skipped")
    skipped.error_message = "no such tool"
    run = store("e", [*items, skipped])
    root = ElementTree.fromstring(text_of(manager, run, "junit"))
    assert int(root.get("tests", 0)) == len(root.findall(".//testcase")) == 6
    assert int(root.get("failures", 0)) == len(root.findall(".//failure")) == 3
    assert int(root.get("skipped", 0)) == len(root.findall(".//skipped")) == 1


def test_a_key_that_a_model_repeated_is_in_no_export(
    manager: DBDataManager, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    run = store("e", [attacked("my key is sk-canary-0123456789abcdef")])
    for kind in get_args(Format):
        assert "canary" not in text_of(manager, run, kind)


def test_a_key_that_a_suite_holds_is_stored_as_written_and_in_no_export(
    manager: DBDataManager, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "Zk7planted9Key2of4a6Suite"
    monkeypatch.setenv("PLANTED_API_KEY", key)
    written = {name: hidden.join(key) for name, hidden in (("whole", ""), ("split", "\u200b"), ("joined", "\u2060"))}
    planned = [
        sample(name, prompt=f"say {text}", expected=f"{text}.", definition={"metadata": {"note": text, text: 1}})
        for name, text in written.items()
    ]
    run = store("e", [finished(one, score=0.0, response="no") for one in planned])
    kept = {one.test_id: one for one in manager.reader.samples(run.id)}
    for one in planned:
        found = kept[one.test_id]
        assert (found.prompt, found.expected, found.definition) == (one.prompt, one.expected, one.definition)
        assert found.flags == []
    for kind in get_args(Format):
        told = re.sub(r"[\u200b\u2060]|\\u(?:200b|2060)", "", text_of(manager, run, kind))
        assert key not in told, kind


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_text_gives_well_formed_output(manager: DBDataManager, store: Store, text: str) -> None:
    run = store(f"e{manager.reader.count_runs()}", [attacked(text), attacked2(text)])
    ElementTree.fromstring(text_of(manager, run, "junit"))
    assert json.loads(text_of(manager, run, "json"))["samples"][0]["response"] == text
    assert len(list(csv.DictReader(io.StringIO(text_of(manager, run, "csv"), newline="")))) == 2
    page = Tags()
    page.feed(text_of(manager, run, "html"))
    assert page.scripts == 1, "the page's own"


@pytest.mark.parametrize("kind", [kind for kind in get_args(Format) if kind not in ("eee", "caia")])
def test_every_export_of_samples_says_why(manager: DBDataManager, store: Store, kind: Format) -> None:
    details = details_of([CALLS], {})
    text = text_of(manager, store("e", [finished(sample("t"), score=0.0, response="-", details=details)]), kind)
    assert "get_weather was not called" in text.replace("\\", "")


@pytest.mark.parametrize("kind", ["md", "html"])
def test_an_export_for_people_shows_every_part(manager: DBDataManager, store: Store, kind: Format) -> None:
    details = [details_of([part], {"tempo": f"{place} allegro"}) for place, part in enumerate(EXAMPLES)]
    items = [
        finished(sample(f"t{place}"), score=0.0, response="-", details=stored) for place, stored in enumerate(details)
    ]
    text = text_of(manager, store("e", items), kind)
    for place in range(len(EXAMPLES)):
        assert f"tempo {place} allegro" in text
    labels = Counter(next(lines_of([part])).label for part in EXAMPLES)
    assert {label: text.count(label) >= often for label, often in labels.items()} == dict.fromkeys(labels, True)


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "epochs", "query"),
    [
        ("json", 2, SampleQuery()),
        ("csv", 1, SampleQuery()),
        ("csv", 2, SampleQuery(statuses=("error",))),
        ("json", 1, SampleQuery(test_ids=("none",))),
    ],
)
def test_several_processes_write_what_one_writes(
    manager: DBDataManager,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    kind: Format,
    epochs: int,
    query: SampleQuery,
) -> None:
    key = "api_key=sk-1234567890abcdef"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1234567890abcdef")
    samples = [
        replace(attacked(text, status), test_id=f"q{number}", epoch=epoch)
        for number, text in enumerate([*ATTACKS, key])
        for status in (["failed", "error"][number % 2],)
        for epoch in range(1, epochs + 1)
    ]
    run = store("e", samples)
    manager.database.run("UPDATE individual_test_results SET details = 'no JSON' WHERE position = 5")
    alone: list[int] = []
    told: list[int] = []
    for counts in (alone, told):
        manager.reader.on_samples = counts.append
        text = "".join(export(manager.reader, run, kind, query))
        if counts is alone:
            written = text
            side_by_side(monkeypatch)
            monkeypatch.setattr(module, "_PART", 4)
    assert text == written
    assert sum(told) == sum(alone)
    assert "sk-1234567890abcdef" not in text


def test_a_csv_says_of_each_test_whether_its_tries_went_both_ways(manager: DBDataManager, store: Store) -> None:
    tries = {"both": (1.0, 0.0), "right": (1.0, 1.0)}
    run = store(
        "e",
        [
            finished(sample(name, epoch=number, source=source), score=score if source == "suite" else 1.0)
            for source in ("suite", "x")
            for name, scores in tries.items()
            for number, score in enumerate(scores, 1)
        ],
    )
    manager.update_run(run.id, config={**run.config, "epochs": 2})
    rows = csv.DictReader(io.StringIO("".join(export(manager.reader, manager.reader.run_by_id(run.id), "csv"))))
    told = {(row["source"], row["test_id"], row["epoch"]): row["flaky"] for row in rows}
    assert [key for key, flaky in told.items() if flaky == "yes"] == [("suite", "both", "1"), ("suite", "both", "2")]
    assert set(told.values()) == {"yes", "no"}
    once = csv.DictReader(io.StringIO("".join(export(manager.reader, store("once", [finished(sample("a"))]), "csv"))))
    assert [row["flaky"] for row in once] == [""]


def test_junit_names_a_try_by_its_number_and_one_case_for_all_tries_where_k_of_n_must_pass(
    manager: DBDataManager, store: Store
) -> None:
    def tried(name: str, *scores: float, needed: int | None = None) -> list[EvaluationSample]:
        return [
            finished(sample(name, epoch=number, pass_needed=needed, pass_of=needed and 3), score=score)
            for number, score in enumerate(scores, 1)
        ]

    run = store(
        "e", [*tried("each", 1.0, 0.0), *tried("held", 1.0, 0.0, 1.0, needed=2), *tried("missed", 0.0, 0.0, needed=2)]
    )
    manager.update_run(run.id, config={**run.config, "epochs": 3})
    root = ElementTree.fromstring("".join(export(manager.reader, manager.reader.run_by_id(run.id), "junit")))
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert list(cases) == ["each", "each #2", "held (2 of 3)", "missed (2 of 3)"]
    failures = {name: [one.get("message") for one in case.iter("failure")] for name, case in cases.items()}
    assert [name for name, found in failures.items() if found] == ["each #2", "missed (2 of 3)"]
    assert failures["missed (2 of 3)"] == ["0 of 2 tries passed, 2 of 3 must"]
    assert {case.get("classname") for case in cases.values()} == {"d.level_1"}
    properties = {one.get("name"): one.get("value") for one in root.iter("property")}
    assert properties["pass@1"] == "0.500000"
    assert properties["flaky"] == "1"
