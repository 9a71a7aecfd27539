"""Known benchmarks as sources: their rows are judged as their preset says, and their own numbers stand with the metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from modex.core.pipeline.processers.base import BaseProcesser
from modex.core.statistics.calibration import calibration
from modex.core.store.sample import EvaluationSample


class GaiaProcesser(BaseProcesser):
    """GAIA: accuracy by level, by its matcher."""

    source = "gaia"


class BrowseCompProcesser(BaseProcesser):
    """BrowseComp: accuracy, and how well the answers' confidence agrees with it."""

    source = "browsecomp"

    def calculate_metrics(self, samples: Iterable[EvaluationSample]) -> dict[str, Any]:
        """As every source, with `calibration`: over the scored answers that say how sure they are."""
        from modex.core.evaluators.judging.protocols import confidence_in  # here: other sources need no judge

        stated: list[tuple[float, bool]] = []

        def heard() -> Iterator[EvaluationSample]:
            for sample in samples:
                if sample.status in ("passed", "failed") and (sure := confidence_in(sample.response or "")) is not None:
                    stated.append((sure, sample.status == "passed"))
                yield sample

        metrics = BaseProcesser.calculate_metrics(self, heard())
        return {**metrics, "calibration": calibration(stated)}


class BrowseCompZHProcesser(BrowseCompProcesser):
    """BrowseComp-ZH: accuracy, and calibration."""

    source = "browsecomp_zh"


class WebWalkerQAProcesser(BrowseCompProcesser):
    """WebWalkerQA: accuracy by difficulty, and calibration."""

    source = "webwalkerqa"


class XBenchProcesser(BrowseCompProcesser):
    """xbench-DeepSearch: accuracy, and calibration."""

    source = "xbench"
