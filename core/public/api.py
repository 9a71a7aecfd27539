"""The public interface for plugins: everything that an evaluator, a processer or a tool of your own needs, in one place.

What stands here keeps working from version to version; every other module may change. `docs/extending.md` shows each in use.
"""

from __future__ import annotations

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.registry import register as register_evaluator
from modex.core.foundation.errors import ConfigurationError, ErrorType, JudgeError, ModelCallError, ModexError
from modex.core.pipeline.benchmark import BaseBenchmark
from modex.core.pipeline.benchmarks import register_benchmark
from modex.core.pipeline.processers import (
    PROCESSER_FACTORY,
    BaseLLMJudgeProcesser,
    BaseMatchProcesser,
    BaseProcesser,
)
from modex.core.pipeline.run_context import RunContext
from modex.core.sandbox.sql import Fixture, SqlResult, run_sql
from modex.core.sandbox.worker import WorkerError
from modex.core.store.definition import Definition
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase, ToolDefinition
from modex.core.tools.base import ToolHandler, ToolResult, ToolSession
from modex.core.tools.registry import register_handler, register_present
from modex.core.verdict import (
    Call,
    CallOutcome,
    Calls,
    Cases,
    Compared,
    Extra,
    Extracted,
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

Services = RunContext
"""The name of `RunContext` until 0.2.0."""
register_processer = PROCESSER_FACTORY.register
"""Decorate a processer to make it known by its `source`."""

__all__ = [
    "PASS_SCORE",
    "PROCESSER_FACTORY",
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
    "InstructionVerdict",
    "Instructions",
    "JudgeContext",
    "JudgeError",
    "Keywords",
    "Likelihood",
    "LikelihoodOption",
    "ModelCallError",
    "ModexError",
    "Official",
    "Part",
    "Result",
    "Rows",
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
    "WorkerError",
    "Workspace",
    "WorkspaceCheck",
    "register_benchmark",
    "register_evaluator",
    "register_handler",
    "register_present",
    "register_processer",
    "run_sql",
]
