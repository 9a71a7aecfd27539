"""The parts that a verdict is made of. Frozen; every field is JSON, a part, or a tuple of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from modex.core.answers.found import Compared, Extracted


@dataclass(frozen=True, slots=True)
class Result:
    """The rows that a query gave: the first ones, and how many there were."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    count: int | None = None
    """None where the query did not run."""


@dataclass(frozen=True, slots=True)
class Instance:
    """The two results on one copy of the tables."""

    number: int = 1
    equal: bool = False
    ordered: bool = False
    expected: Result = Result()
    got: Result = Result()
    why: str = ""
    fault: str = ""
    """What kind of failure the query ran into."""
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """A query against a gold, by what both return, and the pieces of a query that a test asks for."""

    kind: ClassVar[str] = "rows"
    query: str = ""
    gold_query: str | None = None
    instances: tuple[Instance, ...] = ()
    pieces: Mapping[str, bool] = field(default_factory=dict)
    """What the query must hold (`table orders`, `clause WHERE`), and whether it does."""
    weak_evidence: str = ""
    """Why an equal result says little, where it does."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call that was made."""

    name: str = ""
    args: Any = None
    fault: str = ""
    """Why it cannot count: its arguments are not JSON, its result was an error, …"""


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """One call that was expected, and what stands for it."""

    name: str = ""
    args: Any = None
    optional: bool = False
    right: bool = False
    call: int | None = None
    """The number of the call that stands for it, from 1; None where there is none."""
    got: Call | None = None
    score: float = 0.0
    arguments: float = 0.0
    """The share of its arguments that are right."""
    wrong: Mapping[str, str] = field(default_factory=dict)
    """Each wrong argument and why; the key `""` is about the arguments as a whole."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls that were expected against those made."""

    kind: ClassVar[str] = "calls"
    expected: tuple[CallOutcome, ...] = ()
    extras: tuple[Call, ...] = ()
    """The first of the calls that nobody expected."""
    retried: tuple[Call, ...] = ()
    """Failed attempts that a later call made good."""
    made: int = 0
    extra_calls: int = 0
    allowed_extras: int = 0
    extra_penalty: float = 0.0
    forbidden: tuple[str, ...] = ()
    """Forbidden tools that were called."""
    no_call: bool = False
    """Whether any call at all is wrong."""
    order: str = "right"
    order_wanted: str = "any"
    name_share: float = 1.0
    argument_share: float = 1.0
    score: float | None = None
    """Of the calls alone, where an answer counts too."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Keywords:
    """What a text mentions."""

    kind: ClassVar[str] = "keywords"
    matched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    """Forbidden ones that occur."""
    required: tuple[str, ...] = ()
    """Required ones that are missing."""
    negated: tuple[str, ...] = ()
    """Missing ones that occur, but only denied."""
    shares: Mapping[str, float] = field(default_factory=dict)
    """The measures that make the score (`relevance`, `correctness`, `fluency`), each from 0 to 1."""
    weights: Mapping[str, float] = field(default_factory=dict)
    language: str | None = None
    detected: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True, slots=True)
class RubricItem:
    """One demand of a rubric."""

    id: str = ""
    text: str = ""
    points: float = 0.0
    max_points: float = 1.0
    passed: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rubric:
    """Demands, each with its points."""

    kind: ClassVar[str] = "rubric"
    items: tuple[RubricItem, ...] = ()
    why: str = ""

    @property
    def points(self) -> float:
        """What was earned."""
        return sum(item.points for item in self.items)

    @property
    def max_points(self) -> float:
        """What could be earned: the positive points."""
        return sum(item.max_points for item in self.items if item.max_points > 0)


@dataclass(frozen=True, slots=True)
class Vote:
    """One judge's verdict."""

    model: str = ""
    score: float | None = None
    """0 to 1."""
    rating: float | None = None
    """On the scale that was asked for."""
    reason: str | None = None
    repaired: bool = False
    """Whether it was asked a second time for a readable verdict."""


@dataclass(frozen=True, slots=True)
class Votes:
    """What the judges said, and how one score came of it."""

    kind: ClassVar[str] = "votes"
    votes: tuple[Vote, ...] = ()
    scale: tuple[float, ...] = ()
    """The least and the greatest rating."""
    reference: str | None = None
    """The answer that the judges compared with."""
    agreement: float | None = None
    """The share of judges whose score is the settled one; None for one judge."""
    settled_by: str = ""
    without_verdict: tuple[str, ...] = ()
    """The judges that gave none, and why."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class FailedCase:
    """One call of a function that gave something else than it must."""

    call: str = ""
    expected: str = ""
    got: str = ""


@dataclass(frozen=True, slots=True)
class Cases:
    """A function or a program against its hidden cases."""

    kind: ClassVar[str] = "cases"
    function: str = ""
    """Its name; of a program its language."""
    passed: int = 0
    total: int = 0
    failures: tuple[FailedCase, ...] = ()
    """The first that failed."""
    why: str = ""
    sandbox: str = ""
    """What ran it; empty in verdicts that do not say."""
    seconds: float | None = None
    """Processor time of the case that took the most; None where it was not measured."""
    memory_mb: float | None = None
    """The most memory that a case took."""


@dataclass(frozen=True, slots=True)
class WorkspaceCheck:
    """One check of what was left in a workspace: a command, or a file's contents."""

    name: str = ""
    """The command, or which file."""
    passed: bool = False
    code: int | None = None
    """The command's exit code, a signal's number below zero; None where none was run, or it ended its sandbox."""
    seconds: float | None = None
    """Of processor time."""
    why: str = ""
    """What is wrong; empty where it holds."""
    output: str = ""
    """What it printed, its end."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """What was changed in a workspace, and what its checks came to."""

    kind: ClassVar[str] = "workspace"
    checks: tuple[WorkspaceCheck, ...] = ()
    diff: str = ""
    """Unified, of at most 1 MB."""
    left_out: str = ""
    """What the diff does not show, in words; empty where it shows all."""
    files: int = 0
    """How many files differ."""
    calls: int = 0
    """Calls of its tools."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Official:
    """What a benchmark's own rule makes of the same response."""

    kind: ClassVar[str] = "official"
    rule: str = ""
    read: str | None = None
    """What the rule takes from the response; None where it takes nothing."""
    right: bool = False
    ours: float | None = None
    """Our own score, where the rule's verdict counts instead; None where ours counts."""


@dataclass(frozen=True, slots=True)
class InstructionVerdict:
    """One instruction that can be checked. Scripts read all four, so that none has a default."""

    id: str
    """Its type's name, such as `punctuation:no_comma`."""
    strict: bool
    """Whether the answer as it came follows it."""
    loose: bool
    """Whether it does without its first or last line or Markdown's stars."""
    found: str
    """What was found and what was asked, in words."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """Instructions that an answer follows or not, in the test's order."""

    kind: ClassVar[str] = "instructions"
    items: tuple[InstructionVerdict, ...] = ()


@dataclass(frozen=True, slots=True)
class LikelihoodOption:
    """One option and how likely the model finds it."""

    name: str
    text: str
    logprob: float | None = None
    """The sum of its tokens' natural logarithms; None where the server did not tell, which is less than what it told."""
    length: int = 0
    """Characters by which the sum is divided for `acc_norm`."""
    right: bool = False


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Options compared by likelihood, in the test's order."""

    kind: ClassVar[str] = "likelihood"
    options: tuple[LikelihoodOption, ...] = ()
    way: str = ""
    """`continuation` where each option's text was scored, `letter` where its letter was, as the next token."""
    chosen: str = ""
    """The likeliest option by its sum (lm-eval's `acc`)."""
    by_length: str | None = None
    """The likeliest by its sum over its characters (`acc_norm`); None where letters are compared."""
    by_bytes: str | None = None
    """The likeliest by its sum over its bytes in UTF-8 (`acc_bytes`)."""

    def right(self, name: str | None) -> bool:
        """Whether the option of this name is a right one."""
        return any(one.right and one.name == name for one in self.options)


@dataclass(frozen=True, slots=True)
class Extra:
    """Named facts that no other part holds; whatever a new evaluator knows is shown."""

    kind: ClassVar[str] = "extra"
    facts: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""


@dataclass(frozen=True, slots=True)
class WeightedPart:
    """One evaluator's share in a verdict of several."""

    evaluator: str = ""
    weight: float = 1.0
    score: float | None = None
    reason: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Weighted:
    """A verdict made of several evaluators' verdicts, each with its own parts."""

    kind: ClassVar[str] = "weighted"
    items: tuple[WeightedPart, ...] = ()
    title: str = ""
    why: str = ""


Part = (
    Compared
    | Extracted
    | Rows
    | Calls
    | Keywords
    | Rubric
    | Votes
    | Cases
    | Workspace
    | Instructions
    | Likelihood
    | Weighted
    | Official
    | Extra
)
PART_TYPES: tuple[type[Part], ...] = (
    Compared, Extracted, Rows, Calls, Keywords, Rubric, Votes, Cases, Workspace, Instructions, Likelihood, Weighted,
    Official, Extra,
)  # fmt: skip
"""Every part; `tests/core/verdict` checks that each is stored, said and drawn."""

SHOWS_GOLD: tuple[type[Part], ...] = (
    Compared, Rows, Calls, Keywords, Rubric, Weighted, Cases, Workspace, Instructions, Likelihood,
)  # fmt: skip
"""Parts that show what was expected in a form of their own, better than the test's JSON."""
