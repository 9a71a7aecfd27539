"""Where the program follows an RFC, a paper or somebody's documentation, it says which, by links that lead somewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from docs.generate import FOLDER

ROOT = FOLDER.parent
_LINK = re.compile(r"https?://[^\s`'\"<>{}\\]+")
_FORMS = {
    "www.rfc-editor.org": re.compile(r"/rfc/rfc[1-9]\d{2,3}(#section-\d+(\.\d+)*)?"),
    "arxiv.org": re.compile(r"/abs/(0[7-9]|1\d|2\d)(0[1-9]|1[0-2])\.\d{4,5}(v\d+)?"),
    "doi.org": re.compile(r"/10\.\d{4,9}/[-._;()/:A-Za-z0-9]*[A-Za-z0-9)]"),
    "www.jstor.org": re.compile(r"/stable/\d+"),
    "www.sqlite.org": re.compile(r"/(c3ref/)?\w+\.html(#\w+)?"),
    "man7.org": re.compile(r"/linux/man-pages/man[1-8]/\w+\.[1-8]\.html"),
}
"""What follows the host; others need a host and nothing that no address holds."""
_ELSEWHERE = ("core/llm/quirks.py", "core/edge/")
"""Tables of what providers and other systems write, each row with its own source; their tests look at them."""


def _docstrings() -> Iterator[tuple[str, str]]:
    for folder in ("core", "tui"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            text = path.read_text(encoding="utf-8")
            if "://" not in text or name.startswith(_ELSEWHERE):
                continue
            for node in ast.walk(ast.parse(text)):
                if (
                    isinstance(node, ast.Expr)
                    and isinstance(node.value, ast.Constant)
                    and isinstance(node.value.value, str)
                ):
                    yield name, node.value.value


def links() -> list[tuple[str, str]]:
    """Every link of a docstring, with its file; the full stop of the sentence is no part of it."""
    return [
        (name, link.rstrip(".,;:)"))
        for name, text in _docstrings()
        for link in _LINK.findall(text)
        if "." in urlsplit(link).netloc
    ]


def fault(link: str) -> str | None:
    """What is wrong with a link's form; None where nothing is."""
    parts = urlsplit(link)
    if parts.scheme != "https":
        return "not https"
    form = _FORMS.get(parts.netloc)
    rest = parts.path + (f"#{parts.fragment}" if parts.fragment else "")
    return None if form is None or form.fullmatch(rest) else "not the form of this host"


def test_every_link_has_the_form_of_its_host() -> None:
    found = [
        (name, link) for name, link in links() if not re.match(r"https?://(\[?[\d.:]+|localhost|[\w.-]*example)", link)
    ]
    assert [(name, link, fault(link)) for name, link in found if fault(link)] == []
    assert len({link for _, link in found}) >= 40


@pytest.mark.parametrize(
    "link",
    [
        "https://www.rfc-editor.org/rfc/9110",
        "https://www.rfc-editor.org/rfc/rfc9110#10.2.3",
        "https://arxiv.org/abs/2113.01453",
        "https://arxiv.org/abs/2311.014",
        "https://arxiv.org/pdf/2311.01453",
        "https://doi.org/10.1287",
        "http://no-color.org",
    ],
)
def test_a_link_of_another_form_is_found(link: str) -> None:
    assert fault(link)
