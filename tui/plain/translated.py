"""What was read from another system's suite, in lines for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from modex.core.suite.definitions import Suite, TestCase, skip_words

_SHOWN = 20


def told(suite: Suite, *, notes: bool = False) -> Iterator[str]:
    """Every form that was translated with how often, what was lost (by file with `notes`), and each test that cannot run."""
    if suite.dialect is None:
        return
    forms = Counter(item.form for item in suite.translated if item.form)
    lost = [item for item in suite.translated if item.note]
    yield f"written for {suite.dialect}; {sum(forms.values())} values are read in its forms:"
    for form, count in sorted(forms.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {count:>4} × {form}"
    if notes:
        for item in lost:
            yield f"  {item.path}:{item.line}: {item.note}"
    elif lost:
        yield f"  {len(lost)} of them say less or more here (--notes lists them)"
    unusable = [test for test in suite.tests if test.invalid]
    if unusable:
        yield f"{_tests(len(unusable))} cannot run here and will be skipped:"
    for test in unusable[: None if notes else _SHOWN]:
        yield f"  {skip_words(test, str(test.invalid))}"
    if len(unusable) > _SHOWN and not notes:
        yield f"  … {len(unusable) - _SHOWN} more (--notes)"
    yield from _without_interpreter(suite)


def _without_interpreter(suite: Suite) -> Iterator[str]:
    """The tests whose tools answer by code that this machine cannot run."""
    from modex.core.tools.code_mocks import unavailable

    for test in suite.tests:
        for tool in test.tools:
            if not test.invalid and (reason := unavailable(tool.mock)):
                yield f"  {_name(test)}: {tool.name}: {reason}"


def _tests(count: int) -> str:
    return "1 test" if count == 1 else f"{count} tests"


def _name(test: TestCase) -> str:
    return f"{test.domain}/{test.level}/{test.test_id}"
