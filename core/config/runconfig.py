"""What a run is: one model over a selection of tests under one configuration. Stored as JSON with the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
)

from modex.core.config.options import FIRST_AT_ONCE, LikelihoodWay, OptionsOfModel, OptionsOfRun, OptionsOfTests
from modex.core.safety.credentials import without_credentials
from modex.core.safety.known import keep_key_variable


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DatasetOrigin(_Frozen):
    """Where the rows of a benchmark that was named came from, and which they are."""

    name: str
    """The name by which it is fetched (`modex.core.suite.datasets.homes`)."""
    repository: str
    """`owner/name` of a dataset on the Hub."""
    revision: str
    """The commit; empty where a person brought the file."""
    sha256: str
    """Of the file with the rows."""


class DatasetSpec(_Frozen):
    """One dataset file and how its columns map to tests. Fields are dotted paths (`a.b`); None means: guess."""

    path: str
    question_field: str | None = None
    answer_field: str | None = None
    level_field: str | None = None
    category_field: str | None = None
    id_field: str | None = None
    cluster_field: str | None = None
    preset: str | None = None
    """A benchmark whose files are known by name (`modex.core.suite.datasets.presets`); named fields come before its own."""
    origin: DatasetOrigin | None = None
    """Where its file was fetched from, where the dataset was named and not its file."""

    @model_serializer(mode="wrap")
    def _as_before(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """A file of the user's own is stored as it was before any was fetched."""
        found: dict[str, Any] = whole(self)
        if self.origin is None:
            found.pop("origin", None)
        return found


class PlannedSample(_Frozen):
    """A sample that was chosen for a budget before the run, and what it promised."""

    tests: tuple[str, ...]
    """`source/domain/level/id` of each."""
    calls: int
    """To the model, of PASS 2 and to judges, without retries."""
    cost_usd: float | None = None
    score: float
    """The Weighted Score that was expected."""
    half_width: float
    """Of the interval that was to be expected."""
    earlier_runs: int = 0
    """Stored runs that said how tests vary; 0 is the prior."""
    own: bool = False
    """Whether they are of the model itself."""


class Selection(OptionsOfTests, _Frozen):
    """Which tests of which suite and datasets a run takes; what an option gives as it stands is in `OptionsOfTests`."""

    suite: str | None = None
    """Folder of the suite; None is the bundled one (or no suite at all where only datasets are named)."""
    domains: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    tests: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    exclude_levels: tuple[int, ...] = ()
    exclude_tests: tuple[str, ...] = ()
    datasets: tuple[DatasetSpec, ...] = ()
    tools: tuple[str, ...] = ()
    """Tools, by id, that tests are offered which name none."""
    filters: tuple[str, ...] = ()
    without_layers: tuple[Literal["domain", "level", "test"], ...] = ()
    """Layers of the system prompt that are left out."""
    sample_seed: int = 0
    planned: PlannedSample | None = None
    """The sample that was chosen, once it is: whoever goes on with the run goes on with it."""
    form: bool = False
    """Whether dataset rows are asked for a form of answer. New runs are begun with it (`configuration.py`); a stored
    configuration without it is one of a run that was begun before there was such a form."""

    @property
    def takes_suite(self) -> bool:
        """Whether the suite's own tests are among them; with datasets and no suite, it gives evaluators and tools alone."""
        return self.suite is not None or not self.datasets

    @property
    def is_planned(self) -> bool:
        """Whether a sample is to be chosen for a budget."""
        return self.plan or self.max_calls is not None


class ServeSpec(_Frozen):
    """How modex serves a model itself: a GGUF file with these sizes, or what a command of the user's serves."""

    context: int | None = Field(default=None, ge=1)
    """Tokens of context of each slot; None is what the plan needs."""
    threads: int | None = Field(default=None, ge=1)
    slots: int | None = Field(default=None, ge=1)
    """Answers at once; None follows the concurrency."""
    gpu_layers: int | Literal["all"] | None = None
    command: str | None = None
    """A command line with `{port}`, which listens there; None where a file is served."""
    folder: str | None = None
    """Where the command is run: the folder of the file that says it."""
    ready: str | None = None
    """The path that answers 200 once the command's server is ready."""
    start_timeout: float | None = Field(default=None, gt=0)
    """Seconds that it may take until then."""


class ModelSpec(OptionsOfModel, _Frozen):
    """A model as litellm names it, where it lives, and how it is sampled (`OptionsOfModel`). Holds no key, ever.

    What stands here and not in the options is what an entry of `models.toml` says (`modex.core.config.entries`).
    """

    entry: str | None = None
    """The name by which it was asked for, where that is an entry's."""
    gguf: str | None = None
    """The whole path of a file that modex serves."""
    gguf_digest: str | None = None
    """The digest of that file's content, once somebody read it; it stands for the model's name in what is asked."""
    serve: ServeSpec | None = None
    """How modex serves it, where an entry says so."""
    api_key_env: str | None = None
    """The variable that holds its key, where it is not the provider's usual one."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Sent with each call; `${NAME}` in a value is what that variable holds, so that no key stands here."""
    top_p: float | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    stop: tuple[str, ...] = ()
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """Fields of the request that only some servers know, sent beside the others."""
    concurrency: int | None = None
    """Calls at once, where it is not the run's number."""
    timeout_s: float | None = None
    """Total deadline of one call, where it is not the run's."""

    def __hash__(self) -> int:
        """By the fields that tell most models apart."""
        return hash((self.model, self.api_base, self.entry, self.api_key_env, self.gguf))

    @property
    def provider(self) -> str:
        """What stands before the first `/` of its name; empty where nothing does."""
        return self.model.partition("/")[0] if "/" in self.model else ""

    @property
    def is_served(self) -> bool:
        """Whether modex starts what serves it."""
        return self.gguf is not None or self.serve is not None

    @property
    def place(self) -> tuple[object, ...]:
        """Where and as whom it is asked: what calls to one place share (a gate, what it refused)."""
        return (self.model, self.api_base, self.api_key_env, self.gguf, self.serve, *sorted(self.headers.items()))

    @property
    def said(self) -> str:
        """The name by which a command line asks for it."""
        return self.entry or (f"gguf:{self.gguf}" if self.gguf is not None else self.model)

    @field_validator("api_base")
    @classmethod
    def _without_credentials(cls, base: str | None) -> str | None:
        return None if base is None else without_credentials(base)

    @field_validator("api_key_env")
    @classmethod
    def _known_as_a_key(cls, name: str | None) -> str | None:
        if name is not None:
            keep_key_variable(name)
        return name

    @model_serializer(mode="wrap")
    def _without_what_no_entry_says(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """What only entries say is stored where one says it: a run by flags is stored as it was before there were entries."""
        found: dict[str, Any] = whole(self)
        fields = type(self).model_fields
        return {
            name: value
            for name, value in found.items()
            if name in OptionsOfModel.__annotations__
            or getattr(self, name) != fields[name].get_default(call_default_factory=True)
        }


def at_known_addresses(judges: Sequence[ModelSpec], known: Sequence[ModelSpec]) -> tuple[ModelSpec, ...]:
    """`judges` without an address at that of the first of the `known` ones of the same provider: what is asked on a machine of
    one's own is not sent to the provider instead. An address of `""` is the provider's, asked for by name."""
    addresses: dict[str, str] = {}
    for one in known:
        if one.api_base:
            addresses.setdefault(one.provider, one.api_base)
    return tuple(
        one.model_copy(
            update={"api_base": addresses.get(one.provider) if one.api_base is None else one.api_base or None}
        )
        if one.entry is None and not one.is_served
        else one
        for one in judges
    )


class RunConfig(OptionsOfRun, _Frozen):
    """Everything that decides what a run asks, how it judges and how fast it goes; most of it is in `OptionsOfRun`."""

    model: ModelSpec
    selection: Selection = Field(default_factory=Selection)
    extractor: ModelSpec | None = None
    """Model of PASS 2; None is the model under test."""
    judges: tuple[ModelSpec, ...] = ()
    """LLM judges; empty is the default judge (`gemini/gemini-2.5-flash`, or `demo` where the model is `demo`)."""
    user: ModelSpec | None = None
    """Model that plays the users of conversations; None is the model under test."""
    response_field: str | None = None
    """The column of the responses where the answers come from a file; None means: guess."""
    agent_folder: str | None = None
    """Where the agent's command was named, and is run."""
    likelihood_by: LikelihoodWay | None = None
    """What its server can tell the likelihood of, once that was found out: whoever goes on with the run goes on so."""
    more_tokens: int | None = None
    """Most tokens of an answer in a resume that asks the cut-off ones again, and only those."""

    def as_stored(self) -> RunConfig:
        """As one goes on with it later: what it lets a suite run was said, and is remembered, where it was begun."""
        if not self.selection.allow_plugins:
            return self
        return self.model_copy(update={"selection": self.selection.model_copy(update={"allow_plugins": False})})

    @property
    def moves_here(self) -> bool:
        """Whether the runner itself moves the samples."""
        return self.processes == 1 and self.cluster is None

    @property
    def has_keys_elsewhere(self) -> bool:
        """Whether the keys are those of other machines, which read their own."""
        return self.cluster is not None and not self.cluster.startswith("local")

    @property
    def at_once(self) -> int:
        """Samples at once with which the work begins."""
        return self.concurrency or FIRST_AT_ONCE
