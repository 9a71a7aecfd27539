"""The per-source logic: how a source's samples are prepared, judged and summed up; found by the factory."""

from core.pipeline.processers.base import BaseProcesser
from core.pipeline.processers.factory import PROCESSER_FACTORY, ProcesserFactory
from core.pipeline.processers.llm_judge import BaseLLMJudgeProcesser
from core.pipeline.processers.match import BaseMatchProcesser
from core.pipeline.processers.suite import SuiteProcesser

__all__ = [
    "PROCESSER_FACTORY",
    "BaseLLMJudgeProcesser",
    "BaseMatchProcesser",
    "BaseProcesser",
    "ProcesserFactory",
    "SuiteProcesser",
]
