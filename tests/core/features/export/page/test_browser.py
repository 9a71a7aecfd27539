"""The report in a real browser: nothing of a model's runs, and 5,000 tests open at once. Needs Chromium."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from modex.core.features.export.export import export
from modex.core.store.manager import DBDataManager
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: `apt-get install chromium`")

HOSTILE = [
    "<img src=x onerror=\"document.title='pwned'\">",
    "</script><script>document.title='pwned'</script>",
    "<!--<script>document.title='pwned'</script>",
    "]]>--></style><svg onload=\"document.title='pwned'\">",
    "javascript:document.title='pwned'",
    '" onmouseover="document.title=\'pwned\'" x="',
]

TIMER = (
    "<script>onload = () => { document.body.offsetHeight;"
    " document.title = 'loaded ' + Math.round(performance.now()); }</script>"
)
PLAIN = "<!doctype html><title>plain</title>" + "<p><b>Some</b> <i>words</i> <u>in</u> <s>a</s> <b>line</b></p>" * 5000
"""A page of as many lines, without anything else: its time tells how busy the machine is."""


def _open(page: Path, profile: Path) -> str:
    """The document as the browser holds it after loading."""
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
        f"--user-data-dir={profile}", "--dump-dom", page.as_uri(),
    ]  # fmt: skip
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=100).stdout


def _printed(page: Path, folder: Path) -> Path:
    """The page as the browser prints it, as PDF."""
    printed = folder / "page.pdf"
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
        f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={printed}", page.as_uri(),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    return printed


def _loading_s(text: str, folder: Path) -> float:
    """How long the browser takes from the beginning of the navigation until all is loaded and laid out."""
    page = folder / "timed.html"
    timed = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    page.write_text(timed + TIMER)
    (found,) = re.findall(r"<title>loaded (\d+)</title>", _open(page, folder / "profile"))
    return int(found) / 1000


def test_hostile_content_stays_text(manager: DBDataManager, store: Store, tmp_path: Path) -> None:
    samples = [
        finished(
            sample(f"{number}{text}", name=text, prompt=text, expected=text),
            score=0.0,
            response=text,
            reasoning=text,
            extracted_answer=text,
            details={"why": text, "reason": text},
            transcript=[{"role": "assistant", "content": text, "phase": "pass1"}],
        )
        for number, text in enumerate(HOSTILE)
    ]
    run = store("the report", samples)
    page = tmp_path / "page.html"
    text = "".join(export(manager.reader, run, "html"))
    page.write_text(text.replace('<details class="t"', '<details open class="t"'))
    document = _open(page, tmp_path / "profile")
    assert "<title>the report</title>" in document
    assert document.count('class="body"') == len(HOSTILE), "every test was drawn"
    assert "<img" not in document
    assert len(re.findall(r"<script", document)) == 1, "the page's own"
    assert not re.search(r"<[^>]*\son(error|load|mouseover)=", document)


def test_five_thousand_tests_open_within_a_second(manager: DBDataManager, store: Store, tmp_path: Path) -> None:
    answer = "The answer follows from the second line of the table. " * 20
    samples = [
        finished(
            sample(f"t{number}", domain=f"d{number % 10}", level=1 + number % 5, prompt="What follows? " * 20),
            score=float(number % 3 > 0),
            response=answer,
            transcript=[{"role": "assistant", "content": answer, "phase": "pass1"}],
        )
        for number in range(5000)
    ]
    run = store("large", samples)
    text = "".join(export(manager.reader, run, "html"))
    assert text.count('class="t"') == 5000
    unit = min(_loading_s(PLAIN, tmp_path) for _ in range(2))
    took = min(_loading_s(text, tmp_path) for _ in range(2))
    assert took < max(1.0, unit * 5), (took, unit)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="no pdftoppm here: `apt-get install poppler-utils`")
def test_a_printed_page_is_white_whatever_the_theme_of_the_screen(
    manager: DBDataManager, store: Store, tmp_path: Path
) -> None:
    run = store("the report", [finished(sample("one"), score=0.0, response="no")])
    page = tmp_path / "page.html"
    page.write_text("".join(export(manager.reader, run, "html")).replace("<html", '<html data-theme="dark"', 1))
    assert 'data-theme="dark"' in page.read_text()[:200]
    printed = _printed(page, tmp_path)
    drawn = ["pdftoppm", "-gray", "-r", "20", "-l", "1", str(printed)]
    picture = subprocess.run(drawn, check=True, capture_output=True, timeout=100).stdout
    pixels = picture.split(b"\n", 3)[3]
    assert sum(pixel > 240 for pixel in pixels) > len(pixels) * 2 // 3


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no pdftotext here: `apt-get install poppler-utils`")
def test_what_is_folded_in_an_opened_test_is_printed_and_a_test_that_is_not_opened_stays_a_line(
    manager: DBDataManager, store: Store, tmp_path: Path
) -> None:
    samples = [
        finished(
            sample(name),
            score=0.0,
            response="no",
            reasoning=f"pondered-{name}",
            transcript=[{"role": "assistant", "content": f"spoken-{name}", "phase": "pass1"}],
        )
        for name in ("unfolded", "shut")
    ]
    page = tmp_path / "page.html"
    text = "".join(export(manager.reader, store("the report", samples), "html"))
    page.write_text(re.sub(r'<details class="t"(?=[^\n]*unfolded)', '<details open class="t"', text))
    printed = ["pdftotext", "-layout", str(_printed(page, tmp_path)), "-"]
    words = subprocess.run(printed, check=True, capture_output=True, text=True, timeout=100).stdout
    for part in ("pondered", "spoken"):
        assert (f"{part}-unfolded" in words, f"{part}-shut" in words) == (True, False), words
