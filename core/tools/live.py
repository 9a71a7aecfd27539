"""Two tools that reach the real web: `live_web_search` and `live_url_content`. Off unless a test or `--tool` names them.

The search asks an endpoint of the user's choice (`MODEX_SEARCH_URL`, with `{query}` where the words go); the reader fetches one
page, bounded in size and time, and never an address of a private network.
"""

from __future__ import annotations

import ipaddress
import json
import os
import socket
import time
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from modex.core.tools.base import ToolHandler, ToolResult, ToolSession

SEARCH_URL = "MODEX_SEARCH_URL"
SEARCH_KEY = "MODEX_SEARCH_KEY"
ALLOW_PRIVATE = "MODEX_LIVE_ALLOW_PRIVATE"
MAX_BYTES = 2 * 1024 * 1024
MAX_TEXT = 40_000
TIMEOUT_S = 20.0
_REDIRECTS = 5
_RESULTS = 10
_SKIPPED = frozenset({"script", "style", "noscript", "template", "svg", "head"})


class _LiveError(Exception):
    """What goes back to the model as a tool error."""


def live_handler(handler_id: str) -> ToolHandler | None:
    """The handler of a live tool, or None."""
    return {"live:web_search": web_search, "live:url_content": url_content}.get(handler_id)


def live_unavailable(handler_id: str) -> str | None:
    """Why a live tool cannot be used here, or None."""
    if handler_id == "live:web_search" and "{query}" not in os.environ.get(SEARCH_URL, ""):
        return (
            f"searching the web needs an endpoint: set {SEARCH_URL} to its address, with {{query}} where the words go"
        )
    return None


def web_search(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
    """Ask the endpoint for `arguments["query"]`: at most ten results with title, url and text."""
    del session
    query = str(arguments.get("query", ""))[:400]
    address = os.environ[SEARCH_URL].replace("{query}", quote(query))
    key = os.environ.get(SEARCH_KEY)
    headers = {"Accept": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    try:
        # The endpoint is the user's own choice, and may well stand on this machine.
        _, body, _ = _get(address, headers, private=True)
        found = _results(json.loads(body))
    except (_LiveError, ValueError) as error:
        return _error(f"the search failed: {error}")
    return ToolResult(json.dumps({"results": found}, ensure_ascii=False))


def url_content(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
    """Fetch `arguments["url"]`: its text, at most 40,000 characters of at most 2 MB, within 20 s."""
    del session
    address = str(arguments.get("url", "")).strip()
    end = time.monotonic() + TIMEOUT_S
    try:
        for _ in range(_REDIRECTS + 1):
            kind, body, moved = _get(address, {"Accept": "text/html,text/*,application/json"}, end=end)
            if moved is None:
                text = _readable(kind, body)
                return ToolResult(json.dumps({"url": address, "content": text[:MAX_TEXT]}, ensure_ascii=False))
            address = _joined(address, moved)
        raise _LiveError(f"more than {_REDIRECTS} redirections")
    except _LiveError as error:
        return _error(str(error))


def _joined(address: str, moved: str) -> str:
    try:
        return urljoin(address, moved)
    except ValueError:
        raise _LiveError(f"{address[:200]} leads to what is no address: {moved[:200]!r}") from None


def _get(
    address: str, headers: dict[str, str], *, private: bool = False, end: float | None = None
) -> tuple[str, bytes, str | None]:
    """The kind and body of a page, or where it has moved to.

    The connection goes to the very address that was checked, so that a name cannot point elsewhere in between.

    Raises:
        _LiveError: no such page, too large, too slow, or an address that may not be asked.
    """
    import urllib3

    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and not parts.username and parts.port != 0
    except ValueError:  # a port that is none, a bracket that is not closed
        usable = False
    if not usable or parts.hostname is None:
        raise _LiveError(f"{address[:200]!r} is no http(s) address")
    end = end or time.monotonic() + TIMEOUT_S
    host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    place = _public(host, port, private=private or os.environ.get(ALLOW_PRIVATE) == "1")
    left = max(0.1, end - time.monotonic())
    timeout = urllib3.Timeout(total=left)
    if parts.scheme == "https":
        import certifi

        pool: Any = urllib3.HTTPSConnectionPool(
            place,
            port,
            timeout=timeout,
            retries=False,
            server_hostname=host,
            assert_hostname=host,
            ca_certs=certifi.where(),
        )
    else:
        pool = urllib3.HTTPConnectionPool(place, port, timeout=timeout, retries=False)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    named = f"{host}:{parts.port}" if parts.port else host
    try:
        reply = pool.urlopen(
            "GET",
            path,
            headers={"Host": named, "User-Agent": "modex", **headers},
            redirect=False,
            preload_content=False,
        )
        try:
            if reply.status in (301, 302, 303, 307, 308) and (moved := reply.headers.get("Location")):
                return "", b"", moved
            if reply.status >= 400:
                raise _LiveError(f"{address[:200]}: HTTP {reply.status}")
            return reply.headers.get("Content-Type", ""), _body(reply, end), None
        finally:
            reply.close()
    except urllib3.exceptions.HTTPError as error:
        raise _LiveError(f"{address[:200]}: {type(error).__name__}") from None
    finally:
        pool.close()


def _body(reply: Any, end: float) -> bytes:
    body = bytearray()
    for part in reply.stream(65_536, decode_content=True):
        body += part
        if len(body) > MAX_BYTES:
            raise _LiveError(f"the page has more than {MAX_BYTES // 1024 // 1024} MB")
        if time.monotonic() > end:
            raise _LiveError(f"the page takes more than {TIMEOUT_S:g} s")
    return bytes(body)


def _public(host: str, port: int, *, private: bool) -> str:
    """The address of `host` that is asked, where all its addresses are of the public internet.

    Raises:
        _LiveError: there is no such host, or it stands in a private network.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise _LiveError(f"there is no host {host!r}") from None
    addresses = [str(entry[4][0]) for entry in found]
    if not private and not all(_is_global(address) for address in addresses):
        raise _LiveError(f"{host} stands in a private network, which this tool does not enter")
    return addresses[0]


def _is_global(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None) or ip
    return bool(inner.is_global) and not inner.is_multicast


def _results(answer: Any) -> list[dict[str, str]]:
    """The results in the answer of a search endpoint, whatever it calls them."""
    for path in (("results",), ("items",), ("organic",), ("organic_results",), ("web", "results"), ("data",)):
        here = answer
        for name in path:
            here = here.get(name) if isinstance(here, dict) else None
        if isinstance(here, list):
            answer = here
            break
    if not isinstance(answer, list):
        raise _LiveError("the endpoint's answer holds no list of results")
    named = {
        "title": ("title", "name"),
        "url": ("url", "link", "href"),
        "text": ("snippet", "content", "description", "text"),
    }
    return [
        {
            key: next((str(item[name])[:1000] for name in names if isinstance(item.get(name), str)), "")
            for key, names in named.items()
        }
        for item in answer[:_RESULTS]
        if isinstance(item, dict)
    ]


class _Text(HTMLParser):
    """The text of a page, without what is not read."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count what is hidden; a block begins a line."""
        del attrs
        self._hidden += tag in _SKIPPED
        if tag in ("p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4"):
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """Leave what was hidden."""
        self._hidden = max(0, self._hidden - (tag in _SKIPPED))

    def handle_data(self, data: str) -> None:
        """Keep what is read."""
        if not self._hidden:
            self.parts.append(data)


def _readable(kind: str, body: bytes) -> str:
    base = kind.partition(";")[0].strip().lower()
    charset = kind.lower().partition("charset=")[2].partition(";")[0].strip(" \"'") or "utf-8"
    if (
        base
        and not base.startswith("text/")
        and base not in ("application/json", "application/xml", "application/xhtml+xml")
    ):
        raise _LiveError(f"the page is {base}, which is no text")
    try:
        text = body.decode(charset, errors="replace")
    except LookupError:
        text = body.decode(errors="replace")
    if "html" in base or text.lstrip()[:15].lower().startswith(("<!doctype", "<html")):
        parser = _Text()
        parser.feed(text)
        text = "".join(parser.parts)
    return "\n".join(line for line in (" ".join(line.split()) for line in text.splitlines()) if line)


def _error(message: str) -> ToolResult:
    return ToolResult(json.dumps({"error": message}, ensure_ascii=False), is_error=True)
