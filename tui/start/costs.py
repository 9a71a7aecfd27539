"""What going on with a stored run will do, said before it is done."""

from __future__ import annotations

from modex.core.store.rows import RunRow


def waiting_tests(run: RunRow) -> int:
    """How many tests were not asked or judged to the end."""
    return max(0, run.total_tests - run.passed_tests - run.failed_tests - run.error_tests - run.skipped_tests)


def resume_plan(run: RunRow) -> str:
    """`8 errors to retry, 12 tests to ask, about $0.12`."""
    waiting = waiting_tests(run)
    lines = []
    if run.error_tests:
        lines.append(f"{run.error_tests:,} {'error' if run.error_tests == 1 else 'errors'} to retry")
    if waiting:
        lines.append(f"{waiting:,} {'test' if waiting == 1 else 'tests'} to ask")
    return ", ".join([*lines, _price(run, run.error_tests + waiting)] if lines else ["what is left"])


def _price(run: RunRow, tests: int) -> str:
    """What these tests cost at the price of those that are done; nothing is known of a model without a price."""
    done = run.passed_tests + run.failed_tests
    if run.model.partition("/")[0] == "demo":
        return "free of charge"
    if not done or run.unpriced_calls or not run.cost_usd:
        return "at an unknown price"
    return f"about ${run.cost_usd / done * tests:.2f}"
