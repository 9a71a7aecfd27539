"""The public interface: its names are a promise, so that each is listed here too."""

from __future__ import annotations

import re
from pathlib import Path

import modex
from modex.core.public import api
from modex.core.verdict.parts import PART_TYPES

ROOT = Path(__file__).parents[3]
NAMES = [
    "BaseBenchmark",
    "BaseEvaluator",
    "BaseLLMJudgeProcesser",
    "BaseMatchProcesser",
    "BaseProcesser",
    "Call",
    "CallOutcome",
    "Calls",
    "Cases",
    "Compared",
    "ConfigurationError",
    "Definition",
    "ErrorType",
    "EvaluationResult",
    "EvaluationSample",
    "EvaluatorConfig",
    "Extra",
    "Extracted",
    "FailedCase",
    "Fixture",
    "Instance",
    "JudgeContext",
    "JudgeError",
    "Keywords",
    "Likelihood",
    "LikelihoodOption",
    "Official",
    "ModelCallError",
    "ModexError",
    "PASS_SCORE",
    "PROCESSER_FACTORY",
    "Part",
    "Result",
    "Rows",
    "InstructionVerdict",
    "Instructions",
    "Rubric",
    "RubricItem",
    "RunContext",
    "Services",
    "SqlResult",
    "TestCase",
    "ToolDefinition",
    "ToolHandler",
    "ToolResult",
    "ToolSession",
    "Vote",
    "Votes",
    "Weighted",
    "WeightedPart",
    "Workspace",
    "WorkspaceCheck",
    "WorkerError",
    "register_benchmark",
    "register_evaluator",
    "register_handler",
    "register_present",
    "register_processer",
    "run_sql",
]


def test_every_name_is_there_and_no_other() -> None:
    assert api.Services is api.RunContext
    assert set(api.__all__) >= set(NAMES), "a name that plugins import is gone"
    assert set(api.__all__) <= set(NAMES), "list the new name here and in docs/extending.md"
    assert [name for name in api.__all__ if not hasattr(api, name)] == []


def test_every_part_of_a_verdict_can_be_imported_by_a_plugin() -> None:
    assert [kind.__name__ for kind in PART_TYPES if kind.__name__ not in api.__all__] == []


def test_every_name_is_described_for_plugin_writers() -> None:
    page = (ROOT / "docs" / "extending.md").read_text("utf-8")
    assert [name for name in api.__all__ if not re.search(rf"\b{name}\b", page)] == []


def test_plugins_in_the_docs_and_the_suite_import_nothing_else() -> None:
    pages = [path.read_text("utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))]
    blocks = [block for page in pages for block in re.findall(r"```python file=plugins/.*?\n(.*?)```", page, re.DOTALL)]
    assert blocks
    plugins = [path.read_text("utf-8") for path in sorted((ROOT / "plugins").rglob("*.py"))]
    found = {
        name
        for text in (*blocks, *plugins)
        for name in re.findall(r"^\s*(?:from|import) ((?:modex|core|tui)[\w.]*)", text, re.MULTILINE)
    }
    assert found == {"modex"}


def test_the_package_is_typed() -> None:
    assert (Path(modex.__path__[0]) / "py.typed").is_file()
