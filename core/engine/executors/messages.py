"""What driver and worker process say to each other: messages in frames, each behind its length in four bytes.

A **lease** is one sample given to one worker, by a number that is never used twice. Everything said about it carries that
number, and what the worker says is counted from 1: the driver takes each once, in order, and nothing of a lease that has ended.
A frame is a pickle, as both ends are the same program of the same user; no key is ever in one.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from modex.core.config.options import Stage
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.foundation.errors import ErrorType, ModelCallError, ModexError, StoreError
from modex.core.llm.faults import TimedOutError
from modex.core.llm.gate import Interrupted
from modex.core.pipeline.assembly import Role
from modex.core.pipeline.plugins import Plugin
from modex.core.store.sample import EvaluationSample
from modex.core.store.writer import ReachedStage
from modex.core.suite.definitions import EvaluatorConfig, ToolDefinition
from modex.core.tools.cassettes import CassetteKey, RecordedCall

HEADER = struct.Struct("!I")


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker needs of the run before its first sample: everything of the suite that decides, as the driver read it."""

    config: RunConfig
    run_id: int
    suite_root: str
    evaluators: dict[str, EvaluatorConfig]
    tools: dict[str, ToolDefinition]
    templates: dict[str, str]
    plugins: tuple[Plugin, ...]
    """Those that the driver's user allowed, and no others."""
    agreed: dict[str, bytes]
    """Digests of the program texts that the plugins may import from the suite's folder, by their path in it."""
    plays: bool
    """Whether a model plays users of conversations."""
    asks: bool
    """Whether samples are to be asked, or only judged."""
    asked: tuple[Role, ...] = ()
    """The models that will be asked: their keys must stand in the worker's environment."""
    files: tuple[SuiteFile, ...] | None = None
    """The suite's files, which the worker lays out for itself; None where it shares the driver's disk."""
    bundled_root: str = ""
    """Where the suite that every modex brings along lies at the driver's."""


class SuiteFile(NamedTuple):
    """A file of the suite: its path below the suite's folder, and its content's digest."""

    path: str
    digest: str


class Begin(NamedTuple):
    """To a worker: move this sample."""

    lease: int
    sample: EvaluationSample
    until: Stage
    careful: bool = False
    """Whether the answer is to be stored before it is judged in any case: a process was lost with this sample."""


class AwaitedResult(NamedTuple):
    """To a worker: what became of what its thread waits for (`Awaited`)."""

    lease: int
    value: Any
    failure: Failure | None = None


class Cancel(NamedTuple):
    """To a worker: this lease is no longer wanted."""

    lease: int


class Look(NamedTuple):
    """To a worker: what is being written for this lease? Answered by `BeingWritten`."""

    lease: int


class Content(NamedTuple):
    """To a worker: the content it wanted; None where the driver has it no more."""

    digest: str
    data: bytes | None


class EndCalls(NamedTuple):
    """To a worker: end every call, begin no other."""


class Hello(NamedTuple):
    """From a worker, first of all: who it is, and what keeps it from working."""

    version: str
    python: str
    problem: str | None


class Alive(NamedTuple):
    """From a worker, every second."""


class ContentWanted(NamedTuple):
    """From a worker: it has no file with this content. Answered by `Content`."""

    digest: str


class NewGate(NamedTuple):
    """From a worker: it will speak of the gate of this model by this number."""

    number: int
    spec: ModelSpec


class Noted(NamedTuple):
    """From a worker: something a reader of the scores should know."""

    words: str


class SampleNoted(NamedTuple):
    """From a worker: what holds of single samples, to be said once with their number."""

    words: str


class BeingWritten(NamedTuple):
    """From a worker: what is being written."""

    lease: int
    view: dict[str, Any]


class Phase(NamedTuple):
    """From a worker: the phase that the sample enters."""

    lease: int
    nth: int
    words: str


class GateTold(NamedTuple):
    """From a worker: something for a gate that needs no answer."""

    lease: int
    nth: int
    gate: int
    method: str
    arguments: tuple[Any, ...]


class Ask(NamedTuple):
    """From a worker: something of a gate that its thread waits for."""

    lease: int
    nth: int
    gate: int
    method: str
    arguments: tuple[Any, ...]


class Reached(NamedTuple):
    """From a worker: a stage to be stored before the thread goes on."""

    lease: int
    nth: int
    stage: ReachedStage


class Logged(NamedTuple):
    """From a worker: a line for the run's log."""

    lease: int
    nth: int
    kind: str
    message: str
    result_id: int | None


class Record(NamedTuple):
    """From a worker: what a tool said, to be kept in the folder of `--record` before the model hears it."""

    lease: int
    nth: int
    call: CassetteKey
    kept: RecordedCall


class Replay(NamedTuple):
    """From a worker: what does the folder of `--replay` hold of this call?"""

    lease: int
    nth: int
    call: CassetteKey


class Finished(NamedTuple):
    """From a worker: the lease is over. `state` is where the sample stands now, by field."""

    lease: int
    nth: int
    state: dict[str, Any]
    fatal: Failure | None
    """What must end the run."""
    failure: Failure | None
    """What was raised."""


Awaited = Ask | Reached | Record | Replay
"""What a worker's thread waits for, until the driver sends an `AwaitedResult`."""
FromLease = Phase | GateTold | Awaited | Logged | Finished
"""What is said about a lease, counted."""
STATE = (
    "stage", "status", "score", "prompt_tokens", "completion_tokens", "cost_usd",
    "judge_prompt_tokens", "judge_completion_tokens", "judge_cost_usd",
)  # fmt: skip
"""The fields of a sample that its driver reads once it is moved."""


class Failure(NamedTuple):
    """An exception as plain values; see `failure_of`."""

    kind: str
    message: str
    values: dict[str, Any]


def failure_of(error: BaseException) -> Failure:
    """An exception that can be sent; what the engine does not know by its type keeps its words."""
    if isinstance(error, Interrupted):
        return Failure("interrupted", "", {})
    if isinstance(error, ModelCallError):
        values: dict[str, Any] = {
            "error_type": str(error.error_type), "retryable": error.retryable, "fatal": error.fatal,
            "retry_after": error.retry_after, "status": error.status, "attempts": error.attempts,
        }  # fmt: skip
        if isinstance(error, TimedOutError):
            values["began"] = error.began
        return Failure("call", str(error), values)
    if isinstance(error, StoreError):
        return Failure("store", str(error), {})
    if isinstance(error, ModexError):
        return Failure("modex", str(error), {})
    return Failure("other", f"{type(error).__name__}: {error}", {})


def error_of(failure: Failure) -> Exception:
    """Undo `failure_of`."""
    if failure.kind == "interrupted":
        return Interrupted()
    if failure.kind == "call":
        return call_error(failure)
    if failure.kind == "store":
        return StoreError(failure.message)
    if failure.kind == "modex":
        return ModexError(failure.message)
    return RuntimeError(failure.message)


def call_error(failure: Failure) -> ModelCallError:
    """The failure of a call to a model."""
    values = dict(failure.values)
    began = values.pop("began", None)
    if began is not None:
        return TimedOutError(failure.message, began=began, again=values["retryable"])
    return ModelCallError(failure.message, ErrorType(values.pop("error_type")), **values)


def packed(message: object) -> bytes:
    """A message as it goes over a pipe."""
    body = pickle.dumps(message, protocol=5)
    return HEADER.pack(len(body)) + body


def received(read: Callable[[int], bytes]) -> Any:
    """The next message, or None at the end of the pipe; `read(n)` gives n bytes, or fewer at the end."""
    header = read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    length = HEADER.unpack(header)[0]
    body = read(length)
    return pickle.loads(body) if len(body) == length else None
