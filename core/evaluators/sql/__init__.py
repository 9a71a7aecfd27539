"""Scoring SQL by what it returns."""

from modex.core.evaluators.sql.evaluator import SQLExecutorEvaluator

__all__ = ["SQLExecutorEvaluator"]
