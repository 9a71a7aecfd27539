"""A tiny model with random weights in llama.cpp's file format (GGUF 3): it speaks nonsense, by the right rules."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from pathlib import Path

WIDTH, HIDDEN, HEADS = 32, 64, 2
_ALIGNMENT = 32
_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6
_FIRST_BYTE = 3
TOKENS = [
    ("<unk>", _UNKNOWN),
    ("<s>", _CONTROL),
    ("</s>", _CONTROL),
    *((f"<0x{number:02X}>", _BYTE) for number in range(256)),
    ("\u2581", _NORMAL),
]
"""A vocabulary of bytes."""


def write_tiny_model(path: Path, context: int = 512) -> None:
    """Write one layer of a llama; the same file every time."""
    dice = random.Random(7)
    width, hidden, words = WIDTH, HIDDEN, len(TOKENS)
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (width, words),
        "output_norm.weight": (width,),
        "output.weight": (width, words),
        "blk.0.attn_norm.weight": (width,),
        **{f"blk.0.attn_{name}.weight": (width, width) for name in ("q", "k", "v", "output")},
        "blk.0.ffn_norm.weight": (width,),
        "blk.0.ffn_gate.weight": (width, hidden),
        "blk.0.ffn_up.weight": (width, hidden),
        "blk.0.ffn_down.weight": (hidden, width),
    }
    facts = [
        _text("general.architecture", "llama"),
        _whole("llama.context_length", context),
        _whole("llama.embedding_length", width),
        _whole("llama.block_count", 1),
        _whole("llama.feed_forward_length", hidden),
        _whole("llama.attention.head_count", HEADS),
        _whole("llama.rope.dimension_count", width // HEADS),
        _string("llama.attention.layer_norm_rms_epsilon") + struct.pack("<If", 6, 1e-5),
        _text("tokenizer.ggml.model", "llama"),
        _many("tokenizer.ggml.tokens", 8, [_string(token) for token, _ in TOKENS]),
        _many("tokenizer.ggml.scores", 6, [struct.pack("<f", 0.0)] * words),
        _many("tokenizer.ggml.token_type", 5, [struct.pack("<i", kind) for _, kind in TOKENS]),
        _whole("tokenizer.ggml.unknown_token_id", 0),
        _whole("tokenizer.ggml.bos_token_id", 1),
        _whole("tokenizer.ggml.eos_token_id", 2),
    ]
    infos, data = b"", b""
    for name, shape in shapes.items():
        infos += _string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(data))
        count = shape[0] * (shape[1] if len(shape) == 2 else 1)
        values = [1.0] * count if len(shape) == 1 else [dice.gauss(0, 0.2) for _ in range(count)]
        if name == "output.weight":
            # It says printable characters alone: a server holds back bytes that are no text yet, and notices nothing meanwhile.
            for word in range(words):
                if not 0x20 <= word - _FIRST_BYTE < 0x7F:
                    values[word * width : (word + 1) * width] = [0.0] * width
        data = _aligned(data + struct.pack(f"<{count}f", *values))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(facts)) + b"".join(facts) + infos
    path.write_bytes(_aligned(head) + data)


def _aligned(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNMENT)


def _string(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def _text(name: str, value: str) -> bytes:
    return _string(name) + struct.pack("<I", 8) + _string(value)


def _whole(name: str, value: int) -> bytes:
    return _string(name) + struct.pack("<II", 4, value)


def _many(name: str, kind: int, values: Sequence[bytes]) -> bytes:
    return _string(name) + struct.pack("<IIQ", 9, kind, len(values)) + b"".join(values)
