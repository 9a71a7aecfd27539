"""Results as Markdown tables, and a description of the machine they were measured on."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def markdown(self) -> str:
        """The table, with its title as a heading."""
        lines = [f"### {self.title}", ""]
        lines += [f"| {' | '.join(row)} |" for row in (self.header, ["---"] * len(self.header), *self.rows)]
        if self.note:
            lines += ["", self.note]
        return "\n".join(lines)


def machine() -> str:
    """Processors, memory, system and Python in a sentence."""
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    info = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} cores ({name}), {pages * size / 2**30:.0f} GB, {platform.system()} {platform.release()},"
        f" Python {platform.python_version()}, load {load:.1f} at the start"
    )


def write_into(page: Path, text: str) -> None:
    """Replace what stands between the marks of `page`."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", "utf-8")
