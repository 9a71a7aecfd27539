"""Whether loops are told from honest answers: 2,000 texts that repeat themselves for good reasons, and planted loops.

python -m benchmarks.runaways [--quick]
"""

from __future__ import annotations

import json
import random
import string
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal, getcontext

from benchmarks.tables import Table
from modex.core.llm.assembly import StreamAssembly
from modex.core.llm.stream import Runaway

TOKEN = 4
"""Characters of one token, as they stream."""
WITHIN = 2000
"""Tokens of a loop within which it must be seen."""
_NOUNS = (
    "river", "table", "engine", "market", "teacher", "window", "garden", "letter", "signal", "bridge", "winter", "number",
    "forest", "button", "planet",
)  # fmt: skip
_VERBS = ("carries", "follows", "opens", "measures", "forgets", "repairs", "colours", "answers", "counts", "crosses")

Make = Callable[[random.Random], str]


def looped(text: str) -> int | None:
    """After how many tokens of `text` the recogniser says that it loops; None where it never does."""
    answer, runaway = StreamAssembly(0.0, lambda: 0.0), Runaway()
    for at in range(0, len(text), TOKEN):
        answer.add_text(text[at : at + TOKEN])
        if answer.chunks >= runaway.next and runaway.look(answer) is not None:
            return answer.chunks
    return None


def _sentence(rng: random.Random) -> str:
    return f"The {rng.choice(_NOUNS)} {rng.choice(_VERBS)} the {rng.choice(_NOUNS)} {rng.randint(2, 99)} times."


def _prose(rng: random.Random) -> str:
    said = [_sentence(rng) for _ in range(rng.randint(20, 300))]
    for _ in range(rng.randint(0, 6)):
        said.insert(rng.randrange(len(said)), "the the " + rng.choice(_NOUNS))
    return " ".join(said)


def _table(rng: random.Random) -> str:
    width = rng.randint(2, 8)
    cell: Callable[[], str] = rng.choice(
        [lambda: str(rng.randint(0, 1)), lambda: rng.choice(["yes", "no"]), lambda: f"{rng.random():.2f}", lambda: "-"]
    )
    rows = [[_sentence(rng)[4:12], *(cell() for _ in range(width))] for _ in range(rng.randint(10, 120))]
    return "\n".join(["| " + " | ".join(row) + " |" for row in rows])


def _zeros(rng: random.Random) -> str:
    size = rng.randint(3, 40)
    return "\n".join(" ".join(["0"] * size) for _ in range(size))


def _json_list(rng: random.Random) -> str:
    rows = [
        {"id": number, "name": f"item {number}", "active": True, "score": rng.choice([0, 1]), "tags": ["a", "b"]}
        for number in range(rng.randint(20, 200))
    ]
    return json.dumps(rows, indent=rng.choice([None, 2]))


def _json_same(rng: random.Random) -> str:
    return json.dumps([rng.choice([0, None, "", "n/a"])] * rng.randint(50, 600))


def _code(rng: random.Random) -> str:
    lines: list[str] = []
    for number in range(rng.randint(5, 60)):
        name = rng.choice(_NOUNS)
        lines += [
            f"def test_{name}_{number}():",
            f"    result = {name}({number})",
            "    assert result is not None",
            "",
            "",
        ]
    return "```python\n" + "\n".join(lines) + "```"


def _sql(rng: random.Random) -> str:
    return "\n".join(
        f"INSERT INTO t (id, name, state) VALUES ({n}, '{rng.choice(_NOUNS)}', 'open');"
        for n in range(rng.randint(20, 200))
    )


def _poem(rng: random.Random) -> str:
    refrain = "\n".join(_sentence(rng) for _ in range(rng.randint(1, 4)))
    verses = ["\n".join(_sentence(rng) for _ in range(4)) for _ in range(rng.randint(4, 25))]
    return f"\n\n{refrain}\n\n".join(verses)


def _pi(rng: random.Random) -> str:
    getcontext().prec = rng.randint(200, 3000)
    a, b, t, p = Decimal(1), Decimal(1) / Decimal(2).sqrt(), Decimal("0.25"), Decimal(1)
    for _ in range(12):
        a, b, before = (a + b) / 2, (a * b).sqrt(), a
        t -= p * (before - a) ** 2
        p *= 2
    return str((a + b) ** 2 / (4 * t))


def _fraction(rng: random.Random) -> str:
    getcontext().prec = rng.randint(50, 1500)
    return str(Decimal(1) / Decimal(rng.choice([3, 7, 9, 11, 13, 37, 99, 101])))


def _numbered(rng: random.Random) -> str:
    return "\n".join(f"{number}. {_sentence(rng)}" for number in range(1, rng.randint(20, 200)))


def _lines_written_out(rng: random.Random) -> str:
    """What somebody asked for: the same line some dozens of times."""
    return "\n".join([_sentence(rng)] * rng.randint(10, 50))


def _markup(rng: random.Random) -> str:
    rows = "".join(
        f"<tr><td class='cell'>{rng.randint(0, 9)}</td><td class='cell'></td></tr>\n"
        for _ in range(rng.randint(10, 90))
    )
    return f"<table>\n{rows}</table>\n" + "-" * rng.randint(3, 200) + "\n" + "=" * rng.randint(3, 200)


def _hex(rng: random.Random) -> str:
    return "\n".join(" ".join(f"{rng.randrange(256):02x}" for _ in range(16)) for _ in range(rng.randint(10, 120)))


def _blank(rng: random.Random) -> str:
    return "A" * rng.randint(20, 900) + "=" * 2 + " " * rng.randint(10, 400) + _sentence(rng)


def _cjk(rng: random.Random) -> str:
    said = ["今天天气很好", "我们去公园散步", "他喜欢看书", "她在学校学习", "这个问题很难", "答案是"]
    return "".join(rng.choice(said) + f"{rng.randint(1, 99)}。" for _ in range(rng.randint(20, 300)))


def _deep(rng: random.Random) -> str:
    """JSON within JSON, as deep as tests of parsers ask for."""
    depth = rng.randint(100, 5000)
    opening, closing = rng.choice(
        [("[", "]"), ('{"a":', "}"), ('{"next": ', "}"), ('{"items": [', "]}"), ('[{"child":', "}]")]
    )
    return opening * depth + "0" + closing * depth


HONEST: dict[str, Make] = {
    "prose, with “the the”": _prose, "tables": _table, "grids of zeros": _zeros, "JSON lists": _json_list,
    "JSON lists of one value": _json_same, "code": _code, "SQL": _sql, "poems with a refrain": _poem, "digits of π": _pi,
    "periodic fractions": _fraction, "numbered lists": _numbered, "a line written out": _lines_written_out, "markup": _markup,
    "hex dumps": _hex, "fillers": _blank, "Chinese": _cjk,
    "deep JSON": _deep,
}  # fmt: skip


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(string.ascii_lowercase) for _ in range(rng.randint(2, 9)))


def _varied_lines(rng: random.Random) -> str:
    said = [_sentence(rng) for _ in range(rng.randint(2, 3))]
    return "\n".join(rng.choice(said) for _ in range(2000))


def _counted_line(rng: random.Random) -> str:
    said = _sentence(rng)
    return "\n".join(f"{number}. {said}" for number in range(1, 2000))


def _again(make: Make) -> Make:
    def again(rng: random.Random) -> str:
        once = make(rng)
        return once * ((WITHIN + 500) * TOKEN // len(once) + 1)

    return again


LOOPS: dict[str, Make] = {
    "one word": _again(lambda rng: _word(rng) + " "),
    "a phrase": _again(lambda rng: " ".join(_word(rng) for _ in range(rng.randint(2, 12))) + " "),
    "a line": _again(lambda rng: _sentence(rng) + "\n"),
    "a paragraph": _again(lambda rng: " ".join(_sentence(rng) for _ in range(rng.randint(3, 12))) + "\n\n"),
    "a long block": _again(lambda rng: " ".join(_sentence(rng) for _ in range(rng.randint(14, 30))) + "\n\n"),
    "a call as text": _again(lambda rng: f'<tool_call>{{"name": "{_word(rng)}", "arguments": {{}}}}</tool_call>\n'),
    "white space": _again(lambda rng: rng.choice([" ", "\n", "\t", " \n"])),
    "a numbered line": _counted_line,
    "two or three lines in any order": _varied_lines,
    "Chinese": _again(lambda rng: rng.choice(["答案是四十二。", "让我再想想，", "好的。"])),
}


def planted(make: Make, rng: random.Random) -> tuple[str, int]:
    """An honest beginning, then a loop; and with which token the loop begins."""
    begins = _prose(rng)[: rng.randint(0, 6000)] + "\n"
    return begins + make(rng)[: (WITHIN + 500) * TOKEN], len(begins) // TOKEN


def false_alarms(number: int, seed: int = 0) -> Iterator[tuple[str, int, int]]:
    """Each kind of honest text, how many were tried, and how many were called a loop."""
    for place, (kind, make) in enumerate(HONEST.items()):
        rng = random.Random(f"{seed} {kind}")
        count = number // len(HONEST) + (place < number % len(HONEST))
        yield kind, count, sum(looped(make(rng)) is not None for _ in range(count))


def found_loops(number: int, seed: int = 0) -> Iterator[tuple[str, int, list[int]]]:
    """Each kind of loop, how many were planted, and after how many of its tokens those seen in time were seen."""
    for kind, make in LOOPS.items():
        rng = random.Random(f"{seed} {kind}")
        seen: list[int] = []
        for _ in range(number // len(LOOPS)):
            text, begins = planted(make, rng)
            at = looped(text)
            if at is not None and at - begins <= WITHIN:
                seen.append(at - begins)
        yield kind, number // len(LOOPS), seen


def measure(*, quick: bool) -> list[Table]:
    """2,000 honest texts and 400 loops (a tenth of both where quick)."""
    honest = list(false_alarms(200 if quick else 2000))
    loops = list(found_loops(40 if quick else 400))
    rows = [[kind, str(count), str(wrong)] for kind, count, wrong in honest]
    rows.append(["**all**", str(sum(row[1] for row in honest)), str(sum(row[2] for row in honest))])
    seen_rows = []
    for kind, count, seen in loops:
        middle = f"{sorted(seen)[len(seen) // 2]:,}" if seen else ""
        seen_rows.append([kind, str(count), f"{100 * len(seen) / count:.0f} %", middle])
    total, found = sum(count for _, count, _ in loops), sum(len(seen) for _, _, seen in loops)
    seen_rows.append(["**all**", str(total), f"{100 * found / total:.1f} %", ""])
    return [
        Table("Honest answers that were called a loop", ["text", "tried", "false alarms"], rows),
        Table(f"Planted loops seen within {WITHIN:,} tokens", ["loop", "planted", "seen", "after tokens"], seen_rows),
    ]


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
