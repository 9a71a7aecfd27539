from __future__ import annotations

from tests.core.evaluators.instructions.conftest import followed, found
from tests.rows import each_row


@each_row(
    ("text", "number"),
    [("[name] of [street]", 2), ("[a\nb]", 0), ("[[a]]", 1), ("[]", 1), ("] [", 0), ("[a] [b", 1), ("[a [b] c]", 1)],
)
def test_placeholders_stand_in_brackets_within_a_line(text: str, number: int) -> None:
    verdict = found("detectable_content:number_placeholders", text, num_placeholders=1)
    assert verdict.words == f"{number} placeholder{'' if number == 1 else 's'}, at least 1 asked"
    assert verdict.followed is (number >= 1)


@each_row(
    ("mark", "text", "there"),
    [
        ("P.S.", "Bye.\n\nP.S. More", True),
        ("P.S.", "Bye.\np. s. more", True),
        ("P.S.", "Bye. PS: more", False),
        ("P.P.S", "P.P.S. more", True),
        ("P.P.S", "p. p. s more", True),
        ("P.P.S", "P.S. more", False),
        ("Note:", "NOTE: more", True),
        ("Note:", "more", False),
    ],
)
def test_a_postscript_begins_with_its_mark(mark: str, text: str, there: bool) -> None:
    verdict = found("detectable_content:postscript", text, postscript_marker=mark)
    assert (verdict.followed, verdict.words) == (there, f"'{mark}' {'found' if there else 'missing'}")


def test_blanks_around_a_mark_do_not_count() -> None:
    assert followed("detectable_content:postscript", "p. s. more", postscript_marker=" P.S. ")
