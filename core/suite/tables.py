"""Which keys each suite file knows."""

from __future__ import annotations

from core.suite.keys import Key, Table, table

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
_TIMEOUT = Key("timeout_ms", "positive", "Deadline of one model call, in milliseconds.")
_WEIGHT = Key("weight", "positive", "The test's weight within its level; 1 by default.")

DOMAIN: Table = table(
    "domain",
    Key("id", "id", "The domain's id; its folder's name."),
    *_DESCRIBED,
    _EVALUATOR,
    *_LAYER,
    _TOOLS,
    _ENABLED,
    Key("icon", "text", "One character shown before the name."),
    Key("color", "text", "A colour for the domain."),
    _ROLLOUT,
    _TIMEOUT,
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
    _ENABLED,
    _ROLLOUT,
    _TIMEOUT,
    _WEIGHT,
    _METADATA,
)
TEST: Table = table(
    "test",
    Key("id", "id", "The test's id, unique within its level.", required=True),
    *_DESCRIBED,
    Key("prompt", "prompt", "What is asked: a text, or chat turns that end with a user's.", required=True),
    Key("expected", "any", "What the evaluator compares with."),
    _EVALUATOR,
    *_LAYER,
    _TOOLS,
    Key("tools", "list", "Tools defined in place, as in a tool file."),
    _WEIGHT,
    _ENABLED,
    _TIMEOUT,
    _ROLLOUT,
    Key("domain", "text", "Must agree with the folder, where given."),
    Key("level", "level", "Must agree with the folder, where given."),
    _METADATA,
)
DATASET: Table = table(
    "dataset",
    Key("id", "id", "The domain's id; its folder's name."),
    *_DESCRIBED,
    Key("file", "file", "The dataset's file, relative to this one.", required=True),
    Key("source", "id", "The name of the source; the file's stem by default."),
    Key("question_field", "text", "Column of the question; `a.b` reaches into objects."),
    Key("answer_field", "text", "Column of the reference answer."),
    Key("level_field", "text", "Column of the level."),
    Key("category_field", "text", "Column of the category, which becomes the domain."),
    Key("id_field", "text", "Column of the test id."),
    _EVALUATOR,
    *_LAYER,
    _TOOLS,
    _ROLLOUT,
    _TIMEOUT,
    _WEIGHT,
    Key("filters", "strings", "Only rows that match all of these (`category=defi`, `level=2..4`)."),
    Key("limit", "whole", "At most this many rows."),
    Key("sample", "whole", "This many rows, chosen by `seed`."),
    Key("seed", "any", "Seed of `sample`; 0 by default."),
    _ENABLED,
    Key("icon", "text", "One character shown before the name."),
    Key("color", "text", "A colour for the domain."),
    _METADATA,
)
EVALUATOR: Table = table(
    "evaluator",
    Key("id", "id", "The id that tests name.", required=True),
    *_DESCRIBED,
    Key(
        "type",
        "choice",
        "What it is.",
        required=True,
        choices=("predefined", "builtin", "regex", "custom", "hybrid"),
    ),
    Key("eval_prompt", "text", "The judge's prompt, with {prompt}, {expected} and {response}."),
    Key("extraction_regex", "text", "A regular expression that finds the answer or the verdict."),
    Key("uses_pass2", "boolean", "Whether PASS 2 extracts the answer first; null leaves it to the evaluator."),
    Key("config", "object", "Settings of the evaluator."),
    _METADATA,
)
FUNCTION: Table = table(
    "function",
    Key("name", "text", "What the model calls it: letters, digits, _ and -.", required=True),
    Key("description", "text", "What the model is told about it."),
    Key("parameters", "object", "JSON Schema of the arguments."),
    Key("strict", "boolean", "Passed to the provider."),
)
RESPONSE: Table = table(
    "response",
    Key("when", "object", "Arguments that must match; `$call` counts the calls."),
    Key("response", "any", "The answer; `{{argument}}` is replaced."),
    Key("error", "text", "A tool error instead of an answer."),
    Key("latency_ms", "any", "Simulated latency in milliseconds."),
)
TOOL: Table = table(
    "tool",
    Key("id", "id", "The id that tests name."),
    Key("name", "text", "The function's name, where `function` is not given."),
    Key("description", "text", "What the model is told about it."),
    Key("category", "text", "A group of tools."),
    Key("function", "object", "The OpenAI function definition, bare or inside {type, function}."),
    Key("parameters", "object", "JSON Schema of the arguments, where `function` is not given."),
    Key("type", "text", "`function`, as OpenAI writes it."),
    Key("response", "any", "One fixed answer."),
    Key("responses", "list", "Answers in order; the first whose `when` matches is given."),
    Key("error", "text", "A fixed tool error."),
    Key("handler", "text", "A tool written in Python: `world:<name>` or `python:<name>`."),
    Key("latency_ms", "any", "Simulated latency in milliseconds."),
    _ENABLED,
    _METADATA,
)
FRONT_MATTER: Table = table(
    "front matter", Key("mode", "choice", "As `system_prompt_mode`.", choices=("overwrite", "append"))
)

INNOCENT = frozenset(
    {"$schema", "$comment", "title", "tags", "author", "version", "created_at", "updated_at", "source", "sources"}
)
"""Unknown keys of real suites that must never be read as a typo."""
