"""A run taken out of the store, as a stream of text: json, csv, md, html or junit. Safe for whatever opens it."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal
from xml.sax.saxutils import escape, quoteattr

from core.safety import clean, clean_line, redact
from core.store.reader import Reader
from core.store.rows import RunRow
from core.store.sample import SAMPLE_FIELDS, EvaluationSample
from core.store.tallies import tallies

Format = Literal["json", "csv", "md", "html", "junit"]
_CSV_FIELDS = (
    "source", "domain", "level", "test_id", "epoch", "name", "status", "score", "evaluator_id", "error_type",
    "error_message", "prompt", "expected", "response", "extracted_answer", "prompt_tokens", "completion_tokens",
    "cost_usd", "duration_ms", "attempts", "flags", "started_at", "completed_at",
)  # fmt: skip
_CHUNK = 1 << 16
"""Characters that are redacted at once: what that costs a call is then shared by many samples."""
_FORMULA = re.compile(r"^[\s]*[=+\-@\t\r|%＝＋－＠]")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def export(reader: Reader, run: RunRow, kind: Format) -> Iterator[str]:
    """The run in `kind`, in pieces; never more than a page of samples in memory."""
    writers: dict[Format, Callable[[Reader, RunRow], Iterator[str]]] = {
        "json": _json,
        "csv": _csv,
        "md": _markdown,
        "html": _html,
        "junit": _junit,
    }
    waiting: list[str] = []
    size = 0
    for piece in writers[kind](reader, run):
        waiting.append(piece)
        size += len(piece)
        if size >= _CHUNK:
            yield redact("".join(waiting))
            waiting, size = [], 0
    yield redact("".join(waiting))


def run_head(run: RunRow) -> dict[str, Any]:
    """The run's own columns."""
    left_out = {"id", "live", "alive", "seq"}
    return {name: getattr(run, name) for name in RunRow.__dataclass_fields__ if name not in left_out}


def _json(reader: Reader, run: RunRow) -> Iterator[str]:
    head = {"run": run_head(run), "level_scores": reader.level_scores(run.id)}
    yield json.dumps(head, ensure_ascii=True, indent=1)[:-2] + ',\n "samples": [\n'
    for index, sample in enumerate(reader.samples(run.id)):
        document = {name: getattr(sample, name) for name in SAMPLE_FIELDS if name not in ("run_id", "seq")}
        yield (",\n" if index else "") + json.dumps(document, ensure_ascii=True, default=str)
    yield "\n]}\n"


def _csv(reader: Reader, run: RunRow) -> Iterator[str]:
    yield _csv_row([*_CSV_FIELDS])
    for sample in reader.samples(run.id):
        yield _csv_row([_csv_cell(getattr(sample, name)) for name in _CSV_FIELDS])


def _csv_row(cells: list[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue()


def _csv_cell(value: Any) -> str:
    """A cell that no spreadsheet runs as a formula (a leading apostrophe, as OWASP advises); numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
    return "'" + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _markdown(reader: Reader, run: RunRow) -> Iterator[str]:
    yield f"# {_md(run.exp_id)}\n\n"
    yield f"{_md(run.model)}, {run.state}, {_score(run.overall_score)} of 100"
    if run.ci_low is not None and run.ci_high is not None:
        yield f" (95 %: {_score(run.ci_low)} to {_score(run.ci_high)})"
    yield f", n {run.passed_tests + run.failed_tests}, {run.error_tests} errors, {run.skipped_tests} skipped\n\n"
    yield from _markdown_matrix(reader, run)
    yield "## Tests\n\n| | test | score | evaluator | got | expected |\n|---|---|---:|---|---|---|\n"
    for sample in reader.samples(run.id):
        score = "" if sample.score is None else f"{sample.score:.2f}"
        yield (
            f"| {sample.status} | {_md(_name(sample))} | {score} | {_md(sample.evaluator_id)}"
            f" | {_md(_got(sample), 200)} | {_md(_text(sample.expected), 200)} |\n"
        )
    yield "\n## Transcripts of what failed\n"
    for sample in reader.samples(run.id):
        if sample.status in ("failed", "error"):
            yield f"\n### {_md(_name(sample))}\n\n{_fenced(sample.prompt)}\n{_fenced(sample.response or '')}\n"
            if sample.error_message:
                yield f"\n{_md(sample.error_type or '')}: {_md(sample.error_message)}\n"


def _markdown_matrix(reader: Reader, run: RunRow) -> Iterator[str]:
    scores = {(row["domain"], row["level"]): row for row in reader.level_scores(run.id)}
    counts = _scored(reader, run)
    domains = dict(reader.domain_scores([run.id]).get(run.id, []))
    if not scores:
        return
    yield "| domain | 1 | 2 | 3 | 4 | 5 | weighted |\n|---|---:|---:|---:|---:|---:|---:|\n"
    for domain in dict.fromkeys(domain for domain, _ in scores):
        cells = [_cell(scores.get((domain, level)), counts) for level in range(1, 6)]
        yield f"| {_md(domain)} | {' | '.join(cells)} | {_score(domains.get(domain))} |\n"
    yield "\n"


def _scored(reader: Reader, run: RunRow) -> dict[tuple[str, int], int]:
    """How many samples of each cell have a score."""
    return {(cell.domain, cell.level): cell.scored for cell in tallies(reader, run.id)}


def _cell(row: dict[str, Any] | None, counts: dict[tuple[str, int], int]) -> str:
    return f"{_score(row['average_score'])} (n {counts[row['domain'], row['level']]})" if row else ""


def _md(text: str, limit: int = 400) -> str:
    """Text in a Markdown table or heading: one line, no markup, no HTML."""
    plain = html.escape(clean_line(redact(text), limit), quote=False)  # a key is not one any more once it is escaped
    return re.sub(r"([\\`*_{}\[\]()#+!|~>-])", r"\\\1", plain)


def _fenced(text: str) -> str:
    """A code block whose fence is longer than any in the text."""
    cleaned = clean(text)
    longest = max((len(run) for run in re.findall(r"`{3,}", cleaned)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{cleaned}\n{fence}\n"


_STYLE = """
:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #8884}
td:first-child,th:first-child{text-align:left}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:.6rem}
summary{cursor:pointer;font-family:ui-monospace,monospace}.passed{color:#18794e}.failed{color:#c62828}.error{color:#8e24aa}
"""


def _html(reader: Reader, run: RunRow) -> Iterator[str]:
    title = _h(run.exp_id)
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f'<meta name="viewport" content="width=device-width"><title>{title}</title><style>{_STYLE}</style></head><body>\n'
    )
    yield (
        f"<h1>{title}</h1><p>{_h(run.model)}, {run.state}: <strong>{_score(run.overall_score)}</strong> of 100,"
        f" {run.passed_tests} passed, {run.failed_tests} failed, {run.error_tests} errors,"
        f" {run.skipped_tests} skipped</p>\n"
    )
    scores = {(row["domain"], row["level"]): row for row in reader.level_scores(run.id)}
    counts = _scored(reader, run)
    domains = dict(reader.domain_scores([run.id]).get(run.id, []))
    yield "<table><tr><th>domain<th>1<th>2<th>3<th>4<th>5<th>weighted</tr>\n"
    for domain in dict.fromkeys(domain for domain, _ in scores):
        cells = "".join(f"<td>{_cell(scores.get((domain, level)), counts)}" for level in range(1, 6))
        yield f"<tr><td>{_h(domain)}{cells}<td>{_score(domains.get(domain))}</tr>\n"
    yield "</table>\n<h2>Tests</h2>\n"
    for sample in reader.samples(run.id):
        score = "" if sample.score is None else f" {sample.score:.2f}"
        error = f"<p>{_h(sample.error_type or '')}: {_h(sample.error_message)}</p>" if sample.error_message else ""
        yield (
            f'<details><summary><span class="{sample.status}">{sample.status}{score}</span> {_h(_name(sample))}</summary>'
            f"{error}<pre>{_h(sample.prompt)}</pre><pre>{_h(sample.response or '')}</pre>"
            f"<p>expected</p><pre>{_h(_text(sample.expected))}</pre>"
            f"<p>got ({_h(sample.evaluator_id)})</p><pre>{_h(_got(sample))}</pre></details>\n"
        )
    yield "</body></html>\n"


def _h(text: str) -> str:
    return html.escape(clean(text), quote=True)


def _junit(reader: Reader, run: RunRow) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield (
        f"<testsuites name={_x(run.exp_id)} tests={_x(run.total_tests)} failures={_x(run.failed_tests)}"
        f" errors={_x(run.error_tests)} skipped={_x(run.skipped_tests)} time={_x(run.duration_ms / 1000)}>\n"
    )
    yield f"<testsuite name={_x(run.model)} tests={_x(run.total_tests)}>\n"
    for sample in reader.samples(run.id):
        yield (
            f"<testcase classname={_x(f'{sample.domain}.level_{sample.level}')} name={_x(_case_name(sample))}"
            f" time={_x(sample.duration_ms / 1000)}>"
        )
        said = f"expected {_text(sample.expected)}, got {_got(sample)}"
        if sample.status == "failed":
            yield f"<failure message={_x(clean_line(said, 300))}>{_t(sample.response or '')}</failure>"
        elif sample.status == "error":
            yield f"<error type={_x(sample.error_type or '')} message={_x(clean_line(sample.error_message or '', 300))}/>"
        elif sample.status != "passed":
            yield f"<skipped message={_x(clean_line(sample.error_message or sample.status, 300))}/>"
        yield "</testcase>\n"
    yield "</testsuite>\n</testsuites>\n"


def _x(value: object) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", clean(str(value))))


def _t(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", clean(text)))


def _case_name(sample: EvaluationSample) -> str:
    return sample.test_id if sample.epoch == 1 else f"{sample.test_id} #{sample.epoch}"


def _name(sample: EvaluationSample) -> str:
    return f"{sample.domain}/{sample.level}/{_case_name(sample)}"


def _got(sample: EvaluationSample) -> str:
    return sample.extracted_answer if sample.extracted_answer is not None else (sample.response or "")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _score(score: float | None) -> str:
    return "–" if score is None else f"{100 * score:.1f}"
