"""Which parameter a provider refuses, and whether it is the parameter or its value."""

from __future__ import annotations

from modex.core.llm.faults.parameters import Refusal, refusal_of
from modex.core.llm.faults.words import ProviderWords
from tests.rows import each_row


@each_row(
    ("message", "names", "parameter", "refusal"),
    [
        ("seed", (), "", None),
        ("unsupported parameter: seed", (), "", Refusal(parameter="seed", what="absent", instead=None)),
        ("seed: no", ("unsupported_parameter",), "", Refusal(parameter="seed", what="absent", instead=None)),
        ("seed: no", ("other",), "", None),
        ("no", ("unsupported_parameter",), "seed", Refusal(parameter="seed", what="absent", instead=None)),
        ("no", ("unsupported_parameter",), "", None),
        ("no", ("json_validate_failed",), "", Refusal(parameter="response_format", what="absent", instead=None)),
        ("temperature must be one of 0, 1", (), "", Refusal(parameter="temperature", what="value", instead=None)),
        (
            "temperature must be one of: only the default",
            (),
            "",
            Refusal(parameter="temperature", what="absent", instead=None),
        ),
        ("stream must be one of false", (), "", Refusal(parameter="stream", what="absent", instead=None)),
        (
            "unsupported parameter: max_tokens, use max_completion_tokens",
            (),
            "",
            Refusal(parameter="max_tokens", what="absent", instead="max_completion_tokens"),
        ),
        ("unsupported parameter: max_tokens", (), "", Refusal(parameter="max_tokens", what="absent", instead=None)),
        ("unsupported: seed and temperature", (), "", Refusal(parameter="seed", what="absent", instead=None)),
        ("unsupported: myseed", (), "", None),
    ],
)
def test_a_refusal_names_its_parameter(
    message: str, names: tuple[str, ...], parameter: str, refusal: Refusal | None
) -> None:
    assert refusal_of(ProviderWords(message, parameter=parameter, names=frozenset(names))) == refusal
