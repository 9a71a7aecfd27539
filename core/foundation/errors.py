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

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from modex.core.foundation.exit_codes import ExitCode
from modex.core.foundation.lazy_regex import deferred
from modex.core.foundation.usage import Usage


class ErrorType(StrEnum):
    """Why a sample has status `error`. Stored in `individual_test_results.error_type`."""

    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    INVALID_RESPONSE = "invalid_response"
    EMPTY_CHOICES = "empty_choices"
    ERROR_BODY = "error_body"
    ERROR_TEXT = "error_text"
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
    JUDGE_REFUSED = "judge_refused"
    EXTRACTOR_REFUSED = "extractor_refused"
    EVALUATOR_ERROR = "evaluator_error"
    UNSUPPORTED_CODE = "unsupported_code"
    SANDBOX_UNAVAILABLE = "sandbox_unavailable"
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
MODEL_MAY_CAUSE = CUT_OFF | {
    ErrorType.TIMEOUT, ErrorType.INVALID_RESPONSE, ErrorType.CONTEXT_WINDOW, ErrorType.ERROR_TEXT, ErrorType.EXTRACTION_ERROR,
    ErrorType.BAD_REQUEST, ErrorType.EMPTY_CHOICES, ErrorType.ERROR_BODY,
    ErrorType.JUDGE_ERROR, ErrorType.JUDGE_REFUSED, ErrorType.EXTRACTOR_REFUSED,
    ErrorType.EVALUATOR_ERROR, ErrorType.UNSUPPORTED_CODE, ErrorType.TOOL_UNAVAILABLE, ErrorType.AGENT_ERROR,
    ErrorType.INTERNAL_ERROR, "imported_error",
}  # fmt: skip
"""Error types that an answer can bring about, by its length, its form or what it says: such a sample may be either, so it bounds
every score. The rest (network, key, server, quota, a faulty test) says nothing of the model and does not. What may be both is
here: a model that never ends and a dead server time out alike, a tool may have failed because of how it was called, and a
provider refuses (400) a history that the model made too long or a tool call that it wrote wrongly."""
REFUSED_WHILE_JUDGING = frozenset(
    {
        ErrorType.BAD_REQUEST, ErrorType.CONTEXT_WINDOW, ErrorType.CONTENT_FILTER, ErrorType.INVALID_RESPONSE,
        ErrorType.EMPTY_CHOICES, ErrorType.ERROR_BODY, ErrorType.ERROR_TEXT, ErrorType.ATTACHMENT_REFUSED,
        ErrorType.TRUNCATED_OUTPUT, ErrorType.TRUNCATED_REASONING, ErrorType.RUNAWAY,
    }
)  # fmt: skip
"""How a call about an answer fails because of what the answer is (its length, its words): said of a judge or of PASS 2 it is
`judge_refused` or `extractor_refused`, which bound the score. Network, server, key and time are not among them."""
MAY_NEED_TOKENS = CUT_OFF - {"runaway", "time_limit", "filtered", "content_filter"}
"""Those of which more tokens may help: a loop, a time limit and a filter end an answer however many it may take."""


ADVICE: Mapping[ErrorType, str] = {
    ErrorType.RATE_LIMIT: "ask fewer at once with --concurrency N",
    ErrorType.SERVER_ERROR: "wait until the provider is well again, then ask again",
    ErrorType.CONNECTION: "check the network and the address in --api-base, then ask again",
    ErrorType.TIMEOUT: "give each call more time with --timeout SECONDS",
    ErrorType.INVALID_RESPONSE: "check what answers at --api-base, or give a smaller --max-tokens",
    ErrorType.EMPTY_CHOICES: "ask again; if it stays empty, take another model or server",
    ErrorType.ERROR_BODY: "read what the provider says, then ask again",
    ErrorType.ERROR_TEXT: "read the answer, then ask again",
    ErrorType.AUTHENTICATION: "set a key that is valid; `modex models` names its variable",
    ErrorType.PERMISSION: "set a key that may use the model; `modex models` names its variable",
    ErrorType.MODEL_NOT_FOUND: "check the model's name; `modex models` lists those in reach",
    ErrorType.QUOTA: "check the plan and billing of the provider's account",
    ErrorType.BAD_REQUEST: "change what the provider refuses: an option of the run, or the test",
    ErrorType.CONTEXT_WINDOW: "take a model with a larger window, or a smaller --max-tokens",
    ErrorType.CONTENT_FILTER: "write the test in other words, or leave it out: --exclude-test ID",
    ErrorType.ATTACHMENT_REFUSED: "take a model that reads such files, or use --exclude-test ID",
    ErrorType.TRUNCATED_REASONING: "give more tokens with --more-tokens N of `modex resume`",
    ErrorType.TRUNCATED_OUTPUT: "give more tokens with --more-tokens N of `modex resume`",
    ErrorType.RUNAWAY: "ask again, or let it go on with --no-runaway",
    ErrorType.TIME_LIMIT: "give each answer more time with --max-seconds SECONDS",
    ErrorType.EXTRACTION_ERROR: "name another model for PASS 2 with --extractor-model MODEL",
    ErrorType.JUDGE_ERROR: "judge again, or name another judge with --judge-model MODEL",
    ErrorType.JUDGE_REFUSED: "the judge refuses them: name another with --judge-model MODEL",
    ErrorType.EXTRACTOR_REFUSED: "PASS 2 refuses them: name another with --extractor-model MODEL",
    ErrorType.EVALUATOR_ERROR: "mend the evaluator's settings or what is expected, then judge again",
    ErrorType.UNSUPPORTED_CODE: "judge again with a sandbox that has it: --sandbox bubblewrap",
    ErrorType.SANDBOX_UNAVAILABLE: "install what it names (`modex doctor` looks), then judge or resume",
    ErrorType.TOOL_UNAVAILABLE: "install, start or mend the tool; `modex doctor` looks for it",
    ErrorType.AGENT_ERROR: "mend the agent or its file of answers, then ask again",
    ErrorType.INVALID_TEST: "mend the test; `modex check` names its file and line",
    ErrorType.INTERNAL_ERROR: "report it with what `modex doctor --bundle FILE` writes",
}
"""What to do about each kind, in one sentence. It is not stored: errors of older versions have it too."""
_ADVISED = deferred(
    r"(?<![\w-])--[a-z][a-z-]+|`modex |[;(:] (?:check|set|name|install|judge|ask the model|mend|write|resume|continue|record)\b"
    r"|\((?:check|give|take|raise|write)\b"
)
"""How the messages of this program say what to do; a provider's `please try again` is no advice."""


def advises(message: str) -> bool:
    """Whether the message of an error says already what to do."""
    return _ADVISED.search(message) is not None


def advice_on(error_type: str | None, message: str | None = None, *, by_agent: bool = False) -> str:
    """What to do about an error of this kind; empty where its message says it, and for kinds of other programs.

    What is no answer is mended in the agent where the message says that it was one's, or who asks knows it.
    """
    if error_type is None or error_type not in ADVICE or advises(message or ""):
        return ""
    if error_type == ErrorType.INVALID_RESPONSE and (by_agent or (message or "").startswith("the agent")):
        return ADVICE[ErrorType.AGENT_ERROR]
    return ADVICE[ErrorType(error_type)]


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
        self.asked_as = ""
        """As what a model was asked about an answer: `pass2`, `judge` or `repair`; empty for the model under test."""
        self.retryable = retryable
        self.fatal = fatal
        self.retry_after = retry_after
        self.status = status
        self.attempts = attempts
        super().__init__(message)


def while_judging(error: ModelCallError) -> ErrorType:
    """What a sample is called whose answer is stored and about which a call failed so."""
    if error.error_type not in REFUSED_WHILE_JUDGING:
        return error.error_type
    return ErrorType.EXTRACTOR_REFUSED if error.asked_as == "pass2" else ErrorType.JUDGE_REFUSED


class JudgeError(ModexError):
    """No verdict could be reached (unparsable judge, extractor failed, evaluator raised); never a score of 0."""

    def __init__(self, message: str, error_type: ErrorType = ErrorType.JUDGE_ERROR) -> None:
        self.error_type = error_type
        super().__init__(message)
