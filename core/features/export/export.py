"""A run taken out of the store, as a stream of text in one of the formats. Safe for whatever opens it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from modex.core.comparison.wording import shown_score
from modex.core.features.certify.rule import corrected_lines, judging_json
from modex.core.features.export.compared import compared
from modex.core.features.export.page import report
from modex.core.features.export.samplejson import SampleJson
from modex.core.features.story.figures import domain_rows, level_rows, run_figures
from modex.core.foundation.parties import fault_words, party_of, party_of_values
from modex.core.reports.cells import csv_cell, csv_row
from modex.core.reports.conversations import conversation_lines, conversations_of
from modex.core.reports.epochs import Epochs, TestEpochs, epoch_lines, epochs_of
from modex.core.reports.formats import FORMATS, Format, Together
from modex.core.reports.machines import hosts_line, told_hosts
from modex.core.reports.markdown import fenced, one_line
from modex.core.reports.not_scored import not_scored_json, not_scored_of, not_scored_words
from modex.core.reports.pace import by_cell, pace_json, pace_line, pace_markdown
from modex.core.reports.reading import reading_lines, reading_of
from modex.core.reports.served import served_lines
from modex.core.safety import clean, clean_line, without_secrets
from modex.core.statistics.distributions import LEVEL_TEXT
from modex.core.store.bounds import Open, cut_off, open_bounds
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.readers import Readers, parts_of
from modex.core.store.rows import RunRow
from modex.core.store.sample import SAMPLE_FIELDS, EvaluationSample
from modex.core.store.selecting import Part
from modex.core.store.speeds import paces
from modex.core.store.tallies import tallies
from modex.core.verdict import lines_of

_CSV_FIELDS = (
    "source", "domain", "level", "test_id", "epoch", "name", "status", "score", "evaluator_id", "error_type",
    "error_message", "prompt", "expected", "response", "extracted_answer", "prompt_tokens", "completion_tokens",
    "cost_usd", "duration_ms", "attempts", "flags", "verdict_flags", "started_at", "completed_at",
    "ttft_ms", "output_tokens_per_s", "thinking_ms",
)  # fmt: skip
_CHUNK = 1 << 18
"""Characters that are looked through for secrets at once: what that costs a call is then shared by many samples."""
_PART = 500
"""Samples that a process writes at once."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def export(reader: Reader, run: RunRow, kind: Format, query: SampleQuery | None = None) -> Iterator[str]:
    """The run in `kind` with the samples that match, in pieces; never more than a page of samples in memory."""
    return _masked(FORMATS[kind].load()(reader, run, query or SampleQuery()))


def comparison(
    reader: Reader, several: Sequence[RunRow], query: SampleQuery | None = None, kind: Together = "html"
) -> Iterator[str]:
    """Several runs compared, in pieces; `html` lists their samples too, those that `query` finds."""
    if kind == "html":
        return _masked(report(reader, several, query or SampleQuery()))
    return _masked(compared(reader, several, kind))


class _Harmless(str):
    """A piece of which secrets were masked already, whole lines."""

    __slots__ = ()


def _masked(pieces: Iterator[str]) -> Iterator[str]:
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        if type(piece) is _Harmless:
            yield without_secrets("".join(waiting))
            yield piece
            waiting, size = [], 0
            continue
        waiting.append(piece)
        size += len(piece)
        if size >= _CHUNK:
            yield without_secrets("".join(waiting))
            waiting, size = [], 0
    yield without_secrets("".join(waiting))


def run_head(run: RunRow) -> dict[str, Any]:
    """The run's own columns."""
    left_out = {"id", "live", "alive", "seq"}
    return {name: getattr(run, name) for name in RunRow.__dataclass_fields__ if name not in left_out}


def page_of(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """One run as a page."""
    return report(reader, [run], query)


def json_of(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """Everything that is stored of a run."""
    epochs = epochs_of(reader, run)
    cut, every = cut_off(reader, run.id), open_bounds(reader, run)
    head: dict[str, Any] = {
        "run": run_head(run),
        "not_scored": not_scored_json(not_scored_of(reader, run)),
        "level_scores": level_rows(reader, run, every),
        "domains": domain_rows(reader, run, every),
        "bounds": asdict(every.whole) if every.whole else None,
        "cut_off": {"number": cut.number, "low": cut.low, "high": cut.high} if cut else None,
        "pace": pace_json(paces(reader, run.id)),
        "reading": reading_of(run).as_dict(),
    }
    head |= {"epochs": epochs.as_dict()} if epochs is not None else {}
    talks = conversations_of(reader, run)
    head |= {"conversations": talks.as_dict()} if talks is not None else {}
    head |= {"judging": judging_json(reader, run)} if run.judged_by else {}
    yield json.dumps(head, ensure_ascii=True, indent=1)[:-2] + ',\n "samples": [\n'
    yield from _samples(reader, run, query, _json_lines, between=",\n")
    yield "\n]}\n"


def _json_lines(reader: Reader, run_id: int, query: SampleQuery) -> Iterator[str]:
    """Each sample as an object."""
    shown = [at for at, name in enumerate(SAMPLE_FIELDS) if name not in ("run_id", "seq")]
    told, lines = itemgetter(*shown), SampleJson([*(SAMPLE_FIELDS[at] for at in shown), "fault"])
    settled = itemgetter(*map(SAMPLE_FIELDS.index, ("status", "error_type", "error_message", "flags")))
    for values in reader.documents(run_id, query):
        yield lines.line((*told(values), party_of_values(*settled(values))))


_Write = Callable[[Reader, int, SampleQuery], Iterator[str]]


def _samples(reader: Reader, run: RunRow, query: SampleQuery, write: _Write, between: str = "") -> Iterator[str]:
    """What `write` makes of the run's samples, `between` between each two; several processes write parts of a large run.

    `write` is a function of a module or a `partial` of one, whose pieces are whole lines.
    """
    with Readers(reader, [run]) as readers:
        if not readers.several:
            for index, piece in enumerate(write(reader, run.id, query)):
                yield (between if index else "") + piece
            return
        begun = False
        together = _Together(write, between, run.id, query)
        for number, text in readers.each(together, parts_of(reader, run.id, _PART)):
            reader.on_samples(number)
            if number:
                yield _Harmless(between + text if begun else text)
                begun = True


@dataclass(frozen=True, slots=True)
class _Together:
    """What a process makes of a part of a run."""

    write: _Write
    between: str
    run_id: int
    query: SampleQuery

    def __call__(self, reader: Reader, part: Part) -> tuple[int, str]:
        """How many of its samples match, and what is written of them, secrets masked."""
        pieces = list(self.write(reader, self.run_id, replace(self.query, part=part)))
        parted = (self.between + piece if number else piece for number, piece in enumerate(pieces))
        return len(pieces), "".join(_masked(parted))


def csv_of(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """A row a sample."""
    fields = [*_CSV_FIELDS, "host", "host_limits"] if told_hosts(run) else _CSV_FIELDS
    yield csv_row([*fields, "reason", "flaky", "fault"])
    epochs = epochs_of(reader, run)
    flaky = {(one.source, one.name) for one in epochs.flaky} if epochs is not None else None
    yield from _samples(reader, run, query, partial(_csv_lines, fields, flaky))


def _csv_lines(
    fields: Sequence[str], flaky: set[tuple[str, str]] | None, reader: Reader, run_id: int, query: SampleQuery
) -> Iterator[str]:
    """Each sample as a row; `flaky` are sources and names of tests, None where nothing was asked twice."""
    for sample in reader.samples(run_id, query):
        name = f"{sample.domain}/{sample.level}/{sample.test_id}"
        words = "" if flaky is None else "yes" if (sample.source, name) in flaky else "no"
        yield csv_row(
            [*(csv_cell(getattr(sample, name)) for name in fields), csv_cell(sample.why), words, party_of(sample) or ""]
        )


def markdown_of(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """The matrix, every test, the transcripts of few."""
    yield f"# {one_line(run.exp_id)}\n\n"
    every = open_bounds(reader, run)
    open_, scored = every.whole, run.passed_tests + run.failed_tests
    score = shown_score(run.overall_score, open_.ends if open_ is not None else None)
    yield f"{one_line(run.model)}, {one_line(run.state)}, {score} of 100"
    if open_ is None and run.ci_low is not None and run.ci_high is not None:
        yield f" ({LEVEL_TEXT}: {_score(run.ci_low)} to {_score(run.ci_high)})"
    if open_ is not None:
        cut = f", {open_.cut_off} of them cut off" if open_.cut_off else ""
        yield f" ({_score(run.overall_score)} over the {scored:,} with a verdict; {open_.number:,} without a verdict{cut})"
    yield f", n {scored}, {run.error_tests} errors, {run.skipped_tests} skipped\n\n"
    if lost := not_scored_words(not_scored_of(reader, run)):
        yield f"{one_line(lost, 600)}\n\n"
    paced = paces(reader, run.id)
    if paced:
        yield f"{pace_line(paced[None])}\n\n"
    if hosts := hosts_line(run):
        yield f"{one_line(hosts, 600)}\n\n"
    yield from (
        f"{one_line(line, 600)}\n\n"
        for line in [*served_lines(run), *_epochs(reader, run), *reading_lines(run), *corrected_lines(reader, run)]
    )
    yield from _markdown_matrix(reader, run, every)
    if paced:
        yield "## Speed by cell\n\n"
        yield from pace_markdown("cell", *by_cell(paced))
        yield "\n"
    yield "## Tests\n\n| | test | score | evaluator | got | expected | why |\n|---|---|---:|---|---|---|---|\n"
    for sample in reader.samples(run.id, query):
        score = "" if sample.score is None else f"{sample.score:.2f}"
        yield (
            f"| {one_line(sample.status)} | {one_line(_name(sample))} | {score} | {one_line(sample.evaluator_id)}"
            f" | {one_line(_got(sample), 200)} | {one_line(_text(sample.expected), 200)} | {one_line(sample.why, 200)} |\n"
        )
    yield "\n## Transcripts of what failed\n"
    for sample in reader.samples(run.id, query):
        if sample.status in ("failed", "error"):
            yield f"\n### {one_line(_name(sample))}\n\n{fenced(sample.prompt)}\n{fenced(sample.response or '')}\n"
            if verdict := _verdict(sample):
                yield f"\nverdict\n\n{fenced(verdict)}\n"
            if party := fault_words(sample):
                yield f"\nat fault: {one_line(party)}\n"
            if sample.error_message:
                yield f"\n{one_line(sample.error_type or '')}: {one_line(sample.error_message)}\n"


def _markdown_matrix(reader: Reader, run: RunRow, every: Open) -> Iterator[str]:
    scores = {(row["domain"], row["level"]): row for row in reader.level_scores(run.id)}
    counts = _scored(reader, run)
    domains = dict(reader.domain_scores([run.id]).get(run.id, []))
    if not scores:
        return
    if every.whole is not None:
        yield "Two numbers are a score with all that lacks a verdict wrong, and with all of it right.\n\n"
    yield "| domain | 1 | 2 | 3 | 4 | 5 | weighted |\n|---|---:|---:|---:|---:|---:|---:|\n"
    for domain in dict.fromkeys(domain for domain, _ in scores):
        cells = [_cell(scores.get((domain, level)), counts, every) for level in range(1, 6)]
        weighted = shown_score(domains.get(domain), every.ends(domain))
        yield f"| {one_line(domain)} | {' | '.join(cells)} | {weighted} |\n"
    yield "\n"


def _scored(reader: Reader, run: RunRow) -> dict[tuple[str, int], int]:
    """How many samples of each cell have a score."""
    return {(cell.domain, cell.level): cell.scored for cell in tallies(reader, run.id)}


def _cell(row: dict[str, Any] | None, counts: dict[tuple[str, int], int], every: Open) -> str:
    if row is None:
        return ""
    ends = every.ends(row["domain"], row["level"])
    return f"{shown_score(row['average_score'], ends)} (n {counts[row['domain'], row['level']]})"


def junit_of(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """A case a test."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield (
        f"<testsuites name={_x(run.exp_id)} tests={_x(run.total_tests)} failures={_x(run.failed_tests)}"
        f" errors={_x(run.error_tests)} skipped={_x(run.skipped_tests)} time={_x(run.duration_ms / 1000)}>\n"
    )
    yield f"<testsuite name={_x(run.model)} tests={_x(run.total_tests)}>\n"
    epochs = epochs_of(reader, run)
    if properties := {**_tried(epochs), **_figures(reader, run)}:
        written = (f"<property name={_x(name)} value={_x(value)}/>\n" for name, value in properties.items())
        yield f"<properties>\n{''.join(written)}</properties>\n"
    required = {one.key: one for one in epochs.required} if epochs is not None else {}
    for sample in reader.samples(run.id, query):
        if (one := required.get(sample.key[:4])) is not None:
            if sample.epoch == 1:
                yield _required_case(one)
            continue
        yield (
            f"<testcase classname={_x(f'{sample.domain}.level_{sample.level}')} name={_x(_case_name(sample))}"
            f" time={_x(sample.duration_ms / 1000)}>"
        )
        whose, told = f"{fault_words(sample)}: " if party_of(sample) else "", sample.error_message or ""
        said = sample.why or f"expected {_text(sample.expected)}, got {_got(sample)}"
        if sample.status == "failed":
            yield f"<failure message={_x(clean_line(whose + said, 300))}>{_t(sample.response or '')}</failure>"
        elif sample.status == "error":
            yield f"<error type={_x(sample.error_type or '')} message={_x(clean_line(whose + told, 300))}/>"
        elif sample.status != "passed":
            yield f"<skipped message={_x(clean_line(sample.error_message or sample.status, 300))}/>"
        yield "</testcase>\n"
    yield "</testsuite>\n</testsuites>\n"


def _tried(epochs: Epochs | None) -> dict[str, str]:
    """What several epochs say, by the name of its property."""
    if epochs is None:
        return {}
    sides = [("", epochs.together), *zip((".if_all_wrong", ".if_all_right"), epochs.ends or (), strict=False)]
    found = {
        f"{name}{k}{side}": f"{value:.6f}"
        for side, one in sides
        for name, rate in (("pass@", one.pass_at), ("pass^", one.pass_hat))
        for k, value in rate.items()
    }
    return {**found, "flaky": str(epochs.together.flaky)}


def _figures(reader: Reader, run: RunRow) -> dict[str, str]:
    """The run's figures, by the names of their properties."""
    read = reading_of(run)
    found: dict[str, float] = {"failed_containing_gold": read.gold_in_answer} if read.gold_in_answer else {}
    if read.unfit:
        found |= {"pass2_replies": read.asked, "pass2_no_use": read.no_use}
    for figure in run_figures(reader, run):
        found |= {figure.name: figure.value, f"{figure.name}.n": figure.n}
        if figure.interval is not None:
            found |= {f"{figure.name}.low": figure.interval[0], f"{figure.name}.high": figure.interval[1]}
        found |= {f"{figure.name}.{name}": value for name, value in figure.more.items()}
    return {name: f"{value:g}" for name, value in found.items()}


def _required_case(one: TestEpochs) -> str:
    """One case for all tries of a test with k of n: it fails where too few pass, whatever single tries did."""
    words = f"{one.scored.passed} of {one.scored.total} tries passed, {one.required} must"
    body = {True: "", False: f"<failure message={_x(words)}/>", None: f"<skipped message={_x(words)}/>"}[one.verdict]
    place, name = f"{one.domain}.level_{one.level}", f"{one.test_id} ({one.required})"
    return f"<testcase classname={_x(place)} name={_x(name)}>{body}</testcase>\n"


def _x(value: object) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", clean(str(value))))


def _t(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", clean(text)))


def _case_name(sample: EvaluationSample) -> str:
    return sample.test_id if sample.epoch == 1 else f"{sample.test_id} #{sample.epoch}"


def _name(sample: EvaluationSample) -> str:
    return f"{sample.domain}/{sample.level}/{_case_name(sample)}"


def file_name(several: Sequence[RunRow], kind: Format) -> str:
    """What a file of this export is called in a folder; inspect_ai lists a log only where its name begins with a time."""
    named = "-".join(re.sub(r"[^\w.@+-]", "-", run.exp_id) for run in several)[:150].lstrip(".")
    if kind == "inspect":
        begun = (several[0].started_at or "1970-01-01T00:00:00")[:19].replace(":", "-")
        return f"{begun}+00-00_{named.replace('_', '-')}_{several[0].id}.json"
    return f"{named}.{FORMATS[kind].suffix}"


def _epochs(reader: Reader, run: RunRow) -> list[str]:
    """What several epochs and simulated users say, in lines; none where there are none."""
    epochs, talks = epochs_of(reader, run), conversations_of(reader, run)
    told = epoch_lines(epochs) if epochs is not None else []
    return told + (conversation_lines(talks) if talks is not None else [])


def _verdict(sample: EvaluationSample) -> str:
    """What the evaluator found, a line a fact."""
    return "\n".join(f"{'  ' * line.depth}{line.label}: {line.text}" for line in lines_of(sample.parts))


def _got(sample: EvaluationSample) -> str:
    return sample.extracted_answer if sample.extracted_answer is not None else (sample.response or "")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _score(score: float | None) -> str:
    return "–" if score is None else f"{100 * score:.1f}"
