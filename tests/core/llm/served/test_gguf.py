from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.served.gguf import read_gguf
from tests.core.llm.served.weights import SMALL, gguf_bytes, write_gguf
from tests.rows import each_row

_SHORT = {name: value for name, value in SMALL.items() if not isinstance(value, list)}


def test_a_head_says_which_model_it_is(tmp_path: Path) -> None:
    found = read_gguf(write_gguf(tmp_path / "small.gguf"))
    assert (found.architecture, found.name, found.quantization, found.parameters) == ("llama", "Little", "Q4_0", 96)
    assert (found.context, found.template, found.split) == (2048, "{{ messages }}", 1)
    # 4 layers × 2 heads × (8 of a key + 8 of a value) × 2 bytes
    assert found.cache_bytes_a_token == 4 * 2 * 16 * 2
    assert found.memory(1000) - found.memory(0) == 1000 * found.cache_bytes_a_token


@pytest.mark.parametrize(
    ("changed", "bytes_a_token"),
    [
        ({"llama.attention.head_count_kv": [2, 0, 2, 0]}, 4 * 16 * 2),
        ({"llama.attention.key_length": 16, "llama.attention.value_length": 4}, 8 * 20 * 2),
        ({"llama.attention.head_count": [8, 8, 4, 4]}, 8 * 16 * 2),
    ],
)
def test_the_cache_is_that_of_the_layers_own_heads(
    tmp_path: Path, changed: dict[str, object], bytes_a_token: int
) -> None:
    assert read_gguf(write_gguf(tmp_path / "a.gguf", SMALL | changed)).cache_bytes_a_token == bytes_a_token


def test_heads_that_say_nothing_of_key_heads_have_as_many_as_others(tmp_path: Path) -> None:
    told = {name: value for name, value in SMALL.items() if not name.endswith("_kv")}
    assert read_gguf(write_gguf(tmp_path / "a.gguf", told)).cache_bytes_a_token == 4 * 8 * 16 * 2


@each_row(
    ("number", "name"),
    [  # https://github.com/ggml-org/llama.cpp, include/llama.h, enum llama_ftype
        *enumerate(("F32", "F16", "Q4_0", "Q4_1")),
        *enumerate(("Q8_0", "Q5_0", "Q5_1", "Q2_K", "Q3_K_S", "Q3_K_M", "Q3_K_L", "Q4_K_S", "Q4_K_M"), 7),
        *enumerate(("Q5_K_S", "Q5_K_M", "Q6_K", "IQ2_XXS", "IQ2_XS", "Q2_K_S", "IQ3_XS", "IQ3_XXS"), 16),
        *enumerate(("IQ1_S", "IQ4_NL", "IQ3_S", "IQ3_M", "IQ2_S", "IQ2_M", "IQ4_XS", "IQ1_M", "BF16"), 24),
        *enumerate(("TQ1_0", "TQ2_0", "MXFP4"), 36),
        (4, "type 4"), (99, "type 99"),
    ],
)  # fmt: skip
def test_a_file_says_how_it_is_quantized(tmp_path: Path, number: int, name: str) -> None:
    assert read_gguf(write_gguf(tmp_path / "a.gguf", _SHORT | {"general.file_type": number})).quantization == name


def test_a_file_that_does_not_say_how_it_is_quantized_is_unknown(tmp_path: Path) -> None:
    told = {key: value for key, value in SMALL.items() if key != "general.file_type"}
    assert read_gguf(write_gguf(tmp_path / "a.gguf", told)).quantization == "unknown"


@each_row(
    ("kind", "block", "bits"),
    [  # https://github.com/ggml-org/llama.cpp, ggml/include/ggml.h, enum ggml_type, and each type's bits a number
        (0, 1, 32), (1, 1, 16), (2, 32, 4.5), (3, 32, 5), (6, 32, 5.5), (7, 32, 6), (8, 32, 8.5), (9, 32, 9),
        (10, 256, 2.625), (11, 256, 3.4375), (12, 256, 4.5), (13, 256, 5.5), (14, 256, 6.5625), (15, 256, 9.125),
        (16, 256, 2.0625), (17, 256, 2.3125), (18, 256, 3.0625), (19, 256, 1.5625), (20, 32, 4.5), (21, 256, 3.4375),
        (22, 256, 2.5625), (23, 256, 4.25), (24, 1, 8), (25, 1, 16), (26, 1, 32), (27, 1, 64), (28, 1, 64),
        (29, 256, 1.75), (30, 1, 16), (34, 256, 1.6875), (35, 256, 2.0625), (39, 32, 4.25),
    ],
)  # fmt: skip
def test_a_file_is_whole_where_it_holds_the_blocks_of_its_tensor(
    tmp_path: Path, kind: int, block: int, bits: float
) -> None:
    numbers = 512
    size = round(numbers * bits / 8)
    whole = gguf_bytes(_SHORT, numbers=numbers, kind=kind)
    head = len(whole) - numbers * 4
    path = tmp_path / "a.gguf"
    path.write_bytes(whole[:head] + bytes(size))
    assert read_gguf(path).parameters == numbers
    path.write_bytes(whole[:head] + bytes(size - 1))
    with pytest.raises(ConfigurationError, match="ends after"):
        read_gguf(path)
    assert numbers % block == 0


def test_a_file_without_a_template_has_none(tmp_path: Path) -> None:
    found = read_gguf(write_gguf(tmp_path / "a.gguf", SMALL | {"tokenizer.chat_template": "  "}))
    assert (found.template, found.no_template) == (None, None)


def test_what_takes_no_messages_is_no_template(tmp_path: Path) -> None:
    found = read_gguf(write_gguf(tmp_path / "a.gguf", SMALL | {"tokenizer.chat_template": "nosuch"}))
    assert (found.template, found.no_template) == (None, "nosuch")
    assert read_gguf(write_gguf(tmp_path / "b.gguf")).no_template is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "an empty file"),
        (b"PK\x03\x04zip", "no GGUF file"),
        (gguf_bytes(version=9), "version 9"),
        (gguf_bytes()[:-1], "ends after"),
        (gguf_bytes()[:200], "ends after"),
        (gguf_bytes()[:20_000], "ends after 20,000 bytes"),
        (gguf_bytes()[:20_004], "ends after 20,004 bytes"),
        (struct.pack("<4sIQQ", b"GGUF", 3, 0, 1) + struct.pack("<Q1sI", 1, b"k", 77), "broken at byte"),
        (
            struct.pack("<4sIQQ", b"GGUF", 3, 0, 1)
            + struct.pack("<Q1sI", 1, b"k", 9)
            + struct.pack("<IQ", 9, 1) * 5000,
            "cannot be read",
        ),
        (struct.pack("<4sIQQ", b"GGUF", 3, 0, 1) + struct.pack("<Q1sIIQ", 1, b"k", 9, 9, 9_999_999), "broken at byte"),
    ],
)
def test_what_is_no_whole_file_is_named_with_the_reason(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=said) as caught:
        read_gguf(path)
    assert str(path) in str(caught.value)


def test_a_tensor_of_an_unknown_type_does_not_make_a_file_broken(tmp_path: Path) -> None:
    assert read_gguf(write_gguf(tmp_path / "a.gguf", kind=250)).parameters == 96


def test_what_is_not_there_and_a_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is not there; correct the path"):
        read_gguf(tmp_path / "none.gguf")
    with pytest.raises(ConfigurationError, match="a folder"):
        read_gguf(tmp_path)


@given(st.binary(max_size=300), st.integers(0, 400))
def test_no_bytes_break_the_reading(tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int) -> None:
    whole = gguf_bytes({name: value for name, value in SMALL.items() if not isinstance(value, list)})
    path = tmp_path_factory.getbasetemp() / "noise.gguf"
    path.write_bytes(whole[:at] + noise + whole[at + len(noise) :])
    with contextlib.suppress(ConfigurationError):
        assert read_gguf(path).size == path.stat().st_size


def test_a_file_is_read_again_once_it_changed(tmp_path: Path) -> None:
    first = read_gguf(write_gguf(tmp_path / "a.gguf"))
    assert read_gguf(tmp_path / "a.gguf") is first
    assert read_gguf(write_gguf(tmp_path / "a.gguf", SMALL | {"general.name": "Other"})).name == "Other"
