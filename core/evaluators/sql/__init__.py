"""Scoring SQL by what it returns."""

from core.evaluators.sql.evaluator import SQLExecutorEvaluator

__all__ = ["SQLExecutorEvaluator"]
