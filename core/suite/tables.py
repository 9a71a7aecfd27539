"""Which keys each suite file knows."""

from __future__ import annotations

from dataclasses import replace

from modex.core.store.definition import KEPT, Above, given
from modex.core.suite.definitions import (
    Domain,
    EvaluatorConfig,
    McpServer,
    SuiteDataset,
    TestCase,
    ToolDefinition,
    UserSpec,
)
from modex.core.suite.dialects import DIALECTS
from modex.core.suite.keys import Key, Table, table


def _keys(of: type) -> dict[str, Key]:
    """The keys that are fields of a class, by name."""
    return {name: Key.of(name, one) for name, one in given(of).items()}


_FIELDS = given(TestCase)
GIVEN: dict[str, Key] = _keys(TestCase)
"""The keys that are fields of a test."""


def given_by(file: Above) -> dict[str, Key]:
    """Those of them that this file may give for all tests below it."""
    return {name: GIVEN[name] for name, one in _FIELDS.items() if file in one.above}


GIVEN_ABOVE = frozenset(name for name, one in _FIELDS.items() if one.above)
"""Those that a file above the test's may give."""
_ROLLOUT = Key("rollout", "choice", "How the model is asked.", choices=("direct", "reasoning", "agentic"))
_MODE = Key(
    "system_prompt_mode",
    "choice",
    "Whether `system_prompt` replaces the layers above (the default) or is added after them.",
    choices=("overwrite", "append"),
)
_LAYER = (Key("system_prompt", "text", "This layer of the system prompt."), _MODE)
_DESCRIBED = (
    Key("name", "text", "A short title."),
    Key("description", "text", "One line on what this is."),
)
_ENABLED = Key("enabled", "boolean", "Whether a run takes it without naming it; true by default.")
_METADATA = Key("metadata", "object", "Anything else, kept with the samples.")
_EVALUATOR = Key("evaluator_id", "id", "The evaluator that scores the answer; null takes that of the level or domain.")
_TOOLS = Key("tool_ids", "ids", "Tools offered to the model, by id.")
_TOOLS_MODE = Key(
    "tool_ids_mode",
    "choice",
    "Whether `tool_ids` replace those of the layers above (the default) or are added to them.",
    choices=("overwrite", "append"),
)
SUITE: Table = table(
    "suite",
    *_DESCRIBED,
    Key("ignore_case", "boolean", "Whether patterns of `regex` evaluators ignore case where their file does not say."),
    Key(
        "tool_ids_mode",
        "choice",
        "Whether lists of tools replace those of the layers above (the default) or add to them, where a file does not say.",
        choices=("overwrite", "append"),
    ),
    Key(
        "dialect",
        "choice",
        "How the files are written; without it the files themselves tell.",
        choices=("modex", *DIALECTS),
    ),
    _METADATA,
)
DOMAIN: Table = table(
    "domain",
    Key("id", "id", "The domain's id; its folder's name."),
    *_DESCRIBED,
    _EVALUATOR,
    *_LAYER,
    _TOOLS,
    _ENABLED,
    *_keys(Domain).values(),
    *given_by("domain").values(),
    _METADATA,
)
LEVEL: Table = table(
    "level",
    Key("id", "id", "The level's id."),
    Key("level", "level", "The level's number; must agree with the folder."),
    *_DESCRIBED,
    _EVALUATOR,
    *_LAYER,
    _TOOLS,
    _TOOLS_MODE,
    _ENABLED,
    *given_by("level").values(),
    _METADATA,
)
TEST: Table = table(
    "test",
    Key("id", "id", "The test's id, unique within its level; reports and `--test` use it.", required=True),
    *(key for name, key in GIVEN.items() if name not in KEPT),
    Key("prompt", "prompt", "What is asked: a text, or chat turns that end with a user's.", required=True),
    Key("file_name", "text", "A file that is sent with the question, relative to the suite's folder.", default="none"),
    Key("files", "strings", "Files that are sent with the question, relative to the suite's folder.", default="none"),
    Key("expected", "any", "The gold answer, which the evaluator compares with."),
    replace(_EVALUATOR, description="The evaluator that scores the answer.", default="the level's, else the domain's"),
    *(replace(key, default="none" if key.kind == "text" else "`overwrite`") for key in _LAYER),
    replace(_TOOLS, default="the level's, else the domain's"),
    replace(_TOOLS_MODE, default="`overwrite`"),
    Key("tools", "list", "Tools defined in place, as in a tool file.", default="none"),
    Key("enabled", "boolean", "Whether a run takes it without naming it (`--test`).", default="`true`"),
    Key(
        "epochs",
        "tries",
        'How many tries must pass of how many, {"pass": 8, "of": 10}; asked only until that is certain.',
        default="asked as often as the run says",
    ),
    Key("template", "object", "How `--variant SEED` draws other values for the same question.", default="none"),
    Key("domain", "text", "Must agree with the folder, where given."),
    Key("level", "level", "Must agree with the folder, where given."),
    *(GIVEN[name] for name in KEPT),
)
USER: Table = table("simulated user", *_keys(UserSpec).values())
DATASET: Table = table(
    "dataset",
    Key("id", "id", "The domain's id; its folder's name."),
    *_DESCRIBED,
    Key("file", "file", "The dataset's file, relative to this one.", required=True),
    Key("source", "id", "The name of the source; the file's stem by default."),
    Key(
        "preset",
        "text",
        "The benchmark that the file is one of (`gaia`, `caia`, …): its columns, answer format and judge.",
    ),
    Key("question_field", "text", "Column of the question; `a.b` reaches into objects."),
    Key("answer_field", "text", "Column of the reference answer."),
    Key("level_field", "text", "Column of the level."),
    Key("category_field", "text", "Column of the category, which becomes the domain."),
    Key("id_field", "text", "Column of the test id."),
    Key("cluster_field", "text", "Column of what tests share their source with; `cluster` where there is one."),
    _EVALUATOR,
    *_LAYER,
    _TOOLS,
    _ROLLOUT,
    *given_by("dataset").values(),
    *_keys(SuiteDataset).values(),
    _ENABLED,
    *_keys(Domain).values(),
    _METADATA,
)
_EVALUATOR_FIELDS = _keys(EvaluatorConfig)
EVALUATOR: Table = table(
    "evaluator",
    Key("id", "id", "The id that tests name.", required=True),
    *_DESCRIBED,
    *(_EVALUATOR_FIELDS[name] for name in ("type", "eval_prompt", "extraction_regex")),
    Key(
        "verdict_regex",
        "text",
        "The same as `config.verdict_regex`: finds a judge's verdict, before `extraction_regex`.",
    ),
    *(_EVALUATOR_FIELDS[name] for name in ("uses_pass2", "config")),
    _METADATA,
)
_ANSWERED = (
    Key("python", "text", "Python that computes the answer: it reads `args` and sets `result`."),
    Key(
        "javascript", "text", "JavaScript that computes the answer: it reads `args` or `ARGS`, its last value answers."
    ),
)
_LATENCY = Key("latency_ms", "any", "Simulated latency in milliseconds.")
FUNCTION: Table = table(
    "function",
    Key("name", "text", "What the model calls it: letters, digits, _ and -.", required=True),
    Key("description", "text", "What the model is told about it."),
    Key("parameters", "object", "JSON Schema of the arguments."),
    Key("strict", "boolean", "Passed to the provider."),
)
RESPONSE: Table = table(
    "response",
    Key("when", "object", "Arguments that must match; `$call` counts the calls, `$state.name` is what `set` left."),
    Key("response", "any", "The answer; `{{argument}}` and `{{$state.name}}` are replaced."),
    Key("error", "text", "A tool error instead of an answer."),
    Key("set", "object", "What the tools of the sample remember from here on, by name."),
    *_ANSWERED,
    _LATENCY,
)
TOOL: Table = table(
    "tool",
    Key("id", "id", "The id that tests name."),
    Key("name", "text", "The function's name, where `function` is not given."),
    Key("description", "text", "What the model is told about it."),
    *_keys(ToolDefinition).values(),
    Key("function", "object", "The OpenAI function definition, bare or inside {type, function}."),
    Key("parameters", "object", "JSON Schema of the arguments, where `function` is not given."),
    Key("type", "text", "`function`, as OpenAI writes it."),
    Key("response", "any", "One fixed answer."),
    Key("responses", "list", "Answers in order; the first whose `when` matches is given."),
    Key("error", "text", "A fixed tool error."),
    *_ANSWERED,
    Key("handler", "text", "A tool written in Python: `world:<name>` or `python:<name>`."),
    _LATENCY,
    _ENABLED,
    _METADATA,
)
MCP_FILE: Table = table(
    "mcp tools",
    Key("mcp", "object", "The server that answers: `command` or `url`.", required=True),
    Key("tools", "list", "The tools it offers, as it defines them.", required=True),
    *_DESCRIBED,
    _METADATA,
)
MCP_SERVER: Table = table("mcp", *_keys(McpServer).values())
_RUBRIC_ENTRY = (
    Key("id", "id", "A short name, unique in the rubric.", required=True),
    Key("says", "text", "What is true of the reply then, as a sentence that a judge decides.", required=True),
    Key("any", "strings", "Words or phrases; with them the rule decides an item, without a judge."),
    Key("regex", "any", "A pattern, or a list of patterns, instead of `any`."),
    Key("prefix", "boolean", "Whether `any` are beginnings of words."),
)
RUBRIC: Table = table(
    "rubric",
    Key("items", "list", "What the reply should say or be.", required=True),
    Key("groups", "object", "The least share of the points, 0 to 1, that each named group needs."),
    Key("gates", "list", "What forbids a pass, whatever else the reply says."),
    Key("form", "text", "A pattern that the whole reply has to match, blanks at line ends aside; a gate of its own."),
    Key("language", "text", "The language that the reply has to be in, as a code such as `en`; a gate of its own."),
    Key("min_words", "whole", "The fewest words; a shorter reply does not pass."),
    Key("max_words", "whole", "The most words; a longer reply does not pass."),
)
RUBRIC_ITEM: Table = table(
    "rubric item",
    *_RUBRIC_ENTRY,
    Key("points", "positive", "What it is worth; 1 by default."),
    Key("required", "boolean", "Whether the reply cannot pass without it."),
    Key("group", "text", "A name that `groups` gives a minimum."),
)
RUBRIC_GATE: Table = table(
    "rubric gate",
    *_RUBRIC_ENTRY,
    Key("as_written", "boolean", "Whether a match counts in a negated clause or a question too."),
    Key("judged", "boolean", "Whether the judge is asked as well; yes by default."),
)
FRONT_MATTER: Table = table(
    "front matter", Key("mode", "choice", "As `system_prompt_mode`.", choices=("overwrite", "append"))
)

INNOCENT = frozenset(
    {
        "$schema",
        "$comment",
        "title",
        "tags",
        "author",
        "version",
        "created_at",
        "updated_at",
        "source",
        "sources",
        "file",
        "filename",
    }
)
"""Unknown keys of real suites that must never be read as a typo."""
