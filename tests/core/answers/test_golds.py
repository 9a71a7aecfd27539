"""By which type a gold's answers are compared, told by the gold alone."""

from __future__ import annotations

from modex.core.answers.golds import answer_type, type_of
from tests.rows import each_row


@each_row(
    ("gold", "kind"),
    [
        *((word, "boolean") for word in ("yes", "No", "TRUE", "false", "Ya", " tidak ", "Ja", "Nein", "Oui", "non")),
        ("Yes.", None), ("Jan", None), ("Noël", None), ("nonsense", None),
        ("B", "choice"), ("(C)", "choice"), ("b", None), ("K", None),
        ("42", "numeric"), ("007", None), ("+62 812 3456", None), ("1980s", None), ("Paris", None),
    ],
)  # fmt: skip
def test_a_gold_tells_the_type_of_its_answers(gold: str, kind: str | None) -> None:
    assert type_of(gold) == kind


def test_alternatives_of_one_type_have_it_and_of_several_are_texts() -> None:
    assert answer_type(["Ya", "yes"]) == "boolean"
    assert answer_type(["Ya", "Paris"]) == "exact_match"
    assert answer_type({"value": "Tidak"}) == "boolean"
