from __future__ import annotations

import math
from itertools import pairwise

from tests.suite.crypto_golds.asking import JUNE, ask, close, closes, gold, top


@gold("tr-01")
def aur_at_new_year() -> str:
    return f"{close('AUR', '2025-12-31'):,.2f} USD"


@gold("tr-02")
def cnd_high_of_may() -> str:
    summary = ask("historical_prices", symbol="CND", start_date="2026-05-01", end_date="2026-05-31")["summary"]
    return f"{summary['highest']:,.2f} USD"


@gold("tr-03")
def best_token_of_thirty_days() -> str:
    rows = ask("market_rankings", sort_by="change_30d", limit=25)["rows"]
    best = top(rows, lambda row: float(row["change_30d_percent"]))
    return f"{best['symbol']}, {best['change_30d_percent']:+.2f} percent"


@gold("tr-04")
def synp_on_partnership_day() -> str:
    alerts = ask("volatility_alerts", symbol="SYNP", start_date="2026-03-10", end_date="2026-03-10")["alerts"]
    return f"{alerts[0]['change_percent']:+.2f} percent"


@gold("tr-05")
def rsi_of_aur() -> str:
    return f"{ask('technical_indicators', symbol='AUR', indicator='rsi')['rows'][0]['rsi']:.2f}"


@gold("tr-06")
def most_mentioned_token() -> str:
    topics = ask("trending_topics", days=90, limit=50)["topics"]
    best = top(topics, lambda row: float(row["posts"]))
    return f"{best['symbol']}, {best['posts']} posts"


@gold("tr-07")
def width_of_est_bands() -> str:
    row = ask("technical_indicators", symbol="EST", indicator="bollinger")["rows"][0]
    return f"{(row['upper'] - row['lower']) / row['middle'] * 100:.2f} percent"


@gold("tr-08")
def wild_moth_days() -> str:
    answer = ask("volatility_alerts", symbol="MOTH", start_date="2026-04-01", end_date="2026-06-30", limit=100)
    return f"{answer['total']} days"


@gold("tr-09")
def most_bullish_synp_day() -> str:
    best = top(ask("trader_positioning", symbol="SYNP", days=30)["rows"], lambda row: float(row["long_percent"]))
    return f"{best['date']}, {best['long_percent']:.2f} percent"


@gold("tr-10")
def most_volatile_base_chain() -> str:
    measured = ask("volatility_alerts", volatility_days=90)["realised_volatility_percent_annualised"]["by_symbol"]
    chains = {symbol: measured[symbol] for symbol in ("AUR", "CND", "EST", "BOR", "DOV")}
    best = top(chains.items(), lambda item: float(item[1]))
    return f"{best[0]}, {best[1]:.2f} percent"


@gold("tr-11")
def mood_after_the_exploit() -> str:
    week = {"start_date": "2026-05-14", "end_date": "2026-05-20"}
    mood = ask("social_search", symbol="CAUS", **week)["sentiment"]["mean"]
    change = (close("CAUS", "2026-05-20") / close("CAUS", "2026-05-13") - 1) * 100
    return f"mean sentiment {mood:.3f}, price {change:+.2f} percent"


@gold("tr-12")
def hrn_averages() -> str:
    line = {
        period: ask("technical_indicators", symbol="HRN", indicator="sma", period=period)["rows"][0]["sma"]
        for period in (50, 200)
    }
    side = "above" if line[50] > line[200] else "below"
    return f"{abs(line[50] / line[200] - 1) * 100:.2f} percent {side}"


@gold("tr-13")
def volt_drawdown() -> str:
    worst, peak = 0.0, 0.0
    for value in closes("VOLT", "2026-01-01", "2026-06-30"):
        peak = max(peak, value)
        worst = min(worst, value / peak - 1)
    return f"{worst * 100:.2f} percent"


@gold("tr-14")
def correlation_of_aur_and_cnd() -> str:
    first, second = (
        [new / old - 1 for old, new in pairwise(closes(symbol, "2026-05-31", JUNE["end_date"]))]
        for symbol in ("AUR", "CND")
    )
    assert len(first) == len(second) == 30
    means = math.fsum(first) / 30, math.fsum(second) / 30
    cross = math.fsum((a - means[0]) * (b - means[1]) for a, b in zip(first, second, strict=True))
    squares = math.fsum((a - means[0]) ** 2 for a in first) * math.fsum((b - means[1]) ** 2 for b in second)
    return f"{cross / math.sqrt(squares):.3f}"
