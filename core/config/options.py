"""Every option of a run, once: the flags of `modex run`, the form, the settings, `--config` and the fingerprints read this table.

To add one: a line in `OPTIONS`, and its field at the end of this file; `tests/core/config/test_options.py` says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from modex.core.config import values
from modex.core.sandbox.names import SandboxName

Kind = Literal["text", "whole", "number", "switch", "choice"]
RolloutMode = Literal["direct", "reasoning", "agentic", "conversation"]
"""How a test is asked."""
Stage = Literal["preprocess", "rollout", "judge", "stat"]
Settle = Literal["auto", "mean", "median", "majority"]
Reading = Literal["modex", "official", "loglikelihood"]
"""Whose reading of an answer counts: ours, or the rule that its benchmark publishes; or none, since options are not answered but
compared by how likely the model finds each."""
LikelihoodWay = Literal["continuation", "letter"]
"""What of an option its server can tell the likelihood of: all its text behind the question, or its letter as the next token."""
"""How verdicts of several judges, or of one asked several times, become one: `auto` is the majority where there are two
verdicts to choose from, and the median on a rating scale."""
Group = Literal["Tests", "Datasets", "Model", "Judging", "Engine", "Output"]
Values = Mapping[str, Any]
"""Values by the options' names; None and an empty list say nothing, nor does False but for what is on by default."""
Decides = Literal["tests", "asked", "judged", "flow"]
"""What an option decides: which tests there are and what they say (and by that what is asked and judged); what a model is
asked (it enters the rollout fingerprint); how it is judged (it enters the judge fingerprint); how fast, where and how far."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option. Its name is the flag's, with underscores: in TOML, in forms, in mappings of values."""

    name: str
    group: Group
    kind: Kind
    help: str
    """One sentence for `--help` and the form, without the full stop."""
    decides: Decides = "flow"
    place: str = ""
    """The field of `RunConfig` it becomes, dotted; empty where it is no part of a run's configuration."""
    default: Any = None
    otherwise: str = ""
    """What holds where nothing is given and `default` is None, in words."""
    many: bool = False
    """Whether it can be given several times."""
    commas: bool = False
    """Whether commas also set several apart where a person types them."""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    zero: str = ""
    """A word that can be given for 0."""
    setting: bool = False
    """Whether a variable `MODEX_<NAME>` and a line of the settings file say it for every run."""
    title: str = ""
    """Its name in the form; empty where the form has no row for it (the tests are chosen in their tree)."""
    rare: bool = False
    """Whether the form shows it only where it is set, or on demand."""
    common: bool = False
    """Whether `--help` shows it; `--help-all` shows every option."""

    @property
    def flag(self) -> str:
        """As it is written on a command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def opposite(self) -> str:
        """The flag that says no, where yes is the default; else empty."""
        return "--no-" + self.name.replace("_", "-") if self.default is True else ""

    @property
    def told(self) -> str:
        """The help, with what holds where nothing is given."""
        words = self.default_words
        return f"{self.help}." if words in _SELF_EVIDENT or self.kind == "switch" else f"{self.help}; default: {words}."

    @property
    def default_words(self) -> str:
        """What holds where nothing is given, in words."""
        if self.default is None:
            return self.otherwise
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return f"{self.default:g}" if isinstance(self.default, int | float) else str(self.default)

    def read(self, value: Any) -> Any:
        """The value, from a text or a TOML value; a list where it can be given several times.

        Raises:
            ValueError: what it must be.
            TypeError: what it must be.
        """
        if self.many:
            return (values.names if self.setting else values.texts)(value)
        if self.kind == "switch":
            return values.switch(value)
        if self.kind == "choice":
            return values.one_of(*self.choices)(value)
        if self.kind == "text":
            return values.text(value)
        if self.zero and value == self.zero:
            return 0
        return values.number(above=self.above, least=self.least, most=self.most, whole=self.kind == "whole")(value)

    def typed(self, text: str) -> Any:
        """The value, from one line that a person typed; several are set apart by spaces, commas or quotes.

        Raises:
            ValueError: what it must be.
            TypeError: what it must be.
        """
        if self.many:
            import shlex

            return self.read([part for part in shlex.split(text.replace(",", " ") if self.commas else text) if part])
        return self.read(text.strip())

    def words(self, value: Any) -> list[str]:
        """The words of a command line that say this value."""
        if self.kind == "switch":
            return [self.flag] if value else [self.opposite] if self.opposite else []
        if self.zero and value == 0:
            return [self.flag, self.zero]
        several = value if self.many else (value,)
        return [word for one in several for word in (self.flag, f"{one:.12g}" if isinstance(one, float) else str(one))]


FIRST_AT_ONCE = 16
"""Samples at once with which a run begins that was not told how many; refusals alone never bring it below."""
MOST_AT_ONCE = 64
"""The most samples at once that are tried unasked."""
MOST_SECONDS = 604_800
"""The longest that one call may be given, a week: beyond some years no socket takes the number."""
MOST_SAMPLES = 1_000_000_000
"""The most tests, samples, calls or rows that a number may ask for: more than a database of this program holds."""
MOST_TOKENS = 100_000_000
MOST_USD = 1_000_000_000
MOST_SEED = 2**63 - 1
"""The largest seed that providers and the database take."""
_PROVIDERS = "the provider's own"
_SELF_EVIDENT = frozenset({"", "none", "all", "guessed", "as each test says", "the known price", _PROVIDERS})
"""Defaults that help need not say."""
OPTIONS: tuple[Option, ...] = (
    Option("model", "Model", "text", "Model as litellm names it, an entry of models.toml, gguf:FILE or demo; repeat for"
           " several runs", "asked", "model.model", otherwise="", many=True, commas=True, setting=True, title="model",
           common=True),
    Option("api_base", "Model", "text", "Address of an OpenAI-compatible server; of several models, one for all or one for"
           " each in their order", "flow", "model.api_base", otherwise=_PROVIDERS, many=True, commas=True, setting=True,
           title="address", common=True),
    Option("temperature", "Model", "number", "Sampling temperature", "asked", "model.temperature",
           otherwise=_PROVIDERS, least=0, most=100, title="temperature", common=True),
    Option("max_tokens", "Model", "whole", "Most tokens of one answer", "asked", "model.max_tokens",
           otherwise=_PROVIDERS, least=1, most=MOST_TOKENS, title="max tokens", common=True),
    Option("seed", "Model", "whole", "Seed of the model's sampling, and of --sample and --plan", "asked", "model.seed",
           least=-MOST_SEED, most=MOST_SEED, otherwise="none", title="seed", rare=True),
    Option("reasoning_effort", "Model", "text", "As the provider names it: low, medium, high", "asked",
           "model.reasoning_effort", otherwise=_PROVIDERS, title="effort", common=True),
    Option("rollout", "Model", "choice", "How to ask, whatever the tests say", "asked", "rollout",
           otherwise="as each test says", choices=("direct", "reasoning", "agentic"), title="rollout"),
    Option("max_iterations", "Model", "whole", "Turns of the tool loop", "asked", "max_iterations", 5, least=1,
           most=50, setting=True, title="iterations"),
    Option("user_model", "Model", "text", "Model that plays the users of conversations", "asked", "user.model",
           otherwise="the model itself", setting=True, title="user", rare=True),
    Option("user_api_base", "Model", "text", "Address of the user model's server", "flow", "user.api_base",
           otherwise="the model's, where it is the same model", setting=True, title="user at", rare=True),
    Option("agent", "Model", "text", "Your own agent instead of the model: a command, or module:function", "asked", "agent",
           otherwise="none", title="agent", rare=True),
    Option("agent_stays", "Model", "switch", "In conversations the agent's command answers a line for each line of stdin",
           "asked", "agent_stays", False, title="agent stays", rare=True),
    Option("benchmark", "Model", "text", "A plugin's benchmark class that does the rollouts and the judging", "asked",
           "benchmark", otherwise="none", title="benchmark", rare=True),
    Option("input_price", "Model", "number", "USD per million prompt tokens, where no price is known", "flow",
           "model.input_price", otherwise="the known price", least=0, most=MOST_USD, title="input price", rare=True),
    Option("output_price", "Model", "number", "USD per million completion tokens", "flow", "model.output_price",
           otherwise="the known price", least=0, most=MOST_USD, title="output price", rare=True),

    Option("suite", "Tests", "text", "Suite folder, with test_definitions/", "tests", "selection.suite",
           otherwise="the bundled suite", setting=True, title="suite", common=True),
    Option("domain", "Tests", "text", "Only this domain; repeatable", "tests", "selection.domains", many=True, common=True),
    Option("level", "Tests", "text", "Only this level (3) or range (2-4); repeatable", "tests", "selection.levels",
           many=True, commas=True, common=True),
    Option("test", "Tests", "text", "Only this test, by id or domain/level/id; repeatable", "tests",
           "selection.tests", many=True, common=True),
    Option("exclude_domain", "Tests", "text", "Leave this domain out; repeatable", "tests",
           "selection.exclude_domains", many=True),
    Option("exclude_level", "Tests", "text", "Leave this level or range out; repeatable", "tests",
           "selection.exclude_levels", many=True, commas=True),
    Option("exclude_test", "Tests", "text", "Leave this test out, by id or domain/level/id; repeatable", "tests",
           "selection.exclude_tests", many=True),
    Option("filter", "Tests", "text", "Only tests that match, e.g. category=defi or level>=3; repeatable", "tests",
           "selection.filters", otherwise="none", many=True, title="filter", common=True),
    Option("without_layer", "Tests", "text", "Leave this layer of the system prompt out: domain, level or test; repeatable",
           "tests", "selection.without_layers", otherwise="none", many=True, commas=True, title="without layer", rare=True),
    Option("tool", "Tests", "text", "Offer this tool, by id, to tests that name none; repeatable", "tests", "selection.tools",
           otherwise="none", many=True, title="tools", rare=True),
    Option("limit", "Tests", "whole", "At most this many tests", "tests", "selection.limit", otherwise="none",
           least=1, most=MOST_SAMPLES, title="limit", common=True),
    Option("sample", "Tests", "whole", "This many tests, drawn at random by --seed", "tests", "selection.sample",
           otherwise="all", least=1, most=MOST_SAMPLES, title="sample", rare=True, common=True),
    Option("stratify", "Tests", "text", "Draw what --limit or --sample takes so that each value of this column has its share",
           "tests", "selection.stratify", otherwise="none", title="stratify by", rare=True, common=True),
    Option("max_calls", "Tests", "whole", "Ask a sample that this many calls pay for, chosen to decide most", "tests",
           "selection.max_calls", otherwise="none", least=1, most=MOST_SAMPLES, title="calls", rare=True),
    Option("plan", "Tests", "switch", "Choose beforehand the sample that --max-cost pays for and that decides most", "tests",
           "selection.plan", False, title="plan", rare=True),
    Option("epochs", "Tests", "whole", "How often each test is asked", "tests", "epochs", 1, least=1, most=1000,
           title="epochs", common=True),
    Option("require", "Tests", "text", "Tries that each test must pass (8/10); it is asked only until that is certain",
           "tests", "require", otherwise="none", title="k of n", rare=True),
    Option("variant", "Tests", "whole", "Seed by which tests made from templates take their values", "tests",
           "selection.variant", otherwise="the written values", least=0, most=MOST_SEED, title="variant", rare=True),
    Option("gold", "Tests", "choice", "What a gold that is a list asks for: any one of its items, or all parts", "tests",
           "selection.gold", "any", choices=("any", "parts"), title="list golds", rare=True),
    Option("skip_invalid", "Tests", "switch", "Run what is valid; record the rest as skipped", "tests",
           "selection.skip_invalid", False, title="skip invalid", rare=True),
    Option("strict", "Tests", "switch", "Refuse a suite that names what is not here, as one with mistakes",
           "tests", "selection.strict", False, title="strict", rare=True),
    Option("allow_plugins", "Tests", "switch", "Let this suite's plugins/ run Python, now and later", "tests",
           "selection.allow_plugins", False, title="plugins", rare=True, common=True),

    Option("dataset", "Datasets", "text", "JSONL, JSON, CSV or Parquet file of questions; repeatable", "tests",
           "selection.datasets", otherwise="none", many=True, title="dataset", common=True),
    Option("preset", "Datasets", "choice", "The benchmark that the dataset is a file of: columns, answer format, judge", "tests",
           "selection.datasets.preset", otherwise="none",
           choices=("gaia", "browsecomp", "browsecomp_zh", "webwalkerqa", "xbench", "caia", "gsm8k", "mmlu", "mmlu_pro",
                    "mmlu_redux", "gpqa", "hellaswag", "winogrande", "boolq", "commonsenseqa", "bbh", "math_500", "aime", "mgsm",
                    "simpleqa", "hle", "humaneval", "mbpp", "livecodebench", "spider", "bird", "drop", "arc",
                     "truthfulqa", "ifeval"),
           title="preset", rare=True, common=True),
    Option("question_field", "Datasets", "text", "The dataset's field of the question (dotted for nested)", "tests",
           "selection.datasets.question_field", otherwise="guessed", title="question col", rare=True),
    Option("answer_field", "Datasets", "text", "The dataset's field of the gold answer", "tests",
           "selection.datasets.answer_field", otherwise="guessed", title="gold col"),
    Option("level_field", "Datasets", "text", "The dataset's field of the level", "tests",
           "selection.datasets.level_field", otherwise="guessed", title="level col"),
    Option("category_field", "Datasets", "text", "The dataset's field of the category, which becomes the domain",
           "tests", "selection.datasets.category_field", otherwise="guessed", title="category col", rare=True),
    Option("id_field", "Datasets", "text", "The dataset's field of the id", "tests", "selection.datasets.id_field",
           otherwise="guessed", title="id col", rare=True),
    Option("cluster_field", "Datasets", "text", "The dataset's field of what questions share (a document, a template)",
           "flow", "selection.datasets.cluster_field", otherwise="cluster, where there is one", title="cluster col",
           rare=True),
    Option("form", "Datasets", "switch", "Tell dataset rows, by answer type, how to end their answers", "tests",
           "selection.form", True, title="answer form", rare=True),
    Option("evaluator", "Datasets", "text", "Evaluator of dataset rows; match and llm_judge need no PASS 2", "tests",
           "evaluator", otherwise="two_pass", title="evaluator"),

    Option("judge_model", "Judging", "text", "LLM judge; repeat for a majority", "judged", "judges",
           otherwise="gemini/gemini-2.5-flash", many=True, commas=True, setting=True, title="judge", common=True),
    Option("judge_api_base", "Judging", "text", "Address of the judges' server; of several, one for all or one for each in"
           " their order", "flow", "judges.api_base", otherwise=_PROVIDERS, many=True, commas=True, setting=True,
           title="judge at"),
    Option("judge_repeats", "Judging", "whole", "How often each judge is asked about each answer", "judged",
           "judge_repeats", 1, least=1, most=9, title="judge times", rare=True),
    Option("judge_settle", "Judging", "choice", "How several verdicts become one", "judged", "judge_settle", "auto",
           otherwise="the majority; on a rating scale the median", choices=get_args(Settle),
           title="verdicts by", rare=True),
    Option("extractor_model", "Judging", "text", "Model of PASS 2", "judged", "extractor.model",
           otherwise="the model itself", setting=True, title="extractor", common=True),
    Option("extractor_api_base", "Judging", "text", "Address of the extractor's server", "flow",
           "extractor.api_base", otherwise="the model's, where it is the same model", setting=True,
           title="extractor at", rare=True),
    Option("sandbox", "Judging", "choice", "What runs the code of answers", "judged", "sandbox", "auto",
           otherwise="bubblewrap where it works, else monty", choices=get_args(SandboxName), setting=True,
           title="sandbox", rare=True),
    Option("reading", "Judging", "choice", "Whose verdict counts where a benchmark has a rule of its own (both are kept); or"
           " loglikelihood: no answer is read, the likeliest option counts",
           "judged", "reading", "modex", choices=get_args(Reading), title="reading by", rare=True),
    Option("no_judge", "Judging", "switch", "Leave out, by name, the tests that need an LLM judge", "tests",
           "selection.no_judge", False, title="no judge", common=True),

    Option("exp_id", "Engine", "text", "Name of the run; a known one is continued", otherwise="by model and time",
           title="run name", common=True),
    Option("concurrency", "Engine", "whole", "Samples at once", "flow", "concurrency",
           otherwise=f"found by itself, from {FIRST_AT_ONCE} to at most {MOST_AT_ONCE}", least=1, most=1024,
           setting=True, title="at once", common=True),
    Option("processes", "Engine", "whole", "Processes that move the samples, each on a core of its own; auto: all cores",
           "flow", "processes", 1, least=0, most=256, zero="auto", setting=True, title="processes", rare=True),
    Option("cluster", "Engine", "text", "Dask cluster that moves the samples: tls://host:8786, or local:N for N workers here",
           "flow", "cluster", otherwise="none", setting=True, title="cluster", rare=True),
    Option("insecure_cluster", "Engine", "switch", "Speak with a cluster of other machines over plain tcp://", "flow",
           "insecure_cluster", False, title="plain tcp", rare=True),
    Option("timeout", "Engine", "number", "Seconds one call may take", "flow", "timeout_s", 300.0, above=0,
           most=MOST_SECONDS, setting=True, title="timeout"),
    Option("stream", "Engine", "switch", "Have answers as they are written, where the endpoint can", "flow", "stream",
           True, title="stream", rare=True),
    Option("runaway", "Engine", "switch", "End an answer that says the same over and over, where it is streamed", "flow",
           "runaway", True, title="end loops", rare=True),
    Option("max_seconds", "Engine", "number", "Cut an answer off after so many seconds, without another attempt", "flow",
           "max_seconds", otherwise="none", above=0, most=MOST_SECONDS, title="max seconds", rare=True),
    Option("max_cost", "Engine", "number", "Stop when this many USD are spent", "flow", "max_cost_usd",
           otherwise="none", least=0, most=MOST_USD, setting=True, title="budget", common=True),
    Option("max_outage", "Engine", "number", "Seconds a provider may be down", "flow", "max_outage_s", 1800.0,
           least=0, most=MOST_SECONDS, setting=True, title="max outage", rare=True),
    Option("record", "Engine", "text", "Keep every tool's answers in this folder", "flow", "record", otherwise="",
           title="record", rare=True),
    Option("replay", "Engine", "text", "Answer tools from what --record kept in this folder; no tool is asked", "flow",
           "replay", otherwise="", title="replay", rare=True),
    Option("until", "Engine", "choice", "Stop after a stage", "flow", "until", "stat",
           choices=get_args(Stage), title="until", rare=True),

    Option("headless", "Output", "switch", "Run here, with plain progress instead of the screen", default=False, common=True),
    Option("detach", "Output", "switch", "Start the run and return; watch it with modex attach", default=False, common=True),
    Option("no_mouse", "Output", "switch", "Leave the mouse to the terminal", default=False),
    Option("fail_under", "Output", "number",
           "Exit 1 below this Weighted Score (0-100, or 0-1): the mean score of every domain's levels, a level counting as often"
           " as its number says",
           least=0, most=100, common=True),
    Option("fail_by", "Output", "choice",
           "What --fail-under looks at: the score with all answers without a verdict wrong, or the score of those that have one",
           choices=("least", "score"), otherwise="least"),
)  # fmt: skip
BY_NAME: Mapping[str, Option] = {option.name: option for option in OPTIONS}
SETTINGS = tuple(option for option in OPTIONS if option.setting)
"""The options that a variable and the settings file can say."""
FORM = tuple(option for option in OPTIONS if option.title)
"""The options that have a row in the form of a new run."""


def fields_asked(prefix: str) -> tuple[str, ...]:
    """The fields below `prefix` (`model.`) that decide what is asked, in the table's order: what a fingerprint digests."""
    return tuple(
        option.place.removeprefix(prefix)
        for option in OPTIONS
        if option.decides == "asked" and option.place.startswith(prefix)
    )


def merged(*layers: Values) -> dict[str, Any]:
    """The values of several layers, the earlier ones first: flags, `--config`, settings."""
    found: dict[str, Any] = {}
    for layer in reversed(layers):
        found |= {name: value for name, value in layer.items() if says(name, value)}
    return found


def from_settings(settings: Values, *said: Values) -> frozenset[str]:
    """The options of which only the settings say something: an entry comes before them, and flags before it."""
    return frozenset(merged(settings).keys() - merged(*said).keys())


def says(name: str, value: Any) -> bool:
    """Whether the value says something; 0 does, and so does a no to what is on by default."""
    if value is False:
        option = BY_NAME.get(name)
        return option is not None and option.default is True
    return value is not None and value not in ((), [])


NOT_OF_A_RACE = ("model", "limit", "stratify", "max_calls", "plan", "fail_under", "fail_by", "until")
"""Options of a run that a race decides by itself."""


# what options give a configuration as it stands: fields of `RunConfig`, `ModelSpec`, `Selection`; pydantic takes them from here

if TYPE_CHECKING:
    from pydantic import BaseModel as _Fields
else:
    _Fields = object  # importing pydantic takes a quarter of the time in which a first frame must stand


@dataclass(frozen=True, slots=True)
class OptionLimits:
    """Of a field, those of its option; without `most`, what was stored before there was an upper one is read all the same."""

    name: str
    most: bool = True
    __is_annotated_types_grouped_metadata__ = True

    def __iter__(self) -> Iterator[object]:
        """As pydantic reads them (https://github.com/annotated-types/annotated-types)."""
        from pydantic import Field

        option = BY_NAME[self.name]
        field: Any = Field(ge=option.least, gt=option.above, le=option.most if self.most else None)
        return iter(field.metadata)


def default(name: str) -> Any:
    """What holds where nothing is given."""
    return BY_NAME[name].default


class OptionsOfModel(_Fields):
    """Fields of `ModelSpec`."""

    model: str
    api_base: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    input_price: float | None = None
    """The user's own price in USD per token, where litellm knows none."""
    output_price: float | None = None


class OptionsOfTests(_Fields):
    """Fields of `Selection`."""

    limit: int | None = None
    sample: int | None = None
    stratify: str | None = None
    """Column of which each value has its share in the sample, or in what the limit takes."""
    max_calls: Annotated[int | None, OptionLimits("max_calls", most=False)] = default("max_calls")
    """Calls that a sample is chosen for."""
    plan: bool = default("plan")
    """Whether a sample is chosen for `max_cost_usd`."""
    variant: int | None = None
    """Seed by which tests made from templates take their values; None is what is written."""
    skip_invalid: bool = default("skip_invalid")
    strict: bool = default("strict")
    """Whether what is not here, and a mistake in another system's suite, refuses the run."""
    allow_plugins: bool = default("allow_plugins")
    no_judge: bool = default("no_judge")
    """Leave out the tests that need an LLM judge."""
    gold: Literal["any", "parts"] = default("gold")
    """What a gold that is a list means where the test does not say: one of its items, or all of them."""


class OptionsOfRun(_Fields):
    """Fields of `RunConfig`."""

    judge_repeats: Annotated[int, OptionLimits("judge_repeats")] = default("judge_repeats")
    """How often each judge is asked about each answer."""
    judge_settle: Settle = default("judge_settle")
    sandbox: SandboxName = default("sandbox")
    reading: Reading = default("reading")
    evaluator: str | None = None
    """Evaluator of dataset rows; None is `two_pass`."""
    rollout: RolloutMode | None = None
    """Overrides the tests' own `rollout`."""
    agent: str | None = None
    """Somebody's own agent that answers instead of the model: a command, or a Python function as `module:function`."""
    agent_stays: bool = default("agent_stays")
    """Whether one process of the agent's command answers all turns of a conversation."""
    benchmark: str | None = None
    """A plugin's `BaseBenchmark` that moves the samples, by its name."""
    epochs: Annotated[int, OptionLimits("epochs")] = default("epochs")
    require: str | None = None
    """How many of how many tries each test must pass, as `8/10`; a test that says so itself (`epochs`) is asked its own way."""
    concurrency: Annotated[int | None, OptionLimits("concurrency")] = default("concurrency")
    """Samples at once; None is as many as the endpoint is found to answer without making them wait (`modex.core.llm.knee`)."""
    processes: Annotated[int, OptionLimits("processes")] = default("processes")
    """Processes that move the samples; 1 moves them in the runner itself, 0 takes as many as the machine has cores."""
    cluster: str | None = None
    """Where else samples are moved: the address of a Dask scheduler, or `local:N`."""
    insecure_cluster: bool = default("insecure_cluster")
    """Whether the cluster may be spoken to over connections that others can read and change."""
    timeout_s: Annotated[float, OptionLimits("timeout", most=False)] = default("timeout")
    """Total deadline of one model call, in seconds."""
    stream: bool = default("stream")
    """Whether answers come as they are written, where the endpoint can."""
    runaway: bool = default("runaway")
    """Whether a streamed answer that says the same over and over is ended."""
    max_seconds: Annotated[float | None, OptionLimits("max_seconds", most=False)] = default("max_seconds")
    """Seconds after which an answer is cut off, without another attempt."""
    max_cost_usd: Annotated[float | None, OptionLimits("max_cost", most=False)] = default("max_cost")
    max_outage_s: Annotated[float, OptionLimits("max_outage", most=False)] = default("max_outage")
    """How long a provider may be down before the run stops itself, in seconds."""
    max_iterations: Annotated[int, OptionLimits("max_iterations")] = default("max_iterations")
    """Tool-loop iterations."""
    record: str | None = None
    """Folder in which every answer of a tool is kept."""
    replay: str | None = None
    """Folder whose recording answers in the tools' place."""
    until: Stage = default("until")
