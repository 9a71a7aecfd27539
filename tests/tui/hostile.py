"""Text that tries to steer a terminal, and how to see that it cannot."""

from __future__ import annotations

import re

HOSTILE = (
    "\x1b[2J\x1b[H\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07\x1b]52;c;aGFja2Vk\x07",
    "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "\x9b31mC1\x9d52;c;eA==\x9c\x90q\x9c",
    "a\u202eevil\u202c \u2066iso\u2069 \u200bzero\ufeff",
    "[@click=app.exit]click[/] [bold]b[/] [/] [link=x]y",
    "lone \ud800 surrogate \udfff",
    "nul\x00 bell\x07 back\x08\x08 del\x7f cr\rover",
    "\x1bP+q544e\x1b\\ \x1b_apc\x1b\\ \x1b^pm\x1b\\",
    "tab\tnew\nline\x0b\x0c\x85 ",
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def is_harmless(text: str) -> bool:
    """Whether `text` has nothing that a terminal would act on or that hides."""
    return _CONTROL.search(text) is None
