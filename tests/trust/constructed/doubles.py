"""Closed forms and the double that a program prints for them: one number, either way round; with a digit changed, two."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from random import Random

from tests.trust.corpus import Case

WHO = "constructed; the double is Python's own arithmetic on the closed form"
_LONG = 13
_PRIMES = (2, 3, 5, 6, 7, 10, 11, 13, 15, 17, 19, 21)


def cases(count: int, seed: int = 30) -> Iterator[Case]:
    """`count` closed forms: the double in full as answer and as gold, and near misses of both."""
    for index in range(count):
        draw = Random(f"{seed}:{index}")
        latex, plain, value = _closed(draw)
        name = f"double-{seed}-{index}"
        form = draw.choice([latex, plain, f"${latex}$"])
        full = _printed(value, draw)
        missed = _missed(value, draw)
        for gold, answer, verdict in (
            (form, full, "pass"), (full, form, "pass"), (form, missed, "fail"), (missed, form, "fail"),
        ):  # fmt: skip
            way = "answer" if gold == form else "gold"
            expected = {"type": "math", "value": gold}
            yield _case(f"{name}-math-{way}-{verdict}", expected, answer, verdict)
        numeric = {"type": "numeric", "value": value}
        yield _case(f"{name}-numeric-pass", numeric, form, "pass")
        yield _case(f"{name}-numeric-fail", {**numeric, "value": float(missed)}, form, "fail")
        yield _case(f"{name}-numeric-double", numeric, full, "pass")
        yield _case(f"{name}-numeric-missed", numeric, missed, "fail")


def _case(name: str, expected: Mapping[str, object], answer: str, verdict: str) -> Case:
    return Case(name, "numbers", "compare", expected, answer, "pass" if verdict == "pass" else "fail", WHO)


def _printed(value: float, draw: Random) -> str:
    """As Python, JavaScript and C print a double in full, or LaTeX writes its power of ten."""
    forms = [repr(value), repr(value), f"{value:.17g}", f"{value:.16g}", f"{value:.15g}", str(Decimal(value))]
    written = draw.choice(forms)
    if "e" in written.lower() and draw.random() < 0.5:
        digits, _, exponent = written.lower().partition("e")
        return rf"{digits} \times 10^{{{int(exponent)}}}"
    return written


def _missed(value: float, draw: Random) -> str:
    """The double with its last three digits, or more, changed; or a digit near its head."""
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    assert isinstance(exponent, int)
    digits += (0,) * (16 - len(digits))
    exponent -= len(digits) - len(Decimal(repr(value)).as_tuple().digits)
    kept = draw.choice([3, len(digits) - 6, len(digits) - 4, len(digits) - 3])
    changed = list(digits)
    changed[kept] = (changed[kept] + draw.randint(2, 8)) % 10
    for place in range(kept + 1, len(digits)):
        changed[place] = draw.randint(1, 9)
    return str(Decimal((sign, tuple(changed), exponent)))


def _closed(draw: Random) -> tuple[str, str, float]:
    """A closed form in LaTeX and in plain signs, and its value in doubles, which is no short decimal."""
    while len(repr((found := _sum(draw))[2]).partition("e")[0].replace(".", "").lstrip("-0")) < _LONG:
        pass
    return found


def _sum(draw: Random) -> tuple[str, str, float]:
    one = draw.choice(_TERMS)(draw)
    if draw.random() < 0.6:
        return one
    other = draw.choice(_TERMS)(draw)
    if draw.random() < 0.5 or abs(one[2] - other[2]) < 0.01 * abs(one[2]):
        return f"{one[0]} + {other[0]}", f"{one[1]} + {other[1]}", one[2] + other[2]
    return f"{one[0]} - {other[0]}", f"{one[1]} - {other[1]}", one[2] - other[2]


def _fraction(draw: Random) -> tuple[str, str, float]:
    top, bottom = draw.randint(1, 400), draw.choice([3, 7, 9, 11, 13, 17, 21, 37, 97, 101])
    top += top % bottom == 0
    return rf"\frac{{{top}}}{{{bottom}}}", f"{top}/{bottom}", top / bottom


def _root(draw: Random) -> tuple[str, str, float]:
    inside = draw.choice(_PRIMES)
    return draw.choice(
        [
            (rf"\sqrt{{{inside}}}", f"√{inside}", math.sqrt(inside)),
            (rf"\sqrt{{{inside}}}", f"sqrt({inside})", math.sqrt(inside)),
            (rf"5\sqrt{{{inside}}}", f"5*sqrt({inside})", 5 * math.sqrt(inside)),
            (rf"\frac{{\sqrt{{{inside}}}}}{{3}}", f"√{inside}/3", math.sqrt(inside) / 3),
            (rf"\frac{{1+\sqrt{{{inside}}}}}{{2}}", f"(1+√{inside})/2", (1 + math.sqrt(inside)) / 2),
            (rf"\sqrt[3]{{{inside}}}", f"{inside}^(1/3)", inside ** (1 / 3)),
            (rf"{inside}^{{-7/2}}", f"{inside}**(-7/2)", inside**-3.5),
        ]
    )


def _circle(draw: Random) -> tuple[str, str, float]:
    factor, part = draw.randint(2, 40), draw.choice([2, 3, 4, 6, 7, 180])
    return draw.choice(
        [
            (rf"{factor}\pi", f"{factor}π", factor * math.pi),
            (rf"\frac{{\pi}}{{{part}}}", f"pi/{part}", math.pi / part),
            (rf"\frac{{{factor}\pi}}{{{part}}}", f"{factor}*pi/{part}", factor * math.pi / part),
            (r"\pi^2", "π²", math.pi**2),
            (rf"\frac{{4}}{{3}}\pi \cdot {factor}^3", f"4/3*pi*{factor}^3", 4 / 3 * math.pi * factor**3),
        ]
    )


def _logarithm(draw: Random) -> tuple[str, str, float]:
    inside, base = draw.randint(2, 50), draw.choice([2, 3, 5])
    while round(math.log(inside, base), 9).is_integer():
        inside += 1
    return draw.choice(
        [
            (rf"\ln {inside}", f"ln({inside})", math.log(inside)),
            (rf"\log_{{{base}}} {inside}", f"log_{base}({inside})", math.log(inside) / math.log(base)),
            (rf"\frac{{\ln {inside}}}{{\ln 7}}", f"ln({inside})/ln(7)", math.log(inside) / math.log(7)),
            (rf"e^{{{inside}/7}}", f"e^({inside}/7)", math.exp(inside / 7)),
            (rf"e^{{-{inside}}}", f"exp(-{inside})", math.exp(-inside)),
            (f"{inside}e", f"{inside}*e", inside * math.e),
        ]
    )


def _angle(draw: Random) -> tuple[str, str, float]:
    part = draw.choice([5, 7, 8, 9, 12])
    return draw.choice(
        [
            (rf"\sin\left(\frac{{\pi}}{{{part}}}\right)", f"sin(pi/{part})", math.sin(math.pi / part)),
            (rf"\cos\frac{{\pi}}{{{part}}}", f"cos(π/{part})", math.cos(math.pi / part)),
            (rf"\tan\left(\frac{{\pi}}{{{part}}}\right)", f"tan(pi/{part})", math.tan(math.pi / part)),
            (r"\arctan 2", "arctan(2)", math.atan(2)),
            (r"\arcsin\frac{1}{3}", "arcsin(1/3)", math.asin(1 / 3)),
            (r"\cos 20^\circ", "cos(20°)", math.cos(math.radians(20))),
        ]
    )


def _tiny(draw: Random) -> tuple[str, str, float]:
    power = draw.randint(6, 12)
    return rf"\frac{{\sqrt{{3}}}}{{10^{{{power}}}}}", f"sqrt(3)/10^{power}", math.sqrt(3) / 10**power


_TERMS = (_fraction, _root, _circle, _logarithm, _angle, _root, _fraction, _tiny)
