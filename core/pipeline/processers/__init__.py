"""The per-source logic: how a source's samples are prepared, judged and summed up; found by the factory."""

from modex.core.pipeline.processers.base import BaseProcesser
from modex.core.pipeline.processers.factory import PROCESSER_FACTORY, ProcesserFactory
from modex.core.pipeline.processers.llm_judge import BaseLLMJudgeProcesser
from modex.core.pipeline.processers.match import BaseMatchProcesser
from modex.core.pipeline.processers.suite import SuiteProcesser

__all__ = [
    "PROCESSER_FACTORY",
    "BaseLLMJudgeProcesser",
    "BaseMatchProcesser",
    "BaseProcesser",
    "ProcesserFactory",
    "SuiteProcesser",
]
