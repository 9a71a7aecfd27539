"""What a test says beside its question and its gold, kept with each of its samples: one typed value in one JSON column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from operator import attrgetter
from typing import Annotated, Any, Literal, get_args, get_type_hints

from modex.core.config.options import RolloutMode
from modex.core.store.columns import Document, fits

Kind = Literal[
    "id",
    "text",
    "boolean",
    "positive",
    "milliseconds",
    "whole",
    "turns",
    "tries",
    "level",
    "object",
    "faults",
    "sandbox",
    "any",
    "list",
    "ids",
    "strings",
    "choice",
    "prompt",
    "file",
]
"""What a key of a suite's file may hold: checked in `modex.core.suite.keys`, said as JSON Schema in `modex.core.suite.schema`."""
Above = Literal["domain", "level", "dataset"]
"""The files that may say something for all tests below them."""


@dataclass(frozen=True, slots=True)
class Given:
    """How a suite's files give a field; in the field's annotation it makes the field a key of the file that says it."""

    kind: Kind
    about: str
    """One sentence, for `modex schema` and the documentation's table."""
    default: str = "none"
    """What holds where it is not given, in the words of that table."""
    above: tuple[Above, ...] = ()
    """Which files above the test's may give it too; what stands nearer to the test holds."""
    choices: tuple[str, ...] = ()
    required: bool = False
    shown: bool = False
    """Whether a test's transcript says it, where the test does not leave it at its default."""


def given(of: type) -> dict[str, Given]:
    """The keys of a file that are fields of this class, by name."""
    hints = get_type_hints(of, include_extras=True)
    found = (
        (name, next((one for one in get_args(hint) if isinstance(one, Given)), None)) for name, hint in hints.items()
    )
    return {name: one for name, one in found if one is not None}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kept:
    """What a test's file says and each of its samples keeps as it stands there.

    A field here is a key of a test's file, checked with its line, in `modex schema`, in the documentation, and read from the
    files above the test where `above` says so; a field of `TestCase` and of `Definition`, stored where it is not at its default,
    and so in `--json`. What takes more than one value of the file (an id to be looked up, a file to be found) is none of these.
    Not pydantic: a first frame reads samples, and importing it takes 95 ms; nor does it give our messages with their lines.
    """

    rollout: Annotated[
        RolloutMode,
        Given(
            "choice",
            "How the model is asked: for its answer alone, with reasons as JSON (`reasoning`), with a choice of tools first"
            " (`agentic`), by a model that plays the user (`conversation`).",
            "`direct`",
            above=("domain", "level"),
            choices=get_args(RolloutMode),
        ),
    ] = "direct"
    timeout_ms: Annotated[
        float | None,
        Given(
            "milliseconds",
            "Deadline of one model call, in milliseconds.",
            "the run's",
            above=("domain", "level", "dataset"),
            shown=True,
        ),
    ] = None
    max_iterations: Annotated[
        int | None,
        Given(
            "turns",
            "Turns of the tool loop that it needs, where that is more than the run allows.",
            "the run's",
            above=("domain", "level", "dataset"),
            shown=True,
        ),
    ] = None
    tool_faults: Annotated[
        dict[str, list[str]],
        Given(
            "faults",
            "Faults of its tools, by tool and call by call: none, error, timeout, empty, garbled, slow.",
            shown=True,
        ),
    ] = field(default_factory=dict)
    tool_state: Annotated[
        dict[str, Any],
        Given(
            "object",
            "What the mocks know at the start (`$state`), by name; a test's is laid over its level's and domain's.",
            "empty",
            above=("domain", "level", "dataset"),
        ),
    ] = field(default_factory=dict)
    tool_setup: Annotated[
        dict[str, Any],
        Given("object", "What the servers of its tools begin with: the arguments of their `begin`.", "empty"),
    ] = field(default_factory=dict)
    sandbox: Annotated[
        dict[str, Any],
        Given(
            "sandbox",
            "What the code of its answers needs: `packages` such as `numpy==2.3`, `limits`; and the folder that the model works"
            " in with its hidden checks: `files` or `workspace`, `needs`, `checks`, `tests`, `solution`.",
            "none",
            above=("domain", "level", "dataset"),
            shown=True,
        ),
    ] = field(default_factory=dict)
    simulated_user: Annotated[
        dict[str, Any],
        Given("object", "Who speaks with the model in a `conversation`: goal, facts, and when it leaves."),
    ] = field(default_factory=dict)
    likelihood: Annotated[
        dict[str, Any],
        Given(
            "object",
            "How its options are compared by likelihood (evaluator `loglikelihood`): the text before them (`context`), their own"
            " (`options`), and what stands between (`delimiter`, a blank).",
            "none",
        ),
    ] = field(default_factory=dict)
    metadata: Annotated[
        dict[str, Any], Given("object", "Anything else, kept with the samples; `--filter` finds it.", "empty")
    ] = field(default_factory=dict)


KEPT = tuple(one.name for one in fields(Kept))
_kept_of = attrgetter(*KEPT)
_SHOWN = tuple(name for name, one in given(Kept).items() if one.shown)


def kept(of: Kept) -> dict[str, Any]:
    """What is kept of a test, by name."""
    return dict(zip(KEPT, _kept_of(of), strict=False))


@dataclass(frozen=True, slots=True, eq=False)
class Definition(Kept, Document, Mapping[str, Any]):
    """The column `definition` of a sample.

    It reads as a mapping too, with the keys that are stored: a field at its default has none (`line` has, where `file` is). Two
    are equal where they hold the same, and a plain dict with the same keys is equal as well. A processer that changes one makes
    another, with `dataclasses.replace`.
    """

    file: str = ""
    """The test's file, relative to the suite's root; empty where there is none."""
    line: int = 1
    """The test's line in `file`, from 1."""
    tool_ids: list[str] = field(default_factory=list)
    """The suite's tools that are offered, by id."""
    tools: list[dict[str, Any]] = field(default_factory=list)
    """Tools that the suite does not know by id, whole."""
    turns: list[dict[str, Any]] = field(default_factory=list)
    """The chat turns `{"role", "content"}` of a test that asks with several; empty for one text."""
    attachments: list[dict[str, Any]] = field(default_factory=list)
    """The files that are sent with the question, as `modex.core.suite.attachments.Attachment` says them; never their content."""
    more: dict[str, Any] = field(default_factory=dict)
    """Keys of no field, which a processer or another version stored."""

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Definition:
        """The definition that a mapping holds: a stored one, or a plain dict.

        Raises:
            ValueError: a key holds what it cannot; the message names it.
        """
        if isinstance(value, Definition):
            return value
        if type(value) is not dict and not isinstance(value, Mapping):
            raise ValueError(f"{type(value).__name__}, which is no object")
        known: dict[str, Any] = {}
        more: dict[str, Any] = {}
        for name, found in value.items():
            fits = _FITS.get(name)
            if fits is None:
                more[name] = found
            elif found is None and name in _NULL_BEFORE:
                continue
            elif not fits(found):
                raise ValueError(f"`{name}` of another form")
            elif found is not None:
                known[name] = found
        return cls(**known, more=more)

    def as_json(self) -> dict[str, Any]:
        """What is stored: every field that is not at its default."""
        found: dict[str, Any] = {"file": self.file, "line": self.line} if self.file or self.line != 1 else {}
        for name in _EMPTY_BY_DEFAULT:
            if value := getattr(self, name):
                found[name] = value
        for name, default in _PLAIN:
            if (value := getattr(self, name)) is not default and value != default:
                found[name] = value
        return {**found, **self.more}

    @property
    def shown(self) -> list[tuple[str, Any]]:
        """What a transcript says of it: names and values."""
        found = ((name, getattr(self, name)) for name in _SHOWN)
        return [(name, _plain(value) if name == "sandbox" else value) for name, value in found if value]

    @classmethod
    def normal(cls, value: dict[str, Any]) -> dict[str, Any]:
        """What would be stored of the definition that `value` holds.

        Raises:
            ValueError: a key holds what it cannot; the message names it.
        """
        if tuple(value) == ("file", "line"):  # of most tests nothing else is known
            file, line = value["file"], value["line"]
            if type(file) is str and type(line) is int and (file or line != 1):
                return value
        return super(Definition, cls).normal(value)

    def __getitem__(self, name: str) -> Any:
        """A stored key's value."""
        return self.as_json()[name]

    def __iter__(self) -> Iterator[str]:
        """The stored keys."""
        return iter(self.as_json())

    def __len__(self) -> int:
        """How many keys are stored."""
        return len(self.as_json())


def _plain(sandbox: dict[str, Any]) -> dict[str, Any]:
    """What a transcript says of a sandbox: of files their names, since what became of them stands in the verdict."""
    return {
        name: sorted(value) if name in ("files", "tests") and isinstance(value, dict) else value
        for name, value in sandbox.items()
        if name not in ("solution", "digest")
    }


_FITS: dict[str, Callable[[object], bool]] = {
    name: fits(hint) for name, hint in get_type_hints(Definition).items() if name != "more"
}
_NULL_BEFORE = ("metadata", "turns", "attachments")
"""What older versions stored as null where it was empty."""
_SAID = tuple(one for one in fields(Definition) if one.name not in ("file", "line", "more"))
_EMPTY_BY_DEFAULT = tuple(one.name for one in _SAID if one.default is MISSING)
_PLAIN = tuple((one.name, one.default) for one in _SAID if one.default is not MISSING)
