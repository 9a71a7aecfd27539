"""What a server of the Model Context Protocol answered, block by block: texts as they are, images beside them, others in words.

https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from modex.core.suite.attachments import IMAGES, MAX_BYTES, MAX_TOGETHER
from modex.core.tools.base import ToolImage, ToolResult

_KINDS = frozenset(IMAGES.values())
_LONGEST_NAME = 200


def result_of(answer: Any) -> ToolResult:
    """The server's answer to a call as a tool's: no block of it is left out in silence.

    An image of a kind that models take (PNG, JPEG, GIF, WebP; 20 MB at most, 32 MB together) goes with it, named in the text
    by its number.
    """
    texts: list[str] = []
    images: list[ToolImage] = []
    for block in answer.content:
        kind = str(block.type)
        if kind == "text":
            texts.append(block.text)
        elif kind == "image":
            texts.append(_image(block, images))
        elif kind == "resource":
            texts.append(_resource(block.resource))
        elif kind == "resource_link":
            texts.append(f"[resource {_name(block.name)}: {_name(block.uri)}]")
        else:
            texts.append(f"[{_described(kind, getattr(block, 'mime_type', None), getattr(block, 'data', None))}]")
    if not texts and answer.structured_content is not None:
        texts = [json.dumps(answer.structured_content, ensure_ascii=False)]
    return ToolResult("\n".join(texts), is_error=bool(answer.is_error), images=tuple(images))


def _image(block: Any, images: list[ToolImage]) -> str:
    """The image in words, kept where it is one that models take."""
    described = _described("image", block.mime_type, block.data)
    try:
        data = base64.b64decode(block.data, validate=True)
    except (binascii.Error, ValueError, TypeError):
        return f"[{described}; not shown: it is no base64]"
    if block.mime_type not in _KINDS:
        return f"[{described}; not shown: models take PNG, JPEG, GIF and WebP]"
    if not data or len(data) > MAX_BYTES or sum(len(one.data) for one in images) + len(data) > MAX_TOGETHER:
        return f"[{described}; not shown: {'too large' if data else 'it is empty'}]"
    images.append(ToolImage(f"image {len(images) + 1}", block.mime_type, data))
    return f"[{described.replace('image', images[-1].name, 1)}]"


def _resource(resource: Any) -> str:
    """A resource within an answer: its text, else its name."""
    text = getattr(resource, "text", None)
    if isinstance(text, str):
        return text
    described = _described("resource", getattr(resource, "mime_type", None), getattr(resource, "blob", None))
    return f"[{described}: {_name(resource.uri)}]"


def _described(kind: str, media_type: Any, data: Any) -> str:
    size = f", {len(data.rstrip('=')) * 3 // 4:,} bytes" if isinstance(data, str) else ""
    return f"{kind} ({_name(media_type)}{size})" if media_type else kind


def _name(value: Any) -> str:
    return str(value)[:_LONGEST_NAME]
