"""The tools that evonic answers in its own code where no file of a suite defines them, as mocks of ours that answer alike."""

from __future__ import annotations

from typing import Any

_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}

_CALCULATOR = """\
text = str(args.get("expression", ""))
signs = "+-*/.() "
place = [0]

def look():
    while place[0] < len(text) and text[place[0]] == " ":
        place[0] += 1
    return text[place[0]:place[0] + 2] if text[place[0]:place[0] + 2] in ("**", "//") else text[place[0]:place[0] + 1]

def number():
    look()
    start = place[0]
    while place[0] < len(text) and text[place[0]] in "0123456789.":
        place[0] += 1
    said = text[start:place[0]]
    if not said:
        raise ValueError("invalid syntax")
    return float(said) if "." in said else int(said)

def atom():
    if look() != "(":
        return number()
    place[0] += 1
    value = added()
    if look() != ")":
        raise ValueError("invalid syntax")
    place[0] += 1
    return value

def signed():
    sign = look()
    if sign in ("+", "-"):
        place[0] += 1
        value = signed()
        return -value if sign == "-" else value
    value = atom()
    if look() == "**":
        place[0] += 2
        power = signed()
        if abs(power) > 1000:
            raise ValueError("the power is too large")
        return value ** power
    return value

def multiplied():
    value = signed()
    while look() in ("*", "/", "//"):
        sign = look()
        place[0] += len(sign)
        other = signed()
        value = value * other if sign == "*" else value / other if sign == "/" else value // other
    return value

def added():
    value = multiplied()
    while look() in ("+", "-"):
        sign = look()
        place[0] += 1
        other = multiplied()
        value = value + other if sign == "+" else value - other
    return value

if not text or not all(one in signs or one in "0123456789" for one in text):
    result = {"error": "Invalid characters in expression"}
else:
    try:
        value = added()
        if look():
            raise ValueError("invalid syntax")
        result = {"result": value, "expression": text}
    except Exception as error:
        result = {"error": "Calculation error: " + str(error)}
"""
_WEATHER = """\
known = {"jakarta": (32, "Cerah berawan", 75), "bali": (30, "Cerah", 70),
         "yogyakarta": (29, "Berawan", 80), "surabaya": (33, "Panas", 65)}
place = args.get("location", "Unknown")
degrees, sky, humidity = known.get(str(place).lower(), (28, "Normal", 70))
weather = {"temp": degrees, "condition": sky, "humidity": humidity}
result = {"location": place, "weather": weather, "status": "success"}
"""
_RESTAURANTS = """\
known = [("Ristorante Italia", "Italian", 4.5), ("Sushi Tei", "Japanese", 4.2), ("Warung Padang", "Indonesian", 4.8)]
kitchen = str(args.get("cuisine") or "any").lower()
found = [{"name": name, "cuisine": cuisine, "rating": rating, "location": "Jakarta"}
         for name, cuisine, rating in known
         if rating >= (args.get("min_rating") or 0) and (kitchen == "any" or kitchen in cuisine.lower())]
result = {"restaurants": found, "count": len(found), "status": "success"}
"""
_HOTELS = """\
known = [("Grand Hyatt", 4.8, 2500000), ("Ayana Resort", 4.9, 3000000), ("Alila Villas", 4.7, 2800000)]
hotels = [{"name": name, "location": "Bali", "rating": rating, "price_per_night": price} for name, rating, price in known]
result = {"hotels": hotels, "location": args.get("location", "Bali"), "count": len(hotels), "status": "success"}
"""
_ORDER = """\
known = {123: ("ORD-001", ["Laptop", "Mouse"], 15000000, "shipped", "John Doe", "john.doe@example.com"),
         456: ("ORD-002", ["Phone"], 8000000, "delivered", "Jane Smith", "jane.smith@example.com")}
customer = args.get("customer_id", 0)
row = known.get(customer)
names = ("order_id", "items", "total", "status", "customer_name", "email")
order = dict(zip(names, row)) if row else None
result = {"customer_id": customer, "order": order, "status": "success" if row else "not_found"}
"""
_API = """\
known = {"users": {"id": 1, "name": "John Doe"}, "products": {"id": 1, "name": "Product A", "price": 100},
         "orders": {"id": 1, "status": "completed"}}
url = str(args.get("url", ""))
base, _, name = url.rpartition("/")
if base == "https://api.example.com" and name in known:
    result = {"response": {name: [known[name]]}, "status": "success"}
else:
    result = {"error": "Mock API endpoint not found: " + url, "status": "not_found"}
"""
_NOTIFICATION = """\
result = {"email": args.get("email", ""), "message_preview": str(args.get("message", ""))[:50], "status": "sent",
          "notification_id": "NOTIF-12345"}
"""
_WRITE = """\
done = "created" if args.get("mode", "write") == "write" else "appended"
result = {"status": done, "filename": args.get("filename", "output.txt"),
          "bytes_written": len(str(args.get("content", "")).encode())}
"""


def _tool(name: str, does: str, required: tuple[str, ...], properties: dict[str, Any], **answer: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"id": name, "name": name, "description": does, "parameters": parameters, **answer}


STAND_INS: dict[str, dict[str, Any]] = {
    tool["id"]: tool
    for tool in (
        _tool(
            "calculator",
            "Perform mathematical calculations",
            ("expression",),
            {"expression": _TEXT},
            python=_CALCULATOR,
        ),
        _tool("get_weather", "Get the current weather of a place", ("location",), {"location": _TEXT}, python=_WEATHER),
        _tool(
            "search_restaurants",
            "Search for restaurants by criteria",
            ("location",),
            {"cuisine": _TEXT, "location": _TEXT, "min_rating": _NUMBER},
            python=_RESTAURANTS,
        ),
        _tool(
            "search_hotels",
            "Search for hotels in a place",
            ("location",),
            {"location": _TEXT, "check_in": _TEXT, "check_out": _TEXT},
            python=_HOTELS,
        ),
        _tool(
            "get_order", "Get a customer's order", ("customer_id",), {"customer_id": {"type": "integer"}}, python=_ORDER
        ),
        _tool(
            "send_notification",
            "Send a notification to a user",
            ("email", "message"),
            {"email": _TEXT, "message": _TEXT},
            python=_NOTIFICATION,
        ),
        _tool(
            "api_call",
            "Make an HTTP API call",
            ("url", "method"),
            {
                "url": _TEXT,
                "method": {"type": "string", "enum": ["GET", "POST", "PUT", "DELETE"]},
                "data": {"type": "object"},
            },
            python=_API,
        ),
        _tool(
            "write_file",
            "Write content to a file",
            ("filename", "content"),
            {"filename": _TEXT, "content": _TEXT, "mode": {"type": "string", "enum": ["write", "append"]}},
            python=_WRITE,
        ),
        _tool(
            "database_query",
            "Run an SQL query on the test database",
            ("query",),
            {"query": _TEXT},
            response={"result": [{"id": 1, "name": "Sample Row"}], "row_count": 1},
        ),
    )
}
"""By id, in our form; their names, arguments and answers are those of evonic's `evaluator/tools.py`."""
