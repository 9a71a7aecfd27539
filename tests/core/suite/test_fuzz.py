"""Whatever a suite's files hold, loading ends with a suite and named problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.loading import load_suite
from modex.core.suite.tables import DATASET, DOMAIN, EVALUATOR, LEVEL, RESPONSE, TEST, TOOL
from tests.core.suite.conftest import write_files

NAMES = sorted({key.name for table in (DATASET, DOMAIN, EVALUATOR, LEVEL, RESPONSE, TEST, TOOL) for key in table.keys})
FILES = (
    "d/domain.json",
    "d/dataset.json",
    "d/level_1/level.json",
    "d/level_1/a.json",
    "d/level_1/b.jsonl",
    "evaluators/e.json",
    "tools/t.json",
)
words = st.sampled_from(["a", "e", "t", "two_pass", "append", "regex", "hybrid", "function", "", "../x", "a.jsonl"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 6) | words | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*NAMES, "$regex"]), inner, max_size=6),
    max_leaves=20,
)
contents = st.one_of(
    values.map(lambda value: json.dumps(value, indent=1)), st.text(max_size=40), st.binary(max_size=40)
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(FILES), contents))
def test_any_content_is_a_suite_or_named_problems(
    tmp_path_factory: pytest.TempPathFactory, content: dict[str, Any]
) -> None:
    root: Path = tmp_path_factory.mktemp("fuzz")
    encodable = {name: text for name, text in content.items() if isinstance(text, bytes) or text.isascii()}
    write_files(root, {f"test_definitions/{name}": text for name, text in encodable.items()})
    try:
        suite = load_suite(root)
    except ConfigurationError:
        return
    for problem in suite.problems:
        assert problem.message
        assert problem.path.startswith("test_definitions/")
        assert problem.line >= 0
    valid = [test for test in suite.tests if test.invalid is None]
    assert all(test.prompt and test.test_id and test.evaluator_id for test in valid)
    assert len({(test.domain, test.level, test.test_id) for test in suite.tests}) == len(suite.tests)
