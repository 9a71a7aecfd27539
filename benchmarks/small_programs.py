"""Correct small functions over the standard library, numpy and pandas, each with calls whose results plain Python knows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PACKAGES = ("numpy==2.3.5", "pandas>=2,<4")
_NUMBERS: tuple[list[Any], ...] = ([3, 1, 2], [5], [2, 2, 7, 1], [10, -4, 0, 6, 6], list(range(12)))
_WORDS: tuple[list[Any], ...] = (["b", "a"], ["tea"], ["x", "y", "x"], ["Ada", "bob", "Cy"], list("mississippi"))
_OF_NUMBERS: tuple[tuple[str, str, str], ...] = (
    ("heapq", "return [heapq.heappop(h) for h in [sorted(x)] for _ in range(len(h))]", "sorted(x)"),
    ("bisect", "return bisect.bisect_left(sorted(x), 2)", "sum(1 for v in x if v < 2)"),
    ("itertools", "return list(itertools.accumulate(x))", "[sum(x[:n + 1]) for n in range(len(x))]"),
    ("functools", "return functools.reduce(lambda a, b: a + b, x)", "sum(x)"),
    ("operator", "return operator.itemgetter(0)(x)", "x[0]"),
    ("statistics", "return statistics.median(x)", "(sorted(x)[(len(x) - 1) // 2] + sorted(x)[len(x) // 2]) / 2"),
    ("collections", "return sorted(collections.Counter(x).values())", "sorted(x.count(v) for v in set(x))"),
    ("fractions", "return float(sum(fractions.Fraction(v, 2) for v in x))", "sum(x) / 2"),
    ("decimal", "return int(sum(decimal.Decimal(v) for v in x))", "sum(x)"),
    ("array", "return array.array('q', x).tolist()[::-1]", "x[::-1]"),
    ("dataclasses", "P = dataclasses.make_dataclass('P', ['v'])\n    return [P(v).v for v in x]", "list(x)"),
    ("contextlib", "with contextlib.suppress(IndexError):\n        x[99]\n    return len(x)", "len(x)"),
    ("json", "return json.loads(json.dumps({'x': x}))['x']", "list(x)"),
    ("struct", "return list(struct.unpack(f'{len(x)}q', struct.pack(f'{len(x)}q', *x)))", "list(x)"),
    ("datetime", "d = datetime.date(2024, 1, 1) + datetime.timedelta(days=len(x))\n    return d.day", "1 + len(x)"),
    ("math", "return math.prod(v + 20 for v in x)", "__import__('math').prod(v + 20 for v in x)"),
    ("random", "r = random.Random(1)\n    y = list(x)\n    r.shuffle(y)\n    return sorted(y)", "sorted(x)"),
    ("queue", "q = queue.Queue()\n    for v in x: q.put(v)\n    return [q.get() for _ in x]", "list(x)"),
    ("threading", "y = []\n    t = threading.Thread(target=y.extend, args=(x,))\n    t.start(); t.join()\n    return y",
     "list(x)"),
    ("asyncio", "async def g(): return [v async for v in h()]\n    async def h():\n        for v in x: yield v\n"
     "    return g_run(g())", "list(x)"),
    ("numpy", "return numpy.sort(numpy.array(x))", "sorted(x)"),
    ("numpy", "return numpy.cumsum(x)", "[sum(x[:n + 1]) for n in range(len(x))]"),
    ("numpy", "return numpy.array(x).mean()", "sum(x) / len(x)"),
    ("numpy", "return numpy.outer(x, x).trace()", "sum(v * v for v in x)"),
    ("numpy", "return numpy.where(numpy.array(x) > 2, 1, 0)", "[int(v > 2) for v in x]"),
    ("pandas", "return pandas.Series(x).sort_values()", "sorted(x)"),
    ("pandas", "return int(pandas.Series(x).sum())", "sum(x)"),
    ("pandas", "return pandas.DataFrame({'a': x, 'b': x})", "{'a': x, 'b': x}"),
    ("pandas", "return pandas.DataFrame({'a': x}).a.gt(2).sum()", "sum(v > 2 for v in x)"),
    ("pandas", "return pandas.Series(x).shift(1).fillna(0)", "[0, *x[:-1]]"),
)  # fmt: skip
_OF_WORDS: tuple[tuple[str, str, str], ...] = (
    ("re", "return re.sub('[aeiou]', '', ''.join(x))", "''.join(c for c in ''.join(x) if c not in 'aeiou')"),
    ("string", "return string.capwords(' '.join(x))", "' '.join(w.capitalize() for w in x)"),
    ("textwrap", "return textwrap.indent(x[0], '> ')", "'> ' + x[0]"),
    ("collections", "return collections.Counter(x).most_common(1)[0][1]", "max(x.count(w) for w in x)"),
    ("hashlib", "return len(hashlib.sha256(''.join(x).encode()).hexdigest())", "64"),
    ("base64", "return base64.b64decode(base64.b64encode(x[0].encode())).decode()", "x[0]"),
    ("io", "return io.StringIO('\\n'.join(x)).readlines()[-1]", "x[-1]"),
    ("csv", "return list(csv.reader([','.join(x)]))[0]", "list(x)"),
    ("itertools", "return [k for k, _ in itertools.groupby(x)]",
     "[w for n, w in enumerate(x) if n == 0 or x[n - 1] != w]"),
    ("pandas", "return pandas.Series(x).value_counts().max()", "max(x.count(w) for w in x)"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SmallProgram:
    """One function with a case."""

    module: str
    code: str
    expected: dict[str, Any]

    @property
    def packages(self) -> tuple[str, ...]:
        """What its test names."""
        return PACKAGES if self.module in ("numpy", "pandas") else ()


def small_programs() -> Iterator[SmallProgram]:
    """All of them: 200."""
    for rows, inputs in ((_OF_NUMBERS, _NUMBERS), (_OF_WORDS, _WORDS)):
        for (module, body, plain), given in itertools.product(rows, inputs):
            code = f"import {module}\ndef f(x):\n    {body}".replace("g_run", "asyncio.run")
            yield SmallProgram(
                module, code, {"function": "f", "cases": [{"args": [given], "returns": eval(plain, {"x": given})}]}
            )
