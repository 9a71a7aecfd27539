"""What an evaluator found, as a small family of typed parts: stored as JSON, read back, said in words.

A part has a `kind`; screens, plain output and exports draw it by its type. Nothing here knows an evaluator or a screen.
"""

from modex.core.answers.found import Compared, Extracted
from modex.core.verdict.folding import fold, fold_line
from modex.core.verdict.lines import Line, lines_of
from modex.core.verdict.parts import (
    SHOWS_GOLD,
    Call,
    CallOutcome,
    Calls,
    Cases,
    Extra,
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
from modex.core.verdict.pass2 import fault_words, pass2_words
from modex.core.verdict.reasons import reason_of
from modex.core.verdict.stored import details_of, find, found_parts, part_as_json, part_from_json, parts_of, reason_in

__all__ = [
    "SHOWS_GOLD",
    "Call",
    "CallOutcome",
    "Calls",
    "Cases",
    "Compared",
    "Extra",
    "Extracted",
    "FailedCase",
    "Instance",
    "InstructionVerdict",
    "Instructions",
    "Keywords",
    "Likelihood",
    "LikelihoodOption",
    "Line",
    "Official",
    "Part",
    "Result",
    "Rows",
    "Rubric",
    "RubricItem",
    "Vote",
    "Votes",
    "Weighted",
    "WeightedPart",
    "Workspace",
    "WorkspaceCheck",
    "details_of",
    "fault_words",
    "find",
    "fold",
    "fold_line",
    "found_parts",
    "lines_of",
    "part_as_json",
    "part_from_json",
    "parts_of",
    "pass2_words",
    "reason_in",
    "reason_of",
]
