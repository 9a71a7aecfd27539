"""Tests whose options are compared by likelihood: what stands before each option, the option, and which one is right.

A test says it as its key `likelihood`:

- `context`: the text before the options. A list has one for each option, where the options stand in different places of one text
  and the same words follow all of them (`continuation`), as WinoGrande is asked.
- `options`: their texts, as a list (named A, B, C, … or 1, 2, 3, … beyond 26) or as an object by name.
- `delimiter`: what stands between context and option, by default one blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from modex.core.suite.datasets.golds import option_of, options_of, with_lettered
from modex.core.suite.definitions import TestCase

EVALUATOR = "loglikelihood"
"""The evaluator whose tests are asked so."""
_KEYS = frozenset({"context", "options", "delimiter", "continuation"})
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class LikelihoodForm:
    """What is compared."""

    options: Mapping[str, str]
    """The options' texts by name, in their order."""
    pairs: tuple[tuple[str, str], ...]
    """Of each option the context and what follows it, delimiter included."""
    measured: tuple[str, ...]
    """Of each option the text by whose length its sum is divided: its own, and its whole context where there are several."""

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> LikelihoodForm:
        """That of a test whose `likelihood` has no fault."""
        context, delimiter, options = value["context"], str(value.get("delimiter", " ")), named(value["options"])
        if isinstance(context, list):
            rest = f"{delimiter}{value['continuation']}"
            return cls(options, tuple((str(one), rest) for one in context), tuple(map(str, context)))
        pairs = tuple((str(context), f"{delimiter}{text}") for text in options.values())
        return cls(options, pairs, tuple(options.values()))

    def letters(self, question: str) -> tuple[str, tuple[str, ...]] | None:
        """The text behind which the options are compared by their letters, and these; None where their names are longer.

        `question` is the test's own, below which the options are listed where it does not show them.
        """
        names = tuple(self.options)
        if any(len(name) != 1 for name in names):
            return None
        first = self.pairs[0][0]
        if tuple(self.options.values()) == names and all(context == first for context, _ in self.pairs):
            return first, names
        return with_lettered(question.strip(), self.options, between="\n") + "\nAnswer:", names


def named(options: Any) -> dict[str, str]:
    """Options by name: letters, or numbers from 1 where there are more than letters."""
    if isinstance(options, Mapping):
        return {str(name): str(text) for name, text in options.items()}
    names = _LETTERS if len(options) <= len(_LETTERS) else [str(number) for number in range(1, len(options) + 1)]
    return {name: str(text) for name, text in zip(names, options, strict=False)}


def likelihood_faults(value: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a test's `likelihood`, each with what to write instead."""
    if unknown := sorted(set(value) - _KEYS):
        yield f"likelihood: '{unknown[0]}' is none of its keys; there are {', '.join(sorted(_KEYS))}"
    options, context = value.get("options"), value.get("context")
    texts = list(options.values()) if isinstance(options, Mapping) else options
    if not isinstance(texts, list) or len(texts) < 2 or not all(isinstance(one, str) and one for one in texts):
        yield "likelihood.options must be two texts or more, as a list or by name"
        return
    if isinstance(context, list):
        if len(context) != len(texts) or not all(isinstance(one, str) and one.strip() for one in context):
            yield "likelihood.context: a list has one text for each option"
        if not isinstance(value.get("continuation"), str) or not value["continuation"]:
            yield "likelihood.continuation must be the text that follows each of the contexts"
    elif not isinstance(context, str) or not context.strip():
        yield "likelihood.context must be the text that stands before the options"
    if not isinstance(value.get("delimiter", " "), str):
        yield "likelihood.delimiter must be a text"


def is_comparable(test: TestCase) -> bool:
    """Whether the test has options that can be compared."""
    return bool(test.likelihood) or (
        isinstance(test.expected, dict)
        and test.expected.get("type") == "choice"
        and options_of(test.expected.get("options")) is not None
        and isinstance(test.prompt, str)
    )


def by_likelihood(test: TestCase) -> TestCase:
    """The test with its options compared by likelihood; as it is where it has none, or is asked so already.

    What told a dataset's row how to write its answer is left out: nothing is written.
    """
    if test.evaluator_id == EVALUATOR or not is_comparable(test):
        return test
    form = test.likelihood or _form_of(test)
    golds = test.expected.get("value") if isinstance(test.expected, dict) else test.expected
    options = named(form["options"])
    found = [option_of(gold, options) for gold in (golds if isinstance(golds, list) else [golds])]
    right = [name for name in found if name is not None]
    wrong = None if right or test.lacks_gold else "its gold is none of its options"
    layers = test.layers if test.source == "suite" else tuple(one for one in test.layers if one.scope != "test")
    return replace(
        test,
        likelihood=form,
        expected=None if not right else right[0] if len(right) == 1 else right,
        evaluator_id=EVALUATOR,
        layers=layers,
        rollout="direct",
        invalid=test.invalid or wrong,
    )


def _form_of(test: TestCase) -> dict[str, Any]:
    """The question, in which the options stand by their letters, and the letters to go on with."""
    options = options_of(test.expected["options"]) or {}
    return {"context": f"{str(test.prompt).rstrip()}\nAnswer:", "options": {name: name for name in options}}
