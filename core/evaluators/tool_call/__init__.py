"""Scoring the tool calls that a model made."""

from modex.core.evaluators.tool_call.evaluator import ToolCallEvaluator

__all__ = ["ToolCallEvaluator"]
