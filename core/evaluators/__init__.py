"""How an answer is scored: one evaluator a file, found by `evaluator_id`."""

from modex.core.answers.numbers.math_worker import MathWorker, hand_in


def _children() -> MathWorker:
    """Answers are written by strangers: their mathematics is worked out in children that can be killed."""
    from modex.core.sandbox.mathematics import shared_pool

    return shared_pool()


hand_in(_children)
