"""One filled example of every part."""

from __future__ import annotations

from modex.core.verdict import (
    Call,
    CallOutcome,
    Calls,
    Cases,
    Compared,
    Extra,
    Extracted,
    FailedCase,
    Instance,
    Instructions,
    InstructionVerdict,
    Keywords,
    Likelihood,
    LikelihoodOption,
    Official,
    Part,
    Result,
    Rows,
    Rubric,
    RubricItem,
    Vote,
    Votes,
    Weighted,
    WeightedPart,
    Workspace,
    WorkspaceCheck,
)

COMPARED = Compared(
    "15",
    "12.5",
    "numeric",
    "the values differ",
    aliases=("fifteen",),
    tolerance=0.01,
    difference=2.5,
    difference_percent=16.666667,
    facts={"method": "exact"},
)
ROWS = Rows(
    "SELECT 1",
    "SELECT 2",
    (
        Instance(1, equal=True, expected=Result(("n",), ((1,),), 1), got=Result(("n",), ((1,),), 1)),
        Instance(2, False, True, Result(("n",), ((2,), (None,)), 2), Result(("n",), ((1,), (3,)), 2), "row 1 differs"),
    ),
    {"table t": True, "clause WHERE": False},
    "both results are empty",
    "expected (2,), got (1,)",
)
CALLS = Calls(
    expected=(
        CallOutcome("get_weather", {"city": "Oslo"}, wrong={}),
        CallOutcome("get_time", {"zone": "CET"}, right=True, call=1, got=Call("get_time", {"zone": "CET"})),
    ),
    extras=(Call("get_time", '{"zone": ', "no JSON object"),),
    made=2,
    extra_calls=1,
    forbidden=("delete",),
    why="get_weather was not called",
)
EXAMPLES: tuple[Part, ...] = (
    COMPARED,
    Extracted("found", (3, 7), "json", "boxed"),
    ROWS,
    CALLS,
    Keywords(
        ("rest",), ("water",), ("whisky",), ("water",), ("doctor",), {"relevance": 0.5}, {"relevance": 1}, "en", "id"
    ),
    Rubric(
        (RubricItem("kind", "It is kind.", 1, 2, False, "It scolds."), RubricItem("true", "It is true.", 3, 3, True))
    ),
    Votes((Vote("a/judge", 0.6, 3, "Too short.", True),), (0, 5), "the gold", 1.0, "median", ("b/judge: no JSON",)),
    Cases("median", 1, 3, (FailedCase("median([1, 2])", "1.5", "1"),), "median([1, 2]) gave 1, expected 1.5"),
    Workspace(
        (
            WorkspaceCheck("make test", False, 2, 0.25, "exit code 2", "1 of 3 failed"),
            WorkspaceCheck("file answer.txt", True),
        ),
        "diff a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n",
        "1 of 3 files are not shown: the diff is larger than 1024 kB",
        3,
        7,
        "make test: exit code 2",
    ),
    Instructions(
        (
            InstructionVerdict("punctuation:no_comma", True, True, "no commas"),
            InstructionVerdict("detectable_format:title", False, True, "no title in `<<` and `>>`"),
        )
    ),
    Likelihood(
        (LikelihoodOption("A", "Rome", -7.5, 4), LikelihoodOption("B", "Paris", -9.0, 5, True)),
        "continuation",
        "A",
        "B",
        "B",
    ),
    Weighted((WeightedPart("match", 2, 0.0, "not equal", (COMPARED, Weighted((WeightedPart("regex", 1, 1.0),)))),)),
    Official("MMLU-Pro's rule", "D", True, 0.0),
    Extra({"words": [3, 4], "share": 0.5, "note": "a rather long note that stands on a line of its own"}, "haiku"),
)
