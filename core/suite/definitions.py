"""The parts of a suite as frozen data: tests, layers, domains, evaluator configurations, tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from modex.core.config.options import RolloutMode
from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import Problem
from modex.core.statistics.k_of_n import Required
from modex.core.store.definition import Given, Kept
from modex.core.suite.attachments import Attachment

LayerMode = Literal["overwrite", "append"]
LayerScope = Literal["domain", "level", "test"]
EvaluatorType = Literal["predefined", "builtin", "regex", "custom", "hybrid"]


@dataclass(frozen=True, slots=True)
class Location:
    """Where something stands: a path relative to the suite's root, and a 1-based line."""

    path: str
    line: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class PromptLayer:
    """One layer of the system prompt and where it came from."""

    scope: LayerScope
    text: str
    mode: LayerMode
    location: Location


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool: what the model sees (`name`, `description`, `parameters` as JSON Schema) and who answers.

    Exactly one answers: `mock`, `handler` (the id of a tool written in Python, e.g. `world:token_price`) or `server`.
    A loaded `mock` is always a list of entries (`when`, `response` or `error`, `latency_ms`), as on the tools page:
    a file's fixed `response` or `error` is a list of one.
    """

    id: str
    name: str
    description: str
    parameters: dict[str, Any]
    location: Location
    mock: Any = None
    handler: str | None = None
    server: McpServer | None = None
    category: Annotated[str | None, Given("text", "A group of tools.", "")] = None
    read_only: Annotated[
        bool, Given("boolean", "A call changes nothing; tests with `extra_reads` allow more of them.", "")
    ] = False
    claims: Annotated[str | None, Given("text", "A pattern of texts that say that a call was done.", "")] = None
    """An answer that says so without the call is no pass."""

    def schema(self) -> dict[str, Any]:
        """The OpenAI function definition sent to the model."""
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": self.parameters},
        }


@dataclass(frozen=True, slots=True)
class McpServer:
    """A server of the Model Context Protocol: a command that speaks over its stdin and stdout, or an address."""

    command: Annotated[
        tuple[str, ...], Given("list", "The program and its arguments; it runs in the suite's folder.", "")
    ] = ()
    url: Annotated[str | None, Given("text", "Address of a server that speaks streamable HTTP.", "")] = None
    env: Annotated[tuple[str, ...], Given("strings", "Names of variables that the program gets.", "")] = ()
    """Of the others it gets only those that every program needs."""
    cwd: str | None = None
    timeout_s: Annotated[float, Given("any", "How long one call may take, in seconds; 60 by default.", "")] = 60.0
    shared: Annotated[
        bool, Given("boolean", "Whether all samples share one process, because it keeps nothing between calls.", "")
    ] = False
    reset: Annotated[
        str | None, Given("text", "A tool of the server that makes it begin anew: its process is used again then.", "")
    ] = None
    begin: Annotated[
        str | None,
        Given(
            "text",
            "A tool of the server that is called before a sample's first call, with the test's `tool_setup`.",
            "",
        ),
    ] = None
    state: Annotated[
        str | None,
        Given(
            "text", "A tool of the server that tells as JSON what it knows: it becomes the sample's `tool_state`.", ""
        ),
    ] = None
    digest: str = ""
    """Of the command and the suite's files that it may run, as they were read: consent is for these bytes, and only they are
    started. Empty where the command is nobody's file."""

    @property
    def words(self) -> str:
        """The server as a person would name it."""
        import shlex

        return self.url or shlex.join(self.command)


@dataclass(frozen=True, slots=True)
class EvaluatorConfig:
    """A file of `test_definitions/evaluators/`, or a built-in evaluator's own defaults."""

    id: str
    name: str
    type: Annotated[EvaluatorType, Given("choice", "What it is.", "", required=True, choices=get_args(EvaluatorType))]
    location: Location | None = None
    eval_prompt: Annotated[
        str | None, Given("text", "The judge's prompt, with {prompt}, {expected} and {response}.", "")
    ] = None
    extraction_regex: Annotated[
        str | None, Given("text", "A regular expression that finds the answer or the verdict.", "")
    ] = None
    uses_pass2: Annotated[
        bool | None,
        Given("boolean", "Whether PASS 2 extracts the answer first; null leaves it to the evaluator.", ""),
    ] = None
    config: Annotated[dict[str, Any], Given("object", "Settings of the evaluator.", "")] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TestCase(Kept):
    """One test, from a definition file or a dataset row, ready to become samples.

    What its samples keep as it stands (`Kept`) and what is `Given` here are keys of a test's file by their annotations alone.
    """

    __test__ = False

    source: str
    """`suite` for definition files; the stem of the file for a dataset's rows."""
    domain: str
    level: int
    test_id: str
    prompt: str | tuple[dict[str, str], ...]
    """A text, or chat turns `{"role", "content"}` that end with a user's."""
    expected: Any
    evaluator_id: str
    location: Location
    name: Annotated[str, Given("text", "A short title.", "empty")] = ""
    description: Annotated[str, Given("text", "One line on why the test stands at this level.", "empty")] = ""
    layers: tuple[PromptLayer, ...] = ()
    """Every layer that is given, in fold order domain → level → test."""
    tool_ids: tuple[str, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    """The definitions behind `tool_ids`, plus those embedded in the test."""
    weight: Annotated[
        float, Given("positive", "The test's share in its level's score.", "1", above=("level", "dataset"))
    ] = 1.0
    cluster: Annotated[
        str | None,
        Given("text", "What the test shares its source with (a document, a template): these are drawn together."),
    ] = None
    required: Required | None = None
    """How many of how many tries must pass, where the test says so itself."""
    attachments: tuple[Attachment, ...] = ()
    """Files that are sent with the question."""
    template: dict[str, Any] | None = None
    """How other values for the same question are drawn (`modex.core.suite.variants`)."""
    written: bool = True
    """Whether `prompt` and `expected` stand in the file; else they are made from the template when a run takes the test."""
    lacks_gold: bool = False
    """Whether it is a row of a known benchmark's or a mixed file that has no gold: asked, and judged once it has one."""
    invalid: str | None = None
    """Why the test cannot run; its samples are `skipped` with this reason (for a mistake only under `--skip-invalid`)."""
    disabled_by: Literal["domain", "test"] | None = None
    """`enabled: false` of the domain (then a run takes it by `--domain` or `--test`) or of the test (by `--test` only)."""


@dataclass(frozen=True, slots=True)
class Level:
    """What a level.json says to people; its defaults are already in the tests."""

    number: int
    name: str
    description: str
    location: Location


@dataclass(frozen=True, slots=True)
class Domain:
    """One domain: what its tests have in common."""

    id: str
    name: str
    location: Location
    description: str = ""
    evaluator_id: str | None = None
    tool_ids: tuple[str, ...] = ()
    enabled: bool = True
    icon: Annotated[str | None, Given("text", "One character shown before the name.", "")] = None
    color: Annotated[str | None, Given("text", "A colour for the domain.", "")] = None
    levels: dict[int, Level] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SuiteDataset:
    """A `dataset.json`: a domain whose tests are the rows of a file, read only when they are asked for."""

    domain: str
    """Id of the domain that the folder stands for; a row's own domain is its category, where there is one."""
    file: Path
    spec: DatasetSpec
    source: str
    evaluator_id: str | None
    location: Location
    rollout: RolloutMode = "direct"
    layers: tuple[PromptLayer, ...] = ()
    level_layers: dict[int, tuple[PromptLayer, ...]] = field(default_factory=dict)
    """The layers of a level's rows, where the level has one of its own."""
    tool_ids: tuple[str, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    filters: Annotated[
        tuple[str, ...], Given("strings", "Only rows that match all of these (`category=defi`, `level=2..4`).", "")
    ] = ()
    limit: Annotated[int | None, Given("whole", "At most this many rows.", "")] = None
    sample: Annotated[int | None, Given("whole", "This many rows, chosen by `seed`.", "")] = None
    seed: Annotated[int, Given("any", "Seed of `sample`; 0 by default.", "")] = 0
    given: dict[str, Any] = field(default_factory=dict)
    """What holds for all rows: those fields of `TestCase` that a `dataset.json` may give."""
    enabled: bool = True
    invalid: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class Translation:
    """One form of another system that a file was written in, and what it lost (`note`), where it lost anything."""

    path: str
    line: int
    form: str
    note: str = ""


STOP_WORD = "###STOP###"
"""What a simulated user says when it leaves, where the test names nothing else."""
MAX_USER_TURNS = 12
"""Messages of the user after which a conversation ends, where the test names no other number."""


@dataclass(frozen=True, slots=True)
class UserSpec:
    """A simulated user as its test describes it."""

    goal: Annotated[
        str,
        Given(
            "text",
            "What the user wants, in the second person; the model under test never sees it. A user that `says` has none.",
            "",
        ),
    ] = ""
    facts: Annotated[
        tuple[str, ...], Given("strings", "What the user knows and says when asked, one text each.", "")
    ] = ()
    style: Annotated[str, Given("text", "How the user speaks.", "")] = ""
    must_say: Annotated[
        tuple[str, ...],
        Given(
            "strings",
            "Patterns of what it has to have said before it may leave; one that is missing is its fault.",
            "",
        ),
    ] = ()
    stop_words: Annotated[
        tuple[str, ...], Given("strings", f"Words by which it ends the conversation; `{STOP_WORD}` by default.", "")
    ] = (STOP_WORD,)
    max_turns: Annotated[
        int,
        Given(
            "turns",
            "Messages of the user, the first one included, after which the conversation ends;"
            f" {MAX_USER_TURNS} by default.",
            "",
        ),
    ] = MAX_USER_TURNS

    tool_ids: Annotated[
        tuple[str, ...],
        Given(
            "ids",
            "Tools that the user may call itself, on the same world as the model's; its calls are never the model's.",
            "",
        ),
    ] = ()
    says: Annotated[
        tuple[str | Mapping[str, Any], ...],
        Given(
            "list",
            "What the user says after `prompt`, one message a turn, whatever the model answers: no model plays it then."
            ' An entry is a text, or {"content", "tools"}: tools that are on offer from this turn on.',
            "",
        ),
    ] = ()
    opens: Annotated[
        bool,
        Given(
            "boolean",
            "Whether the user speaks first: `prompt` is turns that end with an assistant's then, which it answers.",
            "",
        ),
    ] = False
    system: Annotated[
        str,
        Given(
            "text",
            "All that the model that plays the user is told, word for word, in place of our template; `goal` and `facts` are"
            " what its faults are looked for by.",
            "",
        ),
    ] = ""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> UserSpec:
        """The user that a checked object describes."""
        return cls(
            goal=str(given.get("goal") or ""),
            facts=tuple(given.get("facts") or ()),
            style=str(given.get("style") or ""),
            must_say=tuple(given.get("must_say") or ()),
            stop_words=tuple(given.get("stop_words") or (STOP_WORD,)),
            max_turns=int(given.get("max_turns") or MAX_USER_TURNS),
            tool_ids=tuple(given.get("tool_ids") or ()),
            says=tuple(given.get("says") or ()),
            opens=given.get("opens") is True,
            system=str(given.get("system") or ""),
        )


def is_played(user: Mapping[str, Any]) -> bool:
    """Whether a model plays the user that an object describes: one that has its words in the test is played by nobody."""
    return bool(user) and "says" not in user


def skip_words(test: TestCase, why: str) -> str:
    """A test that is skipped, with its own file and line, and why."""
    here, _, words = why.partition(": ")
    path, _, line = here.rpartition(":")
    name = f"{test.domain}/{test.level}/{test.test_id}"
    if (
        path == test.location.path and line.isdigit()
    ):  # the reason stands in the test's own file, on a line that it names
        return f"{name} ({here}): {words}"
    return f"{name} ({test.location}): {why}"


@dataclass(slots=True)
class Suite:
    """A loaded suite. `problems` stop a run (exit 2), `lacks` skip the tests that need what is not here (exit 1); `notes` are
    shown by `check` only.

    `tests` come from definition files; the rows of `datasets` are streamed by `modex.core.suite.plan`.
    """

    root: Path
    domains: dict[str, Domain] = field(default_factory=dict)
    tests: list[TestCase] = field(default_factory=list)
    datasets: list[SuiteDataset] = field(default_factory=list)
    evaluators: dict[str, EvaluatorConfig] = field(default_factory=dict)
    tools: dict[str, ToolDefinition] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    lacks: list[Problem] = field(default_factory=list)
    excused: list[Problem] = field(default_factory=list)
    """Those of `lacks` that are mistakes in another system's files: they end the tests that they touch, and no more."""
    notes: list[Problem] = field(default_factory=list)
    dialect: str | None = None
    """The system that the files were written for; None where it is this one."""
    translated: list[Translation] = field(default_factory=list)
    """What was read from that system's forms."""
    otherwise: tuple[str, ...] = ()
    """What is judged otherwise than there, and why, of the forms that occur in it; each in a sentence."""
