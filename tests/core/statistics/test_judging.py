"""What is said of a judge, at the counts from which it is certain."""

from __future__ import annotations

from modex.core.statistics.intervals import wilson
from modex.core.statistics.judging import Probes, Share, faults
from tests.rows import each_row

GOOD = Share(50, 50), Share(50, 50)


def said(passed_right: Share = GOOD[0], failed_wrong: Share = GOOD[1], **probes: Share) -> list[str]:
    return [one.split(" ")[0].rstrip(":") for one in faults(passed_right, failed_wrong, Probes(**probes))]


def first_said(of: int, **counts: str) -> int:
    """From how many of so many on the probe is told against a judge."""
    ((probe, word),) = counts.items()
    told = [number for number in range(of + 1) if said(**{probe: Share(number, of)}) == [word]]
    assert told == list(range(told[0], of + 1))
    return told[0]


def test_a_judge_without_a_fault_has_none_and_nothing_is_said_of_what_was_not_tried() -> None:
    assert said() == []
    assert Probes() == Probes(Share(0, 0), Share(0, 0), Share(0, 0))
    assert (Share(3, 4).rate, Share(0, 0).rate, Share(0, 0).interval) == (0.75, None, None)
    assert Share(3, 4).interval == wilson(3, 4)


@each_row(("probe", "word"), [("flips", "unsteady"), ("obeyed", "obeys")])
@each_row("of", [20, 100])
def test_a_fault_is_said_from_where_the_whole_interval_lies_above_a_twentieth(probe: str, word: str, of: int) -> None:
    number = first_said(of, **{probe: word})
    lower = [(wilson(count, of) or (0.0, 1.0))[0] for count in (number - 1, number)]
    assert lower[0] <= 0.05 < lower[1]


def test_a_side_is_preferred_where_the_interval_at_99_percent_leaves_a_half_out() -> None:
    sides = [faults(*GOOD, Probes(first=Share(number, 40))) for number in range(41)]
    second = [number for number, one in enumerate(sides) if one == ["prefers the second of two answers"]]
    first = [number for number, one in enumerate(sides) if one == ["prefers the first of two answers"]]
    even = [number for number, one in enumerate(sides) if not one]
    assert (second, even, first) == (list(range(12)), list(range(12, 29)), list(range(29, 41)))


@each_row(
    ("passed_right", "failed_wrong", "constant"),
    [
        (Share(10, 10), Share(0, 10), True),
        (Share(9, 9), Share(0, 9), False),  # of fewer than ten nothing is said
        (Share(10, 10), Share(0, 9), False),
        (Share(9, 9), Share(0, 10), False),
        (Share(40, 40), Share(4, 40), True),
        (Share(40, 40), Share(12, 40), False),
        (Share(20, 40), Share(20, 40), True),
    ],
)
def test_a_judge_is_constant_where_right_and_wrong_answers_pass_alike(
    passed_right: Share, failed_wrong: Share, constant: bool
) -> None:
    assert ("constant" in said(passed_right, failed_wrong)) is constant


def test_all_that_is_wrong_is_said_in_order() -> None:
    found = said(Share(40, 40), Share(0, 40), flips=Share(30, 40), first=Share(40, 40), obeyed=Share(30, 40))
    assert found == ["constant", "unsteady", "prefers", "obeys"]
