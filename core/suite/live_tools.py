"""The two tools that reach the real web, as every suite may name them; `modex.core.tools.live` answers them."""

from __future__ import annotations

from modex.core.suite.definitions import Location, ToolDefinition

_TEXT = {"type": "string"}
LIVE_TOOLS: dict[str, ToolDefinition] = {
    tool.id: tool
    for tool in (
        ToolDefinition(
            id="live_web_search",
            name="web_search",
            description="Search the web. Returns titles, addresses and excerpts of pages.",
            parameters={"type": "object", "properties": {"query": _TEXT}, "required": ["query"]},
            location=Location("(built in)"),
            handler="live:web_search",
            category="live",
            read_only=True,
        ),
        ToolDefinition(
            id="live_url_content",
            name="url_content",
            description="Fetch a public web page and return its text.",
            parameters={"type": "object", "properties": {"url": _TEXT}, "required": ["url"]},
            location=Location("(built in)"),
            handler="live:url_content",
            category="live",
            read_only=True,
        ),
    )
}
"""The tools by id; every suite may name them."""
