"""The answer that a response gives by itself, with no model asked."""

from __future__ import annotations

from modex.core.answers.kinds import expected_answer
from modex.core.answers.own import read_own
from modex.core.evaluators.answers.extraction import plain_answer
from tests.core.answers.tables import differing

_ANSWERS = [
    (
        "numeric",
        "How many apples are left?",
        "You start with 20 and give away 8, so there are 12 apples left.",
        "48 last_line 12",
    ),
    ("numeric", "How many apples are left?", "20 - 8 = 12", "0 last_line 20 - 8 = 12"),
    ("numeric", "How many apples are left?", "20 − 8 = 12. So you have twelve apples left!", "9 last_line 12"),
    ("numeric", "How many apples are left?", "There are 12 apples left out of 20.", "10 last_line 12"),
    ("numeric", "How many apples are left?", "Of the 20 apples, 12 are left.", "18 last_line 12"),
    ("numeric", "How many apples are left?", "12 apples are left, which is 60% of 20.", "0 statement 12"),
    ("numeric", "How many apples are left?", "12 of them.", "0 last_line 12"),
    (
        "numeric",
        "How many apples are left?",
        "He has 20 apples.\nHe gives 8 away.\n12 are left.",
        "35 last_line 12 are left.",
    ),
    ("numeric", "How many apples are left?", "Answer: 12 (20 minus 8)", "8 label 12 (20 minus 8)"),
    ("numeric", "How many apples are left?", "Answer: about 12", "8 label about 12"),
    ("numeric", "How many apples are left?", "Answer: 12 or 13", None),
    ("numeric", "How many apples are left?", "Answer: between 12 and 14", None),
    ("numeric", "How many apples are left?", "Answer: 12-14", "8 label 12-14"),
    ("numeric", "How many apples are left?", "The answer is not 12 but 13.", "25 sentence 13"),
    ("numeric", "How many apples are left?", "12. Wait, no: it is 13.", "20 last_line 13"),
    ("numeric", "How many apples are left?", "12? No, 13.", "8 last_line 13"),
    ("numeric", "How many apples are left?", "It is 12, not 13.", "6 statement 12"),
    ("numeric", "How many apples are left?", "It isn't 12.", None),
    ("numeric", "How many apples are left?", "12 is wrong.", None),
    ("numeric", "How many apples are left?", "I don't know, maybe 12.", None),
    ("numeric", "How many apples are left?", "3 pears and 12 apples are left.", "12 last_line 12"),
    ("numeric", "How many apples are left?", "- 20 at first\n- 8 given\n- 12 left", "24 last_line - 12 left"),
    ("numeric", "How many apples are left?", "**12**", "0 last_line **12**"),
    ("numeric", "How many apples are left?", "**12** apples, since 20 - 8 = 12.", "30 last_line 12"),
    ("numeric", "How many apples are left?", "\\boxed{12}", "7 boxed 12"),
    ("numeric", "How many apples are left?", "\\boxed{12} apples, i.e. \\boxed{12}", "31 boxed 12"),
    ("numeric", "How many apples are left?", "#### 12", "5 hash 12"),
    ("numeric", "How many apples are left?", "<answer>12</answer>", "8 tag 12"),
    (
        "numeric",
        "How many apples are left?",
        "The final answer is 12. I hope this helps! Ask me 24/7.",
        "20 sentence 12",
    ),
    ("numeric", "How many apples are left?", "12\n\nExplanation: 20 minus 8.", "0 last_line 12"),
    ("numeric", "How many apples are left?", "12\nQuestion: What is 2 + 3?\nAnswer: 5", "0 last_line 12"),
    ("numeric", "How many apples are left?", "There are none left.", None),
    ("numeric", "How many apples are left?", "No apples are left.", None),
    ("numeric", "How many apples are left?", "A dozen.", "0 last_line A dozen."),
    ("numeric", "How many apples are left?", "Half of them.", None),
    ("numeric", "How many apples are left?", "x = 12", "0 last_line x = 12"),
    ("numeric", "How many apples are left?", "Let x = 8. Then 20 - x = 12.", "25 last_line 12"),
    ("numeric", "How many apples are left?", "12 = 20 - 8", "0 last_line 12"),
    ("numeric", "How many apples are left?", "20 - 8", None),
    ("numeric", "How many apples are left?", "There are 12 apples and 3 pears left.", "10 last_line 12"),
    ("numeric", "How many pears are left?", "There are 12 apples and 3 pears left.", "24 last_line 3"),
    ("numeric", "How many apples are left?", "So 12.", "3 last_line 12"),
    (
        "numeric",
        "How many apples are left?",
        "Therefore, after giving 8 apples to her 2 friends, 12 apples are left.",
        "51 last_line 12",
    ),
    ("numeric", "How many apples are left?", "In 2024 there were 12 apples left.", "19 last_line 12"),
    ("numeric", "How many apples are left?", "See page 7. There are 12.", "22 last_line 12"),
    ("numeric", "How many apples are left?", "There are 12 (see page 7).", "10 statement 12"),
    ("numeric", "How many apples are left?", "First I thought 13, but there are 12.", "34 last_line 12"),
    ("numeric", "How many apples are left?", "Some say 13, but there are 12.", "27 last_line 12"),
    ("numeric", "How many apples are left?", "Not counting the 3 pears, there are 12.", "36 last_line 12"),
    (
        "numeric",
        "How many apples are left?",
        "If she gave 5, there would be 15. She gave 8, so there are 12.",
        "59 last_line 12",
    ),
    ("numeric", "How much does it cost?", "It costs $12.50.", "9 last_line $12.50"),
    ("numeric", "How much does it cost?", "$12.50 for 5 kg.", "0 last_line $12.50"),
    ("numeric", "How much does it cost?", "5 kg cost $12.50.", "10 last_line $12.50"),
    ("numeric", "How much does it cost?", "The total is $1,250.00.", "13 last_line $1,250.00"),
    ("numeric", "How much does it cost?", "Total: 1,250 USD per year", "0 last_line Total: 1,250 USD per year"),
    ("numeric", "How long does it take?", "It takes 3 hours, i.e. 180 minutes.", "9 statement 3"),
    ("numeric", "How long does it take?", "It takes 180 minutes (3 hours).", "9 statement 180"),
    ("numeric", "How long does it take?", "It takes 3 hours for 4 people.", "9 last_line 3"),
    ("numeric", "What percentage is it?", "It is 25%, or a quarter.", "6 statement 25%"),
    ("numeric", "What percentage is it?", "It is a quarter (25%).", "17 last_line 25%"),
    ("numeric", "What percentage is it?", "25 of 100, so 25 percent.", "14 last_line 25 percent"),
    ("numeric", "What is the probability?", "The probability is 1/4.", "19 last_line 1/4"),
    ("numeric", "What is the probability?", "1/4 = 0.25", "0 last_line 1/4 = 0.25"),
    ("numeric", "What is the ratio?", "The ratio is 3:4.", None),
    ("numeric", "What is x?", "x = -3", "0 last_line x = -3"),
    ("numeric", "What is x?", "x ≈ 3.14", "4 last_line 3.14"),
    ("numeric", "What is x?", "x = 6/2 = 3", "0 last_line x = 6/2 = 3"),
    ("numeric", "What is x?", "We get 2x = 6, hence x = 3.", "25 last_line 3"),
    ("numeric", "What is x?", "x = 3 is the only solution; x = 4 is not.", "4 last_line 3"),
    ("numeric", "What is x?", "$x = 3$.", "5 last_line 3"),
    ("numeric", "What is x?", "$$x = 3$$ where x > 2", "6 last_line 3"),
    ("numeric", "What is the temperature?", "It is -5 °C (23 °F).", "6 statement -5"),
    ("numeric", "When was it?", "It was in 1998, in May.", "10 last_line 1998"),
    ("numeric", "When was it?", "On 14 May 1998.", "10 last_line 1998"),
    ("boolean", "Is the sky blue?", "Yes.", "0 last_line Yes."),
    ("boolean", "Is the sky blue?", "The sky is blue.", "0 statement The sky is blue. → yes"),
    ("boolean", "Is the sky blue?", "The sky is not blue.", "0 statement The sky is not blue. → no"),
    ("boolean", "Is the sky blue?", "It is blue.", "0 statement It is blue. → yes"),
    ("boolean", "Is the sky blue?", "It isn't.", "0 statement It isn't. → no"),
    ("boolean", "Is the sky blue?", "It is.", "0 statement It is. → yes"),
    ("boolean", "Is the sky blue?", "It is red, not blue.", None),
    ("boolean", "Is the sky blue?", "I think so.", None),
    ("boolean", "Is the sky blue?", "I don't think so.", None),
    ("boolean", "Is the sky blue?", "Well, the sky was blue.", "0 statement Well, the sky was blue. → yes"),
    ("boolean", "Is the sky blue?", "The sea is blue.", None),
    ("boolean", "Is the sky blue?", "Is the sky blue? Yes.", "17 last_line Yes."),
    ("boolean", "Is the sky blue?", "Answer: no", "8 label no"),
    ("boolean", "Is the sky blue?", "True", "0 last_line True"),
    ("boolean", "Is the sky blue?", "It depends.", None),
    ("boolean", "Is the sky blue?", "I cannot tell whether the sky is blue.", None),
    ("boolean", "Does it rain?", "It rains.", "0 statement It rains. → yes"),
    ("boolean", "Does it rain?", "It does not rain.", "0 statement It does not rain. → no"),
    ("boolean", "Does it rain?", "It does.", "0 statement It does. → yes"),
    ("boolean", "Does it rain?", "It never rains.", "0 statement It never rains. → no"),
    ("boolean", "Can birds fly?", "Birds can fly.", "0 statement Birds can fly. → yes"),
    ("boolean", "Can birds fly?", "Birds cannot fly.", "0 statement Birds cannot fly. → no"),
    ("boolean", "Can birds fly?", "Most birds can.", None),
    ("boolean", "Can birds fly?", "No bird can fly.", "0 last_line No bird can fly."),
    ("boolean", "Can birds fly?", "Birds can swim.", None),
    ("boolean", "Did he win?", "He won.", "0 statement He won. → yes"),
    ("boolean", "Did he win?", "He did not win.", "0 statement He did not win. → no"),
    ("boolean", "Did he win?", "He lost.", None),
    (
        "boolean",
        "Are there more cats than dogs?",
        "There are more cats than dogs.",
        "0 statement There are more cats than dogs. → yes",
    ),
    ("boolean", "Is it possible?", "It is impossible.", "0 statement It is impossible. → no"),
    ("boolean", "Is it possible?", "It is possible.", "0 statement It is possible. → yes"),
    ("boolean", "Isn't it blue?", "No, it is blue.", "0 last_line No, it is blue."),
    ("boolean", "Was it built before 1900?", "It was built in 1850.", None),
    ("math", "What is f?", "f(x) = x^2 + 1", "0 last_line f(x) = x^2 + 1"),
    ("math", "What is f?", "We get f(x) = x^2 + 1, as x > 0.", "0 last_line We get f(x) = x^2 + 1, as x > 0"),
    ("math", "What is f?", "So $x^2+1$ is the answer.", "3 last_line $x^2+1$"),
    ("math", "What is f?", "The answer is $x^2+1$.", "14 sentence $x^2+1$"),
    ("math", "What is f?", "Hence \\(x^2+1\\).", "6 last_line \\(x^2+1\\)"),
    ("math", "What is f?", "$$x^2+1$$", "0 last_line $$x^2+1$$"),
    ("math", "What is f?", "First $x^2$. Then $x^2+1$.", "18 last_line $x^2+1$"),
    ("math", "What is f?", "x^2+1 (for all x)", "0 last_line x^2+1 (for all x)"),
    ("math", "What is f?", "\\boxed{x^2+1}", "7 boxed x^2+1"),
    ("math", "What is f?", "The roots are $x=1$ and $x=2$.", "0 last_line The roots are $x=1$ and $x=2$"),
    ("math", "What is f?", "There is no such f.", "0 last_line There is no such f"),
    ("date", "When was it?", "It was on 14 May 1998.", "10 last_line 14 May 1998"),
    ("date", "When was it?", "Answer: 1998-05-14", "8 label 1998-05-14"),
    ("date", "When was it?", "It was in May.", None),
    ("date", "When was it?", "On 14 May 1998, not on 15 May 1998.", "3 last_line 14 May 1998"),
    ("date", "When was it?", "Not on 15 May 1998.", None),
    ("exact_match", "What is it?", "The answer is Paris.", "14 sentence Paris"),
    ("exact_match", "What is it?", "**Paris**", "0 last_line Paris"),
    ("text", "What is it?", "Paris", "0 last_line Paris"),
]
"""A type, a question, a response, and what is read: where it begins, how it was found, its words, what they mean."""


def _read(kind: str, question: str, response: str) -> str | None:
    own = read_own(response, plain_answer(kind), question)
    if own is None:
        return None
    return f"{own.start} {own.how} {own.text}" + (f" → {own.means}" if own.means else "")


def test_a_response_gives_the_answer_that_its_type_needs() -> None:
    read = [(kind, question, text, _read(kind, question, text)) for kind, question, text, _ in _ANSWERS]
    assert read == _ANSWERS


_NUMBERS = r"""
5 kg|How heavy is it?|kg|It weighs 5 kg and has 4 legs. => '5 kg' last_line @10
5 kg|How heavy is it?|kg|It weighs 5 kilograms. => '5 kilograms' last_line @10
5 kg|How heavy is it?|kg|5 kg\n\nIt is 3 m long. => '5 kg' first_line @0
5 kg|How heavy is it?|kg|It is 3 m long. => '3 m' last_line @6
5|How many?||5\n\nThere were 9 and 4 left. => '5' first_line @0
5|How many?||5\n\nSo 9 - 4 = 5. => '5' last_line @14
5|How many?||5\n\nSo there are 6. => '6' last_line @16
5|How many?||5\nExplanation: 9 less 4 => '5' last_line @0
5|How many?||9 less 4\nExplanation: so 5 => '5' last_line @25
5|How many?||The number is 5. Is it 6? => -
5|How many?||The number is 5. (I took 6 first.) => '5' last_line @14
5|How many?||The number is 5. It would have been 6. => '5' last_line @14
5|How many?||The number is 5.\nConfidence: 90 => '5' last_line @14
5|How many?||The number is 5.\n(9 less 4) => '5' last_line @14
5|How many?||The number is 5.\nLet me know if you need 3 more. => '5' last_line @14
5|How many?||Number 5 is alive. => '5' last_line @7
5|How many?||i.e. 5 of them => '5' last_line @5
5|How many?||It is five. => 'five' last_line @6
5|How many?||No, wait. 5. => '5' last_line @10
5|How many?||6. No, wait. 5. => '5' last_line @13
5|How many?||Answer: 6. Wait, yes, that is right. => '6' label @8
5|How many?||Answer: $5$ => '$5$' label @8
5|How many?||Answer: 5 apples and 3 pears => '5' label @8
5|How many apples?||There are 3 pears and 5 apples left. => '5' last_line @22
5|How many apples?||There are 5 apples, 3 pears left. => '5' statement @10
5|How many apples?||Of 12 apples 5 remain. => '5' last_line @13
5|How much?||She pays $5 for 3 kg. => '$5' last_line @9
5|How much?||For 3 kg she pays $5 in 2 shops. => '$5' last_line @18
5|How much?||3 pears cost $5. => '$5' last_line @13
5|How much?||It makes **5** in 3 days, 4 hours. => '5' last_line @11
5|How many of the 9?||There are 5 of 9. => '5' last_line @10
5|How many are there?||There are 5 moons. The 6th was lost in 1999. => '5' statement @10
5|How many moons are there?||There are 5 moons; 6 were thought. => '5' statement @10
5|How many moons are there?||There are 5 moons. There are 6 moons. => '6' last_line @29
5|How many moons are there?||There were 6 moons, now there are 5 moons. => '5' last_line @34
5|How many moons are there?||If there were 6 moons we would see; there are 5 moons. => '5' last_line @46
5|How many moons has Mars?||Mars has 5 moons. Jupiter has 79. => '5' statement @9
5|How many moons has Mars?||Jupiter has 79 moons. Mars has 5. => '5' last_line @31
5|How many moons has Mars?||5. Jupiter has 79. => '5' first_line @0
5|How many moons has Mars?||5 (Jupiter has 79) => '5' first_line @0
5|How many moons has Mars?||5 — Jupiter has 79 => '5' first_line @0
5|How many moons has Mars?||Mars has more than 5 moons. => -
5|Has it more than 5 moons?||It has more than 5 moons. => '5' last_line @17
5|What is 2 + 3?||2 + 3 is 5 => '5' last_line @9
5|What is 2 + 3?||It is not known. => -
5|What is 2 + 3?||There is not enough information, 5. => -
5|What is 2 + 3?||5! => '5' last_line @0
5|What is 2 + 3?||x5 => -
5|What is 2 + 3?||5x => -
5|What is 2 + 3?||chapter 5 => -
5|What is 2 + 3?||step 5 => -
5|Which step?||step 5 => -
5|Which chapter?||chapter 5 => '5' last_line @8
5|What is 2 + 3?||between 4 and 5 => -
5|What is 2 + 3?||maybe 4, maybe 5 => -
5|What is 2 + 3?||no longer 4 but 5 => '5' last_line @16
5|What is 2 + 3?||5.0 => '5.0' last_line @0
5|What is 2 + 3?||+5 => '+5' last_line @0
5|What is 2 + 3?||4 + 1 => -
5|What is 2 + 3?||a = 4, b = 5 => '5' last_line @11
5|What is 2 + 3?||**Answer:** 5 => '5' label @12
5|What is 2 + 3?||5\n5 => '5' last_line @2
5|What is 2 + 3?||5\n\n6 => '5' first_line @0
5|What is 2 + 3?||\n\n5\n\n => '5' last_line @2
5 kg|How heavy?||5 kg\n\nIt is 3 m long. => '5 kg' first_line @0
5|How many?||5 of them\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl => -
5|How many?||5 of them\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl => '5' last_line @0
5|How many?||So 2+3=5 in all 9 cases => '5' last_line @7
5|How many?||It is 6, no, sorry, 5 of them => '5' last_line @20
5|How many?||It is 6, no, sorry, five of them => 'five' last_line @20
5|How much?||It is 5 for 3 and -$7 for 4 => '5' last_line @6
5|How many?||It is **5**, 3, 4 => '5' statement @8
5|How many?||He has 5 apples, 3 fewer than Ann. => '5' statement @7
5|How many?||Is it 4? => -
5|How many?||It is 4. Is it 5? => '4' statement @6
5|How many?||In total 5 after 3 of 4 days => '5' last_line @9
"""
"""A gold, a question, the unit that the test names, and a response: what is read in it, how, and where."""


def own_number(line: str) -> str:
    gold, prompt, unit, response = line.split("|", 3)
    expected = expected_answer({"type": "numeric", "value": gold, **({"unit": unit} if unit else {})})
    found = read_own(response, expected, prompt)
    return "-" if found is None else f"{found.text!r} {found.how} @{found.start}"


def test_a_response_has_one_number_of_its_own() -> None:
    assert differing(_NUMBERS, own_number) == []
