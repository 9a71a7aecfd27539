"""What the questions on the parcel carrier's database ask, computed in plain Python from its tables: no SQL, no window."""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

Row = dict[str, Any]
Tables = dict[str, list[Row]]
Answer = list[tuple[Any, ...]]


def read_tables(schema: str, seed: str) -> Tables:
    """Every table of a database, its rows as dictionaries."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.row_factory = sqlite3.Row
        connection.executescript(schema)
        connection.executescript(seed)
        names = [row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def day(text: str) -> date:
    return date.fromisoformat(text)


def shift_month(month: str, by: int) -> str:
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 + by, 12)
    return f"{year:04}-{number + 1:02}"


def local(tables: Tables, region: int, at: str) -> datetime:
    """The local time of a region at a moment."""
    rows = [row for row in tables["offsets"] if row["region_id"] == region and row["from_utc"] <= at]
    return moment(at) + timedelta(minutes=max(rows, key=lambda row: row["from_utc"])["minutes"])


def region_of(tables: Tables) -> dict[int, int]:
    return {depot["id"]: depot["region_id"] for depot in tables["depots"]}


def home_of(tables: Tables) -> dict[int, int | None]:
    return {customer["id"]: customer["depot_id"] for customer in tables["customers"]}


def scans_of(tables: Tables, parcel: int) -> list[Row]:
    """A parcel's scans, in the order of time, then id."""
    return sorted((s for s in tables["scans"] if s["parcel_id"] == parcel), key=lambda s: (s["at"], s["id"]))


def half_away(value: Fraction, digits: int) -> float:
    """`value` rounded to `digits` decimals, halves away from zero."""
    scaled = value * 10**digits
    whole = math.floor(abs(scaled) + Fraction(1, 2))
    return float(Fraction(whole if scaled >= 0 else -whole, 10**digits))


def busiest_local_day(tables: Tables, first: bool, every: bool) -> Answer:
    days: dict[int, dict[date, int]] = {region["id"]: defaultdict(int) for region in tables["regions"]}
    for parcel in tables["parcels"]:
        delivered = [s for s in scans_of(tables, parcel["id"]) if s["kind"] == "delivered"]
        if delivered:
            scan = delivered[0 if first else -1]
            region = region_of(tables)[scan["depot_id"]]
            days[region][local(tables, region, scan["at"]).date()] += 1
    answer: Answer = []
    for region, counts in days.items():
        most = max(counts.values(), default=0)
        best = sorted(one for one, count in counts.items() if count == most)
        answer += [(region, str(one), most) for one in (best if every else best[:1])] or [(region, None, 0)]
    return answer


def billed_by_contract(tables: Tables, begin: str, end: str, half: bool, one: bool) -> Answer:
    cents = {customer["id"]: 0 for customer in tables["customers"]}
    for parcel in tables["parcels"]:
        sent = parcel["sent_at"][:10]
        if not begin <= sent <= end or (parcel["grams"] is None and not one):
            continue
        kilograms = math.ceil(Fraction(parcel["grams"] or 1, 1000))
        rates = [t for t in tables["tariffs"] if t["service"] == parcel["service"] and t["valid_from"] <= sent]
        rate = max(rates, key=lambda t: t["valid_from"])["cents_per_kg"]
        deals = [
            deal["discount_pct"]
            for deal in tables["contracts"]
            if deal["customer_id"] == parcel["customer_id"]
            and deal["starts_on"] <= sent <= (deal["ends_on"] or "9999-12-31")
        ]
        cost = Fraction(kilograms * rate * (100 - max(deals, default=0)), 100)
        cents[parcel["customer_id"]] += math.floor(cost + Fraction(1, 2)) if half else math.floor(cost)
    return list(cents.items())


def months_paid_in_time(tables: Tables, grace: int) -> Answer:
    answer: Answer = []
    for customer in tables["customers"]:
        months: dict[str, bool] = {}
        for invoice in tables["invoices"]:
            if invoice["customer_id"] != customer["id"]:
                continue
            after = f"{shift_month(invoice['month'], 1 + grace)}-01"
            paid = sum(
                p["cents"] for p in tables["payments"] if p["invoice_id"] == invoice["id"] and p["paid_on"] < after
            )
            months[invoice["month"]] = months.get(invoice["month"], True) and paid >= invoice["cents"]
        longest = 0
        for month in months:
            length = 0
            while months.get(shift_month(month, length)):
                length += 1
            longest = max(longest, length)
        answer.append((customer["id"], longest))
    return answer


def median_dwell(tables: Tables, begin: str, end: str, mean: bool) -> Answer:
    times: dict[int, list[float]] = {depot["id"]: [] for depot in tables["depots"]}
    for parcel in {scan["parcel_id"] for scan in tables["scans"]}:
        scans = scans_of(tables, parcel)
        for here, there in pairwise(scans):
            fits = here["kind"] == "in" and there["kind"] == "out" and here["depot_id"] == there["depot_id"]
            if fits and moment(begin) <= moment(here["at"]) < moment(end):
                times[here["depot_id"]].append((moment(there["at"]) - moment(here["at"])) / timedelta(minutes=1))
    answer: Answer = []
    for depot, values in times.items():
        values.sort()
        size = len(values)
        low, high = (values[(size - 1) // 2], values[size // 2]) if values else (None, None)
        middle = None if low is None or high is None else (low + high) / 2 if mean else high
        answer.append((depot, middle))
    return answer


def courier_league(tables: Tables, day: str, gaps: bool, open: bool, best: int) -> Answer:
    stops = {courier["id"]: 0 for courier in tables["couriers"]}
    for tour in tables["tours"]:
        if tour["starts_at"].startswith(day) and (open or tour["ends_at"] is not None):
            stops[tour["courier_id"]] += tour["stops"] or 0
    answer: Answer = []
    for courier in tables["couriers"]:
        team = [stops[other["id"]] for other in tables["couriers"] if other["depot_id"] == courier["depot_id"]]
        better = [one for one in team if one > stops[courier["id"]]]
        place = 1 + len(better if gaps else set(better))
        if place <= best:
            answer.append((courier["depot_id"], place, courier["id"], stops[courier["id"]]))
    return answer


def state_at_a_moment(tables: Tables, when: str, closed: bool, goal: bool) -> Answer:
    def before(at: str) -> bool:
        return at <= when if closed else at < when

    counts = {region["id"]: [0, 0, 0] for region in tables["regions"]}
    for parcel in tables["parcels"]:
        depot = parcel["to_depot_id"] if goal else home_of(tables)[parcel["customer_id"]]
        if depot is None or not before(parcel["sent_at"]):
            continue
        kinds = [scan["kind"] for scan in scans_of(tables, parcel["id"]) if before(scan["at"])]
        state = {"delivered": 0, "lost": 1}.get(kinds[-1] if kinds else "", 2)
        counts[region_of(tables)[depot]][state] += 1
    return [(region, *three) for region, three in counts.items()]


def referral_circles(tables: Tables, first: str, last: str, deep: bool) -> Answer:
    answer: Answer = []
    for customer in tables["customers"]:
        found: set[int] = set()
        front = {customer["id"]}
        for _ in range(len(tables["customers"]) if deep else 2):
            front = {one["id"] for one in tables["customers"] if one["referred_by"] in front}
            found |= front
        found.discard(customer["id"])
        cents = [i["cents"] for i in tables["invoices"] if i["customer_id"] in found and first <= i["month"] <= last]
        answer.append((customer["id"], len(found), sum(cents)))
    return answer


def working_days(tables: Tables, today: str, limit: int, more: bool) -> Answer:
    destination = {parcel["id"]: parcel["to_depot_id"] for parcel in tables["parcels"]}
    answer: Answer = []
    for claim in tables["claims"]:
        region = region_of(tables)[destination[claim["parcel_id"]]]
        free = {day(row["day"]) for row in tables["holidays"] if row["region_id"] == region}
        one, until, count = day(claim["filed_on"]), day(claim["decided_on"] or today), 0
        while one < until:
            one += timedelta(days=1)
            count += one.isoweekday() <= 5 and one not in free
        if count > limit or (count == limit and not more):
            answer.append((claim["id"], count))
    return answer


def most_at_once(tables: Tables, end: str, heads: bool, early: bool) -> Answer:
    answer: Answer = []
    for depot in tables["depots"]:
        staff = {courier["id"] for courier in tables["couriers"] if courier["depot_id"] == depot["id"]}
        tours = [
            (tour["starts_at"], tour["ends_at"] or end, tour["courier_id"])
            for tour in tables["tours"]
            if tour["courier_id"] in staff and tour["starts_at"] < end and tour["ends_at"] != tour["starts_at"]
        ]
        sizes: dict[str, int] = {}
        for start, _, _ in tours:
            running = [courier for begins, ends, courier in tours if begins <= start < ends]
            sizes[start] = len(set(running) if heads else running)
        most = max(sizes.values(), default=0)
        moments = sorted(start for start, size in sizes.items() if size == most)
        answer.append((depot["id"], most, (moments[0] if early else moments[-1]) if moments else None))
    return answer


def month_over_month(tables: Tables, begin: str, end: str, keep: bool, digits: int) -> Answer:
    sent: dict[tuple[str, str], int] = defaultdict(int)
    for parcel in tables["parcels"]:
        depot = home_of(tables)[parcel["customer_id"]]
        if depot is None and not keep:
            continue
        at = moment(parcel["sent_at"]) if depot is None else local(tables, region_of(tables)[depot], parcel["sent_at"])
        sent[parcel["service"], f"{at:%Y-%m}"] += 1
    answer: Answer = []
    for service in sorted({tariff["service"] for tariff in tables["tariffs"]}):
        month = begin
        while month <= end:
            now, before = sent[service, month], sent[service, shift_month(month, -1)]
            change = half_away(Fraction(100 * (now - before), before), digits) if before else None
            answer.append((service, month, now, change))
            month = shift_month(month, 1)
    return answer


def all_in_time(tables: Tables, begin: str, end: str, hours: int, least: int, there: bool) -> Answer:
    kept: dict[int, list[bool]] = defaultdict(list)
    for parcel in tables["parcels"]:
        sent = moment(parcel["sent_at"])
        if not moment(begin) <= sent < moment(end):
            continue
        delivered = [
            moment(scan["at"])
            for scan in scans_of(tables, parcel["id"])
            if scan["kind"] == "delivered" and (not there or scan["depot_id"] == parcel["to_depot_id"])
        ]
        kept[parcel["customer_id"]].append(bool(delivered) and delivered[0] - sent <= timedelta(hours=hours))
    return [(customer, len(all_)) for customer, all_ in kept.items() if all(all_) and len(all_) >= least]


QUESTIONS: dict[str, Callable[..., Answer]] = {
    question.__name__: question
    for question in (
        busiest_local_day, billed_by_contract, months_paid_in_time, median_dwell, courier_league, state_at_a_moment,
        referral_circles, working_days, most_at_once, month_over_month, all_in_time,
    )
}  # fmt: skip
"""By the id of the test that asks it; the parameters are those in the test's metadata."""
