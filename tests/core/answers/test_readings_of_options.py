"""Which option a response chooses."""

from __future__ import annotations

from tests.core.answers.readers import chosen, letter, listed_options
from tests.core.answers.tables import differing

_CHOSEN = r"""
A red; B blue; C green|The answer is A or B? => -, AB3@14
A red; B blue; C green|Is it (A) or (B)? => -
A red; B blue; C green|B. However, the answer is C. => C sentence 'C', B2@0, C3@26
A red; B blue; C green|The answer is B. A is wrong. => B sentence 'B', B3@14, not A@17
A red; B blue; C green|The answer is B. B is wrong. => -, B3@14, not B@17
A red; B blue; C green|Not A, not C. => -, not A@4, not C@11
A red; B blue; C green|So it must be (B), I hope this helps. => B last_line '(B)'
A red; B blue; C green|Only (B) fits. => B sentence 'B', B1@5, B1@6
A red; B blue; C green|Only (B) fits => B sentence 'B', B1@5, B1@6
A red; B blue; C green|If (B) fits. => -
A red; B blue; C green|Let x = (B) + 1. => -
A red; B blue; C green|(A) and [B] fit. => -
A red; B blue; C green|It is blue. => B last_line 'blue'
A red; B blue; C green|It is blue and not red. => B last_line 'blue'
A red; B blue; C green|It is not blue. => -
A red; B blue; C green|The sky is blue, the grass is green. => -
A red; B blue; C green|Is it blue? => -
A red; B blue; C green|I see. I look. I think. It is blue. => B last_line 'blue'
A red; B blue; C green|I see blue. I look. I think. It is so. => -
A red; B blue; C green|I see blue. I look. I think. It is not blue. => -
A red; B blue; C green|blue. blue. blue. blue. => -
A red; B blue; C green|A. red\nB. blue\nC. green => -
A red; B blue; C green|A. red\nB. blue\nC. green\nThe answer is blue. => B sentence 'blue.', B3@38
A red; B blue; C green|Answer: B\nA. red\nB. blue\nC. green => B label 'B', B3@8
A red; B blue; C green|\boxed{A} Hmm, actually, B. => B sentence 'B', A3@7, A2@7, B1@25
A red; B blue; C green|\boxed{A} so \boxed{C} => C boxed 'C', A3@7, A2@7, C3@20, C1@20
A red; B blue; C green|**B** blue => B last_line 'blue'
A red; B blue; C green|Both A and B are right. => -, AB2@11
A red; B blue; C green|A and B are right, so B. => B sentence 'B', AB2@6, B1@22
A red; B blue; C green|Final answer: none of them. => -
A red; B dark red; C green|It is dark red. => B last_line 'dark red'
A red; B dark red; C green|It is red. => A last_line 'red'
A 5; B 15; C 25|15 => B last_line '15'
A 5; B 15; C 25|5 + 10 = 15 => B last_line '15'
A 5; B 15; C 25|The sum is 15 km. => -
A I only; B II only; C both I and II|I only. => A last_line 'I only'
A I only; B II only; C both I and II|both I and II are true. => C last_line 'both I and II'
A red; B blue; C green|Die Antwort ist B. => B sentence 'B', B3@16
A red; B blue; C green|La réponse est (C). => C sentence '(C)', C3@15
A red; B blue; C green|答案是 B。 => B sentence 'B', B3@4
A red; B blue; C green|Jawabannya C => C label 'C', C3@11
A red; B blue; C green|Option C it is. => C sentence 'C', C2@7
A red; B blue; C green|C, as B says. => C line 'C', C2@0
A red; B blue; C green|a => A line 'a', A2@0
A red; B blue; C green|D => -
A red; B blue; C green|I would go with option B. => B sentence 'B', B1@23
A red; B blue; C green|Neither A nor B, so C. => C sentence 'C', C1@20, not B@14
A red; B blue; C green|A is incorrect because it is red. B is right. => B sentence 'B', B2@34, not A@0
A red; B blue; C green|**Answer: C** => C label 'C', C3@10
A red; B blue; C green|Answer: C (green) => C label 'C', C3@8
A red; B blue; C green|Answer: green => C label 'green', C3@8
A red; B blue; C green|The correct option is C) green. => C sentence 'C', C3@22
A red; B blue; C green|B) => B line 'B', B2@0
A red; B blue; C green|(B) blue => B line 'B', B2@1
A red; B blue; C green|B: red => -, AB2@0
A red; B blue; C green|The best choice would be B, although A is close. => B sentence 'B', B3@25
A red; B blue; C green|We can eliminate A and C. => -, not A@17, not C@17
A red; B blue; C green|You might think A, but B is the answer. => B sentence 'B', B2@23
A red; B blue; C green|The answer is either A or B. => -, AB3@21
A red; B blue; C green|A man walks. The answer: B => B label 'B', B3@25
A red; B blue; C green|Therefore, B is true and C is false. => B sentence 'B', B2@11, not C@25
A red; B blue; C green|All of A, B and C are right. => -, ABC2@16
A red; B blue; C green|Vitamin C is good. I choose A. => A sentence 'A', A1@28
A red; B blue; C green|Let A = 5 and B = 6. So C. => C sentence 'C', C1@24
A red; B blue; C green|\boxed{\text{B}} => B boxed 'B', B3@13, B2@13
A red; B blue; C green|$\boxed{C}$ is my answer => C boxed 'C', C3@8, C2@8
A red; B blue; C green|Ｂ => B line 'Ｂ', B2@0
A red; B blue; C green|The answer is not A. => -, not A@18
A red; B blue; C green|The answer isn't B; it's C. => C sentence 'C', C1@25, not B@17
A red; B blue; C green|Correct answer: A? No, B. => B last_line 'B', A3@16
A red; B blue; C green|option (c). => C line 'c', C2@8
A red; B blue; C green|So the answer is\n\nC => C sentence 'C', C3@18, C2@18
A red; B blue; C green|I'm torn between A and C. => -
A red; B blue; C green|1. A\n2. B => -
A red; B blue; C green|A, B => -, AB2@0
A red; B blue; C green|A/B => -
A 1 km; B 10 km|You might think the answer is A but not B => -, not B@40
A Ne; B N; C S; D I; E F; F Se; G Ga; H O; I He; J H|The answer is (G). => G sentence '(G)', G3@14
A red; B blue; C green|minus B. Nope, A. => A sentence 'A', A1@15
A true; B false|A? No, E. => -
A true; B false|If the answer is A, then it rains. If the answer is B, then it snows. => -, A3@17, B3@52
A yes; B no|C) Rome, because (A) is wrong => -, not A@17
"""


def test_one_option_is_chosen_among_those_that_are_named() -> None:
    assert differing(_CHOSEN, lambda line: chosen(*line.split("|"))) == []


_LETTER = r"""
A Paris; B London; C Rome; D none of these|B - red => B
A the heart; B the left lung; C the right lung; D a lung|A: red B: green C: blue => None
A true; B false|[b]. => B
A yes; B no|I => None
"""


def test_a_bare_answer_is_one_letter() -> None:
    assert differing(_LETTER, lambda line: letter(*line.split("|"))) == []


_LISTED_OPTIONS = r"""
Which? A) red B) blue =>
Which?\nA. red\nB. blue\nC. green => A red; B blue; C green
Which?\n(A) red\n(B) blue =>
Which?\n1. red\n2. blue =>
Which? A red =>
Which?\nA: red\nC: blue =>
Which?\na) red\nb) blue =>
A: red B: green C: blue => A red; B green; C blue
"""


def test_options_are_read_from_the_question() -> None:
    assert differing(_LISTED_OPTIONS, listed_options) == []
