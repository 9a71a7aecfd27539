from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.numbers.units import known_unit, meanings, same_unit
from tests.core.answers.tables import differing
from tests.rows import each_row


@each_row(
    ("one", "other"),
    [
        ("kg", "Kilograms"),
        ("m/s^2", "m/s²"),
        ("m/s²", "metres per second squared"),
        ("V", "volts"),
        ("km", "kms"),
        ("°C", "C"),
        ("°C", "derajat Celsius"),
        ("m²", "metros cuadrados"),
        ("km/h", "kilometers per hour"),
        ("$", "USD"),
        ("mL", "ml"),
        ("eggs", "egg"),
        ("N·m", "Nm"),
        ("kg", "kg of rice"),
        ("Quadratmeter", "m2"),
    ],
)
def test_spellings_of_one_unit(one: str, other: str) -> None:
    assert same_unit(one, other)
    assert same_unit(other, one)


@each_row(
    ("one", "other"),
    [
        ("mW", "MW"),
        ("ms", "Ms"),
        ("kg", "g"),
        ("cm", "cm^2"),
        ("MB", "Mb"),
        ("°C", "°F"),
        ("$", "€"),
        ("eggs", "hens"),
        ("kHz", "MHz"),
        ("m/s", "m/s²"),
    ],
)
def test_units_that_differ(one: str, other: str) -> None:
    assert not same_unit(one, other)


@each_row(
    ("unit", "meant"),
    [
        ("cms", "cm"),
        ("HA", "ha"),
        ("kt", "kt"),
        ("uT", "µT"),
        ("ut", "µT"),
        ("mb", "?mb"),
        ("KMS", "?kms"),
        ("Xt", "?Xt"),
        ("DBAR", "?dbar"),
        ("y", "year"),
        ("kcal", "kcal"),
        ("mbar", "mbar"),
        ("GB", "GB"),
        ("Mbit", "Mbit"),
        ("nbar", "?nbar"),
        ("kWh", "kWh"),
        ("°", "degree"),
        ("deg", "degree °C °F"),
        ("°  C", "°C"),
        ("C", "C °C"),
        ("dolar", "ars aud brl cad clp cop hkd mxn nzd sgd usd"),
        ("$·m", "ars·m aud·m brl·m cad·m clp·m cop·m hkd·m m·mxn m·nzd m·sgd m·usd"),
        ("m3", "m^3"),
        ("m/s cubed", "m·s^-3"),
        ("square kilometre", "km^2"),
        ("metres squared", "m^2"),
        ("Kubikmeter", "m^3"),
        ("Quadratmeter", "m^2"),
        ("m²", "m^2"),
        ("m·m", "m^2"),
        ("m/m", ""),
        ("kg·Pas²", "?pas^2·kg"),
        ("glass", "?glass"),
        ("hens", "?hen"),
        ("gas", "?gas"),
        ("abcs", "?abc"),
        ("Xy", "?Xy"),
        (".", "?."),
    ],
)
def test_what_a_spelling_means(unit: str, meant: str) -> None:
    assert sorted(meanings(unit)) == (sorted(meant.split()) or [""])


def test_every_prefix_makes_a_unit_of_its_own() -> None:
    for base in ("m", "g", "W", "V", "Hz", "Pa", "J"):
        spelled = [f"{prefix}{base}" for prefix in ("", *"fpnµmcdhkMGTPEZY")]
        assert [sorted(meanings(unit)) for unit in spelled] == [[unit] for unit in spelled]


def test_a_word_nobody_knows_is_no_known_unit() -> None:
    assert not known_unit("eggs")
    assert not known_unit("eggs/kg")
    assert known_unit("kWh")
    assert known_unit("°")


@given(st.text(min_size=1, max_size=30))
def test_every_spelling_means_itself(text: str) -> None:
    assert meanings(text)
    assert same_unit(text, text)


_SAME = r"""
km|kilometres => True
km|m => False
m|metre => True
mph|miles per hour => True
m/s|meters per second => True
°C|degrees Celsius => True
C|°C => True
kg|g => False
$|USD => True
$|dollars => True
€|EUR => True
%|percent => True
apples|apple => True
h|hours => True
min|minutes => True
m|minutes => False
L|litre => True
l|liter => True
ms|s => False
kWh|kilowatt hours => True
sq m|m² => True
m2|m² => True
cm3|cm³ => True
foo|foo => True
foo|bar => False
people|persons => True
M|m => False
GB|gigabytes => True
GB|Gb => False
in|inches => True
ft|feet => True
"|in => False
"""


def test_two_spellings_are_one_unit_or_not() -> None:
    assert differing(_SAME, lambda line: str(same_unit(*line.split("|")))) == []
