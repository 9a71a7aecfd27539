from __future__ import annotations

from typing import Any

from modex.core.suite.instructions import TYPES, Instruction, instruction_faults, read_instructions
from tests.rows import each_row

WORDS = "length_constraints:number_words"


def own(*entries: Any) -> dict[str, Any]:
    return {"instructions": list(entries)}


def test_both_forms_are_read_alike_and_nulls_are_nothing() -> None:
    told = {"num_words": 9, "relation": "less than"}
    lists = {"instruction_id_list": [WORDS], "kwargs": [{**told, "letter": None}]}
    assert list(instruction_faults(lists)) == []
    assert read_instructions(lists) == read_instructions(own({"type": WORDS, **told})) == (Instruction(WORDS, told),)


@each_row("name", TYPES)
def test_every_type_is_sound_with_what_it_requires(name: str) -> None:
    values = {"whole": 1, "strings": ["a"], "text": "a"}
    told = {key.name: values[key.kind] for key in TYPES[name].keys if key.required}
    assert list(instruction_faults(own({"type": name, **told}))) == []
    missing = list(instruction_faults(own({"type": name})))
    assert missing == [f"instruction 1 ({name}) has no `{key}`" for key in told]


@each_row(
    ("expected", "words"),
    [
        (None, "expected is an object such as"),
        ("no comma", "expected is an object such as"),
        ([], "expected is an object such as"),
        ({}, "expected is an object such as"),
        ({"instruction": []}, "expected is an object such as"),
        (own(), "`instructions` is empty; it is a list with at least one instruction"),
        ({"instructions": "x"}, "`instructions` is a list with at least one instruction, not the text 'x'"),
        (own("x"), "`instructions` is a list of objects, and holds the text 'x'"),
        ({**own({"type": "punctuation:no_comma"}), "kwarg": []}, "expected has no key `kwarg` here; did you mean 'kwargs'?"),
        ({**own({"type": "punctuation:no_comma"}), "kwargs": []}, "expected has `instructions` and IFEval's own lists"),
        ({"instruction_id_list": ["punctuation:no_comma"]}, "`kwargs` is a list with at least one instruction, not null"),
        ({"instruction_id_list": ["punctuation:no_comma"], "kwargs": ["x"]}, "`kwargs` is a list of objects"),
        ({"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}, {}]}, "`kwargs` has 2 entries for 1 instructions"),
        (own({}), "instruction 1 has no `type`; it is one of keywords:existence"),
        (own({"type": 3}), "instruction 1 has a `type` that must be a text, not the number 3"),
        (own({"type": "no_comma"}), "instruction 1 is of no known type 'no_comma'; did you mean 'punctuation:no_comma'?"),
        (own({"type": "punctuation:no_coma"}), "did you mean 'punctuation:no_comma'?"),
        (own({"type": "xyz"}), "instruction 1 is of no known type 'xyz'; there are keywords:existence"),
        (own({"type": WORDS, "num_words": 1, "relation": "les than"}), "`relation` must be at least or less than"),
        (own({"type": WORDS, "num_words": 0}), "`num_words` must be a whole number of 1 or more"),
        (own({"type": WORDS, "num_words": 1, "num": 2}), "has no key `num`; it takes `num_words`, `relation`"),
        (own({"type": "punctuation:no_comma", "commas": 2}), "has no key `commas`; it takes none"),
        (own({"type": "startend:end_checker", "end_phrase": " "}), "`end_phrase` is empty"),
        (own({"type": "keywords:existence", "keywords": []}), "`keywords` must hold texts that are not empty"),
        (own({"type": "keywords:existence", "keywords": ["a", " "]}), "`keywords` must hold texts that are not empty"),
        (own({"type": "keywords:letter_frequency", "letter": "ab", "let_frequency": 1}), "must be one character, not 'ab'"),
        (
            own({"type": "length_constraints:nth_paragraph_first_word", "first_word": "a", "num_paragraphs": 2,
                 "nth_paragraph": 3}),
            "`nth_paragraph` is 3, and `num_paragraphs` only 2",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_one_message(expected: Any, words: str) -> None:
    (fault,) = instruction_faults(expected)
    assert words in fault


def test_every_mistake_is_told_with_its_place() -> None:
    found = list(instruction_faults(own({"type": "x"}, {"type": WORDS}, {"type": "punctuation:no_comma"})))
    assert [fault.split(" ")[1] for fault in found] == ["1", "2"]
