"""Discovery and social sentiment: the pages and posts of the snapshot, searched and read."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from .answer import Answer, Arguments, choice_of, day_of, number_of, page_of, span_of, text_of, tool
from .snapshot import WorldError, read_data, world
from .textsearch import TextIndex

SNIPPET_CHARS = 240
PAGE_CHARS = 4_000


@lru_cache(maxsize=1)
def pages() -> list[dict[str, Any]]:
    """Every page: `url`, `title`, `site`, `published`, `text`."""
    rows: list[dict[str, Any]] = read_data("pages.json")
    return rows


@lru_cache(maxsize=1)
def posts() -> list[dict[str, Any]]:
    """Every post, oldest first."""
    rows: list[dict[str, Any]] = read_data("posts.json")
    return rows


@lru_cache(maxsize=1)
def _page_index() -> TextIndex:
    return TextIndex([f"{page['title']} {page['title']} {page['text']}" for page in pages()])


@lru_cache(maxsize=1)
def _post_index() -> TextIndex:
    return TextIndex([f"{post['text']} {' '.join(post['symbols'])} {post['author']}" for post in posts()])


@tool
def web_search(arguments: Arguments) -> Answer:
    """Pages ranked by BM25, with snippets."""
    query = text_of(arguments, "query")
    site = arguments.get("site")
    first = day_of(arguments, "published_after", world().start)
    hits = []
    for hit in _page_index().search(query):
        page = pages()[hit.position]
        if (site is None or page["site"] == site) and page["published"] >= first.isoformat():
            text = page["text"]
            snippet = text if len(text) <= SNIPPET_CHARS else text[:SNIPPET_CHARS].rsplit(" ", 1)[0] + " …"
            row = {key: page[key] for key in ("title", "url", "site", "published")}
            hits.append({**row, "score": round(hit.score, 3), "snippet": snippet})
    shown, facts = page_of(hits, arguments, 5, 20)
    return {"query": query, "results": shown, **facts}


@tool
def url_content(arguments: Arguments) -> Answer:
    """The text of one page, in parts."""
    url = text_of(arguments, "url").split("#")[0].rstrip("/")
    page = next((page for page in pages() if page["url"] == url.replace("http://", "https://")), None)
    if page is None:
        near = _page_index().search(url.rsplit("/", 1)[-1].replace("-", " "))[:3]
        hint = f"; perhaps {', '.join(pages()[hit.position]['url'] for hit in near)}" if near else ""
        raise WorldError(f"the snapshot has no page {url[:120]!r}{hint}; web_search finds the urls that exist")
    offset = number_of(arguments, "offset", 0, 0, 10_000_000)
    text = page["text"]
    facts: dict[str, Any] = {"total_characters": len(text), "offset": offset}
    if offset + PAGE_CHARS < len(text):
        facts["next_offset"] = offset + PAGE_CHARS
    row = {key: page[key] for key in ("title", "url", "published")}
    return {**row, "text": text[offset : offset + PAGE_CHARS], **facts}


@tool
def trending_topics(arguments: Arguments) -> Answer:
    """Tokens by how many posts mention them in a period, against the period before."""
    last = world().index(day_of(arguments, "end_date", world().today))
    days = number_of(arguments, "days", 7, 1, 90)
    recent = _mentions(last - days + 1, last)
    before = _mentions(last - 2 * days + 1, last - days)
    rows = []
    for symbol in sorted(recent, key=lambda symbol: (-len(recent[symbol]), symbol)):
        found = recent[symbol]
        mood = sum(post["sentiment"] for post in found) / len(found)
        rows.append(
            {
                "symbol": symbol,
                "name": world().tokens[symbol].name,
                "posts": len(found),
                "posts_in_previous_period": len(before.get(symbol, [])),
                "likes": sum(post["likes"] for post in found),
                "mean_sentiment": round(mood, 3),
            }
        )
    shown, facts = page_of(rows, arguments, 10, 50)
    period = {"from": world().day(max(0, last - days + 1)).isoformat(), "to": world().day(last).isoformat()}
    return {"period": period, "topics": shown, **facts}


def _mentions(first: int, last: int) -> dict[str, list[dict[str, Any]]]:
    if last < 0:
        return {}
    begin, end = world().day(max(0, first)).isoformat(), world().day(last).isoformat()
    found: dict[str, list[dict[str, Any]]] = {}
    for post in posts():
        if begin <= post["time"][:10] <= end:
            for symbol in post["symbols"]:
                found.setdefault(symbol, []).append(post)
    return found


@tool
def social_search(arguments: Arguments) -> Answer:
    """Posts that match words, a token or an author, with the sentiment of all that match."""
    query, symbol, author = arguments.get("query"), arguments.get("symbol"), arguments.get("author")
    if query is None and symbol is None and author is None:
        raise WorldError("give at least one of query, symbol and author")
    order = choice_of(arguments, "sort_by", "newest", ("newest", "oldest", "likes", "relevance"))
    first, last = span_of(arguments, world().days)
    begin, end = world().day(first).isoformat(), world().day(last).isoformat()
    token = world().token(str(symbol)).symbol if symbol is not None else None
    ranked = [hit.position for hit in _post_index().search(str(query))] if query is not None else range(len(posts()))
    found = [posts()[position] for position in ranked]
    found = [post for post in found if begin <= post["time"][:10] <= end]
    found = [post for post in found if token is None or token in post["symbols"]]
    if author is not None:
        wanted = str(author).casefold().lstrip("@")
        found = [post for post in found if wanted in (post["handle"].casefold().lstrip("@"), post["author"].casefold())]
    if order == "likes":
        found.sort(key=lambda post: (-post["likes"], post["id"]))
    elif order != "relevance":
        found.sort(key=lambda post: post["id"], reverse=order == "newest")
    shown, facts = page_of(found, arguments, 10, 50)
    return {"sentiment": _sentiment(found), "posts": shown, **facts}


@tool
def curated_streams(arguments: Arguments) -> Answer:
    """The posts of one stream of known authors, newest first; without a stream, the streams there are."""
    streams = Counter(post["stream"] for post in posts())
    name = arguments.get("stream")
    if name is None:
        return {"streams": [{"stream": key, "posts": count} for key, count in sorted(streams.items())]}
    if name not in streams:
        raise WorldError(f"unknown stream {str(name)[:40]!r}; there are: {', '.join(sorted(streams))}")
    first, last = span_of(arguments, 30)
    begin, end = world().day(first).isoformat(), world().day(last).isoformat()
    found = [post for post in posts() if post["stream"] == name and begin <= post["time"][:10] <= end]
    found.reverse()
    shown, facts = page_of(found, arguments, 10, 50)
    return {"stream": name, "sentiment": _sentiment(found), "posts": shown, **facts}


def _sentiment(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts by sign and the plain mean, from −1 to 1."""
    values = [post["sentiment"] for post in found]
    return {
        "posts": len(values),
        "positive": sum(value > 0 for value in values),
        "neutral": sum(value == 0 for value in values),
        "negative": sum(value < 0 for value in values),
        "mean": round(sum(values) / len(values), 3) if values else None,
        "likes": sum(post["likes"] for post in found),
    }
