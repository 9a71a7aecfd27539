"""Which option letters a text gives as its answer, and where: a capital counts only where the text gives it as one.

`23.5 J`, `K = 4`, `Vitamin A`, `Let A be` give none. Every pattern is anchored at a word or bounded: linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar

from modex.core.answers.assertion import cues, lettering
from modex.core.answers.text.text import comparable

Rank = Literal[1, 2, 3]
"""3: marked as the answer. 2: called right, or a line by itself. 1: concluded."""


@dataclass(frozen=True, slots=True)
class GivenLetters:
    """Letters that a text gives as its answer in one place: several where it offers them together, none of them chosen."""

    letters: frozenset[str]
    start: int
    end: int
    rank: Rank
    how: str


T = TypeVar("T")


@lru_cache(maxsize=8)
def masked(text: str) -> str:
    """`text` with emphasis, code marks and LaTeX wrapping as blanks, wide letters as plain ones; every offset stays."""
    return lettering.MARKUP.sub(lambda match: " " * len(match[0]), text.translate(lettering.WIDE))


def letters_given(text: str, options: Mapping[str, str]) -> list[GivenLetters]:
    """Every place at which `text` gives letters of `options` (upper case, each with its text or nothing) as its answer.

    In the order of the text. What is denied (`not A`), reported (`you might think A`) or part of a formula is left out.
    """
    plain = masked(text)
    found = [
        *_marked(text, plain, options),
        *_called(plain, options),
        *_lines(plain, options),
        *_chosen(plain, options),
    ]
    return sorted(found, key=lambda given: given.start)


def denied(text: str, options: Mapping[str, str]) -> list[tuple[str, int]]:
    """The letters that the text rules out, each with the place: `not A`, `A and C are wrong`."""
    plain = masked(text)
    found: list[tuple[str, int]] = []
    for match in _outer(lettering.DENYING.finditer(plain)):
        offered = offered_at(plain, match.end(), options, strict=True)
        if offered is not None:
            found += [(letter, match.end()) for letter in sorted(offered[0])]
    for letter, start, end in _capitals(plain, options):
        if lettering.CALLED_WRONG.match(plain, end):
            found += [(name, start) for name in sorted({letter} | _joined_before(plain, start, options))]
    return found


def offered_at(
    plain: str, at: int, options: Mapping[str, str], *, strict: bool = False, small: bool = False
) -> tuple[frozenset[str], int, int] | None:
    """The letter at `at` of a masked text, with those that are listed behind it, and where they stand.

    `strict`: the clause must end behind the letter. `small`: a small letter without brackets counts too.
    """
    first = _letter(plain, at, options, strict=strict, small=small)
    if first is None:
        together = lettering.TOGETHER.match(plain, _skip(plain, at))
        if together and list(together[1]) == sorted(set(together[1])) and set(together[1]) <= set(options):
            return frozenset(together[1]), together.start(1), together.end()
        bracket = re.compile(r"\s?[(\[]\s?(?=[A-Z]\s?(?:,|&|/|and\b|or\b))").match(plain, at)
        return offered_at(plain, bracket.end(), options) if bracket else None
    letter, start, end = first
    letters, last = {letter} | _beside(plain, end, letter, options), end
    for _ in range(len(options)):
        behind = _past_own_text(plain, last, options.get(letter, ""))
        joined = lettering.NEXT.match(plain, behind)
        following = _letter(plain, joined.end(), options, strict=True, small=small, listed=True) if joined else None
        if following is None:
            break
        letter, _, last = following
        letters.add(letter)
    return frozenset(letters), start, last


def _beside(plain: str, end: int, letter: str, options: Mapping[str, str]) -> set[str]:
    """The other option whose text stands beside the letter (`B) red` where red is A), so that it is not clear which is meant."""
    stop = re.compile(r"\s?[.:)\]]\s{1,3}|\s(?=\S)").match(plain, end)
    if stop is None or not options[letter]:
        return set()
    line = plain.find("\n", stop.end())
    rest = plain[stop.end() : min(line if line >= 0 else len(plain), stop.end() + 600)]
    said = comparable(rest)
    if not said or said == comparable(options[letter]):
        return set()
    return {key for key, option in options.items() if key != letter and option and comparable(option) == said}


def _skip(plain: str, at: int) -> int:
    while at < len(plain) and plain[at].isspace():
        at += 1
    return at


def _past_own_text(plain: str, at: int, option: str) -> int:
    """Past what stands with a letter before the next one: a remark in brackets, or the option's own text."""
    aside = lettering.ASIDE.match(plain, at)
    if aside:
        return aside.end()
    stop = re.compile(r"[.:]\s{1,3}").match(plain, at)
    if stop and option and plain[stop.end() : stop.end() + len(option)].casefold() == option.casefold():
        return stop.end() + len(option)
    return at


def _letter(
    plain: str, at: int, options: Mapping[str, str], *, strict: bool = False, small: bool = False, listed: bool = False
) -> tuple[str, int, int] | None:
    match = lettering.LETTER.match(plain, at)
    if match is None:
        return None
    group = 1 if match[1] else 2
    letter, start, end = match[group].upper(), match.start(group), match.end()
    if letter not in options:
        return None
    if group == 1:
        return letter, match.start(1) - 1, end
    stops = lettering.STOPS.match(plain, end) is not None
    if match[2].islower() and not (small and re.compile(r"\s*(?:$|[.,;:)\n])").match(plain, end)):
        return None
    if (strict or letter in "AI0123456789") and not stops:
        return None
    if listed and re.compile(r"\s+(?:is|are|was|can|would)\b").match(plain, end):
        return None
    return letter, start, end


def _marked(text: str, plain: str, options: Mapping[str, str]) -> Iterator[GivenLetters]:
    at = -1
    for match, how in _marks(plain):
        if match.end() <= at or _is_reported(plain, match.start()):
            continue
        found = offered_at(plain, match.end(), options, small=True) or _by_text(text, match.end(), options)
        if found is None or lettering.NAMED.match(plain, match.start(), match.end()):
            continue
        denial = lettering.NOT_SO.match(plain, found[2])
        if denial is not None and denial["but"]:
            found = offered_at(plain, denial.end(), options)
        elif denial is not None and denial[0].endswith(("な", "ありません")):
            found = None
        if found is None:
            continue
        letters, start, at = found
        letters |= _more_lines(plain, at, options) if "\n" in plain[match.start() : start] else set()
        yield GivenLetters(letters, start, at, 3, how)
    tags = [
        (match.span(1 if match[1] else 2), "tag" if match[1] else "hash") for match in lettering.TAGGED.finditer(text)
    ]
    for (begin, stop), how in _outer([*tags, *((span, "boxed") for span in _boxes(text))]):
        content = masked(text[begin:stop])
        found = offered_at(content, 0, options, small=True) or _by_text(text[begin:stop], 0, options)
        if found is not None and (how != "boxed" or len(found[0]) > 1 or _fills(content, found, options)):
            yield GivenLetters(found[0], begin + found[1], begin + found[2], 3, how)


def _marks(plain: str) -> list[tuple[re.Match[str], str]]:
    """What marks the answer that stands behind it: `Answer:`, `the answer is`, a heading; in order."""
    found: list[tuple[re.Match[str] | None, str]] = [
        (match, "label") for match in _outer(lettering.LABELLED.finditer(plain))
    ]
    for noun in _outer(lettering.NOUNS.finditer(plain)):
        found.append((lettering.MARKED.match(plain, noun.start("noun")), "sentence"))
        found.append(
            (
                lettering.LABEL.match(plain, noun.start())
                or lettering.LABEL.match(plain, noun.start("noun"))
                or lettering.HEADED.match(plain, noun.start("noun")),
                "label",
            )
        )
    return sorted(((match, how) for match, how in found if match is not None), key=lambda one: one[0].start())


def _boxes(text: str) -> Iterator[tuple[int, int]]:
    """The contents of every `\\boxed{…}` with balanced braces, in one pass."""
    starts = {match.end() for match in lettering.BOX.finditer(text)}
    opened: list[int] = []
    for brace in lettering.BRACE.finditer(text) if starts else ():
        if brace[0] == "{":
            opened.append(brace.end())
        elif opened and (start := opened.pop()) in starts and brace.start() - start < lettering.LONGEST_BOX:
            yield start, brace.start()


def _outer(found: Iterable[T]) -> list[T]:
    """The first and the last of many, which hold the answer; what lies between would only cost time."""
    every = list(found)
    return (
        every if len(every) <= lettering.FIRST + lettering.LAST else every[: lettering.FIRST] + every[-lettering.LAST :]
    )


def _fills(content: str, found: tuple[frozenset[str], int, int], options: Mapping[str, str]) -> bool:
    """Whether a box holds nothing but the letter, with or without its option's text."""
    rest = content[found[2] :].strip(" .:)}]")
    own = options.get(next(iter(found[0])), "")
    return not rest or comparable(own) in comparable(rest) or found[2] - found[1] > 3


def _more_lines(plain: str, at: int, options: Mapping[str, str]) -> frozenset[str]:
    """The letters that head the lines right behind an answer that is itself the head of a line: a list of answers.

    A list that begins with A is the options again, and a letter with nothing behind it needs no list.
    """
    found: set[str] = set()
    line = plain.find("\n", at)
    while line >= 0 and (head := lettering.HEAD.match(plain, line + 1)) is not None and len(found) < len(options):
        letter = (head[1] or head[2] or head[3]).upper()
        if letter == "A" or not plain[at:line].strip(" .)]:"):
            break
        found.add(letter)
        line = plain.find("\n", head.end())
    return frozenset(found)


def _by_text(text: str, at: int, options: Mapping[str, str]) -> tuple[frozenset[str], int, int] | None:
    """The option whose text stands at `at`, to the end of the line or of a clause."""
    start = _skip(masked(text[at : at + 20]), 0) + at
    line_end = text.find("\n", start)
    rest = text[start : min(line_end if line_end >= 0 else len(text), start + 600)]
    whole = comparable(rest)
    ends = [match.start() for match in re.finditer(r"[.;](?=\s|$)|,\s|\s(?=because|since|as\b|which|not\b|\()", rest)][
        :12
    ]
    pieces = [(whole, len(rest)), *((comparable(rest[:end]), end) for end in ends)]
    for said, length in pieces:
        same = [letter for letter, option in options.items() if option and comparable(option) == said]
        if len(same) == 1:
            return frozenset(same), start, start + len(rest[:length].rstrip())
    return None


def _called(plain: str, options: Mapping[str, str]) -> Iterator[GivenLetters]:
    """`B is correct`, `(C) best describes it`; `A and B are both right` gives two."""
    for letter, start, end in _capitals(plain, options):
        if (
            lettering.CALLED_WRONG.match(plain, end)
            or not lettering.CALLED_RIGHT.match(plain, end)
            or _is_reported(plain, start)
            or lettering.AT_FIRST.search(plain, max(0, start - 30), start)
        ):
            continue
        if re.compile(
            r"(?:\b(?:if|whether|when|that|suppose|assume|not|neither)\s+(?:\w+\s+)?)$", re.IGNORECASE
        ).search(plain[max(0, start - 24) : start]):
            continue
        yield GivenLetters(frozenset({letter} | _joined_before(plain, start, options)), start, end, 2, "sentence")


def _joined_before(plain: str, start: int, options: Mapping[str, str]) -> set[str]:
    """The letters that a list names before its last one: `A, B and`."""
    found: set[str] = set()
    before = re.compile(
        r"(?<![\w'’])[(\[]?([A-Z])[)\]]?\s?(?:,\s?(?:and|or)?|and|or|&|/|und|oder|dan|atau)\s+(?:option\s)?$"
    )
    while (
        (match := before.search(plain, max(0, start - 16), start)) and match[1] in options and len(found) < len(options)
    ):
        found.add(match[1])
        start = match.start()
    return found


def _capitals(plain: str, options: Mapping[str, str]) -> list[tuple[str, int, int]]:
    """Letters in brackets or standing alone, as (letter, start, end)."""
    return _outer(
        (match[1] or match[2], match.start(), match.end())
        for match in lettering.CAPITAL.finditer(plain)
        if (match[1] or match[2]) in options
        and not (match[1] and lettering.WORD_BEFORE.match(plain, match.start() - 1))
    )


def _lines(plain: str, options: Mapping[str, str]) -> Iterator[GivenLetters]:
    """The first or the last line, where it is a letter, or is headed by one and no other line is."""
    lines = list(_written_lines(plain))
    if not lines:
        return
    heads = {letter for start, end in _outer(lines) if (letter := _head(plain, start, end, options)) is not None}
    for index in {0, len(lines) - 1}:
        start, end = lines[index]
        bare = lettering.BARE.fullmatch(plain, start, end) if end - start < lettering.LONGEST_BOX else None
        if bare and bare[1].upper() in options:
            yield GivenLetters(frozenset(bare[1].upper()), bare.start(1), bare.end(1), 2, "line")
            continue
        first = offered_at(plain, start, options, strict=True, small=True)
        if (
            first is not None
            and not lettering.HEAD.match(plain, start)
            and lettering.ALONE.fullmatch(plain, start, first[1])
        ):
            if (
                lettering.CALLED_WRONG.match(plain, first[2])
                or lettering.AND_MORE.match(plain, first[2])
                or plain[first[2] : first[2] + 1] == "?"
                or (first[0] <= {"I", "A"} and re.compile(r",|\s+(?:as|for|with|will|would)\b").match(plain, first[2]))
            ):
                continue
            if (denial := lettering.NOT_SO.match(plain, first[2])) is not None:
                behind = denial.end()
                instead = offered_at(plain, behind + (plain[behind : behind + 1] == "。"), options)
                if instead is None:
                    continue
                first = instead
            yield GivenLetters(first[0], first[1], first[2], 2, "line")
            continue
        letter = _head(plain, start, end, options)
        if letter is not None and (heads == {letter} or _alone_in_full(plain, index, lines, options)):
            head = lettering.HEAD.match(plain, start, end)
            assert head is not None
            if not _goes_on(letter, plain[head.end() : end], options):
                group = next(index for index in (1, 2, 3) if head[index])
                letters = frozenset(letter) | _beside(plain, head.end(group), letter, options)
                yield GivenLetters(letters, head.start(group), head.end(group), 2, "line")


def _alone_in_full(plain: str, index: int, lines: list[tuple[int, int]], options: Mapping[str, str]) -> bool:
    """Whether the first line is an option in full, not the first, and the others that letters head say something of theirs."""
    if index != 0 or len(lines) > len(options) or not any(options.values()):
        return False

    def full(start: int, end: int) -> bool | None:
        letter, head = _head(plain, start, end, options), lettering.HEAD.match(plain, start, end)
        if letter is None or head is None:
            return None
        return comparable(plain[head.end() : end]) == comparable(options[letter])

    first, *others = (full(start, end) for start, end in lines)
    return first is True and _head(plain, *lines[0], options) != "A" and not any(others)


def _written_lines(plain: str) -> Iterator[tuple[int, int]]:
    """The lines that are not blank, as offsets."""
    at = 0
    for line in plain.split("\n"):
        if line.strip():
            yield at, at + len(line)
        at += len(line) + 1


def _head(plain: str, start: int, end: int, options: Mapping[str, str]) -> str | None:
    """The option letter that heads a line (`B)`, `(b)`, `B.`, `B -`)."""
    head = lettering.HEAD.match(plain, start, end)
    if head is None:
        return None
    letter = (head[1] or head[2] or head[3]).upper()
    if (head[1] or head[2] or "A").islower() and len(set(lettering.SMALL.findall(plain))) > 1:
        return None
    if letter not in options or (letter == "A" and plain[head.end(2) : head.end(2) + 1] == ":" and not head[1]):
        return None
    if letter == "I" and re.compile(r"^(?:[^\S\n]|[*#])*+II[.)]", re.MULTILINE).search(plain):
        return None
    return letter


def _goes_on(letter: str, rest: str, options: Mapping[str, str]) -> bool:
    """Whether a line that a letter heads lists further letters, or calls this one wrong."""
    if re.compile(
        r"\W*+(?:incorrect|wrong|false|not\b|no\b|nope\b|wait\b|correction\b|salah|falsch|faux)", re.IGNORECASE
    ).match(rest):
        return True
    others = {match[1] for match in re.finditer(r"(?<![\w'’])[(\[]?([A-Z])[)\]]", rest)} & set(options)
    if others - {letter} and lettering.SAYS_OF_IT.match(rest):
        return True
    return bool(others - {letter}) and not re.search(r"\b(?:not|wrong|incorrect|unlike|because|since|rather)\b", rest)


def _chosen(plain: str, options: Mapping[str, str]) -> Iterator[GivenLetters]:
    """`so C`, `I'd go with (D)`, `选B`."""
    for match in _outer(lettering.CHOOSING.finditer(plain)):
        if _is_reported(plain, match.start()):
            continue
        found = offered_at(plain, match.end(), options, strict=True)
        if found is not None and not (len(found[0]) == 1 and lettering.AND_MORE.match(plain, found[2])):
            yield GivenLetters(found[0], found[1], found[2], 1, "sentence")
    for match in _outer(lettering.ONLY.finditer(plain)):
        if match[1] in options:
            yield GivenLetters(frozenset(match[1]), match.start(1), match.end(1), 1, "sentence")


def _is_reported(plain: str, at: int) -> bool:
    """Whether what stands at `at` is said of others, or of what was thought first."""
    start = max(0, at - 90)
    ends = [match.end() for match in lettering.SENTENCE_END.finditer(plain, start, at)]
    stated = cues.REPORTED.search(plain, ends[-1] if ends else start, at)
    return stated is not None and cues.BUT.search(plain, stated.end(), at) is None


def option_list(text: str, after: int) -> int | None:
    """Where a list of options (`A. … B. … C. …`) begins behind `after`, or None."""
    wanted, begun = "A", None
    for match in lettering.LISTED.finditer(masked(text), after):
        if match[1] == wanted:
            begun = match.start() if wanted == "A" else begun
            if wanted == "C":
                return begun
            wanted = chr(ord(wanted) + 1)
        elif match[1] == "A":
            wanted, begun = "B", match.start()
    return None
