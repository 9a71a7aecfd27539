from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from modex.core.answers.numbers.mathematics import compare_math
from modex.core.foundation.errors import JudgeError
from modex.core.sandbox.mathematics import MathPool


@pytest.fixture(scope="module")
def pool() -> Iterator[MathPool]:
    made = MathPool(size=1, cpu_s=1)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (r"\frac{1}{3}", "0.3333"),
        (r"\sqrt{2}", "1.414"),
        (r"\sqrt{2}", "2^{1/2}"),
        ("x^2+2x+1", "(x+1)^2"),
        ("7", r"\boxed{8} … no wait \boxed{7}"),
        (r"\{1,2\}", r"\{2, 1\}"),
        ("1000", "1e3"),
        ("1.5", "1 1/2"),
        ("1/2", "½"),
        ("-5", "−5"),
        ("5", "x=5"),
        ("12:30", "12:30"),
        ("x=1, x=2", "x = 2 or x = 1"),
        (r"(1,2)\cup(3,4)", r"(3,4)\cup(1,2)"),
        (r"\text{Tuesday}", "tuesday"),
        ("5!", "120"),
    ],
)
def test_equal_mathematics_is_equal(gold: str, answer: str, pool: MathPool) -> None:
    assert compare_math(gold, answer, worker=pool).equal


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (r"\frac{1}{3}", "0.33"),
        (r"\frac{1}{3}", "0.3343"),
        ("8", r"\boxed{8} … no wait \boxed{7}"),
        (r"\{1,2\}", "(1,2)"),
        ("(1,2)", "(1,2]"),
        ("(1,2)", "(2,1)"),
        ("12", "12:30"),
        ("12:30", "12"),
        ("0.5", "50%"),
        ("5 cm", "5 m"),
        ("1 1/2", "11/2"),
        ("x^2", "y^2"),
        ("314", "3.14"),
        ("5", ""),
        ("5", "x" * 3000),
        ("5", "__import__('os').system('true')"),
    ],
)
def test_different_mathematics_is_different(gold: str, answer: str, pool: MathPool) -> None:
    assert not compare_math(gold, answer, worker=pool).equal


@pytest.mark.long
def test_an_answer_that_never_ends_is_wrong_and_the_next_one_is_judged(pool: MathPool) -> None:
    verdict = compare_math("5", r"\lim_{x \to 0} 10^{10^{10}}", worker=pool)
    assert not verdict.equal
    assert "time" in verdict.why
    assert compare_math(r"\sqrt{12}", r"2\sqrt{3}", worker=pool).equal


@pytest.mark.parametrize(
    "tower", ["10^{10^{10}}", "9^{9^{9^{9}}}", "((9!)!)!", r"\sum_{k=1}^{10^9} k", "(" * 500 + "1" + ")" * 500]
)
def test_an_answer_of_any_size_is_decided_at_once(tower: str, pool: MathPool) -> None:
    assert not compare_math("5", tower, worker=pool).equal
    assert not compare_math(r"\sqrt{7}", tower, worker=pool).equal


@pytest.mark.long
def test_a_gold_that_never_ends_is_the_suites_fault(pool: MathPool) -> None:
    with pytest.raises(JudgeError, match="expected answer"):
        compare_math(r"\lim_{x \to 0} 10^{10^{10}}", "7", worker=pool)


def test_many_threads_share_one_child(pool: MathPool) -> None:
    with ThreadPoolExecutor(8) as threads:
        found = list(
            threads.map(lambda n: compare_math(f"\\sqrt{{{n * n}}}+x", f"x+{n}", worker=pool).equal, range(2, 18))
        )
    assert all(found)
    assert threading.active_count() < 50
