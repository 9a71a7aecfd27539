"""Asking the model under test: directly, as structured reasoning, or in an agentic loop; always with a transcript."""

from modex.core.pipeline.rollout.asking import Asking, Rollout
from modex.core.pipeline.rollout.modes import roll_out

__all__ = ["Asking", "Rollout", "roll_out"]
