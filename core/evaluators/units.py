"""Units of measure and scale words: which spellings name the same unit, and which words multiply the number."""

from __future__ import annotations

import re

_SPELLINGS: dict[str, str] = {
    "usd": "$ us$ usd dollar dollars buck bucks dolar dolares dolare",
    "cent": "¢ cent cents",
    "eur": "€ eur euro euros",
    "gbp": "£ gbp pound_sterling pounds_sterling quid",
    "jpy": "¥ jpy yen 円",
    "cny": "cny rmb yuan 元",
    "inr": "₹ inr rs rupee rupees",
    "idr": "rp idr rupiah",
    "brl": "r$ brl real reais",
    "rub": "₽ rub ruble rubles рублей рубля руб",
    "krw": "₩ krw won 원",
    "chf": "chf franken",
    "%": "% percent per_cent prozent persen pourcent por_ciento procent",
    "kg": "kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes",
    "g": "g gr gram grams gramm gramme grammes gramo gramos",
    "mg": "mg milligram milligrams",
    "t": "t ton tons tonne tonnes tonnen",
    "lb": "lb lbs pound pounds",
    "oz": "oz ounce ounces",
    "km": "km kilometer kilometers kilometre kilometres kilometros",
    "m": "m meter meters metre metres metro metros",
    "cm": "cm centimeter centimeters centimetre centimetres sentimeter zentimeter",
    "mm": "mm millimeter millimeters millimetre millimetres",
    "mi": "mi mile miles",
    "ft": "ft foot feet",
    "in": "inch inches",
    "l": "l liter liters litre litres litro litros",
    "ml": "ml milliliter milliliters millilitre millilitres",
    "s": "s sec secs second seconds sekunde sekunden detik segundo segundos seconde secondes",
    "ms": "ms millisecond milliseconds",
    "min": "min mins minute minutes minuten menit minuto minutos",
    "h": "h hr hrs hour hours stunde stunden std jam hora horas heure heures",
    "day": "d day days tag tage tagen hari dia dias jour jours",
    "week": "week weeks woche wochen minggu semana semanas semaine semaines",
    "month": "month months monat monate monaten bulan mes meses mois",
    "year": "yr yrs year years jahr jahre jahren tahun ano anos an ans annee annees",
    "km/h": "km/h kmh kph kilometers_per_hour kilometres_per_hour",
    "m/s": "m/s meters_per_second metres_per_second",
    "mph": "mph miles_per_hour",
    "m^2": "m^2 m2 m² sqm square_meter square_meters square_metre square_metres quadratmeter",
    "cm^2": "cm^2 cm2 cm² square_centimeter square_centimeters square_centimetre square_centimetres",
    "km^2": "km^2 km2 km² square_kilometer square_kilometers square_kilometre square_kilometres",
    "m^3": "m^3 m3 m³ cubic_meter cubic_meters cubic_metre cubic_metres",
    "cm^3": "cm^3 cm3 cm³ cc cubic_centimeter cubic_centimeters",
    "degree": "° deg degree degrees grad derajat grados degres",
    "celsius": "°c celsius degrees_celsius grad_celsius",
    "fahrenheit": "°f fahrenheit degrees_fahrenheit",
    "kelvin": "k kelvin",
    "mmhg": "mmhg",
    "byte": "byte bytes",
    "kb": "kb kilobyte kilobytes",
    "mb": "mb megabyte megabytes",
    "gb": "gb gigabyte gigabytes",
}
_CANONICAL = {spelling: unit for unit, names in _SPELLINGS.items() for spelling in names.split()}

CURRENCY_PREFIXES = ("US$", "R$", "A$", "C$", "$", "€", "£", "¥", "₹", "₽", "₩", "₿", "Rp", "Rs", "Kč", "kr")
"""What may stand before an amount; upper-case three-letter codes (`EUR`, `IDR`) may too."""

_THOUSAND, _MILLION, _BILLION, _TRILLION = 10**3, 10**6, 10**9, 10**12
_SCALES: dict[str, dict[str, int]] = {
    "en": {
        "thousand": _THOUSAND,
        "k": _THOUSAND,
        "million": _MILLION,
        "mn": _MILLION,
        "billion": _BILLION,
        "bn": _BILLION,
        "trillion": _TRILLION,
    },
    "id": {"ribu": _THOUSAND, "juta": _MILLION, "miliar": _BILLION, "milyar": _BILLION, "triliun": _TRILLION},
    "de": {
        "tausend": _THOUSAND,
        "tsd": _THOUSAND,
        "million": _MILLION,
        "millionen": _MILLION,
        "mio": _MILLION,
        "milliarde": _BILLION,
        "milliarden": _BILLION,
        "mrd": _BILLION,
        "billion": _TRILLION,
        "billionen": _TRILLION,
    },
    "fr": {
        "mille": _THOUSAND,
        "million": _MILLION,
        "millions": _MILLION,
        "milliard": _BILLION,
        "milliards": _BILLION,
        "billion": _TRILLION,
        "billions": _TRILLION,
    },
    "es": {"mil": _THOUSAND, "millón": _MILLION, "millones": _MILLION, "billón": _TRILLION, "billones": _TRILLION},
    "pt": {
        "mil": _THOUSAND,
        "milhão": _MILLION,
        "milhões": _MILLION,
        "bilhão": _BILLION,
        "bilhões": _BILLION,
    },
    "it": {"mila": _THOUSAND, "milione": _MILLION, "milioni": _MILLION, "miliardo": _BILLION, "miliardi": _BILLION},
    "nl": {"duizend": _THOUSAND, "miljoen": _MILLION, "miljard": _BILLION, "biljoen": _TRILLION},
    "ja": {"千": _THOUSAND, "万": 10**4, "億": 10**8, "兆": _TRILLION},
    "zh": {"千": _THOUSAND, "万": 10**4, "亿": 10**8, "億": 10**8},
}

_LONG_SCALE = frozenset(("de", "fr", "es", "it", "pt", "nl", "id"))


def scale_of(word: str, locale: str) -> int | None:
    """The factor a scale word stands for in `locale` (a German `Billion` is 10¹²), or None where it is none."""
    language = locale.replace("_", "-").split("-", 1)[0].lower()
    folded = word.casefold()
    factor = _SCALES.get(language, {}).get(folded)
    if factor is None and not (language in _LONG_SCALE and folded in ("billion", "trillion")):
        factor = _SCALES["en"].get(folded)
    return factor


def canonical_unit(unit: str) -> str:
    """One spelling for a unit: `Kilograms` → `kg`; a unit nobody knows is folded and loses its plural s."""
    folded = re.sub(r"[\s_-]+", "_", unit.strip().strip(".").casefold())
    known = _CANONICAL.get(folded)
    if known is not None:
        return known
    return folded[:-1] if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss") else folded


def same_unit(one: str, other: str) -> bool:
    """Whether two spellings name the same unit. Convertible units (kg and g) are different ones."""
    return canonical_unit(one) == canonical_unit(other)
