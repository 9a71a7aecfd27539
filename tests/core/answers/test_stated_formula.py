"""The answers of a formula in prose, and of several boxes, through `match`."""

from __future__ import annotations

from dataclasses import replace

from modex.core.answers.final_answer import find_final_answer
from modex.core.answers.stated_formula import stated_formula
from modex.core.evaluators.answers.match import MatchEvaluator
from modex.core.evaluators.registry import find_config
from tests.core.answers.tables import differing
from tests.core.evaluators.conftest import context, sample

_SENTENCES = [
    ("$7$", "Answer $ 7 $", 1),
    ("$7$", r"Answer \( 3+4 \)", 1),
    ("$7$", "So the total is 7.", 1),
    ("$7$", "First 3 + 4 is what we add. So the total is 7.", 1),
    ("$7$", "So the total = **7**.", 1),
    ("$7$", "The total is **7**.", 1),
    ("$7$", "The total is **$7$** paths.", 1),
    ("$7$", "There are **7** paths.", 1),
    ("$2$", "The count is 7**2.", 0),
    ("$7$", "There are 7 distinct lattice paths.", 1),
    ("$7$", "Final Answer: The smallest $m$ is 7.", 1),
    ("$7$", "The total is 7. I hope it is correct.", 1),
    ("$(7,6)$", "$y = 6$ So, the pair $(x, y)$ is $(7, 6)$.", 1),
    ("$x>2$", r"Therefore $x \gt 2$ is the solution.", 1),
    ("$x>2$", r"We find that $2 < x$.", 1),
    ("$7$", "We get\n\\[\n7\n\\]", 1),
    ("$7$", "We get\n$$\n\\frac{14}{2}\n$$", 1),
    ("$5$ cm", "The side is $5$ cm.", 1),
    ("$8$", "So the total is 7.", 0),
    ("$x>2$", "We find that $x < 2$.", 0),
    ("$5$", "It is not $5$.", 0),
    ("$5$", "It isn't $5$.", 0),
    ("$5$", "It is less than $5$.", 0),
    ("$5$", "It is at most 5.", 0),
    ("$5$", "It is 3 or $5$.", 0),
    ("$5$", "It is $3$ or $5$.", 0),
    ("$5$", "The candidates are $3$ and $5$.", 0),
    ("$5$", "The roots are three and $5$.", 0),
    ("$5$ m", "The side is $5$ cm.", 0),
    ("$5$", "Is it $5$?", 0),
    ("$5$", "It may be $5$.", 0),
    ("$5$", "Let us try $5$.", 0),
    ("$5$", "The side $5$ is known and the area follows.", 0),
    ("$5$", "The total is 5 million.", 0),
    ("$5$", "The total is $5$. That is wrong.", 0),
    ("$5$", "The total is $5$. We need another case.", 0),
    ("$2$", "The solution is √2.", 0),
    ("$2$", "The solution is x + 2.", 0),
    ("$2$", "So we have y > 2.", 0),
    ("$2$", "The area is 2π.", 0),
    ("$2$", "The area is 2 pi.", 0),
    ("$2$", "The solution is y - 2.", 0),
    ("$2$", "The solution is 2 x.", 0),
    ("$2$", "The count is 2!", 0),
    ("$2$", "The value is f(2).", 0),
    ("$7$", "It is not\n\\[\n7\n\\]", 0),
    ("$7$", "It is less than\n$$\n7\n$$", 0),
    ("$5$", "Es ist nicht $5$.", 0),
    ("$5$", "不是 $5$。", 0),
]
_BOXES = [
    ("$1, 4$", r"\boxed{1} and \boxed{4}", 1),
    ("$1, 4$", r"\boxed{4}, \boxed{1}", 1),
    (r"$\{1, 4\}$", r"The roots are \[ \boxed{1} \quad \text{or} \quad \boxed{4}. \]", 1),
    ("$(1,2), (3,4)$", r"$\boxed{(1,2)}$ and $\boxed{(3,4)}$", 1),
    (r"\boxed{1}, \boxed{4}", "Answer: $1, 4$", 1),
    (r"The roots are $\boxed{1}$ and $\boxed{4}$.", r"\boxed{1, 4}", 1),
    ("$4$", r"\boxed{4} and \boxed{4}", 1),
    ("$4$", "\\boxed{4}\n\n\\boxed{4}", 1),
    ("$4$", r"\boxed{1}. Wait, that is wrong; it is \boxed{4}", 1),
    ("$4$", "\\boxed{1}\n\\boxed{4}", 1),
    ("$4$", r"\boxed{1} and \boxed{4}", 0),
    ("$1$", r"\boxed{1} or \boxed{4}", 0),
    ("$1, 4$", r"\boxed{1} and \boxed{5}", 0),
    ("$1, 4$", r"\boxed{1}, \boxed{4}, \boxed{5}", 0),
    ("$1, 4$", r"\boxed{1}, no, \boxed{4}", 0),
    ("$1$", r"\boxed{1}. Wait, that is wrong; it is \boxed{4}", 0),
]


def _wrong(rows: list[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    config = find_config("match", {})
    assert config is not None
    judge, own = MatchEvaluator(), context(replace(config, config={"comparison": "math"}))
    return [row for row in rows if judge.evaluate(sample(row[1], row[0]), own).score != row[2]]


def test_one_formula_or_number_of_the_last_sentence_is_the_answer_unless_it_is_denied_bounded_or_one_of_several() -> (
    None
):
    assert _wrong(_SENTENCES) == []


def test_boxes_that_only_separators_part_are_one_answer_and_a_later_box_corrects_an_earlier_one() -> None:
    assert _wrong(_BOXES) == []


def test_the_place_of_what_is_read_is_told() -> None:
    said = "We find that $x = 3$.\nSo the total is $7$."
    stated = stated_formula(said, said.index("So"), len(said))
    assert stated is not None
    assert said[stated.start :].startswith(stated.text)
    assert stated.text == "$7$"


def test_numbers_keep_the_last_box() -> None:
    marked = find_final_answer(r"\boxed{1} or \boxed{4}")
    assert marked is not None
    assert marked.text == "4"


_STATED = r"""
The sum is $16$. => '$16$' @11
The sum is 16. => '16' @11
The sum is $16$ or $17$. => -
The sum is not $16$. => -
The sum is less than $16$. => -
The number $n$ is $16$. => '$16$' @18
The number $n$ is 16. => '16' @18
So $x$ = 16 apples. => '16' @9
There are 16 cm² of it. => '16 cm²' @10
There are $16$ cm left of it now. => '$16$ cm' @10
So we get $2 \cdot 8$. => '$2 \\cdot 8$' @10
We get 2 + 14 = 16. => -
Maybe $16$. => -
If so, $16$. => -
$16$ is the answer. => '$16$' @0
$16$ is the final answer. => '$16$' @0
$16$ is large. => -
We have\n$$16$$ => '$$16$$' @8
We have\n\[16\] => '\\[16\\]' @8
We do not have\n$$16$$ => -
We have $$16$$ and\n$$17$$ => -
$$16$$ => '$$16$$' @0
The sum is 16 distinct sequences. => '16' @11
The sum is 16 very long and distinct old sequences. => -
It is $16$. I hope this helps! => -
Of $2$ and $3$ none. => -
The sum is 16! => -
The sum is -16. => '-16' @11
"""


def formula(text: str) -> str:
    found = stated_formula(text, 0, len(text))
    return "-" if found is None else f"{found.text!r} @{found.start}"


def test_the_last_sentence_states_one_formula_or_none() -> None:
    assert differing(_STATED, formula) == []
