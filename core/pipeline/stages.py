"""One sample through the stages that ask and judge: what is stored when, and what becomes of a failure."""

from __future__ import annotations

import traceback

from core.errors import ErrorType, JudgeError, ModelCallError, ModexError
from core.llm.gate import Interrupted
from core.pipeline.processers.base import check_result
from core.pipeline.processers.factory import PROCESSER_FACTORY
from core.pipeline.rollout import Asking, roll_out
from core.pipeline.services import Services
from core.safety import redact
from core.store.clock import now
from core.store.definition import Definition
from core.store.exact import encode_json
from core.store.sample import EvaluationSample, without_verdict

_MESSAGE_LIMIT = 2000


def preprocess_one(sample: EvaluationSample) -> EvaluationSample | None:
    """The sample as its processer prepares it; None leaves it out. One whose preparation fails is skipped, and says why."""
    processer = PROCESSER_FACTORY.get(sample.source, sample.evaluator_id)
    who = f"{type(processer).__name__}.preprocess_one"
    try:
        prepared: object = processer.preprocess_one(sample)
    except Exception as error:
        return _skipped(sample, f"{who}: {type(error).__name__}: {error}")
    if prepared is None:
        return None
    if isinstance(prepared, EvaluationSample):
        try:
            prepared.definition = Definition.of(prepared.definition)
        except ValueError as error:
            prepared.definition = Definition()
            return _skipped(prepared, f"{who} left a `definition` that is none: {error}")
        return prepared
    return _skipped(sample, f"{who} returned {type(prepared).__name__} instead of a sample or None")


def _skipped(sample: EvaluationSample, message: str) -> EvaluationSample:
    sample.status = "skipped"
    sample.error_type = str(ErrorType.INVALID_TEST)
    sample.error_message = redact(message)[:_MESSAGE_LIMIT]
    return sample


def roll_out_one(sample: EvaluationSample, services: Services) -> ModelCallError | None:
    """Ask the model under test; the sample is then at stage `rollout`, or has status `error` at stage `init`.

    Returns the failure where it is fatal for the whole run.

    Raises:
        Interrupted: the run is stopping; the sample is as it was.
    """
    without_verdict(sample)
    sample.started_at = now()
    asking = Asking(sample, services)
    fatal: ModelCallError | None = None
    try:
        roll_out(asking)
    except Interrupted:
        raise
    except ModelCallError as error:
        fatal = error if error.fatal else None
        _fail(sample, "init", error.error_type, str(error))
    except Exception as error:
        _fail(sample, "init", ErrorType.INTERNAL_ERROR, _described(error))
    else:
        sample.stage, sample.status = "rollout", "pending"
        sample.error_type = sample.error_message = None
    asking.rollout.store_in(sample)
    return fatal


def judge_one(sample: EvaluationSample, services: Services, fingerprint: str) -> ModelCallError | None:
    """Score a sample whose rollout is stored; it is then at stage `judged`, or has status `error` at stage `rollout`.

    Returns the failure where it is fatal for the whole run.

    Raises:
        Interrupted: the run is stopping; the sample is as it was.
    """
    processer = PROCESSER_FACTORY.get(sample.source, sample.evaluator_id)
    services.progress(sample, "judge")
    without_verdict(sample)
    fatal: ModelCallError | None = None
    try:
        result = processer.judge_one(sample, services)
        check_result(result, f"{type(processer).__name__}.judge_one")
        details, reason = result.stored(), result.why
        encode_json(details)  # what cannot be stored is this sample's error, here
    except Interrupted:
        raise
    except ModelCallError as error:
        fatal = error if error.fatal else None
        _fail(sample, "rollout", error.error_type, f"judging: {error}")
    except JudgeError as error:
        _fail(sample, "rollout", error.error_type, str(error))
    except ModexError as error:
        _fail(sample, "rollout", ErrorType.EVALUATOR_ERROR, str(error))
    except Exception as error:
        _fail(sample, "rollout", ErrorType.EVALUATOR_ERROR, _described(error))
    else:
        sample.stage, sample.status = "judged", result.status
        sample.score = result.score
        sample.details = details
        sample.reason = reason or None
        sample.extracted_answer = result.extracted_answer
        sample.pass2_used = result.pass2_used
        sample.error_type = sample.error_message = None
        sample.judge_fingerprint = fingerprint
    sample.completed_at = now()
    return fatal


def _fail(sample: EvaluationSample, stage: str, kind: ErrorType, message: str) -> None:
    sample.stage = "init" if stage == "init" else "rollout"
    sample.status = "error"
    sample.error_type = str(kind)
    sample.error_message = redact(message)[:_MESSAGE_LIMIT]
    sample.completed_at = now()


def _described(error: Exception) -> str:
    """An unexpected exception and where it was raised; no locals, they may hold keys."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = "/".join(frame.filename.replace("\\", "/").split("/")[-3:])
    return f"{type(error).__name__}: {error} ({where}:{frame.lineno}); please report this"
