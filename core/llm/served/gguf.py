"""What stands in the head of a GGUF file: which model it is, how it is quantized, how much memory its context takes.

The form: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
"""

from __future__ import annotations

import math
import mmap
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from modex.core.foundation.errors import ConfigurationError

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _ARRAY = 8, 9
_MOST_DIMENSIONS = 8
_KEPT_ITEMS = 4096
"""Of a list: what is read of a model has an item a layer; a vocabulary is passed over."""
_ALIGNMENT = 32
_MESSAGES = "messages"
"""The name of the conversation in every template of this kind."""
_HALF = 2
"""Bytes of a number in the cache of keys and values, unless the server is told otherwise."""

_FILE_TYPES = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M",
    13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS",
    21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M",
    30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4",
}  # fmt: skip
"""`general.file_type`, as the format's page numbers them."""
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36), 10: (256, 84),
    11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98),
    19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8),
    28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip
"""Of each type of tensor how many numbers a block has, and its bytes."""


class _Lookup(Protocol):
    """A value of the head by its key behind the architecture."""

    def __call__(self, key: str, /) -> object: ...


@dataclass(frozen=True, slots=True)
class Gguf:
    """A file of weights, by its head alone."""

    path: Path
    size: int
    """Bytes of the file."""
    architecture: str
    name: str
    quantization: str
    parameters: int
    context: int
    """The tokens that the model was trained for; 0 where the file does not say."""
    cache_bytes_a_token: int
    """Of keys and values; 0 where the file does not say."""
    template: str | None
    """Its chat template; None where it has none that a conversation goes into."""
    no_template: str | None
    """What stands in its place and takes no messages, such as a template's mere name: it would ask every question alike."""
    split: int
    """In how many files the model lies."""

    def memory(self, tokens: int) -> int:
        """About how many bytes a server of it takes with a context of so many tokens in all its slots."""
        return self.size + self.cache_bytes_a_token * tokens + _WORKING_BYTES


_WORKING_BYTES = 220_000_000
"""What a server takes beside weights and cache: measured with SmolLM2 at 8,192 tokens (338 MB in all, 98 of weights, 190 of cache
not all of which was touched)."""


def read_gguf(path: Path) -> Gguf:
    """Read the head of `path`; of a file that did not change since, what was read before.

    Raises:
        ConfigurationError: it is not there, no GGUF file, or ends before it should; the message names it.
    """
    try:
        found = path.stat()
        mark = found.st_size, found.st_mtime_ns, found.st_ino
    except (OSError, ValueError):  # what cannot be looked at cannot be read, and that is said
        mark = None
    return _read(path, mark)


@lru_cache(maxsize=32)
def _read(path: Path, mark: tuple[int, int, int] | None) -> Gguf:
    del mark
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size == 0:
                raise ConfigurationError(f"{path}: an empty file; check the file, or fetch it again")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _Head(path, data, size).read()
    except FileNotFoundError:
        raise ConfigurationError(f"{path} is not there; correct the path") from None
    except IsADirectoryError:
        raise ConfigurationError(f"{path}: a folder; name the .gguf file in it") from None
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except (ValueError, RecursionError) as error:  # a name with a zero byte; lists in lists in lists
        raise ConfigurationError(f"{path}: cannot be read ({error}); check the path and the file") from None


class _Head:
    """Reads one file from its first byte on."""

    def __init__(self, path: Path, data: mmap.mmap, size: int) -> None:
        self._path, self._data, self._size, self._at = path, data, size, 0

    def read(self) -> Gguf:
        if (start := self._data[:4]) != _MAGIC:
            raise ConfigurationError(
                f"{self._path}: no GGUF file (it begins with {start!r}); name a file of this format"
            )
        self._at = 4
        version = self._number("I")
        if version not in _VERSIONS:
            raise ConfigurationError(
                f"{self._path}: GGUF of version {version}, which cannot be read (2 and 3 can); convert it anew"
            )
        tensors, keys = self._number("Q"), self._number("Q")
        found: dict[str, object] = {}
        for _ in range(keys):
            key = self._text()
            found[key] = self._value(self._number("I"))
        parameters, end = self._tensors(tensors)
        alignment = _whole(found.get("general.alignment")) or _ALIGNMENT
        if end is not None:
            self._require(-(-self._at // alignment) * alignment + end)
        return _gguf(self._path, self._size, found, parameters)

    def _tensors(self, count: int) -> tuple[int, int | None]:
        """How many numbers the tensors hold, and where the last one ends after the head; None where a type is not known."""
        parameters, last = 0, 0
        known = True
        for _ in range(count):
            self._text()
            dimensions = self._number("I")
            if dimensions > _MOST_DIMENSIONS:
                raise self._broken(f"a tensor of {dimensions} dimensions")
            numbers = math.prod(self._number("Q") for _ in range(dimensions))
            kind, offset = self._number("I"), self._number("Q")
            parameters += numbers
            if kind in _BLOCKS:
                block, size = _BLOCKS[kind]
                last = max(last, offset + -(-numbers // block) * size)
            else:
                known = False
        return parameters, last if known else None

    def _value(self, kind: int) -> object:
        if kind in _SCALARS:
            return self._number(_SCALARS[kind])
        if kind == _TEXT:
            return self._text()
        if kind == _ARRAY:
            return self._list()
        raise self._broken(f"a value of the unknown type {kind}")

    def _list(self) -> list[object] | None:
        """A list of few items; None for a long one."""
        kind, count = self._number("I"), self._number("Q")
        if kind in _SCALARS and count > _KEPT_ITEMS:
            self._skip(count * struct.calcsize(f"<{_SCALARS[kind]}"))
            return None
        if kind == _TEXT and count > _KEPT_ITEMS:
            self._pass_texts(count)
            return None
        if count > _KEPT_ITEMS:
            raise self._broken(f"a list of {count} lists")
        return [self._value(kind) for _ in range(count)]

    def _pass_texts(self, count: int) -> None:
        """A vocabulary, of 150,000 texts in some models: each begins where the one before it ends."""
        length_of, data, at, size = struct.Struct("<Q").unpack_from, self._data, self._at, self._size
        for _ in range(count):
            if at + 8 > size:
                self._require(at + 8)
            at += 8 + length_of(data, at)[0]
        self._require(at)
        self._at = at

    def _number(self, form: str) -> int:
        size = struct.calcsize(f"<{form}")
        start = self._at
        self._skip(size)
        return struct.unpack_from(f"<{form}", self._data, start)[0]  # type: ignore[no-any-return]

    def _text(self) -> str:
        length = self._number("Q")
        start = self._at
        self._skip(length)
        return self._data[start : start + length].decode("utf-8", "replace")

    def _skip(self, size: int) -> None:
        self._require(self._at + size)
        self._at += size

    def _require(self, end: int) -> None:
        if end > self._size:
            raise ConfigurationError(
                f"{self._path}: ends after {self._size:,} bytes, and {end:,} at least were to come;"
                " check the file, or fetch it again"
            )

    def _broken(self, what: str) -> ConfigurationError:
        return ConfigurationError(
            f"{self._path}: broken at byte {self._at:,} ({what}); check the file, or fetch it again"
        )


def _gguf(path: Path, size: int, found: dict[str, object], parameters: int) -> Gguf:
    architecture = str(found.get("general.architecture") or "unknown")

    def of_model(key: str) -> object:
        return found.get(f"{architecture}.{key}")

    template = found.get("tokenizer.chat_template")
    said = template if isinstance(template, str) and template.strip() else None
    takes_messages = said is not None and _MESSAGES in said
    file_type = _whole(found.get("general.file_type"))
    return Gguf(
        path=path,
        size=size,
        architecture=architecture,
        name=str(found.get("general.name") or found.get("general.basename") or path.stem),
        quantization=_FILE_TYPES.get(file_type, f"type {file_type}") if "general.file_type" in found else "unknown",
        parameters=parameters,
        context=_whole(of_model("context_length")),
        cache_bytes_a_token=_cache_bytes(of_model),
        template=said if takes_messages else None,
        no_template=None if takes_messages else said,
        split=max(1, _whole(found.get("split.count"))),
    )


def _cache_bytes(of_model: _Lookup) -> int:
    """Bytes of keys and values a token; of a layer that has heads of its own, its own."""
    layers, heads = _whole(of_model("block_count")), of_model("attention.head_count")
    own = of_model("attention.head_count_kv")
    kept = own if own is not None else heads
    width = _whole(of_model("embedding_length")) // max(1, _first(heads))
    keys = _whole(of_model("attention.key_length")) or width
    values = _whole(of_model("attention.value_length")) or width
    cached = sum(map(_whole, kept)) if isinstance(kept, list) else layers * _whole(kept)
    return cached * (keys + values) * _HALF


def _first(heads: object) -> int:
    return max(map(_whole, heads), default=0) if isinstance(heads, list) else _whole(heads)


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
