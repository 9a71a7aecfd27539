"""Text made comparable: Unicode forms, case, punctuation and articles out of the way, words kept whole.

NFKC and what it takes for the same: https://www.unicode.org/reports/tr15/.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from modex.core.foundation.lazy_regex import deferred

_ARTICLES = {
    "en": ("the", "a", "an"),
    "de": ("der", "die", "das", "den", "dem", "ein", "eine", "einen"),
    "fr": ("le", "la", "les", "un", "une", "l"),
    "es": ("el", "la", "los", "las", "un", "una"),
    "it": ("il", "lo", "la", "i", "gli", "le", "un", "una", "uno", "l"),
    "pt": ("o", "a", "os", "as", "um", "uma"),
    "nl": ("de", "het", "een"),
}
_QUOTES = {**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‐‑‒–—−", "-")}
_QUOTE_TABLE = str.maketrans(_QUOTES)


def fold(text: str) -> str:
    """NFKC, case folded, typographic quotes and dashes plain, format characters dropped, white space single."""
    if text.isascii():  # has one form alone, and no format characters
        return " ".join(text.replace("`", "'").casefold().split())
    text = unicodedata.normalize("NFKC", text).translate(_QUOTE_TABLE)
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", text.casefold()).split())


def strip_wrapping(text: str) -> str:
    r"""Without code fences, `\boxed{}`/`\text{}`, emphasis, quotes and punctuation around the whole."""
    text = text.strip()
    if text.isalnum():  # one word or number, and nothing around it
        return text
    # Nearly every text has none of these: a look at its first characters is a tenth of what the pattern costs.
    if text.startswith("```") and (fence := re.fullmatch(r"```[\w+-]*\n(.*?)\n?```", text, re.DOTALL)):
        text = fence[1].strip()
    if text.startswith(("\\", "$")) and (boxed := re.fullmatch(r"\$?\\f?boxed\s*\{(.*)\}\$?", text, re.DOTALL)):
        text = boxed[1].strip()
    if text.startswith("\\") and (inner := re.fullmatch(r"\\(?:text|textbf|mathrm)\s*\{([^{}]*)\}", text)):
        text = inner[1].strip()
    previous = None
    while previous != text:
        previous = text
        text = text.strip().strip("*_`\"'“”‘’„«»").strip()
        if text.startswith("<"):
            text = re.sub(r"^<([^<>\s]+(?:@|://)[^<>\s]+)>$", r"\1", text)
        text = _ends_stripped(text)
    return text


def _ends_stripped(text: str) -> str:
    """Without punctuation and white space at both ends; a pattern with `+$` would try again at every character."""
    start, end = 0, len(text)
    while end and (text[end - 1].isspace() or text[end - 1] in ".,;:!?…。，；：！？"):
        end -= 1
    while start < end and (text[start].isspace() or text[start] in ",;:!?¡¿。，；：！？"):
        start += 1
    return text[start:end]


def comparable(text: str, locale: str = "en") -> str:
    """What `exact_match` compares: `The  Eiffel Tower.` → `eiffel tower`. Never empties a text that has content.

    Signs that carry meaning at the start of an answer (`-5`, `.5`, `#x`) stay.
    """
    folded = fold(strip_wrapping(text))
    first, _, rest = folded.partition(" ")
    articles = _ARTICLES.get(locale.replace("_", "-").split("-", 1)[0].lower(), _ARTICLES["en"])
    if rest and first in articles:
        folded = rest
    return folded or " ".join(text.split())


def words(text: str) -> list[str]:
    """The words of a text, folded; apostrophes and hyphens inside a word stay; CJK text is one word a character."""
    return _TOKEN.findall(fold(text))


_LETTER = r"[^\W_぀-ヿ一-鿿]|[\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e]"
"""A letter or digit of a script with spaces; the vowel signs of Indic and Thai letters belong to them."""
_TOKEN = deferred(rf"[぀-ヿ一-鿿]|(?:{_LETTER})+(?:['-](?:{_LETTER})+)*")


def contains_words(text: str, phrase: str) -> bool:
    """Whether `phrase` occurs in `text` as whole words: `York` in `New York`, but not `art` in `part`."""
    return find_words(text, phrase) is not None


def find_words(text: str, phrase: str) -> tuple[int, int] | None:
    """Where `phrase` occurs last in `text` as whole words (any case, any white space), in character offsets."""
    spans = list(word_spans(text, phrase))
    return spans[-1] if spans else None


def word_spans(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """Every place at which `phrase` stands in `text` as whole words."""
    parts = phrase.split()
    if not parts:
        return
    body = r"\s+".join(re.escape(part) for part in parts)
    left = r"(?<!\w)" if re.match(r"\w", parts[0]) and not _is_unspaced(parts[0][0]) else ""
    right = r"(?!\w)" if re.match(r"\w", parts[-1][-1]) and not _is_unspaced(parts[-1][-1]) else ""
    yield from (match.span() for match in re.finditer(left + body + right, text, re.IGNORECASE))


def _is_unspaced(char: str) -> bool:
    """Whether the character belongs to a script that writes without spaces."""
    return "\u3040" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" or "\u0e00" <= char <= "\u0e7f"


def any_equal(text: str, accepted: Iterable[str], locale: str = "en") -> str | None:
    """The first of `accepted` that equals `text` after `comparable`, or None."""
    mine = comparable(text, locale)
    return next((candidate for candidate in accepted if comparable(candidate, locale) == mine), None)
