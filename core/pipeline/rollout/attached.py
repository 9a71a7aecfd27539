"""The files of a question as parts of a message, in OpenAI's form: images, texts with their name, PDF."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.types import Message
from modex.core.suite.attachments import IMAGES, MAX_BYTES, TEXTS, digest_of
from modex.core.suite.files import FileFaultError, decode, read_bytes
from modex.core.tools.base import ToolImage


def named(attached: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The attachments as a transcript names them, without their content."""
    return [{key: one.get(key) for key in ("name", "media_type", "size", "digest")} for one in attached]


def by_message(
    messages: Sequence[Message], attached: Sequence[Mapping[str, Any]], turns: int | None
) -> dict[int, list[Mapping[str, Any]]]:
    """The attachments by the index of the message that they go with.

    `turns` is how many of the last messages are the test's own; None where the question was written into another text, which
    all attachments then follow.
    """
    last = len(messages) - 1
    found: dict[int, list[Mapping[str, Any]]] = {}
    for one in attached:
        turn = one.get("turn")
        if turns is None:
            found.setdefault(last, []).append({**one, "at": None})
        else:
            found.setdefault(last if turn is None else len(messages) - turns + int(turn), []).append(one)
    return found


def with_parts(message: Message, attached: Sequence[Mapping[str, Any]]) -> Message:
    """The message with its attachments between its words, where the test put them.

    Raises:
        ModelCallError: a file is not there any more, or holds something else than when the run was planned.
    """
    text = str(message["content"])
    parts: list[dict[str, Any]] = []
    done = 0
    for one in sorted(attached, key=lambda one: _place(one, text)):
        at = _place(one, text)
        _add_text(parts, text[done:at])
        parts.append(_part(one))
        done = at
    _add_text(parts, text[done:])
    return {**message, "content": parts}


class ImagesMessage(dict[str, Any]):
    """A message with the images that tools answered with, behind their results: a tool's own message holds only text."""


def images_message(images: Sequence[tuple[str, ToolImage]]) -> ImagesMessage:
    """The images of the calls of one turn, each behind the name of its tool."""
    parts: list[dict[str, Any]] = []
    for tool, image in images:
        parts.append({"type": "text", "text": f"{image.name} of {tool}:"})
        parts.append({"type": "image_url", "image_url": {"url": _as_url(image.media_type, image.data)}})
    return ImagesMessage(role="user", content=parts)


def without_images(messages: Sequence[Message]) -> list[Message]:
    """The messages without those of tools' images, which the results name in words."""
    return [message for message in messages if not isinstance(message, ImagesMessage)]


def _as_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"


def _place(one: Mapping[str, Any], text: str) -> int:
    at = one.get("at")
    return len(text) if at is None else min(int(at), len(text))


def _add_text(parts: list[dict[str, Any]], text: str) -> None:
    if text.strip():
        parts.append({"type": "text", "text": text.strip("\n")})


def _part(one: Mapping[str, Any]) -> dict[str, Any]:
    name, media_type = str(one["name"]), str(one["media_type"])
    data = _content(one)
    if media_type in TEXTS.values():
        return {"type": "text", "text": f"File {name}:\n{decode(data)}"}
    url = _as_url(media_type, data)
    if media_type in IMAGES.values():
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "file", "file": {"filename": PurePath(name).name, "file_data": url}}


def _content(one: Mapping[str, Any]) -> bytes:
    """The file's bytes, which must be those that the fingerprint was made of."""
    if unsent := one.get("unsent"):
        raise ModelCallError(f"not asked, since its file is not sent to models: {unsent}", ErrorType.ATTACHMENT_REFUSED)
    try:
        data = read_bytes(str(one["path"]), MAX_BYTES)
    except FileFaultError as fault:
        raise ModelCallError(f"the attachment '{one['name']}': {fault.message}", ErrorType.INVALID_TEST) from None
    if digest_of(data) != one["digest"]:
        raise ModelCallError(
            f"the attachment '{one['name']}' has changed since the run was planned; continue the run to plan it again",
            ErrorType.INVALID_TEST,
        )
    return data
