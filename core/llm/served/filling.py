"""What a model that is to be served needs and nobody said (content, context, slots, threads), and whether it fits here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from modex.core.config.runconfig import ModelSpec, ServeSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.processes import cores
from modex.core.llm.served.content import content_digest
from modex.core.llm.served.gguf import Gguf, read_gguf
from modex.core.llm.served.memory import free_bytes
from modex.core.llm.served.programs import find_program, words_of
from modex.core.llm.served.status import KEEPER, is_held, places_held
from modex.core.llm.served.wish import READY, START_TIMEOUT_S, Wish
from modex.core.safety import clean_line

SLOTS = 4
"""Answers at once where nobody says: on two cores SmolLM2 writes 39 tokens a second in four slots, and no more in eight."""
_MOST_SLOTS = 64
_MOST_THREADS = 16
LEAST_CONTEXT = 4096
"""Tokens of each slot where the tests need less: an answer of a thousand tokens, with tools, and room."""
_TEMPLATE = "chatml"
"""For weights without a template of their own: the form that most small models were taught."""
_GIGA = 1e9


def filled(spec: ModelSpec, *, needed: int = 0, concurrency: int | None = None) -> ModelSpec:
    """`spec` with everything said that decides which server it gets; one that is not served, as it is.

    `needed` are the tokens that the longest of its conversations may take; `concurrency` the calls at once of the run.

    Raises:
        ConfigurationError: the file or the program is not there, the file is none, or it does not fit into memory.
    """
    if not spec.is_served:
        return spec
    said = spec.serve or ServeSpec()
    slots = said.slots or min(_MOST_SLOTS, spec.concurrency or concurrency or SLOTS)
    if spec.gguf is None:
        words_of(_wish(spec, said), 1)
        return spec.model_copy(update={"concurrency": spec.concurrency or said.slots})
    found = read_gguf(Path(spec.gguf))
    find_program()
    context = said.context or _context(found, needed)
    if found.context and context > found.context:
        raise ConfigurationError(
            f"{spec.said}: a context of {context:,} tokens, and {found.path.name} was trained for {found.context:,};"
            " give a smaller one: serve = { context = … }"
        )
    serve = said.model_copy(
        update={"context": context, "slots": slots, "threads": said.threads or min(_MOST_THREADS, cores())}
    )
    lacking = _too_little_memory(spec, found, context, slots)
    if lacking and not places_held():  # to read a file of forty gigabytes for its digest takes minutes
        raise ConfigurationError(lacking)
    chosen = spec.model_copy(
        update={
            "serve": serve,
            "gguf_digest": content_digest(found.path),
            # More calls than slots wait in the server's own line, where their deadlines run.
            "concurrency": spec.concurrency or slots,
        }
    )
    if lacking and not _runs(chosen):
        raise ConfigurationError(lacking)
    return chosen


def _runs(spec: ModelSpec) -> bool:
    """Whether its server is there: what it takes is taken already."""
    return is_held(wish_of(spec).place, KEEPER)


def _context(found: Gguf, needed: int) -> int:
    """A power of two that holds what is needed, at most what the model was trained for: runs of alike needs share a server."""
    wanted = max(LEAST_CONTEXT, 1 << max(0, needed - 1).bit_length())
    return min(wanted, found.context or wanted)


def _too_little_memory(spec: ModelSpec, found: Gguf, context: int, slots: int) -> str:
    """Says before the start that it would not fit, for a server that the system kills takes others with it; else empty."""
    need, free = found.memory(context * slots), free_bytes()
    if spec.serve is not None and spec.serve.gpu_layers not in (None, 0):
        return ""  # how much of it lies in the memory of a card is the server's to find out
    if free is None or need <= free:
        return ""
    cache = found.cache_bytes_a_token * context * slots
    return (
        f"{spec.said}: needs about {need / _GIGA:.1f} GB (file {found.size / _GIGA:.1f}, context {cache / _GIGA:.1f} for"
        f" {slots} × {context:,} tokens), and {max(0, free) / _GIGA:.1f} GB are free; give fewer slots or a smaller context"
        " (serve = { slots = …, context = … }), or name a smaller file"
    )


def fit_together(specs: Sequence[ModelSpec]) -> bool:
    """Whether the servers of these filled files can all be kept at once; False where that is not known beforehand, as of
    commands and of what lies in the memory of a card."""
    needed = 0
    for spec in specs:
        said = spec.serve
        if spec.gguf is None or said is None or said.gpu_layers not in (None, 0):
            return False
        if not _runs(spec):
            needed += read_gguf(Path(spec.gguf)).memory((said.context or 0) * (said.slots or 0))
    free = free_bytes()
    return free is None or needed <= free


def wish_of(spec: ModelSpec) -> Wish:
    """The server that a filled `spec` is asked at.

    Raises:
        ConfigurationError: what was not filled in cannot be.
    """
    said = spec.serve
    if spec.gguf is not None and (
        said is None or not (said.context and said.slots and said.threads and spec.gguf_digest)
    ):
        spec = filled(spec)
        said = spec.serve
    return _wish(spec, said or ServeSpec())


def _wish(spec: ModelSpec, said: ServeSpec) -> Wish:
    served = spec.gguf is not None
    return Wish(
        name=wire_name(spec),
        file=spec.gguf,
        digest=spec.gguf_digest or "",
        context=said.context or 0,
        slots=said.slots or 0,
        threads=said.threads or 0,
        gpu_layers=said.gpu_layers,
        template=_TEMPLATE if served and template_missing(spec) else None,
        command=None if served else said.command,
        folder=None if served else said.folder,
        ready=said.ready or READY,
        start_timeout_s=said.start_timeout or START_TIMEOUT_S,
    )


def template_missing(spec: ModelSpec) -> bool:
    """Whether the file that is served has no chat template of its own, so that it is asked by another.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    return spec.gguf is not None and read_gguf(Path(spec.gguf)).template is None


def wire_name(spec: ModelSpec) -> str:
    """What the server calls the model: for a file its name, for a command what stands behind the provider."""
    if spec.gguf is not None:
        return Path(spec.gguf).stem
    return spec.model.partition("/")[2] or spec.model


def notes(spec: ModelSpec) -> list[str]:
    """What a person should know of how a filled `spec` is served, each in a sentence.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    if spec.gguf is None or spec.serve is None:
        return []
    found = read_gguf(Path(spec.gguf))
    slots = "1 slot" if spec.serve.slots == 1 else f"{spec.serve.slots} slots"
    sizes = f"{slots} of {spec.serve.context:,} tokens" if spec.serve.context else "its own context"
    lines = [
        f"{spec.said}: {found.name} ({found.architecture}, {found.parameters / 1e6:,.0f} M, {found.quantization}),"
        f" served here by {find_program().name} in {sizes}"
    ]
    if found.template is None:
        what = "no chat template"
        if found.no_template is not None:
            what = f"the chat template {clean_line(found.no_template, 40)!r}, which takes no messages,"
        lines.append(f"{spec.said}: {found.path.name} has {what} and is asked by '{_TEMPLATE}'")
    return lines


def told(tell: Callable[[str], None], specs: list[ModelSpec]) -> None:
    """Tell of each served model once."""
    for line in dict.fromkeys(line for spec in specs for line in notes(spec)):
        tell(line)
