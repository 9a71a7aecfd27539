"""What every one of these forms needs: JSON that strict readers take, and the name of a sample."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from modex.core.store.sample import EvaluationSample


def strict(value: Any) -> Any:
    """The value as strict readers of JSON take it: no lone half of a character, no NaN, nothing but JSON's own types."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {str(strict(str(key))): strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def document(value: Mapping[str, Any]) -> str:
    """The value as one line of strict JSON."""
    return json.dumps(strict(value), ensure_ascii=True)


def name_of(sample: EvaluationSample) -> str:
    """What names the sample's test within its run; a dataset's test is named with its source."""
    path = f"{sample.domain}/{sample.level}/{sample.test_id}"
    return path if sample.source == "suite" else f"{sample.source}:{path}"


def text(value: Any) -> str:
    """A gold or an argument as text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
