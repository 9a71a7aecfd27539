"""Multiple choice: which option an answer names, by letter or by the option's text; what it denies does not count."""

from __future__ import annotations

import re
from collections.abc import Mapping

from modex.core.answers.assertion.choosing import Chosen, choose
from modex.core.answers.assertion.letters import masked
from modex.core.answers.text.text import comparable, strip_wrapping

_LONGEST_CHARS = 2000
_LETTERS = "ABCDEFGHIJ"


def read_choice(text: str, options: Mapping[str, str] | None = None, letters: str = _LETTERS) -> str | None:
    """The letter that the bare answer `text` chooses, or None where it names none or two, or only denies.

    `options` maps each letter to its text; without it `letters` are the possible ones. `B`, `(b)`, `Ｂ`, `B.`, `Answer: B`,
    `答案是B`, `B) green`, `green`, `not A, so B` and `It's B because A is wrong` are all read; a letter beside another
    option's text is refused, and so is a capital that the text does not give as its answer (`23.5 J`, `Let A be`).
    """
    known = known_options(options, letters)
    plain = strip_wrapping(re.sub(r"\*\*|__", "", text))
    if not plain or len(plain) > _LONGEST_CHARS:
        return None
    bare = re.fullmatch(r"[(\[]?\s*(\w)\s*[)\].:]?", strip_wrapping(masked(plain)))
    if bare and bare[1].upper() in known:
        return bare[1].upper()
    said = comparable(plain)
    by_text = [key for key, value in known.items() if value and comparable(value) == said]
    if len(by_text) == 1:
        return by_text[0]
    chosen = choose(text, known)
    return None if chosen is None else chosen.letter


def choice_in(response: str, options: Mapping[str, str] | None = None, letters: str = _LETTERS) -> Chosen | None:
    """The option that a whole response chooses and where it says so, or None. `options` and `letters` as in `read_choice`."""
    return choose(response, known_options(options, letters))


def known_options(options: Mapping[str, str] | None, letters: str = _LETTERS) -> dict[str, str]:
    """The options by their upper-case letters; `letters` without texts where none are given."""
    return {key.upper(): value for key, value in options.items()} if options else dict.fromkeys(letters, "")


def options_in(question: str) -> dict[str, str]:
    """The options that a question lists itself by their letters (`A) red`, one a line or in a row); empty where it lists none."""
    found: dict[str, str] = {}
    area = question[-_LISTED_CHARS:]
    marks = list(_OPTION.finditer(area))
    begins = [index for index, mark in enumerate(marks) if mark[1] == "A"]
    for index, mark in enumerate(marks[begins[-1] :] if begins else (), begins[-1] if begins else 0):
        if mark[1] != chr(ord("A") + len(found)):
            break
        end = marks[index + 1].start() if index + 1 < len(marks) else len(area)
        found[mark[1]] = area[mark.end() : end].strip().partition("\n")[0].strip()
    texts = {comparable(text) for text in found.values()}
    return found if len(found) > 2 and len(texts) == len(found) and "" not in texts else {}


_LISTED_CHARS = 8000
_OPTION = re.compile(r"(?<!\S)[(\[]?([A-J])[).:\]]{1,2}[^\S\n]{1,3}(?=\S)")


def letters_named(text: str, known: Mapping[str, str]) -> set[str]:
    """Every option letter that a text names, in whatever sense: at its head (`b) …`), in brackets, or standing alone."""
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


_ARTICLE_CONTEXT = re.compile(
    r"\s+(?!(?:or|and|nor|but|because|since|as|is|und|oder|atau|ou|o|y|et|so|instead|rather|karena|weil)\b)[a-z]"
)
