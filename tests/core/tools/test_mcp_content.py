"""What a server of the Model Context Protocol answered: texts, images, and others in words."""

from __future__ import annotations

import base64
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.tools import mcp_content
from modex.core.tools.base import ToolImage
from modex.core.tools.mcp_content import result_of
from tests.rows import each_row

PNG = base64.b64encode(b"abcdef").decode()


def block(kind: str, **fields: Any) -> SimpleNamespace:
    return SimpleNamespace(type=kind, **fields)


def image(data: Any = PNG, mime_type: str = "image/png") -> SimpleNamespace:
    return block("image", data=data, mime_type=mime_type)


def answer(*blocks: SimpleNamespace, structured: Any = None, fault: bool | None = None) -> Any:
    return SimpleNamespace(content=list(blocks), structured_content=structured, is_error=fault)


@each_row(
    ("blocks", "structured", "text", "shown"),
    [
        ([block("text", text="a"), image(), block("text", text="b")], None, "a\n[image 1 (image/png, 6 bytes)]\nb", 1),
        ([image(), image(mime_type="image/jpeg")], None,
         "[image 1 (image/png, 6 bytes)]\n[image 2 (image/jpeg, 6 bytes)]", 2),
        ([image(mime_type="image/svg+xml")], None,
         "[image (image/svg+xml, 6 bytes); not shown: models take PNG, JPEG, GIF and WebP]", 0),
        ([image("?!")], None, "[image (image/png, 1 bytes); not shown: it is no base64]", 0),
        ([image("")], None, "[image (image/png, 0 bytes); not shown: it is empty]", 0),
        ([block("audio", data=PNG, mime_type="audio/wav")], None, "[audio (audio/wav, 6 bytes)]", 0),
        ([block("resource", resource=SimpleNamespace(uri="f:/a", mime_type="text/plain", text="inside"))], None, "inside", 0),
        ([block("resource", resource=SimpleNamespace(uri="f:/a", mime_type="application/pdf", blob=PNG))], None,
         "[resource (application/pdf, 6 bytes): f:/a]", 0),
        ([block("resource_link", name="n", uri="f:/a")], None, "[resource n: f:/a]", 0),
        ([block("new")], None, "[new]", 0),
        ([], {"ä": 1}, '{"ä": 1}', 0),
        ([block("text", text="a")], {"b": 1}, "a", 0),
        ([], None, "", 0),
    ],
)  # fmt: skip
@each_row("fault", [False, True, None])
def test_no_block_of_an_answer_is_left_out_in_silence(
    blocks: list[SimpleNamespace], structured: Any, text: str, shown: int, fault: bool | None
) -> None:
    found = result_of(answer(*blocks, structured=structured, fault=fault))
    assert (found.content, found.is_error, len(found.images)) == (text, bool(fault), shown)


def test_an_image_is_kept_as_its_bytes() -> None:
    assert result_of(answer(image())).images == (ToolImage("image 1", "image/png", b"abcdef"),)


def test_images_that_are_too_large_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_content, "MAX_TOGETHER", 10)
    found = result_of(answer(image(), image()))
    assert len(found.images) == 1
    assert found.content.endswith("[image (image/png, 6 bytes); not shown: too large]")
    monkeypatch.setattr(mcp_content, "MAX_BYTES", 5)
    assert not result_of(answer(image())).images
