"""All questions in one run: `make bench` = `python -m benchmarks`, about 15 minutes.

python -m benchmarks                    what docs/performance.md says; the tables go there
python -m benchmarks --quick            smaller sizes, printed only, about 4 minutes
python -m benchmarks start store        some questions, printed only
python -m benchmarks --against DIR      throughput and first request beside another tree of modex, alternating, printed only
python -m benchmarks statistics [--draws N]  into docs/statistics.md; exits 1 where a promised share is missed
python -m benchmarks parity --data DIR  verdicts on real answers beside those of other tools, printed only
python -m benchmarks mcp_faults         MCP servers that raise, die, hang and flood; exits 1 where an innocent sample fails
python -m benchmarks local              modex beside the server of the real model inside, in processor seconds, printed only
python -m benchmarks mutation [PATH…]   whether the tests would notice: see `python -m benchmarks mutation --help`
python -m benchmarks items              into docs/suite.md; exits 1 where a cell of the suite does not discriminate
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    against,
    find,
    floor,
    items,
    knee,
    local,
    longlived,
    mcp_faults,
    million,
    mutation,
    parity,
    processes,
    reading,
    runaways,
    sandbox,
    scoring,
    screen,
    slow_terminal,
    start,
    statistics,
    store,
    streaming,
    suite,
    throughput,
    trust,
    widgets,
    words,
)
from benchmarks.server import ROOT
from benchmarks.tables import Table, machine, write_into

QUESTIONS: dict[str, Callable[..., list[Table]]] = {
    "throughput": throughput.measure,
    "processes": processes.measure,
    "knee": knee.measure,
    "floor": floor.measure,
    "streaming": streaming.measure,
    "reading": reading.measure,
    "runaways": runaways.measure,
    "sandbox": sandbox.measure,
    "start": start.measure,
    "store": store.measure,
    "suite": suite.measure,
    "items": items.measure,
    "scoring": scoring.measure,
    "trust": trust.measure,
    "statistics": statistics.measure,
    "screen": screen.measure,
    "slow_terminal": slow_terminal.measure,
    "find": find.measure,
    "million": million.measure,
    "longlived": longlived.measure,
    "widgets": widgets.measure,
    "words": words.measure,
    "parity": parity.measure,
    "mcp_faults": mcp_faults.measure,
    "local": local.measure,
}
ALONE = frozenset(
    {
        "reading",
        "runaways",
        "items",
        "trust",
        "statistics",
        "million",
        "longlived",
        "widgets",
        "words",
        "parity",
        "mcp_faults",
        "local",
    }
)
"""Questions that are asked only by name: they tell nothing of this page, or take as long as all others together."""
PAGE = ROOT / "docs" / "performance.md"
OWN_PAGES = {"statistics": ROOT / "docs" / "statistics.md", "items": ROOT / "docs" / "suite.md"}
"""Questions whose figures stand on a page of their own, where they are asked alone."""


def main() -> None:
    if sys.argv[1:2] == ["mutation"]:  # it measures the tests, and has options of its own
        sys.exit(mutation.main(sys.argv[2:]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--against", type=Path, metavar="DIR", help="a tree of another modex, to alternate with")
    parser.add_argument("questions", nargs="*", metavar="question", help=", ".join(QUESTIONS))
    parser.add_argument("--data", type=Path, metavar="DIR", help="files of real answers, for `parity`")
    parser.add_argument("--draws", type=int, metavar="N", help="draws a row of `statistics`, 2,000 by default")
    options = parser.parse_args()
    if options.data is not None:
        os.environ[parity.DATA] = str(options.data.resolve())
    if options.draws is not None:
        os.environ[statistics.DRAWS] = str(max(1, options.draws))
    if unknown := set(options.questions) - set(QUESTIONS):
        parser.error(f"no question {', '.join(sorted(unknown))}")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # without compiled files every start is measured as a first one
    if options.against is not None:
        tables = against.measure(options.against.resolve(), quick=options.quick)
        print("\n\n".join(table.markdown() for table in tables))
        return
    wanted = options.questions or [name for name in QUESTIONS if name not in ALONE]
    parts = [f"{time.strftime('%Y-%m-%d')}, {machine()}. Medians (smallest–largest)."]
    for name in wanted:
        began = time.monotonic()
        found = _tables(name, quick=options.quick)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        print(found, end="\n\n", flush=True)
        parts.append(found)
    if not options.quick and not options.questions:
        write_into(PAGE, "\n\n".join(parts))
        print(f"written into {PAGE.relative_to(ROOT)}")
    if len(options.questions) == 1 and options.questions[0] in OWN_PAGES and not options.quick:
        page = OWN_PAGES[options.questions[0]]
        write_into(page, found)
        print(f"written into {page.relative_to(ROOT)}")
    if "statistics" in wanted and (missed := statistics.missed()):
        sys.exit(f"{len(missed)} promises missed: {'; '.join(missed)}")
    if "items" in wanted and (missed := items.missed()):
        sys.exit(f"{len(missed)} faults of the suite: {'; '.join(missed)}")


def _tables(name: str, *, quick: bool) -> str:
    return "\n\n".join(table.markdown() for table in QUESTIONS[name](quick=quick))


if __name__ == "__main__":
    main()
