from __future__ import annotations

import base64

from modex.tui.terminal.clipboard import MOST, sequence


def _decoded(sent: str) -> str:
    payload = sent.partition("]52;c;")[2].partition("\x07")[0]
    return base64.b64decode(payload).decode()


def test_text_goes_to_the_terminal_as_osc_52() -> None:
    sent = sequence("né", {})
    assert sent is not None
    assert sent.startswith("\x1b]52;c;")
    assert sent.endswith("\x07")
    assert _decoded(sent) == "né"


def test_what_is_pasted_cannot_steer_a_shell() -> None:
    sent = sequence("rm\x1b[2J\u202ex", {})
    assert sent is not None
    assert _decoded(sent) == "rm␛[2J\ufffdx"


def test_inside_tmux_it_also_passes_through() -> None:
    sent = sequence("hi", {"TMUX": "/tmp/tmux,1,0"})
    assert sent is not None
    assert sent.startswith("\x1b]52;c;aGk=\x07")
    assert "\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\" in sent


def test_inside_screen_it_is_cut_into_pieces() -> None:
    sent = sequence("x" * 1000, {"TERM": "screen-256color"})
    assert sent is not None
    assert all(len(piece) <= 252 for piece in sent.split("\x1bP"))


def test_what_terminals_drop_is_not_sent() -> None:
    assert sequence("x" * (MOST + 1), {}) is None
