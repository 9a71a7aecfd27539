"""GGUF files as tests need them: a head that says what it is told, and as many bytes behind it as it promises."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

SMALL: dict[str, Any] = {
    "general.architecture": "llama",
    "general.name": "Little",
    "general.file_type": 2,
    "llama.block_count": 4,
    "llama.context_length": 2048,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 8,
    "llama.attention.head_count_kv": 2,
    "tokenizer.chat_template": "{{ messages }}",
    "tokenizer.ggml.tokens": [f"t{number}" for number in range(5000)],
}
_F32 = 0


def gguf_bytes(told: dict[str, Any] = SMALL, *, numbers: int = 96, version: int = 3, kind: int = _F32) -> bytes:
    """A whole file with one tensor of `numbers` numbers of four bytes."""
    head = struct.pack("<4sIQQ", b"GGUF", version, 1, len(told))
    for key, value in told.items():
        head += _text(key) + _value(value)
    head += _text("weights") + struct.pack("<IQQIQ", 2, numbers // 2, 2, kind, 0)
    head += bytes(-len(head) % 32)
    return head + bytes(numbers * 4)


def write_gguf(path: Path, told: dict[str, Any] = SMALL, **given: Any) -> Path:
    path.write_bytes(gguf_bytes(told, **given))
    return path


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, list):
        kind = struct.pack("<I", 8 if isinstance(value[0], str) else 4)
        items = b"".join(_text(one) if isinstance(one, str) else struct.pack("<I", one) for one in value)
        return struct.pack("<I", 9) + kind + struct.pack("<Q", len(value)) + items
    return struct.pack("<II", 4, value)
