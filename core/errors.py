"""Every error that modex raises on purpose, as one small tree.

ModexError                 a person can act on it; the message says what, where and what to do
├── ConfigurationError     flags, settings or environment                       exit 2
├── SuiteError             mistakes in suite files, all of them at once         exit 2
├── StoreError             the database cannot be used as asked                 exit 2
│   └── RunBusyError       another process holds the run
├── AbortError             the whole run must end: authentication, budget       exit 3
├── ModelCallError         one call failed; `error_type` says how
└── JudgeError             a verdict could not be reached; the rollout is kept
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from core.exit_codes import ExitCode
from core.usage import Usage


class ErrorType(StrEnum):
    """Why a sample has status `error`. Stored in `individual_test_results.error_type`."""

    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    INVALID_RESPONSE = "invalid_response"
    EMPTY_CHOICES = "empty_choices"
    ERROR_BODY = "error_body"
    AUTHENTICATION = "authentication"
    PERMISSION = "permission"
    MODEL_NOT_FOUND = "model_not_found"
    QUOTA = "quota"
    BAD_REQUEST = "bad_request"
    CONTEXT_WINDOW = "context_window"
    CONTENT_FILTER = "content_filter"
    ATTACHMENT_REFUSED = "attachment_refused"
    TRUNCATED_REASONING = "truncated_reasoning"
    TRUNCATED_OUTPUT = "truncated_output"
    RUNAWAY = "runaway"
    TIME_LIMIT = "time_limit"
    EXTRACTION_ERROR = "extraction_error"
    JUDGE_ERROR = "judge_error"
    EVALUATOR_ERROR = "evaluator_error"
    TOOL_UNAVAILABLE = "tool_unavailable"
    AGENT_ERROR = "agent_error"
    INVALID_TEST = "invalid_test"
    INTERNAL_ERROR = "internal_error"


CUT_OFF = frozenset(
    {
        "truncated", "truncated_output", "truncated_reasoning", "filtered", "content_filter", "empty", "runaway",
        "time_limit",
    }
)  # fmt: skip
"""Error types of answers that were cut off: the model was asked and its answer ended early, so it may be either."""
MAY_NEED_TOKENS = CUT_OFF - {"runaway", "time_limit"}
"""Those of which more tokens may help: a loop and a time limit end an answer whatever it may count."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One finding in a file: `path:line: message`. `line` is 1-based; 0 where the whole file is meant."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


class ModexError(Exception):
    """A problem that a person can act on; shown as its message, never as a traceback."""

    exit_code: ClassVar[int] = ExitCode.MISTAKE


class ConfigurationError(ModexError):
    """A flag, a setting or the environment is wrong."""


class SuiteError(ModexError):
    """The suite has mistakes; `problems` holds all of them."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(str(problem) for problem in problems))


class StoreError(ModexError):
    """The database cannot be used as asked."""


class RunBusyError(StoreError):
    """Another process holds the run; the message names it."""


class AbortError(ModexError):
    """The whole run must end: every further call would fail the same way, or the budget is spent."""

    exit_code: ClassVar[int] = ExitCode.ABORTED

    def __init__(self, message: str, error_type: ErrorType | str) -> None:
        self.error_type = str(error_type)
        super().__init__(message)


class ModelCallError(ModexError):
    """One call to a model failed.

    `retryable` says whether the same call may succeed later; `retry_after` is the provider's wish in seconds;
    `fatal` means that every further call to this model will fail the same way (401, unknown model).
    """

    def __init__(
        self,
        message: str,
        error_type: ErrorType,
        *,
        retryable: bool = False,
        fatal: bool = False,
        retry_after: float | None = None,
        status: int | None = None,
        attempts: int = 1,
        usage: Usage | None = None,
    ) -> None:
        self.usage = usage
        """What the failed answer was counted as; None where the provider said nothing."""
        self.cost_usd: float | None = 0.0
        """What its attempts cost together; None where the price is unknown."""
        self.error_type = error_type
        self.retryable = retryable
        self.fatal = fatal
        self.retry_after = retry_after
        self.status = status
        self.attempts = attempts
        super().__init__(message)


class JudgeError(ModexError):
    """No verdict could be reached (unparsable judge, extractor failed, evaluator raised); never a score of 0."""

    def __init__(self, message: str, error_type: ErrorType = ErrorType.JUDGE_ERROR) -> None:
        self.error_type = error_type
        super().__init__(message)
