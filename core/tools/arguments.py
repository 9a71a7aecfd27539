"""A model's raw arguments → validated values, or a message that helps the model to call again."""

from __future__ import annotations

from typing import Any

from modex.core.jsonvalues.jsonargs import decode_arguments, schema_faults
from modex.core.suite.definitions import ToolDefinition


def parse_arguments(text: str, tool: ToolDefinition) -> dict[str, Any] | str:
    """The arguments that `text` holds, valid under the tool's JSON Schema, or what is wrong with them.

    Nothing is repaired: text that is not JSON goes back to the model. Empty text and null are an empty object.
    """
    decoded = decode_arguments(text)
    if isinstance(decoded, str):
        return f"{tool.name}: {decoded}"
    faults = schema_faults(decoded, tool.parameters)
    return f"{tool.name}: {'; '.join(faults)}" if faults else decoded
