"""Multiple choice: which option an answer names, by letter or by the option's text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.evaluators.text import comparable, find_words, fold, strip_wrapping

_LABEL = (
    r"(?:the\s+)?(?:correct\s+|final\s+|best\s+|right\s+)*"
    r"(?:answer|option|choice|jawaban(?:nya)?|pilihan|opsi|antwort|réponse|respuesta|opción|risposta|resposta|ответ|答案)"
    r"(?:\s+(?:is|adalah|lautet|ist|est|es|è|é|choice|option))*\s*[:=]?\s*"
)
_NEGATED = re.compile(
    r"\b(?:not|nicht|bukan|pas|isn't|never|neither|except|no)\s+(?:option\s+)?\(?([A-Za-z0-9])\b", re.I
)

_ARTICLE_CONTEXT = re.compile(r"\s+(?!(?:or|and|nor|but|because|since|as|is|und|oder|atau|ou|o|y|et)\b)[a-z]")


def read_choice(text: str, options: Mapping[str, str] | None = None, letters: str = "ABCDEFGHIJ") -> str | None:
    """The letter that `text` chooses, or None where it names none, two, or denies one.

    `options` maps each letter to its text; without it `letters` are the possible ones. `B`, `(b)`, `B.`, `Answer: B`,
    `B) green` and `green` are all read; a letter beside another option's text is refused.
    """
    known = {key.upper(): value for key, value in options.items()} if options else dict.fromkeys(letters, "")
    plain = strip_wrapping(re.sub(r"\*\*|__", "", text))
    plain = re.sub(rf"^{_LABEL}", "", plain, count=1, flags=re.IGNORECASE)
    plain = strip_wrapping(plain)
    if not plain or len(plain) > 2000:
        return None
    bare = re.fullmatch(r"[(\[]?\s*(\w{1,2})\s*[)\].:]?", plain)
    if bare and bare[1].upper() in known:
        return bare[1].upper()
    by_text = [key for key, value in known.items() if value and comparable(value) == comparable(plain)]
    if len(by_text) == 1:
        return by_text[0]
    if _NEGATED.search(plain):
        return None
    named = _letters(plain, known)
    mentioned = _mentioned(plain, known)
    if len(named) > 1 or len(mentioned) > 1 or (named and mentioned and named != mentioned):
        return None
    return next(iter(named or mentioned), None)


def _letters(text: str, known: Mapping[str, str]) -> set[str]:
    """Every option letter that the text names: at its head (`b) …`), in brackets, or as a capital standing alone."""
    found = set()
    head = re.match(r"[(\[]?(\w)[)\].:](?=\s|$)|(\w)\s+[-–—]\s", text)
    if head and (letter := (head[1] or head[2]).upper()) in known:
        found.add(letter)
    for match in re.finditer(r"[(\[](\w)[)\]]|(?<![\w'’])([A-Z])(?![\w'’])", text):
        letter = (match[1] or match[2]).upper()
        article = match[2] in ("A", "I") and _ARTICLE_CONTEXT.match(text, match.end()) is not None
        if letter in known and not article:
            found.add(letter)
    return found


def _mentioned(text: str, known: Mapping[str, str]) -> set[str]:
    """Every option whose text occurs in whole words; one that is part of a longer mentioned one does not count."""
    folded = fold(text)
    spans = {
        key: span
        for key, value in known.items()
        if value and not re.fullmatch(r"\w", value.strip()) and (span := find_words(folded, comparable(value)))
    }
    return {
        key
        for key, (start, end) in spans.items()
        if not any(s <= start and end <= e and (e - s) > (end - start) for s, e in spans.values())
    }
