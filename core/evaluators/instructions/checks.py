"""Which function checks which type of instruction."""

from __future__ import annotations

from collections.abc import Mapping

from modex.core.evaluators.instructions import (
    capitals,
    combinations,
    contents,
    ends,
    formats,
    keywords,
    language,
    lengths,
)
from modex.core.evaluators.instructions.found import Check, Compliance

CHECKS: Mapping[str, Check] = {
    "keywords:existence": keywords.existence,
    "keywords:frequency": keywords.frequency,
    "keywords:forbidden_words": keywords.forbidden,
    "keywords:letter_frequency": keywords.letter_frequency,
    "language:response_language": language.response_language,
    "length_constraints:number_sentences": lengths.sentences,
    "length_constraints:number_paragraphs": lengths.paragraphs,
    "length_constraints:number_words": lengths.words,
    "length_constraints:nth_paragraph_first_word": lengths.first_word,
    "detectable_content:number_placeholders": contents.placeholders,
    "detectable_content:postscript": contents.postscript,
    "detectable_format:number_bullet_lists": formats.bullets,
    "detectable_format:constrained_response": formats.constrained,
    "detectable_format:number_highlighted_sections": formats.highlights,
    "detectable_format:multiple_sections": formats.sections,
    "detectable_format:json_format": formats.json_form,
    "detectable_format:title": formats.title,
    "combination:two_responses": combinations.two_responses,
    "combination:repeat_prompt": combinations.repeat_prompt,
    "startend:end_checker": ends.end_phrase,
    "startend:quotation": ends.quotation,
    "change_case:capital_word_frequency": capitals.capital_words,
    "change_case:english_capital": capitals.all_capitals,
    "change_case:english_lowercase": capitals.all_small,
    "punctuation:no_comma": lambda text, _: Compliance("," not in text, _commas(text.count(","))),
}
"""By the type's name; `tests/core/evaluators/instructions` holds that every type has one."""


def _commas(number: int) -> str:
    return f"{number or 'no'} comma{'' if number == 1 else 's'}"
