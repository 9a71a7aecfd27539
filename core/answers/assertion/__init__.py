"""What a text asserts as its answer: its sentences, its stance towards each piece, golds found in what it asserts.

Pure functions of texts. `read_text` splits a text and knows where it corrects itself or begins another question;
`Reading.stance` classifies one piece; `find_assertion` looks for a gold or one of its aliases.
"""

from modex.core.answers.assertion.asserted import Assertion, find_assertion, restates, same_answer
from modex.core.answers.assertion.indexed import Place
from modex.core.answers.assertion.reading import Reading, Sentence, Stance, Standing, read_text

__all__ = [
    "Assertion",
    "Place",
    "Reading",
    "Sentence",
    "Stance",
    "Standing",
    "find_assertion",
    "read_text",
    "restates",
    "same_answer",
]
