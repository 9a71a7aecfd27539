"""What a response marks as its final answer."""

from __future__ import annotations

from modex.core.answers.final_answer import find_final_answer
from tests.core.answers.tables import differing

_FINAL = r"""
Answer: 5 => '5' label @8
Answer: 5\nAnswer: 6 => '6' label @18
The answer is 5. It is so. => '5' sentence @14
The answer is 3.14. It is so. => '3.14' sentence @14
The answer is 5 because 2 + 3. => '5' sentence @14
The answer is $5. => '$5' sentence @14
The correct choice is B => 'B' sentence @22
My final answer would be 5 => '5' sentence @25
The answer isn't 5 => "The answer isn't 5" last_line @0
#### 5 => '5' hash @5
A: 5 => '5' label @3
<answer>5</answer> => '5' tag @8
<answer> 5 </answer> and 6 => '5' tag @9
The answer is \boxed{5} => '5' boxed @21
\boxed{5} is the answer => '5' boxed @7
\boxed{} Answer: 5 => '\\boxed{} Answer: 5' last_line @0
Jawaban: 5 => '5' label @9
Jawabannya adalah 5. => '5' sentence @18
Antwort: 5 => '5' label @9
Die Antwort lautet 5. => '5' sentence @19
La réponse est 5. => '5' sentence @15
La respuesta es 5 => '5' sentence @16
答案:5 => '5' label @3
Answer: 5 Confidence: 90% => '5' label @8
Answer: 5 (confidence: 90%) => '5' label @8
**Answer:** **5** => '5' label @14
line one\nline two => 'line two' last_line @9
```\n5\n``` => '5' last_line @4
Answer: => 'Answer' last_line @0
Answer:\n5 => '5' label @8
So: the answer: 5 => '5' label @16
"""


def final(response: str) -> str:
    found = find_final_answer(response)
    return "-" if found is None else f"{found.text!r} {found.how} @{found.start}"


def test_the_last_mark_counts_else_the_last_line() -> None:
    assert differing(_FINAL, final) == []
