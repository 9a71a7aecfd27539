"""Pages and posts whose figures are read from the snapshot, so that texts and tools tell the same."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

from plugins.crypto_world.snapshot import Token, World
from plugins.crypto_world.supply import unlocks
from tests.plugins.crypto_world.making import recipe

_MONTHS = ("January", "February", "March", "April", "May", "June")
_SECURITY = ("causeway-exploit", "causeway-postmortem", "sigil-delay", "quarry-audit")
_CHAIN_TOKENS = ("AUR", "BOR", "DOV", "EST")


def make_pages(world: World) -> list[dict[str, Any]]:
    """Every page: `url`, `title`, `site`, `published`, `text`."""
    pages = [_token_page(world, token) for token in world.tokens.values()]
    pages += [_protocol_page(world, name) for name in world.protocols]
    pages += [_chain_page(world, name) for name in world.chains]
    pages += [
        _page(
            "ledgerpost.example",
            f"{story['date'].replace('-', '/')}/{story['slug']}",
            story["title"],
            story["date"],
            story["text"],
        )
        for story in recipe.STORIES
    ]
    pages += [_wrap_page(world, f"2026-{month:02}", name) for month, name in enumerate(_MONTHS, 1)]
    return pages


def _page(site: str, path: str, title: str, published: str, text: str) -> dict[str, Any]:
    return {"url": f"https://{site}/{path}", "title": title, "site": site, "published": published, "text": text}


def _token_page(world: World, token: Token) -> dict[str, Any]:
    project = recipe.PROJECTS[token.symbol]
    founder, raised = project["founder"], project["raised_usd"]
    lines = [f"{token.name} ({token.symbol}) is {project['what']}. Its home chain is {world.chains[token.chain].name}."]
    lines.append(
        f"It was founded by {founder} in {project['city']}."
        if "anonymous" not in founder
        else f"It was made by {founder}."
    )
    if raised:
        lines.append(f"The project raised {raised:,} USD in a round led by {project['investor']}.")
    if token.max_supply is not None and token.tge is not None:
        parts = ", ".join(f"{part.name.lower()} {part.percent} percent" for part in token.allocations)
        lines.append(f"The maximum supply is {token.max_supply:,} {token.symbol}, generated on {token.tge}: {parts}.")
        if unlocks(token)[-1].day > world.today:
            lines.append(f"The last tokens unlock on {unlocks(token)[-1].day}.")
    elif token.issue is not None:
        lines.append(f"There is no maximum supply; {token.issue['daily_issue']:,} {token.symbol} are issued every day.")
    else:
        lines.append(f"{token.symbol} is minted and redeemed on demand and has no maximum supply.")
    if token.burn is not None:
        source = "the chain's fees" if token.burn.kind == "chain_fees" else "the protocol's revenue, by buying back"
        lines.append(f"A share of {token.burn.share:.0%} of {source} is burned.")
    path = f"tokens/{token.symbol.lower()}"
    return _page("almanac.example", path, f"{token.name} ({token.symbol})", "2026-06-30", " ".join(lines))


def _protocol_page(world: World, name: str) -> dict[str, Any]:
    spec = world.protocols[name]
    chains = ", ".join(world.chains[chain].name for chain in spec.chains)
    tvl = world.activity[name]["tvl_usd"][-1]
    lines = [
        f"{spec.name} is a {spec.category} protocol on {chains}.",
        f"It keeps {spec.take_rate:.0%} of the fees its users pay as revenue and leaves the rest to suppliers.",
        f"On 2026-06-30 it held {tvl / 1e6:,.1f} million USD.",
    ]
    if spec.trade_fee is not None:
        lines.append(f"Its trade fee is {spec.trade_fee * 100:.2f} percent of volume.")
    if spec.token is not None:
        lines.append(f"Its governance token is {spec.token}.")
    return _page("almanac.example", f"protocols/{name}", f"{spec.name} protocol", "2026-06-30", " ".join(lines))


def _chain_page(world: World, name: str) -> dict[str, Any]:
    chain = world.chains[name]
    text = (
        f"{chain.name} is a {chain.kind} chain whose block 0 was produced on {chain.genesis} at 00:00:00 UTC. "
        f"A block is produced exactly every {chain.block_seconds} second{'s' * (chain.block_seconds != 1)}. "
        f"Fees are paid in {chain.native}. "
        f"Explorer, block and address formats: hashes have 64 and addresses 40 hexadecimal digits after 0x."
    )
    return _page(f"docs.{name}.example", "network", f"{chain.name} network parameters", "2026-06-01", text)


def _wrap_page(world: World, month: str, name: str) -> dict[str, Any]:
    days = [index for index in range(world.days) if world.day(index).isoformat().startswith(month)]
    moves = {
        symbol: (world.close(symbol, days[-1]) / world.close(symbol, days[0] - 1) - 1) * 100
        for symbol, token in world.tokens.items()
        if token.category != "stablecoin"
    }
    order = sorted(moves, key=lambda symbol: -moves[symbol])
    text = (
        f"AUR moved {moves['AUR']:+.1f} percent in {name} 2026. The three best tokens of the month were "
        + ", ".join(f"{symbol} ({moves[symbol]:+.1f} percent)" for symbol in order[:3])
        + "; the three worst were "
        + ", ".join(f"{symbol} ({moves[symbol]:+.1f} percent)" for symbol in reversed(order[-3:]))
        + ". Stablecoins are left out; changes are from the last close of the month before to the last close of the month."
    )
    published = (world.day(days[-1])).isoformat()
    return _page("longshore.example", f"wraps/{month}", f"Market wrap: {name} 2026", published, text)


def make_posts(world: World) -> list[dict[str, Any]]:
    """Every post, oldest first, with its stream, tokens, sentiment, likes and reposts."""
    rng = random.Random(recipe.SEED + 2)
    posts = [post for story in recipe.STORIES for post in _story_posts(world, rng, story)]
    symbols = [symbol for symbol, token in world.tokens.items() if token.category != "stablecoin"]
    for _ in range(330):
        posts.append(_opinion(world, rng, world.tokens[rng.choice(symbols)]))
    for token in world.tokens.values():
        for row in unlocks(token):
            if world.ledger_start <= row.day <= world.today and rng.random() < 0.3:
                text = f"{row.amount:,} ${token.symbol} left the {row.allocation} lock today."
                time = f"{row.day}T12:0{rng.randrange(10)}:00Z"
                whale = _post(
                    rng, time=time, stream="whale-watch", symbol=token.symbol, sentiment=-0.1, reach=60, text=text
                )
                posts.append(whale)
    posts.sort(key=lambda post: (post["time"], post["handle"], post["text"]))
    return [{"id": f"p{number:04}", **post} for number, post in enumerate(posts, 1)]


def _post(
    rng: random.Random, *, time: str, stream: str, symbol: str, sentiment: float, reach: int, text: str
) -> dict[str, Any]:
    handle, author = rng.choice(recipe.AUTHORS[stream])
    likes = round(reach * rng.uniform(0.3, 3.0))
    return {
        "time": time, "author": author, "handle": handle, "stream": stream, "symbols": [symbol],
        "sentiment": sentiment, "likes": likes, "reposts": round(likes * rng.uniform(0.05, 0.3)), "text": text,
    }  # fmt: skip


def _opinion(world: World, rng: random.Random, token: Token) -> dict[str, Any]:
    index = rng.randrange(world.days - 90, world.days)
    price = world.close(token.symbol, index)
    template, sentiment = rng.choice(recipe.OPINIONS)
    text = template.replace("${symbol}", f"${token.symbol}").format(
        price=f"{price:,.10g}",
        name=token.name,
        chain=world.chains[token.chain].name,
        change=f"{(price / world.close(token.symbol, index - 1) - 1) * 100:+.1f}",
        week=f"{(price / world.close(token.symbol, index - 7) - 1) * 100:+.1f}",
    )
    time = f"{world.day(index)}T23:{rng.randrange(60):02}:{rng.randrange(60):02}Z"
    stream = rng.choice(["traders", "traders", "research"])
    return _post(rng, time=time, stream=stream, symbol=token.symbol, sentiment=sentiment, reach=120, text=text)


def _story_posts(world: World, rng: random.Random, story: dict[str, Any]) -> list[dict[str, Any]]:
    """A post with the story's title on its day, and a few that pass it on."""
    when, title, symbol, mood = story["date"], story["title"], story["symbol"], story["mood"]
    stream = "security" if story["slug"] in _SECURITY else "governance"
    stream = "core-devs" if symbol in _CHAIN_TOKENS else stream
    time = f"{when}T15:{rng.randrange(60):02}:00Z"
    posts = [_post(rng, time=time, stream=stream, symbol=symbol, sentiment=mood, reach=900, text=f"{title}. ${symbol}")]
    for _ in range(rng.randrange(2, 6)):
        late = world.day(min(world.days - 1, world.index(date.fromisoformat(when)) + rng.randrange(4)))
        words = rng.choice(["Reading up on this", "Big if it holds", "My timeline is only this today", "Thread soon"])
        text = f"{words}: {title.lower()}. ${symbol}"
        time = f"{late}T{rng.randrange(16, 24)}:{rng.randrange(60):02}:00Z"
        posts.append(_post(rng, time=time, stream="traders", symbol=symbol, sentiment=mood, reach=200, text=text))
    return posts
