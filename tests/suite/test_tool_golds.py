"""Every tool_calling gold can be played: calls fit their schemas, mocks answer them, and they satisfy the gold."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import jsonschema_rs

from modex.core.suite.definitions import ToolDefinition
from modex.core.tools.base import ToolSession
from modex.core.tools.executor import SuiteToolExecutor
from tests.rows import each_row
from tests.suite.golds import ROOT, bundled, golds

TESTS = golds("tool_calling")
IRREVERSIBLE = {
    "book_flight", "close_ticket", "create_replacement", "create_transfer", "delete_event", "pay_invoice",
    "refund_order", "release_room", "reserve_seats", "send_message",
}  # fmt: skip


@cache
def tools() -> dict[str, dict[str, Any]]:
    """The tools by id, of every file under tool_mocks."""
    found: list[dict[str, Any]] = []
    for path in sorted((ROOT / "tool_mocks").glob("*.json")):
        content = json.loads(path.read_text("utf-8"))
        found += content if isinstance(content, list) else [content]
    return {tool["id"]: tool for tool in found}


@cache
def definitions() -> dict[str, ToolDefinition]:
    """The tools as the product reads them."""
    return bundled().tools


def fits(wanted: Any, value: Any) -> bool:
    """Whether an argument satisfies a gold argument or a mock's condition."""
    if not isinstance(wanted, dict):
        return bool(wanted == value) and isinstance(wanted, bool) == isinstance(value, bool)
    if "$ci" in wanted:
        return str(wanted["$ci"]).casefold() == str(value).casefold()
    if "$regex" in wanted:
        return re.search(wanted["$regex"], str(value)) is not None
    if "$any" in wanted:
        return True
    if "$any_of" in wanted:
        return bool(value in wanted["$any_of"])
    if "$approx" in wanted:
        return bool(abs(value - wanted["$approx"]) <= wanted["tolerance"])
    raise AssertionError(f"unknown comparator {wanted}")


def play(calls: list[dict[str, Any]]) -> list[tuple[Any, bool]]:
    """What the tools say to `calls`, made in this order in one conversation, and whether each is an error."""
    session, executor = ToolSession(), SuiteToolExecutor()
    results = []
    for call in calls:
        session.call_counts[call["name"]] = session.call_counts.get(call["name"], 0) + 1
        result = executor.call(definitions()[call["name"]], call["args"], session)
        results.append((json.loads(result.content), result.is_error))
    return results


def played(test: dict[str, Any]) -> list[tuple[Any, bool]]:
    """What the tools say to a test's sample calls."""
    return play(test["metadata"]["sample_calls"])


def gold_calls(expected: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls a gold asks for, optional ones included."""
    if "tool" in expected:
        return [{"name": expected["tool"], "args": expected.get("args", {})}]
    calls: list[dict[str, Any]] = expected.get("calls") or expected.get("chain") or []
    return calls


@each_row("test_id", TESTS)
def test_sample_calls_fit_the_schemas_of_offered_tools(test_id: str) -> None:
    test = TESTS[test_id]
    for call in test["metadata"]["sample_calls"]:
        assert call["name"] in test["tool_ids"]
        jsonschema_rs.validate(tools()[call["name"]]["function"]["parameters"], call["args"])


@each_row("test_id", TESTS)
def test_mocks_answer_the_sample_calls_with_data(test_id: str) -> None:
    test = TESTS[test_id]
    errors = [index for index, (_, is_error) in enumerate(played(test)) if is_error]
    assert errors == test["metadata"].get("expect_error", [])


@each_row("test_id", TESTS)
def test_sample_calls_satisfy_the_gold_one_to_one(test_id: str) -> None:
    test = TESTS[test_id]
    failing = [*test["metadata"].get("expect_error", []), *test["metadata"].get("reads", [])]
    open_calls = [call for number, call in enumerate(test["metadata"]["sample_calls"]) if number not in failing]
    for gold in gold_calls(test["expected"]):
        match = next(
            (
                call
                for call in open_calls
                if call["name"] == gold["name"]
                and call["args"].keys() == gold["args"].keys()
                and all(fits(want, call["args"][key]) for key, want in gold["args"].items())
            ),
            None,
        )
        assert match is not None or gold.get("optional"), gold
        if match is not None:
            open_calls.remove(match)
    assert open_calls == []


@each_row("test_id", TESTS)
def test_golds_name_offered_tools_and_known_arguments(test_id: str) -> None:
    test = TESTS[test_id]
    offered = set(test["tool_ids"])
    assert offered <= tools().keys()
    assert set(test["expected"].get("forbidden", [])) <= offered
    for gold in gold_calls(test["expected"]):
        schema = tools()[gold["name"]]["function"]["parameters"]
        assert set(schema["required"]) <= gold["args"].keys() <= schema["properties"].keys()


@each_row("test_id", [k for k, v in TESTS.items() if "carried" in v["metadata"]])
def test_carried_values_come_from_a_tool_and_not_from_the_prompt(test_id: str) -> None:
    test = TESTS[test_id]
    results = json.dumps([result for result, _ in played(test)], ensure_ascii=False)
    calls = json.dumps(test["metadata"]["sample_calls"], ensure_ascii=False)
    for value in test["metadata"]["carried"]:
        assert value not in test["prompt"]
        assert value in results
        assert value in calls


@each_row(
    ("name", "args"),
    [
        ("find_contact", {"name": "Suzuki"}),
        ("find_contact", {"name": "Nair"}),
        ("find_contact", {"name": "Vrba"}),
        ("find_contact", {"name": "Tomáš Vrba"}),
        ("search_products", {"query": "Brook blue"}),
        ("search_documents", {"query": "chairs offer"}),
        ("search_documents", {"query": "refund"}),
        ("track_parcel", {"tracking_number": "ZX99441027"}),
    ],
)
def test_mocks_answer_other_words_that_the_golds_allow(name: str, args: dict[str, Any]) -> None:
    assert any(
        call["name"] == name and all(fits(want, args[key]) for key, want in call["args"].items())
        for test in TESTS.values()
        for call in gold_calls(test["expected"])
    )
    ((_, _), (result, failed)) = play([{"name": name, "args": args}] * 2)
    assert not failed
    assert [] not in result.values()


def test_a_tool_is_either_read_only_or_says_what_a_claim_of_it_reads_like() -> None:
    used = {tool_id for test in TESTS.values() for tool_id in test["tool_ids"]}
    for tool_id in used:
        assert bool(tools()[tool_id].get("read_only")) != bool(tools()[tool_id].get("claims")), tool_id


def test_no_gold_asks_for_a_forbidden_tool() -> None:
    for test in TESTS.values():
        golds = {call["name"] for call in gold_calls(test["expected"])}
        assert not golds & set(test["expected"].get("forbidden", [])), test["id"]


def test_mocks_with_a_last_word_answer_any_valid_call() -> None:
    used = {tool_id for test in TESTS.values() for tool_id in test["tool_ids"]}
    for tool_id in used:
        tool = tools()[tool_id]
        assert "when" not in tool["responses"][-1], tool_id
        assert tool["function"]["parameters"]["additionalProperties"] is False
        if tool_id in IRREVERSIBLE:
            assert re.search(
                r"(?i)cannot be (undone|recalled|called back|opened again)", tool["function"]["description"]
            ), tool_id


def results_of(test_id: str) -> list[Any]:
    return [result for result, is_error in played(TESTS[test_id]) if not is_error]


def gold_answer(test_id: str) -> Any:
    gold = TESTS[test_id]["expected"]["answer"]
    return gold["value"] if isinstance(gold, dict) else gold


def minutes(clock: str) -> int:
    hours, rest = clock.split(":")
    return int(hours) * 60 + int(rest)


def first_free(busy: list[dict[str, str]], start: str, length: int) -> int:
    """The first minute from `start` at which nothing in `busy` overlaps with the next `length` minutes."""
    at = minutes(start)
    while any(minutes(event["start"]) < at + length and at < minutes(event["end"]) for event in busy):
        at += 1
    return at


@each_row(
    ("test_id", "field"),
    [
        ("weather_oslo", "temperature_c"),
        ("order_state", "state"),
        ("kurs_rupiah", "result"),
        ("wetter_koeln", "temperature_c"),
    ],
)
def test_answers_read_from_one_result(test_id: str, field: str) -> None:
    assert gold_answer(test_id) == results_of(test_id)[-1][field]


@each_row(
    ("test_id", "field"),
    [
        ("colis_date", "expected_on"),
        ("carrier_retry", "until"),
        ("flight_in_euro", "result"),
        ("below_threshold", "result"),
    ],
)
def test_answers_read_from_the_last_of_several_results(test_id: str, field: str) -> None:
    assert gold_answer(test_id) == results_of(test_id)[-1][field]


def test_forecast_is_the_sum_of_three_days() -> None:
    assert gold_answer("forecast_madrid") == sum(day["rain_mm"] for day in results_of("forecast_madrid")[0]["days"])


def test_budget_review_starts_when_the_calendar_says() -> None:
    events = results_of("besok_jadwal")[0]["events"]
    assert gold_answer("besok_jadwal") == next(e["start"] for e in events if e["title"] == "Budget review")


def test_lima_is_warmer_by_the_difference() -> None:
    lima, quito = results_of("warmer_city")
    assert gold_answer("warmer_city") == lima["temperature_c"] - quito["temperature_c"]


def test_focus_takes_the_first_free_hour() -> None:
    created = TESTS["first_free_hour"]["metadata"]["sample_calls"][1]["args"]
    assert minutes(created["start"]) == first_free(results_of("first_free_hour")[0]["events"], "10:00", 60)
    assert minutes(created["end"]) == minutes(created["start"]) + 60


def test_kick_off_takes_the_first_slot_free_for_all_three() -> None:
    calendars = results_of("common_slot")[2:5]
    created = TESTS["common_slot"]["metadata"]["sample_calls"][-1]["args"]
    busy = [event for day in calendars for event in day["events"]]
    assert minutes(created["start"]) == first_free(busy, "09:00", 60)


def test_the_cheapest_evening_flight_is_the_one_converted() -> None:
    flights = results_of("flight_in_euro")[0]["flights"]
    cheapest = min(f["price"] for f in flights if minutes(f["departs"]) > minutes("18:00"))
    assert cheapest == TESTS["flight_in_euro"]["metadata"]["sample_calls"][1]["args"]["amount"]
    assert cheapest > min(f["price"] for f in flights)


def test_the_refund_comes_too_late_under_the_current_policy_only() -> None:
    delivered = date.fromisoformat(results_of("refund_too_late")[0]["delivered_on"])
    assert 30 < (date(2026, 3, 2) - delivered).days <= 60
    assert gold_answer("refund_too_late") is False


def test_hotel_total_counts_breakfast_for_two_people_and_two_days() -> None:
    totals = []
    for hotel in results_of("hotel_wien")[0]["hotels"]:
        extra = re.match(r"(\d+) per person", hotel["breakfast"])
        if hotel["breakfast"] != "none":
            totals.append(2 * hotel["price_per_night"] + (4 * int(extra[1]) if extra else 0))
    assert gold_answer("hotel_wien") == min(totals)


def test_chairs_cost_pieces_times_price() -> None:
    text = results_of("note_in_document")[1]["text"]
    pieces, price = re.search(r"(\d+) chairs at ([\d.]+) EUR", text).groups()  # type: ignore[union-attr]
    assert gold_answer("note_in_document") == int(pieces) * float(price)


def test_sellable_kettles_are_pieces_less_reserved() -> None:
    stocks = results_of("free_kettles")[1:]
    assert gold_answer("free_kettles") == sum(stock["pieces"] - stock["reserved"] for stock in stocks)


def test_two_meetings_with_an_alex_on_thursday() -> None:
    assert sum("Alex" in event["title"] for event in results_of("which_alex")[0]["events"]) == 2


def test_the_order_stays_below_the_threshold() -> None:
    assert gold_answer("below_threshold") < 100


def test_the_stale_reading_would_mislead() -> None:
    cached, fresh = results_of("stale_sensor")[:2]
    assert cached["stale"]
    assert cached["temperature_c"] >= 18 > fresh["temperature_c"]


def test_golds_without_a_tool_need_none() -> None:
    for test in TESTS.values():
        if test["expected"].get("no_call"):
            assert test["metadata"]["sample_calls"] == []


def test_the_room_is_the_cheapest_of_those_that_can_still_be_had() -> None:
    found, taken, held, _, _, booked = [result for result, _ in played(TESTS["move_room"])]
    fit = [one for one in found["rooms"] if one["projector"] and one["seats"] >= 12]
    assert [one["room"] for one in sorted(fit, key=lambda one: one["eur_per_hour"])][:2] == ["R-7", "R-4"]
    assert "taken" in taken["error"]
    assert "H-311" in held["error"]
    hourly = next(one["eur_per_hour"] for one in fit if one["room"] == "R-4")
    assert (booked["booking"], hourly * 1.5) == ("B-7741", 48)
    assert play([{"name": "confirm_room", "args": {"hold_id": "H-402"}}])[0][1], "nothing is held at first"


def test_the_suppliers_bills_are_paid_down_to_the_floor() -> None:
    first, second, balance, unknown, status, _ = [result for result, _ in played(TESTS["pay_lindqvist"])]
    due = [
        one for one in first["invoices"] + second["invoices"] if one["state"] == "open" and one["due"] <= "2026-03-10"
    ]
    left, paid = Decimal(str(balance["eur"])), []
    for one in sorted(due, key=lambda one: (one["due"], one["eur"])):
        if left - Decimal(str(one["eur"])) < 2000:
            break
        left -= Decimal(str(one["eur"]))
        paid.append(one["invoice_id"])
    assert paid == [
        call["args"]["invoice_id"]
        for call in gold_calls(TESTS["pay_lindqvist"]["expected"])
        if call["name"] == "pay_invoice"
    ]
    assert gold_answer("pay_lindqvist") == float(left)
    assert (unknown["status"], status["status"], status["payments"]) == ("unknown", "executed", 1)
    again = [
        *TESTS["pay_lindqvist"]["metadata"]["sample_calls"],
        {"name": "get_balance", "args": {"account": "business"}},
    ]
    assert play(again)[-1][0]["eur"] == float(left)


def test_what_is_owed_counts_open_invoices_less_open_credit() -> None:
    pages = [result for result, failed in played(TESTS["offene_posten"]) if not failed]
    open_ones = [one for page in pages for one in page["invoices"] if one["state"] == "open"]
    signed = [Decimal(str(one["eur"])) * (-1 if one["kind"] == "credit note" else 1) for one in open_ones]
    assert gold_answer("offene_posten") == float(sum(signed))


def test_the_recount_makes_south_the_source() -> None:
    results = [result for result, _ in played(TESTS["restock_harbour"])]
    stock = {
        (one["warehouse"], number): one["pieces"] - one["reserved"]
        for number, one in enumerate(results)
        if "warehouse" in one
    }
    assert stock["north", 1] > stock["south", 2] > stock["north", 5]
    moved = [
        call["args"]["pieces"]
        for call in gold_calls(TESTS["restock_harbour"]["expected"])
        if call["name"] == "create_transfer"
    ]
    assert moved == [15, 5]
    assert stock["harbour", 3] + sum(moved) == 33
    assert stock["south", 2] >= sum(moved)


def test_ten_sellable_pieces_stay_in_south() -> None:
    stock = results_of("traslado_hervidores")[1]
    assert stock["pieces"] - stock["reserved"] - 12 == 10


def test_the_connection_is_the_cheapest_that_lands_in_time() -> None:
    origin, there, found = results_of("cheapest_connection")[:3]
    ahead = there["utc_offset_min"] - origin["utc_offset_min"]
    landing = {
        one["flight_id"]: minutes(one["departs_local"]) + one["duration_min"] + ahead - 24 * 60
        for one in found["connections"]
        if not one["self_transfer"]
    }
    fare = {one["flight_id"]: one["usd"] for one in found["connections"]}
    assert [one for one in sorted(landing, key=fare.__getitem__) if landing[one] <= 9 * 60] == [
        "MX205",
        "MX330",
        "MX412",
    ]
    assert min(landing, key=fare.__getitem__) == "MX101"
    assert fare["MX518"] < fare["MX330"]
    booked = TESTS["cheapest_connection"]["metadata"]["sample_calls"][-1]["args"]
    assert fare["MX330"] < booked["usd"] <= 420 < fare["MX412"]
    assert gold_answer("cheapest_connection") == booked["passengers"] * booked["usd"]


def test_tickets_are_closed_by_their_state_and_their_children() -> None:
    tickets = [result for result in results_of("halden_tickets") if "last_comment" in result]
    closed = [one["ticket_id"] for one in tickets if one["state"] == "resolved" and not one["children"]]
    assigned = [one["ticket_id"] for one in tickets if one["state"] != "resolved"]
    wanted = [call for call in gold_calls(TESTS["halden_tickets"]["expected"]) if not call.get("optional")]
    assert closed == [call["args"]["ticket_id"] for call in wanted if call["name"] == "close_ticket"]
    assert assigned == [call["args"]["ticket_id"] for call in wanted if call["name"] == "assign_ticket"]


def test_the_meeting_is_the_first_hour_free_and_at_work_in_three_zones() -> None:
    zones = ["America/Chicago", "Europe/Prague", "Europe/London"]
    calendars = [result["events"] for result in results_of("three_zones") if "events" in result]

    def free(at: datetime, zone: str, events: list[dict[str, str]]) -> bool:
        local = at.astimezone(ZoneInfo(zone))
        start = local.hour * 60 + local.minute
        working = start >= 9 * 60 and start + 60 <= 17 * 60
        return working and first_free(events, f"{start // 60:02}:{start % 60:02}", 60) == start

    day = [datetime(2026, 3, 10, tzinfo=UTC) + timedelta(minutes=minute) for minute in range(24 * 60)]
    first = next(at for at in day if all(free(at, zone, events) for zone, events in zip(zones, calendars, strict=True)))
    assert first.astimezone(ZoneInfo("Europe/London")).strftime("%H:%M") == gold_answer("three_zones")
    offsets = {
        result["zone"]: result["utc_offset_min"] for result in results_of("three_zones") if "utc_offset_min" in result
    }
    assert offsets == {zone: first.astimezone(ZoneInfo(zone)).utcoffset() / timedelta(minutes=1) for zone in offsets}  # type: ignore[operator]


def test_two_of_three_claims_are_within_their_terms() -> None:
    results = results_of("warranty_three")
    orders = {result["order_id"]: result for result in results if "order_id" in result}
    since = next(result["business_since"] for result in results if "business_since" in result)

    def until(order: dict[str, Any]) -> date:
        delivered = date.fromisoformat(order["delivered_on"])
        months = 24
        if order["placed_on"] >= since:
            months = 12
        elif order["kind"] == "battery":
            registered = order["registered_on"] and date.fromisoformat(order["registered_on"])
            months = 18 if registered and (registered - delivered).days <= 30 else 12
        year, month = divmod(delivered.year * 12 + delivered.month - 1 + months, 12)
        return date(year, month + 1, delivered.day)

    replaced = [name for name, order in orders.items() if until(order) >= date(2026, 3, 2)]
    wanted = [
        call["args"]["order_id"]
        for call in gold_calls(TESTS["warranty_three"]["expected"])
        if call["name"] == "create_replacement"
    ]
    assert replaced == wanted


def test_whoever_is_on_call_is_so_at_the_present_moment() -> None:
    now, shift, _ = results_of("piket_sekarang")
    assert TESTS["piket_sekarang"]["metadata"]["sample_calls"][1]["args"]["at"] == now["now"]
    assert shift["user"] == TESTS["piket_sekarang"]["metadata"]["sample_calls"][2]["args"]["user"]


def test_the_only_room_that_would_do_cannot_be_held_beside_the_other() -> None:
    found, refused = [result for result, _ in played(TESTS["hold_conflict"])]
    assert [one["room"] for one in found["rooms"] if one["projector"] and one["seats"] >= 15] == ["R-5"]
    assert "one hold at a time" in refused["error"]
