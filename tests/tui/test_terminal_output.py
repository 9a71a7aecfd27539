"""What is really sent to a terminal: read from a pseudo-terminal, byte by byte."""

from __future__ import annotations

import re

import pytest

from tests.tui.emulator import Terminal
from tests.tui.hostile import HOSTILE
from tests.tui.stores import SKETCH, StoreMaker, cells, sample

_SGR = re.compile(rb"\x1b\[([0-9;]*)m")
_OWN = re.compile(
    rb"\x1b\]22;[a-z]*\x07|\x1b[=>7-8]|\x1b\([B0]|\x1b\]0;modex\x07|\x1b\[[0-9;?<=>]*[ -/]*[@-~]|\x1bP[^\x1b]*\x1b\\\\"
)


def _home(store: StoreMaker) -> str:
    return f"from modex.tui.opening import open_home; from pathlib import Path; open_home(Path({str(store.path)!r}))"


@pytest.fixture
def hostile(store: StoreMaker) -> StoreMaker:
    """A run whose every text tries something."""
    samples = [
        sample("math", 1, number, "failed", test_id=f"t{number}", name=text, extracted_answer=text, expected=text)
        for number, text in enumerate(HOSTILE)
    ]
    samples += [
        sample(f"d{number}{text}", 2, 1, "error", error_message=text, error_type="rate_limit")
        for number, text in enumerate(HOSTILE)
        if "\ud800" not in text and "\x00" not in text
    ]
    store.run("hostile", "evil/\x1b]0;x\x07model\u202e", samples, status="aborted", reason=HOSTILE[0] + HOSTILE[1])
    for text in HOSTILE:
        store.event(store.run_id("hostile"), f"event {text}", "warning")
    return store


@pytest.mark.long
def test_hostile_text_leaves_no_control_byte_of_its_own_on_any_screen(hostile: StoreMaker) -> None:
    terminal = Terminal.of_code(_home(hostile))
    terminal.wait_for("aborted")
    for keys, seen in (
        ("\r", "event"),
        ("t", "answer"),
        ("f", "failures"),
        ("?", "help"),
        ("\x1b", "answer"),
    ):
        terminal.press(keys)
        terminal.wait_for(seen)
    code = terminal.close()
    assert code == 0
    rest = _OWN.sub(b"", terminal.sent)
    assert not re.search(rb"[\x00-\x06\x0b\x0c\x0e-\x1f\x7f]", rest), re.findall(
        rb".{20}[\x00-\x06\x0b\x0e-\x1f\x7f].{20}", rest
    )[:3]
    assert b"\x1b]52" not in terminal.sent
    assert b"\x1b]8" not in terminal.sent
    text = rest.decode("utf-8", "replace")
    assert not re.search("[\x80-\x9f\u202a-\u202e\u2066-\u2069\u200b\ufeff]", text)


def _colours(sent: bytes) -> set[str]:
    """Which kinds of colour are set."""
    kinds = (
        (rb"[34]8;2;\d+;\d+;\d+", "true"),
        (rb"[34]8;5;\d+", "256"),
        (rb"(?<!\d)(3[0-7]|4[0-7]|9[0-7]|10[0-7])(?!\d)", "16"),
    )
    found = set()
    for match in _SGR.finditer(sent):
        codes = match[1]
        for pattern, kind in kinds:
            codes, times = re.subn(pattern, b"", codes)
            if times:
                found.add(kind)
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm"}, {"16"}),
        ({"TERM": "xterm-256color"}, {"256"}),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, {"true"}),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, set()),
    ],
    ids=["sixteen", "256", "true colour", "none"],
)
def test_colours_are_those_the_terminal_has(store: StoreMaker, environment: dict[str, str], colours: set[str]) -> None:
    store.run("r", samples=cells(SKETCH), status="stopped")
    terminal = Terminal.of_code(_home(store), **environment)
    terminal.wait_for("stopped")
    terminal.press("\r")
    sent = terminal.wait_for("instructions")
    assert terminal.close() == 0
    assert _colours(terminal.sent) == colours
    for sign in "●○!▸·":
        assert sign in sent.decode()


@pytest.mark.long
def test_a_locale_without_unicode_gets_ascii_signs(store: StoreMaker) -> None:
    store.run("r", samples=cells(SKETCH))
    terminal = Terminal.of_code(_home(store), MODEX_GLYPHS="ascii")
    terminal.wait_for("completed")
    terminal.press("\r")
    terminal.wait_for("weakest")  # the story comes last, with signs of its own
    assert terminal.close() == 0
    assert _OWN.sub(b"", terminal.sent).isascii()


@pytest.mark.long
def test_a_terminal_of_one_cell_and_a_storm_of_resizes_end_well(store: StoreMaker) -> None:
    store.run("r", samples=cells(SKETCH))
    terminal = Terminal.of_code(_home(store))
    terminal.wait_for("completed")
    terminal.press("\r")
    terminal.wait_for("instructions")
    for round_ in range(30):
        for columns, rows in ((1, 1), (200, 60), (3, 40), (80, 2), (40 + round_, 12)):
            terminal.resize(columns, rows)
            while terminal.take():
                pass
    terminal.resize(80, 24)
    terminal.press("?")
    terminal.wait_for("Pause")
    assert terminal.close() == 0
