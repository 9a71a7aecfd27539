"""What a run is: one model over a selection of tests under one configuration. Stored as JSON with the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from modex.core.config.options import FIRST_AT_ONCE, OptionsOfModel, OptionsOfRun, OptionsOfTests
from modex.core.safety.credentials import without_credentials


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


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


class ModelSpec(OptionsOfModel, _Frozen):
    """A model as litellm names it, where it lives, and how it is sampled (`OptionsOfModel`). Holds no key, ever."""

    @property
    def provider(self) -> str:
        """What stands before the first `/` of its name; empty where nothing does."""
        return self.model.partition("/")[0] if "/" in self.model else ""

    @field_validator("api_base")
    @classmethod
    def _without_credentials(cls, base: str | None) -> str | None:
        return None if base is None else without_credentials(base)


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
