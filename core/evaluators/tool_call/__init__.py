"""Scoring the tool calls that a model made."""

from core.evaluators.tool_call.evaluator import ToolCallEvaluator

__all__ = ["ToolCallEvaluator"]
