"""Multiple choice: which option an answer names, by letter or by the option's text; what it denies does not count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from core.deferred import deferred
from core.evaluators.text.text import comparable, find_words, fold, strip_wrapping

_LABEL = (
    r"(?:(?:the|my)\s+)?(?:correct\s+|final\s+|best\s+|right\s+)*"
    r"(?:answer|option|choice|jawaban(?:nya)?|pilihan|opsi|antwort|réponse|respuesta|opción|risposta|resposta|ответ|正确答案|答案|答え|回答)"
    r"(?:\s+(?:is|adalah|lautet|ist|est|es|è|é|choice|option))*\s*[是为は]?\s*[:=]?\s*"
)
_OPTION = r"(?:option\s+|choice\s+|answer\s+|jawaban\s+|opsi\s+)?[(\[]?([A-Za-z0-9])(?![\w'’])[)\]]?"
_DENYING = (
    r"(?:cannot\s+be|can't\s+be|could\s+not\s+be|not|nicht|bukan|pas|isn't|is\s+not|never|neither|nor|except|excluding|rather\s+than|instead\s+of|unlike|"
    r"ruled?\s+out|ruling\s+out|eliminated?|eliminating|discard|reject|statt|ausser|daripada|kecuali|no\s+es|no|不是|非)"
)
_DENIED = deferred(
    rf"(?<![\w]){_DENYING}\s*(?:the\s+)?{_OPTION}((?:\s*(?:,|or|nor|and|oder|atau|ou)\s*{_OPTION})*)", re.IGNORECASE
)
_WRONG = deferred(
    rf"(?<![\w'’]){_OPTION}(?:\s*(?:,|and|or)\s*{_OPTION})*\s+(?:is|are|was|were|can|would|does|ist|est|es|adalah|jelas)?\s*"
    r"(?:clearly\s+|also\s+|both\s+|all\s+)?(?:wrong|incorrect|false|impossible|invalid|out|not|cannot|can't|isn't|ruled\s+out|eliminated|"
    r"excluded|too\s+\w+|falsch|salah|bukan|faux|incorrecta|错|不对)",
    re.IGNORECASE,
)
_ARTICLE_CONTEXT = deferred(
    r"\s+(?!(?:or|and|nor|but|because|since|as|is|und|oder|atau|ou|o|y|et|so|instead|rather|karena|weil)\b)[a-z]"
)


def read_choice(text: str, options: Mapping[str, str] | None = None, letters: str = "ABCDEFGHIJ") -> str | None:
    """The letter that `text` chooses, or None where it names none or two, or only denies.

    `options` maps each letter to its text; without it `letters` are the possible ones. `B`, `(b)`, `Ｂ`, `B.`, `Answer: B`,
    `答案是B`, `B) green`, `green`, `not A, so B` and `It's B because A is wrong` are all read; a letter beside another
    option's text is refused.
    """
    known = {key.upper(): value for key, value in options.items()} if options else dict.fromkeys(letters, "")
    plain = strip_wrapping(re.sub(r"\*\*|__", "", _halfwidth(text)))
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
    if labelled := re.fullmatch(r"[(\[]?(\w)[)\].:]\s+(.+)", plain, re.DOTALL):
        letter, rest = labelled[1].upper(), labelled[2]
        if letter in known and known[letter] and comparable(known[letter]) == comparable(rest):
            return letter
    denied = _denied(plain, known)
    named = letters_named(plain, known) - denied
    mentioned = _mentioned(plain, known) - denied
    if len(named) > 1 or len(mentioned) > 1 or (named and mentioned and named != mentioned):
        return None
    return next(iter(named or mentioned), None)


def _halfwidth(text: str) -> str:
    """Full-width letters and brackets as ASCII; other signs stay (`²`)."""
    return "".join(unicodedata.normalize("NFKC", char) if "\uff01" <= char <= "\uff5e" else char for char in text)


def _denied(text: str, known: Mapping[str, str]) -> set[str]:
    """The letters that the text rules out: `not A`, `A and C are wrong`, and options whose text stands behind `not`."""
    found: set[str] = set()
    for pattern in (_DENIED, _WRONG):
        for match in pattern.finditer(text):
            if match[1] == "a" and pattern is _DENIED and re.match(r"\s+[a-z]", text[match.end(1) :]):
                continue
            others = re.findall(r"(?<![\w'’])([A-Za-z])(?![\w'’])", match[0][match.end(1) - match.start() :])
            found |= {letter.upper() for letter in (match[1], *others)}
    folded = fold(text)
    for key, value in known.items():
        phrase = comparable(value) if value else ""
        if len(phrase) > 1 and re.search(
            rf"(?<!\w)(?:not|isn't|nicht|bukan|no|never)\s+(?:the\s+|a\s+)?{re.escape(phrase)}(?!\w)", folded
        ):
            found.add(key)
    return found & set(known)


def letters_named(text: str, known: Mapping[str, str]) -> set[str]:
    """Every option letter that the text names: at its head (`b) …`), in brackets, or as a capital standing alone."""
    found = set()
    head = re.match(r"[(\[]?(\w)[)\].:](?=\s|$)|(\w)\s+[-–—]\s", text)
    if head and (letter := (head[1] or head[2]).upper()) in known:
        found.add(letter)
    for match in re.finditer(r"[(\[](\w)[)\]]|(?<![\w'’])([A-Z])(?![\w'’])|(?<=[是选為为はが])([A-Z])(?![\w'’])", text):
        letter = (match[1] or match[2] or match[3]).upper()
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
