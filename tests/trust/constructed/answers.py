"""Numbers by locale, units, dates, yes and no, options, lists and whole responses: each gold in right forms and with mistakes."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.trust.corpus import Case, Verdict

WHO = "constructed; the value is known before it is written"
_POINT = ("en", "de-CH", "es-MX", "ja")
_COMMA = ("de", "id", "es", "fr", "it", "nl")
Made = Iterator[tuple[str, Any, Any, Verdict, str | None]]


def cases(count: int, seed: int = 5) -> Iterator[Case]:
    """`count` golds over all families, each with two to six cases."""
    for index in range(count):
        draw = Random(f"{seed}:{index}")
        maker = _MAKERS[index % len(_MAKERS)]
        family = maker.__name__.strip("_")
        for number, (evaluator, expected, answer, verdict, locale) in enumerate(maker(draw)):
            yield Case(f"{family}-{seed}-{index}-{number}", family, evaluator, expected, answer, verdict, WHO, locale)


def _numbers(draw: Random) -> Made:
    whole, cents = draw.randint(1000, 99_999_999), draw.randint(1, 99)
    comma = draw.random() < 0.5
    locale = draw.choice(_COMMA if comma else _POINT)
    gold = {"type": "numeric", "value": float(f"{whole}.{cents:02}")}
    group = {"de-CH": "'", "fr": "\u202f"}.get(locale, "." if comma else ",")
    point = "," if comma else "."
    written = f"{whole:,}".replace(",", group) + f"{point}{cents:02}"
    currency = {"en": "$", "id": "Rp ", "de": "€", "de-CH": "CHF ", "es-MX": "$", "ja": "¥"}.get(locale, "€")
    for text in (written, currency + written, f"**{written}**", f"= {written}", f"{whole}{point}{cents:02}"):
        yield "compare", gold, text, "pass", locale
    yield "compare", gold, written.replace(group, ""), "pass", locale
    swapped = written.translate(str.maketrans(",.", ".,"))
    if group in ",.":
        yield "compare", gold, swapped, "fail", locale
    digit = draw.choice([place for place, char in enumerate(written) if char.isdigit()])
    other = draw.choice([char for char in "123456789" if char != written[digit]])
    yield "compare", gold, written[:digit] + other + written[digit + 1 :], "fail", locale
    yield "compare", gold, "-" + written, "fail", locale
    yield "compare", {"type": "numeric", "value": whole}, str(whole + 1), "fail", locale


_ALONE = ("W", "V", "A", "Hz", "J", "N", "Pa", "g", "m", "s", "L", "eV")
_NAMES = {
    "W": "watts",
    "V": "volts",
    "A": "amperes",
    "Hz": "hertz",
    "J": "joules",
    "N": "newtons",
    "Pa": "pascals",
    "g": "grams",
    "m": "metres",
    "s": "seconds",
    "L": "litres",
    "eV": "electronvolts",
}
_PREFIXES = {"k": "kilo", "M": "mega", "m": "milli", "G": "giga", "µ": "micro", "n": "nano"}


def _units(draw: Random) -> Made:
    base, size = draw.choice(_ALONE), draw.randint(2, 900)
    one, other = draw.sample(sorted(_PREFIXES), 2)
    gold = {"type": "numeric", "value": size, "unit": one + base}
    for text in (f"{size} {one}{base}", f"{size}{one}{base}", f"{size} {_PREFIXES[one]}{_NAMES[base]}", str(size)):
        yield "compare", gold, text, "pass", None
    for text in (
        f"{size} {other}{base}",
        f"{size} {_PREFIXES[other]}{_NAMES[base]}",
        f"{size + 1} {one}{base}",
        f"{size} {base}",
    ):
        yield "compare", gold, text, "fail", None


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_BULAN = (
    "Januari",
    "Februari",
    "Maret",
    "April",
    "Mei",
    "Juni",
    "Juli",
    "Agustus",
    "September",
    "Oktober",
    "November",
    "Desember",
)


def _dates(draw: Random) -> Made:
    day = datetime.date(draw.randint(1900, 2030), 1, 1) + datetime.timedelta(draw.randrange(365))
    gold = {"type": "date", "value": day.isoformat()}
    month = _MONTHS[day.month - 1]
    right = [
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day}-{month[:3]}-{day.year}",
    ]
    for text in (*right, f"{day.day} {_BULAN[day.month - 1]} {day.year}", f"{day:%A}, {day.day} {month} {day.year}"):
        yield "compare", gold, text, "pass", None
    yield "compare", gold, f"{day.day:02}.{day.month:02}.{day.year}", "pass", "de"
    yield "compare", gold, f"{day.month}/{day.day}/{day.year}", "pass", "en-US"
    following = day + datetime.timedelta(1)
    yield "compare", gold, following.isoformat(), "fail", None
    yield "compare", gold, f"{day.day} {month} {day.year + 1}", "fail", None
    if day.day <= 12 and day.day != day.month:
        yield "compare", gold, f"{day.month}/{day.day}/{day.year}", "fail", None


_SAID = {
    True: (
        "Yes",
        "Yes, {why}.",
        "No doubt: yes",
        "It isn't false.",
        "That is correct.",
        "ya",
        "Ja, {why}.",
        "Oui.",
        "Sí",
        "はい",
        "**True**",
    ),
    False: (
        "No",
        "No, {why}.",
        "Never.",
        "It is not true.",
        "That is incorrect.",
        "tidak",
        "Nein, {why}.",
        "Non.",
        "いいえ",
        "Absolutely not.",
    ),
}
_WHY = (
    "the river is deep",
    "it rains in June",
    "that follows from the second line",
    "the cat sleeps",
    "they met twice",
)


def _boolean(draw: Random) -> Made:
    truth = draw.random() < 0.5
    said = draw.choice(_SAID[truth]).format(why=draw.choice(_WHY))
    yield "compare", truth, said, "pass", None
    yield "compare", not truth, said, "fail", None


_WORDS = (
    "amber",
    "basalt",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "garnet",
    "harbor",
    "iris",
    "juniper",
    "kelp",
    "lagoon",
)


def _choice(draw: Random) -> Made:
    texts = draw.sample(_WORDS, 4)
    options = dict(zip("ABCD", texts, strict=True))
    right, wrong = draw.sample("ABCD", 2)
    gold = {"type": "choice", "value": right, "options": options}
    forms = (
        "{r}",
        "({r})",
        "{r}.",
        "Answer: {r}",
        "{r}) {t}",
        "{t}",
        "It's {r} because {w} is wrong.",
        "not {w}, so {r}",
        "答案是{r}",
        "**{r}**",
        "I choose {r}.",
    )
    form = draw.choice(forms)
    yield "compare", gold, form.format(r=right, w=wrong, t=options[right]), "pass", None
    yield "compare", gold, form.format(r=wrong, w=right, t=options[wrong]), "fail", None
    yield "compare", gold, f"{right} or {wrong}", "fail", None
    yield "compare", gold, f"{wrong}) {options[right]}", "fail", None


def _lists(draw: Random) -> Made:
    items = draw.sample(_WORDS, draw.randint(2, 4))
    mixed = draw.sample(items, len(items))
    extra = next(word for word in _WORDS if word not in items)
    parts, ordered = {"value": items, "gold": "parts"}, {"value": items, "gold": "parts", "ordered": True}
    join = draw.choice((", ", "; ", "\n", " and ", " → "))
    yield "compare", parts, join.join(mixed), "pass", None
    yield "compare", parts, "\n".join(f"{place}. {item}" for place, item in enumerate(items, 1)), "pass", None
    yield "compare", ordered, join.join(items), "pass", None
    yield "compare", ordered, join.join(reversed(items)), "fail", None
    yield "compare", parts, join.join(items[1:]), "fail", None
    yield "compare", parts, join.join([*items, extra]), "fail", None
    yield "compare", items, draw.choice(items), "pass", None
    yield "compare", items, extra, "fail", None
    yield "match", ", ".join(items), f"Answer: {'; '.join(items)}", "pass", None
    yield "match", ", ".join(items), f"Answer: {'; '.join([*items[:-1], extra])}", "fail", None


_PHRASES = (
    "He earns ${x} in {g} days.",
    "The answer is {x}.",
    "So she has {x} eggs left after giving {g} to Tom.",
    "**{x}**",
    "Final answer: {x}",
    "A: {x}",
    "#### {x}",
    "\\boxed{{{x}}}",
    "Therefore, the total is ${x}.",
    "In total, {x} people came in {g} buses.",
    "= {x}",
    "It takes {x} minutes to walk {g} miles.",
    "The result is {x} dollars per {g} weeks.",
    "{x} is the answer.",
    "Answer: ${x}.00",
    "She needs {x} more, because {g} are already there.",
    "For {g} kids, that makes {x} cookies.",
    "Working: 2 + 3 = 5.\nSo {x} in all.",
    "That comes to {x}.\n\nHope this helps!",
    "Exact Answer: {x}\nConfidence: 90%",
    "最终答案:{x}",
    "Jadi totalnya adalah {x} setelah {g} hari.",
)


def _responses(draw: Random) -> Made:
    value, given = draw.randint(20, 5000), draw.randint(2, 12)
    prompt = f"There are {given} of them. How much is it in all?"
    phrase = draw.choice(_PHRASES)
    for evaluator in ("match", "two_pass"):
        for shown, verdict in ((value, "pass"), (value + draw.randint(1, 9), "fail")):
            response = phrase.format(x=shown, g=given)
            answer = {"response": response, "prompt": prompt, "reply": f"ANSWER: {shown}"}
            yield evaluator, value, answer, "pass" if verdict == "pass" else "fail", None


def _extraction(draw: Random) -> Made:
    value = draw.randint(20, 5000)
    other = value + draw.randint(1, 9)
    lost = draw.choice(
        ("I don't know.", "That cannot be said.", "It depends on the price, which is not given.", "Sorry, I give up.")
    )
    yield "two_pass", value, {"response": lost, "reply": f"ANSWER: {value}"}, "fail", None
    yield "two_pass", value, {"response": f"That makes {other}.", "reply": f"ANSWER: {value}"}, "fail", None
    yield "two_pass", value, {"response": f"That makes {value}.", "reply": f"ANSWER: {other}"}, "pass", None
    yield "two_pass", value, {"response": f"That makes -{value}.", "reply": f"ANSWER: {value}"}, "fail", None


_MAKERS: tuple[Callable[[Random], Made], ...] = (
    _numbers,
    _units,
    _dates,
    _boolean,
    _choice,
    _lists,
    _responses,
    _extraction,
)
