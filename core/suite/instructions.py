"""The instructions that can be checked without a model: IFEval's 25 types, and what each is told.

The names and their keys are the benchmark's own (Zhou et al., "Instruction-Following Evaluation for Large Language
Models", https://arxiv.org/abs/2311.07911), so that its rows and own tests are written alike. The evaluator checks by this
table, `modex schema` prints it, and so does `docs/evaluators.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from modex.core.foundation.json_kinds import kind_of
from modex.core.suite.keys import Key, Table, table
from modex.core.suite.suggest import closest, did_you_mean

RELATIONS = ("at least", "less than", "at most", "exactly")
"""How a count is compared; IFEval has the first two."""
LEAST = RELATIONS[0]


@dataclass(frozen=True, slots=True)
class InstructionType:
    """One kind of instruction: its name, what it asks in words, and the keys that say how much of what."""

    name: str
    asks: str
    keys: tuple[Key, ...] = ()
    table: Table = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", table("instruction", *self.keys))


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of a test: its type's name and what it is told, by key; keys that say nothing are left out."""

    type: str
    given: Mapping[str, Any]


def _count(name: str, what: str) -> Key:
    return Key(name, "whole", f"How many {what}.", required=True)


def _relation(name: str = "relation") -> Key:
    return Key(name, "choice", f"How the count is compared; `{LEAST}` by default.", choices=RELATIONS)


TYPES: Mapping[str, InstructionType] = {
    one.name: one
    for one in (
        InstructionType(
            "keywords:existence",
            "each of these texts stands in the answer, in any case",
            (Key("keywords", "strings", "The texts.", required=True),),
        ),
        InstructionType(
            "keywords:frequency",
            "a text stands in it so often, in any case",
            (Key("keyword", "text", "The text.", required=True), _count("frequency", "times"), _relation()),
        ),
        InstructionType(
            "keywords:forbidden_words",
            "none of these stands in it as a whole word, in any case",
            (Key("forbidden_words", "strings", "The words.", required=True),),
        ),
        InstructionType(
            "keywords:letter_frequency",
            "a character stands in it so often, in any case",
            (
                Key("letter", "text", "The one character.", required=True),
                _count("let_frequency", "times"),
                _relation("let_relation"),
            ),
        ),
        InstructionType(
            "language:response_language",
            "it is in this language",
            (Key("language", "text", "The language, as a code such as `de`.", required=True),),
        ),
        InstructionType(
            "length_constraints:number_sentences",
            "it has so many sentences",
            (_count("num_sentences", "sentences"), _relation()),
        ),
        InstructionType(
            "length_constraints:number_paragraphs",
            "it has exactly so many paragraphs, with `***` between them",
            (_count("num_paragraphs", "paragraphs"),),
        ),
        InstructionType(
            "length_constraints:number_words",
            "it has so many words",
            (_count("num_words", "words"), _relation()),
        ),
        InstructionType(
            "length_constraints:nth_paragraph_first_word",
            "it has exactly so many paragraphs, with an empty line between them, and one begins with this word",
            (
                Key("first_word", "text", "The word.", required=True),
                _count("num_paragraphs", "paragraphs"),
                Key("nth_paragraph", "whole", "Which of them begins with it, from 1.", required=True),
            ),
        ),
        InstructionType(
            "detectable_content:number_placeholders",
            "it has at least so many placeholders such as `[address]`",
            (_count("num_placeholders", "placeholders"),),
        ),
        InstructionType(
            "detectable_content:postscript",
            "it has a postscript that begins with this mark",
            (Key("postscript_marker", "text", "The mark, such as `P.S.` or `P.P.S`.", required=True),),
        ),
        InstructionType(
            "detectable_format:number_bullet_lists",
            "it has exactly so many bullet points (`* …` or `- …`)",
            (_count("num_bullets", "bullet points"),),
        ),
        InstructionType(
            "detectable_format:constrained_response",
            "it says `My answer is yes.`, `My answer is no.` or `My answer is maybe.`",
        ),
        InstructionType(
            "detectable_format:number_highlighted_sections",
            "it has at least so many passages such as `*this*`",
            (_count("num_highlights", "passages"),),
        ),
        InstructionType(
            "detectable_format:multiple_sections",
            "it has at least so many sections that begin with this word and a number",
            (
                Key("section_spliter", "text", "The word, such as `Section`.", required=True),
                _count("num_sections", "sections"),
            ),
        ),
        InstructionType("detectable_format:json_format", "the whole of it is JSON, in a block or not"),
        InstructionType("detectable_format:title", "it has a title such as `<<this>>`"),
        InstructionType("combination:two_responses", "it is two different answers, with `******` between them"),
        InstructionType(
            "combination:repeat_prompt",
            "it begins with these words, in any case",
            (Key("prompt_to_repeat", "text", "The words, as a rule the request's own.", required=True),),
        ),
        InstructionType(
            "startend:end_checker",
            "it ends with this phrase, in any case",
            (Key("end_phrase", "text", "The phrase.", required=True),),
        ),
        InstructionType("startend:quotation", "the whole of it stands in double quotation marks"),
        InstructionType(
            "change_case:capital_word_frequency",
            "so many of its words are in capitals",
            (_count("capital_frequency", "words"), _relation("capital_relation")),
        ),
        InstructionType("change_case:english_capital", "it is English, and all of its letters are capitals"),
        InstructionType("change_case:english_lowercase", "it is English, and none of its letters is a capital"),
        InstructionType("punctuation:no_comma", "it has no comma"),
    )
}
"""The types by name, in the order of the paper's table."""
_LISTS = ("instruction_id_list", "kwargs")
_FORM = (
    'an object such as {"instructions": [{"type": "punctuation:no_comma"}]},'
    ' or IFEval\'s {"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}'
)


def read_instructions(expected: Mapping[str, Any]) -> tuple[Instruction, ...]:
    """The instructions of an `expected` that has no faults, in their order."""
    return tuple(
        Instruction(name, {key: value for key, value in given.items() if value is not None})
        for name, given in _pairs(expected)
    )


def instruction_faults(expected: Any) -> Iterator[str]:
    """What is wrong with an `expected` that should hold instructions, one message each."""
    if not isinstance(expected, Mapping) or not ({"instructions", *_LISTS} & set(expected)):
        yield f"expected is {_FORM}"
        return
    for name in expected:
        if name not in ("instructions", *_LISTS):
            yield f"expected has no key `{name}` here{did_you_mean(str(name), ('instructions', *_LISTS))}"
    if "instructions" in expected and set(_LISTS) & set(expected):
        yield "expected has `instructions` and IFEval's own lists; keep one of the two"
        return
    faults = list(_list_faults(expected))
    if faults:
        yield from faults
        return
    for number, (name, given) in enumerate(_pairs(expected), 1):
        yield from _faults_of(number, name, given)


def _list_faults(expected: Mapping[str, Any]) -> Iterator[str]:
    for name in ("instructions",) if "instructions" in expected else _LISTS:
        entries = expected.get(name)
        if isinstance(entries, Sequence) and not isinstance(entries, str) and not entries:
            yield f"`{name}` is empty; it is a list with at least one instruction"
        elif not isinstance(entries, Sequence) or isinstance(entries, str):
            yield f"`{name}` is a list with at least one instruction, not {kind_of(entries)}"
        elif name != _LISTS[0] and (wrong := [one for one in entries if not isinstance(one, Mapping)]):
            yield f"`{name}` is a list of objects, and holds {kind_of(wrong[0])}"
    if "instructions" not in expected:
        ids, given = (expected.get(name) for name in _LISTS)
        if isinstance(ids, Sequence) and isinstance(given, Sequence) and len(ids) != len(given):
            yield f"`kwargs` has {len(given)} entries for {len(ids)} instructions; give each its own, empty ones too"


def _pairs(expected: Mapping[str, Any]) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """The name and what it is told of each instruction, in either form."""
    if "instructions" in expected:
        for entry in expected["instructions"]:
            yield entry.get("type"), {key: value for key, value in entry.items() if key != "type"}
    else:
        yield from zip(*(expected[name] for name in _LISTS), strict=True)


def _faults_of(number: int, name: Any, given: Mapping[str, Any]) -> Iterator[str]:
    where = f"instruction {number}"
    kind = TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        yield f"{where} {f'has no `type`; it is one of {_few()}' if name is None else _stranger(name)}"
        return
    where = f"{where} ({name})"
    for key in kind.table.required:
        if given.get(key) is None:
            yield f"{where} has no `{key}`"
    for key, value in given.items():
        if value is None:
            continue
        check = kind.table.checks.get(key)
        if check is None:
            yield f"{where} has no key `{key}`{did_you_mean(key, kind.table.checks) or _its(kind)}"
        elif fault := check(value) or _empty(value):
            yield f"{where}: `{key}` {fault}"
        elif key == "letter" and len(value) != 1:
            yield f"{where}: `{key}` must be one character, not '{value[:40]}'"
    nth, of = given.get("nth_paragraph"), given.get("num_paragraphs")
    if isinstance(nth, int) and isinstance(of, int) and nth > of:
        yield f"{where}: `nth_paragraph` is {nth}, and `num_paragraphs` only {of}"


def _empty(value: Any) -> str | None:
    """What is wrong with a text or a list of texts that says nothing."""
    if isinstance(value, str) and not value.strip():
        return "is empty"
    if isinstance(value, list) and not (value and all(one.strip() for one in value)):
        return "must hold texts that are not empty"
    return None


def _stranger(name: Any) -> str:
    if not isinstance(name, str):
        return f"has a `type` that must be a text, not {kind_of(name)}"
    short = next((known for known in TYPES if known.partition(":")[2] == name), None)
    near = short or closest(name, tuple(TYPES))
    return f"is of no known type '{name[:60]}'" + (f"; did you mean '{near}'?" if near else f"; there are {_few()}")


def _few() -> str:
    return ", ".join(TYPES)


def _its(kind: InstructionType) -> str:
    names = [f"`{key.name}`" for key in kind.keys]
    return f"; it takes {', '.join(names)}" if names else "; it takes none"
