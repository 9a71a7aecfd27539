"""Golds over algebra, geometry, number theory, calculus and units, with equivalent forms and mutants of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from tests.trust.constructed.expressions import (
    LATEX,
    PI,
    STYLES,
    E,
    Expression,
    Style,
    add,
    div,
    fn,
    let,
    mul,
    mutants,
    neg,
    num,
    power,
    root,
    written,
)  # fmt: skip
from tests.trust.corpus import Case

WHO = "constructed; both sides evaluated apart from the product"
_WRAPS = ("{}", "${}$", r"\boxed{{{}}}", "$${}$$", "{}.", r"\({}\)", "= {}", r"**{}**", "{} ")
_LENGTHS = ("cm", "m", "mm", "km", "kg", "g", "ms", "MW", "mW", "kWh", "kJ", "mg", "mL", "kPa", "MHz")
_WORDS = {
    "cm": "centimeters",
    "m": "meters",
    "km": "kilometers",
    "kg": "kilograms",
    "g": "grams",
    "mm": "millimetres",
    "kWh": "kilowatt hours",
}


def cases(count: int, seed: int = 11) -> Iterator[Case]:
    """`count` golds, each with an equivalent form and up to three mutants."""
    for index in range(count):
        draw = Random(f"{seed}:{index}")
        maker = _MAKERS[index % len(_MAKERS)]
        gold, right, wrong = maker(draw)
        who = f"{WHO} ({maker.__name__.strip('_')})"
        expected = {"type": "math", "value": gold}
        for number, answer in enumerate(dict.fromkeys(right)):
            yield Case(f"math-{seed}-{index}-same-{number}", "mathematics", "compare", expected, answer, "pass", who)
        for number, (what, answer) in enumerate(dict.fromkeys(wrong)):
            yield Case(f"math-{seed}-{index}-{what}-{number}", "mathematics", "compare", expected, answer, "fail", who)


Made = tuple[str, list[str], list[tuple[str, str]]]


def _of(node: Expression, draw: Random, *others: Expression) -> Made:
    """A gold, its forms (`others` are equal to it by algebra), its mutants."""
    gold = written(node)
    forms = [written(draw.choice((node, *others)), draw.choice(STYLES)) for _ in range(2)]
    right = [draw.choice(_WRAPS).format(form) for form in forms]
    found = islice(mutants(node, draw), 3)
    wrong = [
        (what, written(mutant, draw.choice((LATEX, Style(r"\dfrac"), Style(times=r"\cdot ")))))
        for what, mutant in found
    ]
    return gold, right, wrong


def _int(draw: Random, low: int = 2, high: int = 12) -> Expression:
    return num(draw.randint(low, high))


def _letter(draw: Random) -> Expression:
    return let(draw.choice("xyznabt"))


def _linear(draw: Random) -> Made:
    a, b, c, x = draw.randint(2, 9), draw.randint(2, 9), draw.randint(2, 9), _letter(draw)
    factored = mul(num(a), add(mul(num(b), x), num(c)))
    expanded = add(mul(num(a * b), x), num(a * c))
    return _of(factored, draw, expanded) if draw.random() < 0.5 else _of(expanded, draw, factored)


def _quadratic(draw: Random) -> Made:
    p, q, x = draw.randint(1, 9), draw.randint(1, 9), _letter(draw)
    factored = mul(add(x, num(p)), add(x, neg(num(q))))
    middle = mul(num(abs(p - q)), x)
    terms = [power(x, 2), *([] if p == q else [middle if p > q else neg(middle)]), neg(num(p * q))]
    return _of(factored, draw, add(*terms)) if draw.random() < 0.5 else _of(add(*terms), draw, factored)


def _rational(draw: Random) -> Made:
    a, b, c, x, y = draw.randint(2, 9), draw.randint(2, 9), draw.randint(2, 9), let("x"), let("y")
    node = div(add(mul(num(a), x), neg(num(b))), add(mul(num(c), y), num(1)))
    return _of(node, draw, div(add(num(-b), mul(num(a), x)), add(num(1), mul(y, num(c)))) if c else node)


def _surd(draw: Random) -> Made:
    a, b, c = draw.choice([2, 3, 5, 6, 7, 10, 11, 13]), draw.randint(2, 7), draw.randint(2, 9)
    node = mul(num(b), root(num(a)))
    sum_ = add(num(c), node)
    return (
        _of(sum_, draw, add(num(c), root(num(a * b * b))))
        if draw.random() < 0.5
        else _of(div(node, num(c)), draw, div(root(num(a * b * b)), num(c)))
    )


def _fraction(draw: Random) -> Made:
    top, bottom, times = draw.randint(1, 40), draw.choice([3, 4, 5, 6, 7, 8, 9, 11, 12, 25]), draw.randint(2, 5)
    node = div(num(top), num(bottom))
    return (
        _of(node if draw.random() < 0.7 else neg(node), draw)
        if draw.random() < 0.5
        else _of(node, draw, div(num(top * times), num(bottom * times)))
    )


def _circle(draw: Random) -> Made:
    a, b = draw.randint(2, 30), draw.randint(2, 9)
    unit = draw.choice(["cm", "m", "mm", "km"])
    gold = written(mul(num(a), PI))
    if draw.random() < 0.5:
        return _of(mul(div(num(a), num(b)), PI), draw, div(mul(num(a), PI), num(b)))
    other = "mm" if unit != "mm" else "km"
    right = [f"{a}\\pi \\text{{ {unit}}}^2", f"{a} π \\text{{{unit}}}^2", f"{a}\\pi"]
    wrong = [
        ("unit", f"{a}\\pi \\text{{ {other}}}^2"),
        ("unit", f"{a}\\pi \\text{{ {unit}}}"),
        ("unit", f"{a}\\pi \\text{{ {unit}}}^3"),
        ("digit", f"{a + 1}\\pi \\text{{ {unit}}}^2"),
    ]
    return f"{gold}\\text{{ {unit}}}^2", right, wrong


def _point(draw: Random) -> Made:
    a, b, c = draw.randint(-9, 9), draw.randint(1, 9), draw.randint(2, 9)
    gold = f"\\left({a}, \\frac{{{b}}}{{{c}}}\\right)"
    right = [f"({a},{b}/{c})", f"$\\left( {a}, \\dfrac{{{b}}}{{{c}}} \\right)$"]
    wrong = [
        ("sign", f"({-a or 1}, {b}/{c})"),
        ("digit", f"({a}, {b + 1}/{c})"),
        ("bracket", f"[{a}, {b}/{c}]"),
        ("order", f"({b}/{c}, {a})"),
    ]
    return gold, right, [case for case in wrong if not (case[0] == "order" and a * c == b)]


def _big_integer(draw: Random) -> Made:
    digits = str(draw.randint(10**9, 10 ** draw.choice([12, 18, 25, 40])))
    place = draw.randrange(len(digits))
    other = digits[:place] + str((int(digits[place]) + draw.randint(1, 9)) % 10) + digits[place + 1 :]
    grouped = f"{int(digits):,}"
    right = [
        grouped,
        grouped.replace(",", "{,}"),
        grouped.replace(",", ",\\!"),
        f"${digits}$",
        grouped.replace(",", "\\,"),
    ]
    last = str(int(digits) + 1)
    return (
        digits,
        right,
        [("digit", other.lstrip("0") or "1"), ("digit", last), ("sign", "-" + digits), ("digit", digits + "0")],
    )


def _powers(draw: Random) -> Made:
    a, b = draw.randint(2, 12), draw.randint(3, 20)
    node = add(power(num(a), b), neg(num(1)))
    gold, right, wrong = _of(node, draw)
    return gold, [*right, str(a**b - 1)], [*wrong, ("digit", str(a**b - 2)), ("digit", str(a**b))]


def _factorial(draw: Random) -> Made:
    n, k = draw.randint(5, 60), draw.randint(1, 4)
    node = div(num(k), Expression("!", (num(n),)))
    gold, right, wrong = _of(node, draw)
    return gold, right, [*wrong, ("sign", f"-\\frac{{{k}}}{{{n}!}}"), ("digit", f"\\frac{{{k}}}{{{n + 1}!}}")]


def _binomial(draw: Random) -> Made:
    import math

    n, k = draw.randint(6, 20), draw.randint(2, 5)
    gold = f"\\binom{{{n}}}{{{k}}}"
    right = [
        f"\\dbinom{{{n}}}{{{k}}}",
        str(math.comb(n, k)),
        f"\\frac{{{n}!}}{{{k}!{n - k}!}}",
        f"\\binom{{{n}}}{{{n - k}}}",
    ]
    return (
        gold,
        right,
        [("digit", f"\\binom{{{n + 1}}}{{{k}}}"), ("digit", str(math.comb(n, k) + 1)), ("sign", f"-{math.comb(n, k)}")],
    )


def _base(draw: Random) -> Made:
    base = draw.randint(3, 9)
    digits = "".join(str(draw.randint(1, base - 1)) for _ in range(draw.randint(3, 6)))
    changed = digits[:-1] + str((int(digits[-1]) + 1) % base)
    right = [f"{digits}_{{{base}}}", f"${digits}_{base}$", f"{digits}_{{\\text{{{_BASE_WORDS[base]}}}}}"]
    return (
        f"{digits}_{base}",
        right,
        [
            ("base", f"{digits}_{base + 1}"),
            ("digit", f"{changed}_{base}"),
            ("base", digits),
            ("digit", f"{digits}0_{base}"),
        ],
    )


_BASE_WORDS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


def _set(draw: Random) -> Made:
    values = draw.sample(range(-12, 20), draw.randint(2, 5))
    shuffled = draw.sample(values, len(values))
    inside = ", ".join(map(str, values))
    gold = f"\\{{{inside}\\}}"
    other = [*values[:-1], values[-1] + 40]
    right = [
        f"\\{{{','.join(map(str, shuffled))}\\}}",
        f"\\left\\{{ {', '.join(map(str, [*shuffled, shuffled[0]]))} \\right\\}}",
        ", ".join(map(str, shuffled)),
    ]
    wrong = [
        ("digit", f"\\{{{', '.join(map(str, other))}\\}}"),
        ("bracket", f"({inside})"),
        ("digit", f"\\{{{', '.join(map(str, values[1:]))}\\}}"),
    ]
    return gold, right, wrong


def _interval(draw: Random) -> Made:
    a = draw.randint(-9, 5)
    b = a + draw.randint(1, 12)
    open_, close = draw.choice("(["), draw.choice(")]")
    low, high = "<" if open_ == "(" else r"\le", "<" if close == ")" else r"\le"
    gold = f"{open_}{a},{b}{close}"
    right = [f"{a} {low} x {high} {b}", f"x \\in \\left{open_}{a}, {b}\\right{close}", f"${open_}{a},\\ {b}{close}$"]
    flipped = "[" if open_ == "(" else "("
    wrong = [
        ("bracket", f"{flipped}{a},{b}{close}"),
        ("digit", f"{open_}{a},{b + 1}{close}"),
        ("sign", f"{open_}{-b},{-a}{close}"),
        ("bracket", f"{a} {low} x {_CLOSED[high]} {b}"),
    ]
    return gold, right, [case for case in wrong if not (case[0] == "sign" and a == -b)]


_CLOSED = {"<": r"\le", ">": r"\ge", r"\le": "<", r"\ge": ">"}


def _ray(draw: Random) -> Made:
    a = draw.randint(-9, 9)
    op = draw.choice(["<", ">", r"\le", r"\ge"])
    upper = op in ("<", r"\le")
    closed = op.startswith("\\")
    end = "]" if closed else ")"
    interval = f"(-\\infty, {a}{end}" if upper else f"{'[' if closed else '('}{a}, \\infty)"
    mirrored = {"<": ">", ">": "<", r"\le": r"\ge", r"\ge": r"\le"}[op]
    right = [interval, f"{a} {mirrored} x", f"x \\in {interval}"]
    wrong = [
        ("sign", f"x {mirrored} {a}"),
        ("digit", f"x {op} {a + 1}"),
        ("variable", f"y {op} {a}"),
        ("bracket", f"x {_CLOSED[op]} {a}"),
    ]
    return f"x {op} {a}", right, wrong


def _roots(draw: Random) -> Made:
    a, b = draw.randint(1, 9), draw.choice([2, 3, 5, 7])
    gold = f"{a} \\pm \\sqrt{{{b}}}"
    right = [
        f"{a}+\\sqrt{{{b}}}, {a}-\\sqrt{{{b}}}",
        f"x = {a} - \\sqrt{b} \\text{{ or }} x = {a} + \\sqrt{b}",
        f"{a}±√{b}",
    ]
    wrong = [
        ("sign", f"-{a} \\pm \\sqrt{{{b}}}"),
        ("sign", f"{a} + \\sqrt{{{b}}}"),
        ("digit", f"{a} \\pm \\sqrt{{{b + 1}}}"),
        ("bracket", f"{a} \\pm {b}"),
    ]
    return gold, right, wrong


def _line(draw: Random) -> Made:
    a, b = draw.randint(2, 9), draw.randint(1, 9)
    gold = f"y = {a}x + {b}"
    right = [f"y={b}+{a}x", f"{a}x - y + {b} = 0", f"y - {b} = {a}x", f"{a}x+{b}"]
    wrong = [
        ("sign", f"y = {a}x - {b}"),
        ("sign", f"y = -{a}x + {b}"),
        ("digit", f"y = {a + 1}x + {b}"),
        ("variable", f"x = {a}y + {b}"),
        ("variable", f"y = {a} + {b}"),
    ]
    return gold, right, wrong


def _derivative(draw: Random) -> Made:
    a, b, x = draw.randint(2, 9), draw.randint(2, 7), let("x")
    name = draw.choice(["sin", "cos"])
    node = add(mul(num(a), power(x, b)), neg(mul(num(b), fn(name, mul(num(a), x)))))
    return _of(node, draw)


def _antiderivative(draw: Random) -> Made:
    a, b, x = draw.randint(2, 9), draw.randint(2, 6), let("x")
    node = add(div(power(x, b + 1), num(b + 1)), mul(num(a), fn("ln", x)), let("C"))
    return _of(node, draw)


def _exponential(draw: Random) -> Made:
    a, b, c, x = draw.randint(2, 9), draw.randint(2, 5), draw.randint(1, 9), let("x")
    if draw.random() < 0.5:
        return _of(div(add(power(E, b), neg(num(1))), num(c + 1)), draw)
    return _of(
        add(mul(num(a), power(E, mul(num(b), x))), num(c)), draw, add(num(c), mul(num(a), power(power(E, x), b)))
    )


def _physics(draw: Random) -> Made:
    m, v, k = let("m"), let("v"), draw.randint(2, 9)
    node = mul(div(num(1), num(k)), m, power(v, 2))
    gold, right, wrong = _of(node, draw, div(mul(m, power(v, 2)), num(k)))
    return gold, right, [*wrong, ("variable", f"\\frac{{1}}{{{k}}}"), ("variable", f"\\frac{{1}}{{{k}}} m")]


def _measure(draw: Random) -> Made:
    size, unit = f"{draw.randint(2, 500)}" + draw.choice(["", ".5", ".25"]), draw.choice(_LENGTHS)
    other = draw.choice([each for each in _LENGTHS if each != unit])
    right = [
        f"{size}\\text{{ {unit}}}",
        f"{size}\\,\\mathrm{{{unit}}}",
        f"{size} {_WORDS[unit]}" if unit in _WORDS else f"${size}$ \\text{{{unit}}}",
        size,
    ]
    wrong = [
        ("unit", f"{size}\\text{{ {other}}}"),
        ("unit", f"{size} \\text{{ {unit}}}^2"),
        ("digit", f"1{size}\\text{{ {unit}}}"),
        ("sign", f"-{size}\\text{{ {unit}}}"),
    ]
    return f"{size}\\text{{ {unit}}}", right, wrong


def _degrees(draw: Random) -> Made:
    a = draw.randint(3, 179)
    right = [f"{a}°", f"{a}^{{\\circ}}", f"{a} degrees", f"{a}\\degree", f"{a}\\text{{ degrees}}", str(a)]
    return (
        f"{a}^\\circ",
        right,
        [
            ("digit", f"{a + 1}^\\circ"),
            ("sign", f"-{a}^\\circ"),
            ("unit", f"{a} cm"),
            ("unit", f"{a}\\text{{ radians}}"),
        ],
    )


def _percentage(draw: Random) -> Made:
    a = draw.randint(2, 99)
    return (
        f"{a}\\%",
        [f"{a}%", f"{a} percent", f"{a} pct", f"${a}\\%$"],
        [("digit", f"{a + 1}\\%"), ("unit", f"{a}\\text{{ cm}}"), ("sign", f"-{a}\\%")],
    )


def _ratio(draw: Random) -> Made:
    a, b, k = draw.randint(1, 9), draw.randint(1, 9), draw.randint(2, 5)
    wrong = [("digit", f"{a + 1}:{b}")] + ([("order", f"{b}:{a}")] if a != b else [])
    return f"{a}:{b}", [f"{k * a}:{k * b}", f"{a} : {b}"], wrong


_MAKERS: tuple[Callable[[Random], Made], ...] = (
    _linear,
    _quadratic,
    _rational,
    _surd,
    _fraction,
    _circle,
    _point,
    _big_integer,
    _powers,
    _factorial,
    _binomial,
    _base,
    _set,
    _interval,
    _ray,
    _roots,
    _line,
    _derivative,
    _antiderivative,
    _exponential,
    _physics,
    _measure,
    _degrees,
    _percentage,
    _ratio,
)
