"""Hostile text through every output that is not a screen: progress, show, exports; nothing steers whoever opens them."""

from __future__ import annotations

import csv
import html.parser
import io
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.faults.harness import Modex, keyword_tests, write_suite
from tests.server import Reply, Request, replies, serve

pytestmark = pytest.mark.process

TERMINAL = {
    "clear": "\x1b[2J\x1b[H",
    "title": "\x1b]0;owned\x07",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "link": "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "c1": "\x9b2J\x9d0;x\x9c\x90q\x9c",
    "bell and backspace": "\x07\x08\x08\x08",
    "overwrite": "safe\rEVIL",
    "bidi": "\u202eabc\u2066d\u200f",
    "zero width": "a\u200b\u200d\ufeffb\u00ad",
    "surrogate": "\ud800",
    "nul": "\x00",
    "markup": "[@click=app.quit]x[/] [/] [bold]",
    "device query": "\x1b[6n\x1b[c\x1bP+q\x1b\\",
    "tags": "\U000e0041\U000e007f",
    "line separators": "a\u2028b\u2029c\x85d\x0bx\x0cy",
}
MARKUP = {
    "script": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "attribute": '" onmouseover="alert(1)" x=\'',
    "closing": "</pre></details></body><svg/onload=alert(1)>",
    "entity": "&lt;script&gt; &#x3c; &amp;",
    "style": "</style><style>*{display:none}</style>",
    "comment": "--><script>x</script><!--",
    "cdata": "]]><evil/>",
    "xml": "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "markdown": "[x](javascript:alert(1)) ![y](http://evil/z.png) | # `\n```\n# heading",
    "fence": "```\n````\n~~~\n# owned",
    "formula": '=HYPERLINK("http://evil","x")',
    "formula plus": "+1+cmd|' /C calc'!A0",
    "formula minus": "-2+3+cmd|' /C calc'!A0",
    "formula at": "@SUM(1+1)*cmd|' /C calc'!A0",
    "formula tab": "\t=1+1",
    "formula newline": "\n=1+1",
    "formula full width": "＝1+1",
    "template": "{{7*7}} ${7*7} {response} {prompt} %s %(x)s",
}
CORPUS = {**TERMINAL, **MARKUP}
_ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Modex, dict[str, str]]:
    """A run in which every text that a suite or a provider can give is hostile; what it printed, by stream."""
    base = tmp_path_factory.mktemp("hostile")
    home = base / "home"
    home.mkdir()
    modex = Modex(home)
    tests = []
    for number, (name, text) in enumerate(CORPUS.items()):
        for kind in ("pass", "fail", "error"):
            tests.append(
                {
                    **keyword_tests(1)[0],
                    "id": f"{kind}{number:02}",
                    "name": f"{text} {name}",
                    "description": text,
                    "prompt": f"{kind} {name}: {text}",
                    "expected": {"keywords": ["absent" if kind == "fail" else "ok", *([text] if text.strip() else [])]},
                    "system_prompt": text,
                }
            )
    suite = write_suite(base / "suite", tests, description=TERMINAL["clear"] + MARKUP["script"])

    def behave(request: Request) -> Reply:
        kind, _, rest = request.prompt.partition(" ")
        text = CORPUS[rest.partition(":")[0]]
        if kind == "error":
            return replies.error(400, f"refused {text}", code="strange")
        said = f"{text} ok {text}" if kind == "pass" else f"{text} no"
        return Reply(content=f"<think>{text}</think>{said}", finish_reason="stop")

    with serve(behave) as server:
        ended = modex.run(*modex.headless(server.url, suite), timeout=100)
    assert ended.code == 1, ended.err
    assert len(modex.rows("id")) == 3 * len(CORPUS)
    return modex, {"progress": ended.err, "summary": ended.out}


def _harmless(text: str) -> None:
    found = _ACTS.search(text.replace("\r\n", "\n"))
    assert found is None, repr(text[max(0, found.start() - 60) : found.end() + 60])


def test_progress_and_summary_hold_nothing_that_a_terminal_acts_on(hostile: tuple[Modex, dict[str, str]]) -> None:
    for text in hostile[1].values():
        assert text.strip()
        _harmless(text)


@pytest.mark.parametrize(
    "words",
    [
        ("show", "r"),
        ("show", "r", "--status", "failed", "--status", "error", "--status", "passed"),
        ("runs",),
        ("compare", "r", "r"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_listings_hold_nothing_that_a_terminal_acts_on(
    hostile: tuple[Modex, dict[str, str]], words: tuple[str, ...]
) -> None:
    ended = hostile[0].here(*words)
    assert ended.out.strip()
    _harmless(ended.out + ended.err)


def test_no_transcript_holds_anything_that_a_terminal_acts_on(hostile: tuple[Modex, dict[str, str]]) -> None:
    modex = hostile[0]
    for number, name in enumerate(CORPUS):
        if name in ("clear", "c1", "bidi", "surrogate", "line separators", "overwrite"):
            for kind in ("pass", "error"):
                ended = modex.here("show", "r", "--test", f"{kind}{number:02}")
                assert ended.code == 0, ended.err
                _harmless(ended.out + ended.err)


@pytest.mark.parametrize("kind", ["md", "html", "junit", "github", "inspect", "eee"])
def test_an_export_holds_no_control_character(hostile: tuple[Modex, dict[str, str]], kind: str) -> None:
    _harmless(hostile[0].here("export", "r", "--format", kind).out)


def test_a_json_export_is_ascii(hostile: tuple[Modex, dict[str, str]]) -> None:
    out = hostile[0].here("export", "r", "--format", "json").out
    assert out.isascii()
    assert "\x1b" not in out


class _Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


def test_an_html_export_has_no_element_and_no_attribute_but_its_own(hostile: tuple[Modex, dict[str, str]]) -> None:
    page = _Page()
    out = hostile[0].here("export", "r", "--format", "html").out
    page.feed(out)
    assert page.tags <= {
        "b", "body", "button", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "footer", "h1", "h2", "head",
        "header", "html", "i", "input", "li", "main", "meta", "meter", "noscript", "ol", "p", "pre", "rect", "script", "section",
        "small", "span", "strong", "style", "summary", "svg", "table", "tbody", "td", "text", "th", "thead", "title", "tr",
        "tspan", "ul",
    }  # fmt: skip
    assert page.attributes <= {
        "aria-label", "charset", "class", "content", "data-d", "data-f", "data-l", "data-s", "height", "http-equiv", "id",
        "lang", "max", "name", "placeholder", "role", "scope", "title", "type", "value", "viewbox", "width", "x", "y",
    }  # fmt: skip
    assert out.count("<style>") == 1
    assert out.count("<script>") == 1
    assert "script-src 'sha256-" in out
    assert "default-src 'none'" in out


def test_a_junit_export_is_xml_with_one_case_a_sample(hostile: tuple[Modex, dict[str, str]]) -> None:
    out = hostile[0].here("export", "r", "--format", "junit").out
    assert "<!DOCTYPE" not in out
    root = ET.fromstring(out)
    assert len(root.findall(".//testcase")) == 3 * len(CORPUS)
    assert {element.tag for element in root.iter()} == {
        "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error",
    }  # fmt: skip


def test_a_csv_export_has_no_cell_that_a_spreadsheet_runs(hostile: tuple[Modex, dict[str, str]]) -> None:
    out = hostile[0].here("export", "r", "--format", "csv").out
    rows = list(csv.reader(io.StringIO(out, newline="")))
    assert len(rows) == 3 * len(CORPUS) + 1
    assert {len(row) for row in rows} == {len(rows[0])}
    for row in rows[1:]:
        for cell in row:
            if cell and not re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", cell):
                assert cell.lstrip()[:1] not in set("=+-@|%＝＋－＠"), cell


def test_a_markdown_export_has_no_link_image_or_heading_of_the_datas_making(
    hostile: tuple[Modex, dict[str, str]],
) -> None:
    out = hostile[0].here("export", "r", "--format", "md").out
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", out, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)\]\(", outside)
    assert not re.search(r"<\w", outside)
    assert not re.search(r"(?<!\\)# owned", outside)
    headings = [line for line in outside.splitlines() if line.startswith("#")]
    assert all(re.match(r"#{1,3} (r$|Speed by cell$|Tests|Transcripts|faults/1/)", line) for line in headings), headings


def test_a_hostile_suite_is_checked_and_shown_harmlessly(modex: Modex, tmp_path: Path) -> None:
    text = TERMINAL["clear"] + TERMINAL["bidi"] + TERMINAL["c1"]
    suite = write_suite(
        tmp_path / "suite", [{**keyword_tests(1)[0], "system_prompt": text, text: 1, "expected": {text: 1}}]
    )
    for words in (("check", suite), ("prompt", "t0000", "--suite", suite)):
        ended = modex.here(*words)
        assert "Traceback" not in ended.err
        _harmless(ended.out + ended.err)
