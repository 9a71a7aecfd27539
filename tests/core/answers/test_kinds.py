"""What a test may expect of a short answer."""

from __future__ import annotations

import json

from modex.core.answers.kinds import check_expected
from tests.core.answers.tables import differing

_EXPECTED = r"""
5 => fine
true => fine
"x" => fine
[1, 2] => fine
[] => a list as expected value holds the accepted texts or numbers, at least one
[null] => a list as expected value holds the accepted texts or numbers, at least one
{"a": 1} => expected needs a `value`
{"value": null} => the expected value is empty or not a text, number or truth value
{"value": ""} => the expected value is empty or not a text, number or truth value
{"value": " "} => the expected value is empty or not a text, number or truth value
{"value": {}} => the expected value is empty or not a text, number or truth value
{"value": 1, "gold": "all"} => `gold` says what a list means: "any" (one of its items) or "parts" (all of them)
{"value": 1, "gold": "any"} => fine
{"value": [1, 2], "gold": "parts"} => fine
{"value": [1, 2], "gold": "parts", "aliases": [3]} => `aliases` belong to one value; of `gold: parts` each item stands for itself
{"value": [1, 2], "gold": "parts", "ordered": 1} => `ordered` is true or false
{"value": [1, 2], "gold": "parts", "ordered": true} => fine
{"value": 1, "aliases": 2} => `aliases` is a list of texts
{"value": 1, "aliases": [null]} => `aliases` is a list of texts
{"value": 1, "aliases": [2, "3"]} => fine
{"value": 1, "type": "foo"} => the answer type 'foo' is none of numeric, math, exact_match, boolean, choice, text, date
{"value": "x", "type": "numeric"} => 'x' is not a number in locale 'en'
{"value": "5", "type": "numeric"} => fine
{"value": true, "type": "numeric"} => True is not a number in locale 'en'
{"value": 1, "locale": 5} => `locale` is a text
{"value": 1, "unit": 5} => `unit` is a text
{"value": 1, "tolerance": -1} => `tolerance` is a number of 0 or more
{"value": 1, "tolerance": 0} => fine
{"value": 1, "tolerance": "x"} => `tolerance` is a number of 0 or more
{"value": 1, "rel_tolerance": -0.1} => `rel_tolerance` is a number of 0 or more
{"value": 1, "percent": "equal"} => fine
{"value": 1, "percent": "x"} => `percent` can only be "equal"
{"value": "x", "min_similarity": 0} => `min_similarity` is a number above 0, at most 1
{"value": "x", "min_similarity": 1} => fine
{"value": "x", "min_similarity": 1.1} => `min_similarity` is a number above 0, at most 1
{"value": "x", "min_similarity": true} => `min_similarity` is a number above 0, at most 1
{"value": "x", "min_similarity": "a"} => `min_similarity` is a number above 0, at most 1
{"value": "x", "form": "exact"} => `form` belongs to answers of type math, and is one of exact, lowest_terms
{"value": "1", "type": "math", "form": "exact"} => fine
{"value": "1", "type": "math", "form": "x"} => `form` belongs to answers of type math, and is one of exact, lowest_terms
{"value": "B", "type": "choice"} => fine
{"value": "Z", "type": "choice"} => the choice 'Z' is none of the options A–J
{"value": "red", "type": "choice", "options": {"A": "red"}} => fine
{"value": "A", "type": "choice", "options": ["red"]} => fine
{"value": "A", "type": "choice", "options": [1]} => `options` maps one letter each to the option's text
{"value": "A", "type": "choice", "options": "x"} => `options` maps one letter each to the option's text
{"value": "A", "type": "choice", "options": {"AB": "x"}} => `options` maps one letter each to the option's text
{"value": "A", "type": "choice", "options": {"A": 1}} => `options` maps one letter each to the option's text
{"value": "perhaps", "type": "boolean"} => 'perhaps' is neither true nor false
{"value": "yes", "type": "boolean"} => fine
{"value": 1, "type": "boolean"} => 1 is neither true nor false
{"value": "4/5/2024", "type": "date", "locale": "de"} => fine
{"value": "soon", "type": "date"} => 'soon' is no date
{"value": 5, "type": "date"} => 5 is no date
"""


def test_what_is_wrong_with_an_expected_answer_is_said() -> None:
    assert differing(_EXPECTED, lambda text: "; ".join(check_expected(json.loads(text))) or "fine") == []
