"""Every numeric gold of the health domain is worked out again, from the numbers that stand in the question."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.rows import each_row
from tests.suite.golds import golds, golds_by_hand

TESTS = golds("health")


def numbers(test_id: str) -> list[float]:
    """The numbers of a question in order, thousands' commas taken out."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", TESTS[test_id]["prompt"])
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def bmi() -> float:
    kilograms, metres = numbers("bmi")
    return kilograms / metres**2


def child_syrup() -> float:
    per_kg, milligrams, millilitres, weight = numbers("child_syrup")
    return per_kg * weight / (milligrams / millilitres)


def hidden_paracetamol() -> float:
    sachet, tablet, limit = numbers("hidden_paracetamol")
    return 4 * sachet + 2 * 3 * tablet - limit


def drip_rate() -> float:
    litres, hours, drops = numbers("drip_rate")
    return litres * 1000 * drops / (hours * 60)


def bolus() -> float:
    _, grams, _, sensitivity, target, meal, glucose, active = numbers("bolus")
    return meal / grams + max(0.0, (glucose - target) / sensitivity - active)


def albumin_gap() -> float:
    sodium, chloride, bicarbonate, albumin, normal, step, per = numbers("albumin_gap")
    return sodium - chloride - bicarbonate + step * (normal - albumin) / per


def true_positives() -> float:
    prevalence, sensitivity, specificity = (Fraction(str(n)) / 100 for n in numbers("true_positives")[:3])
    true, false = prevalence * sensitivity, (1 - prevalence) * (1 - specificity)
    return round(1000 * true / (true + false))


def hypertonic_volume() -> float:
    weight, sodium, litres_per_kg, _, _, infusate, rise = numbers("hypertonic_volume")
    return round(1000 * rise / ((infusate - sodium) / (weight * litres_per_kg + 1)))


def renal_dose() -> float:
    age, weight, creatinine = numbers("renal_dose")
    return (140 - age) * weight / (72 * creatinine) * 0.85


COMPUTED: list[Callable[[], float]] = [
    bmi, child_syrup, hidden_paracetamol, drip_rate, bolus, albumin_gap, true_positives, hypertonic_volume, renal_dose,
]  # fmt: skip


def test_every_numeric_gold_is_recomputed() -> None:
    numeric = {
        test_id for test_id, test in golds_by_hand("health").items() if test["expected"].get("type") == "numeric"
    }
    assert numeric == {compute.__name__ for compute in COMPUTED}


@each_row("compute", COMPUTED, ids=lambda compute: compute.__name__)
def test_the_gold_is_what_the_formula_gives(compute: Callable[[], float]) -> None:
    expected = TESTS[compute.__name__]["expected"]
    assert compute() == pytest.approx(expected["value"], abs=expected.get("tolerance", 1e-9))


def test_only_one_option_is_a_fever() -> None:
    expected = TESTS["which_fever"]["expected"]
    feverish = [letter for letter, text in expected["options"].items() if float(text.split()[0]) >= 38.0]
    assert feverish == [expected["value"]]


def test_the_pump_of_the_log_gives_what_its_rules_allow() -> None:
    """The template's gold worked out again from the text, minute by minute instead of press by press."""
    prompt = TESTS["pca_presses"]["prompt"]
    doses = [float(mg) for mg in re.findall(r"(?:gives|dose is) ([\d.]+) mg", prompt)]
    (cap,) = (float(mg) for mg in re.findall(r"above ([\d.]+) mg", prompt))
    (lockout,) = (int(minutes) for minutes in re.findall(r"less than (\d+) minutes after the last", prompt))
    change, *presses = (60 * int(clock[:2]) + int(clock[3:]) for clock in re.findall(r"\d\d:\d\d", prompt))
    given: dict[int, float] = {}
    for minute in range(24 * 60):
        dose = doses[minute >= change]
        locked = any(minute - lockout < earlier for earlier in given)
        recent = sum(mg for earlier, mg in given.items() if minute - 60 < earlier)
        if minute in presses and not locked and recent + dose <= cap + 1e-9:
            given[minute] = dose
    assert sum(given.values()) == pytest.approx(TESTS["pca_presses"]["expected"]["value"])


def test_the_balance_of_fluids_adds_up() -> None:
    prompt = TESTS["balanco_hidrico"]["prompt"]

    def number(pattern: str) -> int:
        return int(re.findall(pattern, prompt)[0])

    begun, held, resumed, removed = (
        number(rf"(\d+)h00 soro {word}") for word in ("a", "suspenso", "retomado", "retirado")
    )
    drip = number(r"soro a (\d+) mL/h") * ((held - begun) + (removed - resumed))
    intake = (
        drip
        + 6 * number(r"antibiótico, (\d+)")
        + number(r"água (\d+)")
        + number(r"sopa (\d+)")
        + number(r"sangue, (\d+)")
    )
    lost = number(r"Diurese: (\d+)") + number(r"certo é (\d+)") + number(r"Vómito (\d+)") + number(r"dreno (\d+)")
    unseen = 12 * number(r"Doente de (\d+) kg") + 120 * number(r"houve (\d+) período")
    assert intake - lost - unseen == TESTS["balanco_hidrico"]["expected"]["value"]
