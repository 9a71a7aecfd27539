"""Ten rows of each known benchmark in the columns of its published files, their golds, and a right and a wrong answer to each.

The columns, their types and how options and golds are written are those of the repositories that `HOMES` names, or of the page in
`ELSEWHERE`; the contents are ours.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import pickle
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

COUNT = 10
_LETTERS = "ABCDEFGHIJ"
_SUBJECTS = ("abstract_algebra", "anatomy", "professional_law")


@dataclass(frozen=True, slots=True)
class Published:
    """Rows of one benchmark. `right` and `wrong` are whole responses, one a row."""

    preset: str
    rows: Sequence[dict[str, Any]]
    golds: Sequence[Any]
    right: Sequence[str]
    wrong: Sequence[str]
    suffix: str = ".jsonl"

    @property
    def text(self) -> str:
        """The file's contents."""
        if self.suffix != ".csv":
            return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)
        written = io.StringIO()
        table = csv.DictWriter(written, list(self.rows[0]))
        table.writeheader()
        table.writerows(self.rows)
        return written.getvalue()


def _options(number: int, count: int = 4) -> tuple[list[str], int]:
    """Numbers to choose from, and the place of the right one, which is `number + 2`."""
    place = number % count
    return [str(number + 2 + other - place) + " apples" for other in range(count)], place


def _ended(letters: Sequence[str]) -> tuple[list[str], list[str]]:
    """Answers that end with the letter, and with another."""
    right = [f"I count them.\n\nAnswer: {letter}" for letter in letters]
    return right, [f"I count them.\n\nAnswer: {'B' if letter == 'A' else 'A'}" for letter in letters]


def _numbered(golds: Sequence[Any], words: str = "Answer: {}") -> tuple[list[str], list[str]]:
    right = [f"Step by step.\n\n{words.format(gold)}" for gold in golds]
    return right, [f"Step by step.\n\n{words.format(901 + number)}" for number in range(len(golds))]


def _lettered(preset: str, row: Callable[[int, list[str], int], dict[str, Any]], count: int = 4) -> Published:
    asked = [_options(number, count) for number in range(COUNT)]
    rows = [row(number, options, place) for number, (options, place) in enumerate(asked)]
    golds = [_LETTERS[place] for _, place in asked]
    return Published(preset, rows, golds, *_ended(golds))


def _mmlu() -> Published:
    return _lettered(
        "mmlu",
        lambda number, options, place: {
            "question": f"Two apples and {number} more are",
            "subject": _SUBJECTS[number % 3],
            "choices": options,
            "answer": place,
        },
    )


def _mmlu_pro() -> Published:
    made = _lettered(
        "mmlu_pro",
        lambda number, options, place: {
            "question_id": 70 + number,
            "question": f"Two apples and {number} more are",
            "options": options[: 10 - number % 3],
            "answer": _LETTERS[place],
            "answer_index": place,
            "cot_content": "",
            "category": ("law", "math")[number % 2],
            "src": "ours",
        },
        count=7,
    )
    right = [text.replace("Answer: ", "The answer is (") + ")." for text in made.right]
    wrong = [text.replace("Answer: ", "The answer is (") + ")." for text in made.wrong]
    return Published(made.preset, made.rows, made.golds, right, wrong)


def _mmlu_redux() -> Published:
    kinds = ("ok", "wrong_groundtruth", "bad_question_clarity")
    return _lettered(
        "mmlu_redux",
        lambda number, options, place: {
            "question": f"Two apples and {number} more are",
            "choices": options,
            "answer": place,
            "error_type": kinds[number % 3],
            "source": "https://example.org/quiz" if number else None,
            "correct_answer": None,
            "potential_reason": None,
            "subject": _SUBJECTS[number % 3],
        },
    )


def _gpqa() -> Published:
    from modex.core.suite.datasets.shapes import gpqa

    rows = []
    for number in range(COUNT):
        options, place = _options(number)
        right = options.pop(place)
        rows.append(
            {
                "Pre-Revision Question": "",
                "Question": f"Two apples and {number} more are",
                "Correct Answer": f"{right}\n",
                **{f"Incorrect Answer {one}": text for one, text in enumerate(options, 1)},
                "Explanation": "Count them.",
                "Subdomain": "Apples",
                "Writer's Difficulty Estimate": "Easy",
                "High-level domain": ("Physics", "Biology")[number % 2],
                "Record ID": f"rec{number:014}",
                "Canary String": "own",
            }
        )
    golds = [gpqa(row)["answer"] for row in rows]
    return Published("gpqa", rows, golds, *_ended(golds), suffix=".csv")


def _hellaswag() -> Published:
    return _lettered(
        "hellaswag",
        lambda number, options, place: {
            "ind": number * 3,
            "activity_label": ("Counting", "Sharpening knives")[number % 2],
            "ctx_a": f"She adds {number} to two.",
            "ctx_b": "she",
            "ctx": f"She adds {number} to two. she",
            "endings": [f"has {option}." for option in options],
            "source_id": f"activitynet~v_{number}",
            "split": "val",
            "split_type": "indomain",
            "label": str(place),
        },
    )


def _winogrande() -> Published:
    names = [("Ann", "Ben"), ("Cem", "Dana")]
    rows = [
        {
            "sentence": f"{names[n % 2][0]} gave {names[n % 2][1]} {n} apples because _ was generous.",
            "option1": names[n % 2][n // 5],
            "option2": names[n % 2][1 - n // 5],
            "answer": str(1 + n // 5),
        }
        for n in range(COUNT)
    ]
    golds = ["AB"[n // 5] for n in range(COUNT)]
    return Published("winogrande", rows, golds, *_ended(golds))


def _boolq() -> Published:
    truths = [number % 3 == 0 for number in range(COUNT)]
    rows = [
        {
            "question": f"is {number} apples more than eight",
            "answer": truth,
            "passage": f"Sums -- {number} apples lie on the table. There is nothing else to it.",
        }
        for number, truth in enumerate(truths)
    ]
    golds = ["yes" if truth else "no" for truth in truths]
    right = [f"The passage settles it.\n\nAnswer: {gold}" for gold in golds]
    wrong = [f"The passage settles it.\n\nAnswer: {'no' if truth else 'yes'}" for truth in truths]
    return Published("boolq", rows, golds, right, wrong)


def _commonsenseqa() -> Published:
    return _lettered(
        "commonsenseqa",
        lambda number, options, place: {
            "id": f"{number:032x}",
            "question": f"Two apples and {number} more are what?",
            "question_concept": "apple",
            "choices": {"label": list("ABCDE"), "text": options},
            "answerKey": _LETTERS[place],
        },
        count=5,
    )


_BBH = (
    ("boolean_expressions", "not ( True ) and ( True ) is", "False", "True"),
    ("causal_judgement", "He pushed, it fell. Did he cause it?\nOptions:\n- Yes\n- No", "Yes", "No"),
    (
        "date_understanding",
        "Today is 3 May 2020. Which day is tomorrow?\nOptions:\n(A) 05/04/2020\n(B) 04/05/2020",
        "(A)",
        "(B)",
    ),
    (
        "dyck_languages",
        "Complete the rest of the sequence, making sure that the parentheses are closed properly. Input: [ { (",
        ") } ]",
        ") ] }",
    ),
    (
        "formal_fallacies",
        "All apples are fruit. This is an apple. So it is a fruit. Is the argument valid or invalid?\nOptions:\n"
        "- valid \n- invalid",
        "valid",
        "invalid",
    ),
    ("multistep_arithmetic_two", "((2 * -3) - (4 + 1)) =", "-11", "11"),
    ("object_counting", "I have two apples and three pears. How many fruits do I have?", "5", "6"),
    ("sports_understanding", 'Is the following sentence plausible? "A goalkeeper hit a home run."', "no", "yes"),
    (
        "word_sorting",
        "Sort the following words alphabetically: List: pear apple fig",
        "apple fig pear",
        "pear fig apple",
    ),
    ("ruin_names", "Which edit is funny?\nOptions:\n(A) apple\n(B) appel\n(C) grapple\n(D) apples", "(C)", "(D)"),
)


def _bbh() -> Published:
    rows = [{"input": asked, "target": target, "task": task} for task, asked, target, _ in _BBH]
    right = [f"Let's think step by step.\n\nAnswer: {target}" for _, _, target, _ in _BBH]
    wrong = [f"Let's think step by step.\n\nAnswer: {other}" for *_, other in _BBH]
    return Published("bbh", rows, [target for _, _, target, _ in _BBH], right, wrong)


_MATH = (
    ("Algebra", "4", "4.0", "5"),
    ("Algebra", "\\frac{3}{4}", "0.75", "\\frac{4}{3}"),
    ("Geometry", "2\\sqrt{3}", "\\sqrt{12}", "3\\sqrt{2}"),
    ("Precalculus", "\\left( 3, \\frac{\\pi}{2} \\right)", "(3, \\pi/2)", "(3, \\pi)"),
    ("Intermediate Algebra", "(-\\infty, 2]", "(-\\infty,2]", "(-\\infty,2)"),
    ("Prealgebra", "\\text{Evelyn}", "Evelyn", "Angela"),
    ("Number Theory", "2516_8", "2516_8", "2517_8"),
    ("Geometry", "60^\\circ", "60", "30"),
    ("Algebra", "x^2 + 2x + 1", "(x+1)^2", "(x-1)^2"),
    ("Counting & Probability", "11,111,100", "11111100", "1111110"),
)


def _math_500() -> Published:
    rows = [
        {
            "problem": f"Find the value, number {number}.",
            "solution": f"It is $\\boxed{{{gold}}}$.",
            "answer": gold,
            "subject": subject,
            "level": number % 5 + 1,
            "unique_id": f"test/{subject.lower()}/{number}.json",
        }
        for number, (subject, gold, _, _) in enumerate(_MATH)
    ]
    right = [f"So it is $\\boxed{{{said}}}$." for _, _, said, _ in _MATH]
    wrong = [f"So it is $\\boxed{{{said}}}$." for *_, said in _MATH]
    return Published("math_500", rows, [{"type": "math", "value": gold} for _, gold, _, _ in _MATH], right, wrong)


def _boxed(golds: Sequence[int]) -> tuple[list[str], list[str]]:
    right = [f"So the answer is $\\boxed{{{gold}}}$." for gold in golds]
    return right, [f"So the answer is $\\boxed{{{gold + 1}}}$." for gold in golds]


def _aime_2024() -> Published:
    numbers = [204, 33, 7, 540, 25, 809, 116, 80, 294, 73]
    rows = [
        {
            "id": 60 + n,
            "problem": f"How many apples, number {n}?",
            "solution": f"$\\boxed{{{number:03}}}$",
            "answer": f"{number:03}",
            "url": "https://example.org/aime",
            "year": "2024",
        }
        for n, number in enumerate(numbers)
    ]
    return Published("aime", rows, [str(number) for number in numbers], *_boxed(numbers))


def _aime_2025() -> Published:
    numbers = [70, 588, 16, 117, 279, 504, 821, 77, 62, 336]
    rows: list[dict[str, Any]] = [
        {
            "question": f"How many apples, number {n}?",
            "answer": str(number),
            "part": "aime2025-I" if n < 5 else "aime2025-II",
        }
        for n, number in enumerate(numbers)
    ]
    rows[-1]["answer"] = "336^\\circ"
    golds = [row["answer"] for row in rows]
    return Published("aime", rows, golds, *_boxed(numbers))


def _gsm8k() -> Published:
    golds = [f"{number * 700:,}" for number in range(COUNT)]
    rows = [
        {
            "question": f"An apple costs 700. What do {number} cost?",
            "answer": f"{number}*700=<<{number}*700={number * 700}>>\n#### {gold}",
        }
        for number, gold in enumerate(golds)
    ]
    right, wrong = _numbered([number * 700 for number in range(COUNT)])
    return Published("gsm8k", rows, golds, right, wrong)


def _mgsm() -> Published:
    rows = [
        {
            "question": f"Was kosten {number} Äpfel zu je 7?",
            "answer": None,
            "answer_number": number * 7,
            "equation_solution": None,
            "language": ("de", "th")[number % 2],
        }
        for number in range(COUNT)
    ]
    golds = [str(number * 7) for number in range(COUNT)]
    german = [{"type": "numeric", "value": gold, "locale": "de"} for gold in golds]
    read = [gold if number % 2 else german[number] for number, gold in enumerate(golds)]
    return Published("mgsm", rows, read, *_numbered(golds))


_FACTS = (
    ("Ada", "Bea"),
    ("Paris", "Lyon"),
    ("14 May 1931", "15 May 1932"),
    ("42", "43"),
    ("the blue whale", "a shark"),
    ("Kofi Mensah", "Yaw Asante"),
    ("1,205 metres", "900 metres"),
    ("copper", "zinc"),
    ("Lake Inari", "Lake Saimaa"),
    ("seven", "nine"),
)


def _told(words: str) -> tuple[list[str], list[str]]:
    return [words.format(right) for right, _ in _FACTS], [words.format(wrong) for _, wrong in _FACTS]


def _simpleqa() -> Published:
    rows = [
        {
            "metadata": str(
                {"topic": ("Geography", "Art")[number % 2], "answer_type": "Other", "urls": ["https://example.org/1"]}
            ),
            "problem": f"Which is fact {number}?",
            "answer": gold,
        }
        for number, (gold, _) in enumerate(_FACTS)
    ]
    return Published("simpleqa", rows, [gold for gold, _ in _FACTS], *_told("It is {}."), suffix=".csv")


_EXPLAINED = "Explanation: I know it.\nExact Answer: {}\nConfidence: 80%"


def _hle() -> Published:
    rows = [
        {
            "id": f"h{number}",
            "question": f"Which is fact {number}?",
            "image": "",
            "image_preview": None,
            "answer": gold,
            "answer_type": "exactMatch",
            "author_name": "Ada",
            "rationale": "Known.",
            "rationale_image": None,
            "raw_subject": "Algebra",
            "category": ("Math", "Humanities/Social Science")[number % 2],
            "canary": "own",
        }
        for number, (gold, _) in enumerate(_FACTS)
    ]
    return Published("hle", rows, [gold for gold, _ in _FACTS], *_told(_EXPLAINED))


def _truthfulqa() -> Published:
    rows = [
        {
            "type": "Adversarial",
            "category": ("Law", "Health")[number % 2],
            "question": f"Which is fact {number}?",
            "best_answer": gold,
            "correct_answers": [gold, f"It is {gold}"],
            "incorrect_answers": [wrong],
            "source": "https://example.org/facts",
        }
        for number, (gold, wrong) in enumerate(_FACTS)
    ]
    return Published("truthfulqa", rows, [[gold, f"It is {gold}"] for gold, _ in _FACTS], *_told("It is {}."))


def _webwalkerqa() -> Published:
    rows = [
        {
            "question": f"Which is fact {number}?",
            "answer": gold,
            "root_url": "https://example.org/",
            "info": {
                "difficulty_level": ("easy", "medium", "hard")[number % 3],
                "domain": "conference",
                "golden_path": ["root->one"],
                "hop": "single",
                "lang": "en",
                "source_website": ["https://example.org/one"],
                "type": "single_source_easy",
            },
        }
        for number, (gold, _) in enumerate(_FACTS)
    ]
    return Published("webwalkerqa", rows, [gold for gold, _ in _FACTS], *_told("Exact Answer: {}\nConfidence: 80%"))


def _sealed(text: str, key: bytes) -> str:
    return base64.b64encode(bytes(byte ^ key[n % len(key)] for n, byte in enumerate(text.encode()))).decode()


def _browsecomp() -> Published:
    canary = "own canary of these rows"
    key = hashlib.sha256(canary.encode()).digest()
    rows = [
        {
            "problem": _sealed(f"Which is fact {number}?", key),
            "answer": _sealed(gold, key),
            "problem_topic": "Art",
            "canary": canary,
        }
        for number, (gold, _) in enumerate(_FACTS)
    ]
    return Published("browsecomp", rows, [gold for gold, _ in _FACTS], *_told(_EXPLAINED), suffix=".csv")


def _browsecomp_zh() -> Published:
    canary = "own canary of these rows"
    key = hashlib.sha256(canary.encode()).digest()
    rows = [
        {
            "Topic": _sealed("艺术", key),
            "Question": _sealed(f"第{number}个事实是什么?", key),
            "Answer": _sealed(gold, key),
            "canary": canary,
        }
        for number, (gold, _) in enumerate(_FACTS)
    ]
    return Published("browsecomp_zh", rows, [gold for gold, _ in _FACTS], *_told(_EXPLAINED))


def _xbench() -> Published:
    canary = "own canary of these rows"
    rows = [
        {
            "id": str(number),
            "prompt": _sealed(f"第{number}个事实是什么?", canary.encode()),
            "type": "单点",
            "answer": _sealed(gold, canary.encode()),
            "reference_steps": _sealed("查。", canary.encode()),
            "canary": canary,
        }
        for number, (gold, _) in enumerate(_FACTS)
    ]
    return Published("xbench", rows, [gold for gold, _ in _FACTS], *_told("最终答案: {}\n置信度: 80%"), suffix=".csv")


_GAIA = (
    ("17", "17", "18"),
    ("Claude Shannon", "Claude Shannon", "Alan Turing"),
    ("b, e", "b, e", "b, d"),
    ("0.1777", "0.1777", "0.1778"),
    ("CUB", "CUB", "CUBA1"),
    ("89706.00", "$89,706.00", "$89,707.00"),
    ("Right", "right", "left"),
    ("3", "3", "4"),
    ("132, 133, 134", "132, 133, 134", "132, 133"),
    ("Guava", "Guava", "Apple"),
)


def _gaia() -> Published:
    rows = [
        {
            "task_id": f"0000{number}-aa",
            "Question": f"Which is fact {number}?",
            "Level": str(number % 3 + 1),
            "Final answer": gold,
            "file_name": "",
            "file_path": "",
            "Annotator Metadata": {"Steps": "1. Look it up.", "Number of steps": "1"},
        }
        for number, (gold, _, _) in enumerate(_GAIA)
    ]
    right = [f"FINAL ANSWER: {said}" for _, said, _ in _GAIA]
    return Published(
        "gaia", rows, [gold for gold, _, _ in _GAIA], right, [f"FINAL ANSWER: {said}" for *_, said in _GAIA]
    )


def _arc() -> Published:
    def row(number: int, options: list[str], place: int) -> dict[str, Any]:
        labels = list("1234") if number % 5 == 4 else list("ABCD")
        return {
            "id": f"Mercury_{number}",
            "question": f"Two apples and {number} more are",
            "choices": {"text": options, "label": labels},
            "answerKey": labels[place],
        }

    made = _lettered("arc", row)
    golds = ["ABCD"["1234".index(key)] if (key := row["answerKey"]) in "1234" else key for row in made.rows]
    right = [f"I count them.\n\nAnswer: {gold}" for gold in golds]
    other = {"A": "B", "1": "2"}
    wrong = [f"I count them.\n\nAnswer: {other.get(gold, '1' if gold.isdigit() else 'A')}" for gold in golds]
    return Published("arc", made.rows, golds, right, wrong)


def _told_answer(number: str = "", spans: Sequence[str] = (), date: str = "") -> dict[str, Any]:
    day, month, year = date.split() if date else ("", "", "")
    when = {"day": day, "month": month, "year": year}
    return {"number": number, "date": when, "spans": list(spans), "worker_id": "", "hit_id": ""}


def _packed(cases: list[dict[str, str]]) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(cases)))).decode()


def _livecodebench() -> Published:
    rows, right, wrong = [], [], []
    for n in range(COUNT):
        called = n % 2 == 1
        kind = "functional" if called else "stdin"
        public, hidden = (
            [
                {
                    "input": f"[{one}]\n{n}" if called else f"{one} {n}\n",
                    "output": f"[{one * n}]" if called else f"{one * n}\n",
                    "testtype": kind,
                }
                for one in ones
            ]
            for ones in ((2,), (3, 70000))
        )
        rows.append(
            {
                "question_title": f"Times {n}",
                "question_content": f"Multiply by {n}.",
                "platform": "leetcode" if called else "atcoder",
                "question_id": f"abc{n}_a",
                "contest_id": f"abc{n}",
                "contest_date": f"2025-0{n % 4 + 1}-15T00:00:00",
                "starter_code": "class Solution:\n    def times(self, xs: List[int], k: int) -> List[int]:\n        "
                if called
                else "",
                "difficulty": ("easy", "medium", "hard")[n % 3],
                "public_test_cases": json.dumps(public),
                "private_test_cases": json.dumps(hidden) if n == 4 else _packed(hidden),
                "metadata": json.dumps({"func_name": "times"} if called else {}),
            }
        )
        code = "class Solution:\n    def times(self, xs: List[int], k: int) -> List[int]:\n        return [x * {} for x in xs]\n"
        code = code if called else "a, b = map(int, input().split())\nprint(a * {})\n"
        right.append(f"```python\n{code.format('k' if called else 'b')}```")
        wrong.append(f"```python\n{code.format(n + 1)}```")
    return Published("livecodebench", rows, [None] * COUNT, right, wrong)


def _drop() -> Published:
    empty = _told_answer()
    asked: list[tuple[dict[str, Any], list[dict[str, Any]], list[list[str]], str, str]] = [
        (_told_answer("12"), [], [["12"]], "12", "13"),
        (_told_answer("0"), [_told_answer("0")], [["0"]], "0", "1"),
        (
            _told_answer("1205"),
            [_told_answer(spans=["1,205 yards"])],
            [["1205"], ["1,205 yards"]],
            "1,205",
            "1,205 feet",
        ),
        (_told_answer(spans=["Ann Lee"]), [], [["Ann Lee"]], "Ann Lee", "Ann"),
        (
            _told_answer(spans=["Ann", "Ben"]),
            [_told_answer(spans=["Ben", "Ann"])],
            [["Ann", "Ben"], ["Ben", "Ann"]],
            "Ben; Ann",
            "Ann",
        ),
        (
            _told_answer(spans=["the Bears"]),
            [_told_answer(spans=["Bears"])],
            [["the Bears"], ["Bears"]],
            "Bears",
            "Lions",
        ),
        (_told_answer(date="8 January 1942"), [], [["8 January 1942"]], "8 January 1942", "9 January 1942"),
        (
            _told_answer(date="8 January 1942"),
            [_told_answer(spans=["January 8"])],
            [["8 January 1942"], ["January 8"]],
            "January 8",
            "May 8",
        ),
        (_told_answer("2.5"), [empty], [["2.5"]], "2.50", "2"),
        (empty, [_told_answer(spans=["field goal"])], [["field goal"]], "a field goal", "a touchdown"),
    ]
    rows = []
    for number, (answer, validated, *_) in enumerate(asked):
        columns = {name: [one[name] for one in validated] for name in empty}
        rows.append(
            {
                "section_id": f"nfl_{number}",
                "query_id": f"{number:08}-aa",
                "passage": f"In game {number} they ran and kicked.",
                "question": "How many yards, who, or when?",
                "answer": answer,
                "validated_answers": columns,
            }
        )
    right = [f"I read it.\n\nAnswer: {said}" for *_, said, _ in asked]
    return Published(
        "drop", rows, [golds for _, _, golds, _, _ in asked], right, [f"Answer: {said}" for *_, said in asked]
    )


def _code(number: int, factor: int) -> str:
    return f"```python\ndef times_{number}(x):\n    return {factor} * x\n```"


def _humaneval() -> Published:
    rows = [
        {
            "task_id": f"HumanEval/{900 + n}",
            "prompt": f'\n\ndef times_{n}(x: int) -> int:\n    """Give x times {n}.\n    """\n',
            "canonical_solution": f"    return {n} * x\n",
            "entry_point": f"times_{n}",
            "test": f"\n\nMETADATA = {{'author': 'own'}}\n\n\ndef check(candidate):\n    assert candidate(2) == {2 * n}\n",
        }
        for n in range(COUNT)
    ]
    golds = [{"function": row["entry_point"], "before": row["prompt"], "test": row["test"]} for row in rows]
    right, wrong = [_code(n, n) for n in range(COUNT)], [_code(n, n + 1) for n in range(COUNT)]
    return Published("humaneval", rows, golds, right, wrong)


def _mbpp() -> Published:
    rows: list[dict[str, Any]] = [
        {
            "task_id": 900 + n,
            "text": f"Write a function to multiply by {n}.",
            "code": f"def times_{n}(x):\r\n  return {n} * x",
            "test_list": [f"assert times_{n}(2) == {2 * n}", f"assert times_{n}(0) == 0"],
            "test_setup_code": "",
            "challenge_test_list": [],
        }
        for n in range(COUNT)
    ]
    golds = [{"function": f"times_{n}", "test": "\n".join(row["test_list"])} for n, row in enumerate(rows)]
    right, wrong = [_code(n, n) for n in range(COUNT)], [_code(n, n + 1) for n in range(COUNT)]
    return Published("mbpp", rows, golds, right, wrong)


def _mbpp_plus() -> Published:
    rows = [
        {
            "task_id": 900 + n,
            "code": f"\ndef times_{n}(x):\n  return {n} * x\n",
            "prompt": f"Write a function to multiply by {n}.",
            "source_file": "Benchmark Questions Verification V2.ipynb",
            "test_imports": ["import math"],
            "test_list": [f"assert times_{n}(2) == {2 * n}"],
            "test": f"inputs = [[2], [5]]\nresults = [{2 * n}, {5 * n}]\nfor i, (inp, exp) in enumerate(zip(inputs, results)):\n"
            f"    assert times_{n}(*inp) == exp\n",
        }
        for n in range(COUNT)
    ]
    golds = [{"function": f"times_{n}", "test": f"import math\n{row['test']}"} for n, row in enumerate(rows)]
    right, wrong = [_code(n, n) for n in range(COUNT)], [_code(n, n + 1) for n in range(COUNT)]
    return Published("mbpp", rows, golds, right, wrong)


_TOLD = ("num_words", "relation", "num_highlights", "keywords", "end_phrase", "language", "num_bullets", "first_word")


def _ifeval() -> Published:
    asked: list[tuple[str, dict[str, Any], str, str]] = [
        ("punctuation:no_comma", {}, "Apples are good", "Apples, pears"),
        (
            "length_constraints:number_words",
            {"relation": "at least", "num_words": 4},
            "Four words stand here",
            "Three words here",
        ),
        (
            "change_case:english_lowercase",
            {},
            "all of these words are small and the sentence is english.",
            "Not all of these are small.",
        ),
        (
            "change_case:english_capital",
            {},
            "ALL OF THESE WORDS ARE LARGE AND THE SENTENCE IS ENGLISH.",
            "Not all of these are large.",
        ),
        ("startend:end_checker", {"end_phrase": "That is all."}, "Apples. That is all.", "Apples. That is not it."),
        ("startend:quotation", {}, '"Apples are good"', "Apples are good"),
        ("keywords:existence", {"keywords": ["apple", "pear"]}, "An apple and a pear.", "An apple."),
        ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "* one\n* two", "* one"),
        ("detectable_format:json_format", {}, '{"apple": 1}', "apple: 1"),
        ("detectable_format:title", {}, "<<Apples>>\nThey are good.", "Apples\nThey are good."),
    ]
    rows = [
        {
            "key": 1000 + number,
            "prompt": f"Write of apples, number {number}.",
            "instruction_id_list": [name],
            "kwargs": [dict.fromkeys(_TOLD) | told],
        }
        for number, (name, told, _, _) in enumerate(asked)
    ]
    golds = [{name: row[name] for name in ("instruction_id_list", "kwargs")} for row in rows]
    return Published("ifeval", rows, golds, [right for *_, right, _ in asked], [wrong for *_, wrong in asked])


def _caia() -> Published:
    rows = [
        {
            "task_id": f"c{number}",
            "question": f"What did token {number} cost?",
            "level": number % 5 + 1,
            "category": "prices",
            "evaluate": {
                "items": [{"target": "ANSWER", "points": 5, "criterion": f"The price of token {number} is given."}]
            },
        }
        for number in range(COUNT)
    ]
    said = [f"The price of token {number} is given: 3." for number in range(COUNT)]
    return Published("caia", rows, [None] * COUNT, said, ["I cannot tell."] * COUNT)


PUBLISHED: Mapping[str, Callable[[], Published]] = {
    "gsm8k": _gsm8k,
    "mmlu": _mmlu,
    "mmlu_pro": _mmlu_pro,
    "mmlu_redux": _mmlu_redux,
    "gpqa_main": _gpqa,
    "gpqa_diamond": _gpqa,
    "gpqa_extended": _gpqa,
    "hellaswag": _hellaswag,
    "winogrande": _winogrande,
    "boolq": _boolq,
    "commonsenseqa": _commonsenseqa,
    "bbh": _bbh,
    "math_500": _math_500,
    "aime_2024": _aime_2024,
    "aime_2025": _aime_2025,
    "mgsm": _mgsm,
    "simpleqa": _simpleqa,
    "hle": _hle,
    "humaneval": _humaneval,
    "humaneval_plus": _humaneval,
    "mbpp": _mbpp,
    "mbpp_plus": _mbpp_plus,
    "arc_challenge": _arc,
    "arc_easy": _arc,
    "livecodebench_v5": _livecodebench,
    "livecodebench_v6": _livecodebench,
    "drop": _drop,
    "truthfulqa": _truthfulqa,
    "ifeval": _ifeval,
    "gaia": _gaia,
    "webwalkerqa": _webwalkerqa,
    "browsecomp": _browsecomp,
    "browsecomp_zh": _browsecomp_zh,
    "xbench": _xbench,
    "caia": _caia,
}
"""By the name of a home, or of a preset whose rows are had elsewhere."""
