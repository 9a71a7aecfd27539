"""What a terminal shows, cell by cell: a new frame sends only the cells that differ from it.

Textual sends a changed region again from its widget's left edge on, each piece with its own colours and a reset. Over a slow
line that is most of what a live screen sends: a clock that moves by a second costs its whole line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.style import Style
from textual.strip import Strip

Pen = tuple[str, str, str]
"""How a cell is drawn, as SGR parameters: attributes, foreground, background; each empty where it is the terminal's own."""
PLAIN: Pen = ("", "", "")
_ATTRIBUTES = (
    ("bold", "1"),
    ("dim", "2"),
    ("italic", "3"),
    ("underline", "4"),
    ("blink", "5"),
    ("blink2", "6"),
    ("reverse", "7"),
    ("conceal", "8"),
    ("strike", "9"),
    ("underline2", "21"),
    ("frame", "51"),
    ("encircle", "52"),
    ("overline", "53"),
)
_SEEN_ON_A_BLANK = frozenset(["4", "7", "9", "21", "51", "52", "53"])
"""Attributes that draw something where there is no sign."""
_BRIDGE = 6
"""Equal cells between two changed ones that are sent again: to move the cursor over them takes about as many bytes."""


class _Line:
    """One line: a text and a pen for each cell. A sign of several cells stands in its first, the others are empty."""

    __slots__ = ("even", "pens", "texts")

    def __init__(self, texts: list[str], pens: list[Pen], even: bool) -> None:
        self.texts, self.pens, self.even = texts, pens, even
        # `even`: every sign takes one cell. Terminals disagree about the others, so a line with any is sent whole.


class Picture:
    """The newest frame, and what the terminal was sent last."""

    def __init__(self, colours: ColorSystem) -> None:
        """`colours` are those that the terminal has."""
        self._colours = colours
        self._newest: list[_Line] = []
        self._sent: list[_Line | None] = []
        self._changed: set[int] = set()

    @property
    def changed(self) -> bool:
        """Whether something was drawn since the last frame."""
        return bool(self._changed)

    def forget(self) -> None:
        """What stands on the terminal is not known any more: the next frame is sent whole."""
        self._sent = [None] * len(self._newest)
        self._changed = set(range(len(self._newest)))

    def draw_all(self, lines: Sequence[Iterable[Strip]]) -> None:
        """Take a whole frame: the strips of each line from left to right, together as wide as the terminal."""
        newest = [self._line(strips) for strips in lines]
        if len(newest) != len(self._newest) or any(
            len(new.texts) != len(old.texts) for new, old in zip(newest, self._newest, strict=True)
        ):
            self._sent = [None] * len(newest)  # another size: terminals shift or cut what stood there
        self._newest = newest
        self._changed = set(range(len(newest)))

    def draw(self, y: int, x: int, strip: Strip, span: tuple[int, int] | None = None) -> None:
        """Take a piece of the line `y`, from the column `x` on; what is beyond the edges, or outside of `span`, is left out."""
        if not 0 <= y < len(self._newest):
            return
        line, piece = self._newest[y], self._line([strip])
        start, end = x, min(x + len(piece.texts), len(line.texts))
        if span is not None:
            start, end = _within(piece.texts, max(start, span[0]) - x, min(end, span[1]) - x)
            start, end = start + x, end + x
        if not 0 <= start < end <= len(line.texts):
            return
        texts, pens = line.texts.copy(), line.pens.copy()
        texts[start:end], pens[start:end] = piece.texts[start - x : end - x], piece.pens[start - x : end - x]
        even = piece.even and (line.even or all(len(text) == 1 for text in texts))
        self._newest[y] = _Line(texts, pens, even)
        self._changed.add(y)

    def frame(self) -> str:
        """What makes the terminal show the newest frame: signs, cursor movements and SGR only; empty where it does."""
        parts: list[str] = []
        pencil = _Pencil(parts.append)
        for y in sorted(self._changed):
            new, old = self._newest[y], self._sent[y]
            self._sent[y] = new
            for start, end in _differences(new, old):
                pencil.write(y, start, new, end)
        self._changed.clear()
        pencil.lift()
        return "".join(parts)

    def _line(self, strips: Iterable[Strip]) -> _Line:
        texts: list[str] = []
        pens: list[Pen] = []
        even = True
        for strip in strips:
            for text, style, control in strip:
                if control or not text:
                    continue
                pen = PLAIN if style is None else _pen(style, self._colours)
                if _is_even(text):
                    texts += text
                    pens += [pen] * len(text)
                elif width := cell_len(text):
                    even = False
                    texts += [text, *[""] * (width - 1)]
                    pens += [pen] * width
        return _Line(texts, pens, even)


def _within(texts: list[str], start: int, end: int) -> tuple[int, int]:
    """From `start` to before `end`, and the whole of a sign that either of them would cut."""
    while 0 < start < len(texts) and not texts[start]:
        start -= 1
    while 0 < end < len(texts) and not texts[end]:
        end += 1
    return start, end


class _Pencil:
    """Writes runs of cells with as few movements and changes of colour as they need."""

    def __init__(self, out: Callable[[str], object]) -> None:
        self._out = out
        self._pen: Pen | None = None
        self._at: tuple[int, int] | None = None

    def write(self, y: int, start: int, line: _Line, end: int) -> None:
        """Write the cells from `start` to before `end`."""
        self._go_to(y, start)
        for x in range(start, end):
            text, pen = line.texts[x], line.pens[x]
            if not text:
                continue
            if pen is not self._pen and not (text == " " and self._pen is not None and _same_blank(pen, self._pen)):
                self._take(pen)
            self._out(text)
            if not line.even and not _is_even(text):
                # Where the cursor stands behind such a sign, terminals disagree.
                self._at = None
                following = next((at for at in range(x + 1, end) if line.texts[at]), end)
                if following < end:
                    self._go_to(y, following)
        self._at = (y, end) if line.even else None

    def lift(self) -> None:
        """Leave the terminal with its own colours."""
        if self._pen is not None and self._pen != PLAIN:
            self._out("\x1b[m")

    def _go_to(self, y: int, x: int) -> None:
        at = self._at
        if at == (y, x):
            return
        if at is not None and at[0] == y and at[1] < x:
            self._out(f"\x1b[{x - at[1]}C" if x - at[1] > 1 else "\x1b[C")
        else:
            self._out(f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H")

    def _take(self, pen: Pen) -> None:
        before = self._pen
        self._pen = pen
        if before == pen:
            return
        if before is None or before[0] != pen[0]:
            self._out(f"\x1b[{';'.join(('', *(part for part in pen if part)))}m" if any(pen) else "\x1b[m")
            return
        changes = [new or own for new, old, own in ((pen[1], before[1], "39"), (pen[2], before[2], "49")) if new != old]
        self._out(f"\x1b[{';'.join(changes)}m")


def _differences(new: _Line, old: _Line | None) -> list[tuple[int, int]]:
    """The runs of cells, from to before, in which two lines differ; near ones are one."""
    width = len(new.texts)
    if old is None:
        return [(0, width)] if width else []
    if new.texts == old.texts and new.pens == old.pens:
        return []
    if not (new.even and old.even):
        return [(0, width)]
    found: list[tuple[int, int]] = []
    for x, (text, before, pen, pen_before) in enumerate(zip(new.texts, old.texts, new.pens, old.pens, strict=True)):
        if text == before and (
            pen is pen_before or pen == pen_before or (text == " " and _same_blank(pen, pen_before))
        ):
            continue
        if found and x - found[-1][1] <= _BRIDGE:
            found[-1] = (found[-1][0], x + 1)
        else:
            found.append((x, x + 1))
    return found


def _same_blank(one: Pen, other: Pen) -> bool:
    """Whether a space looks the same with both pens."""
    return one[2] == other[2] and not _marks_blanks(one[0]) and not _marks_blanks(other[0])


@lru_cache(maxsize=256)
def _marks_blanks(attributes: str) -> bool:
    return not _SEEN_ON_A_BLANK.isdisjoint(attributes.split(";"))


@lru_cache(maxsize=8192)
def _is_even(text: str) -> bool:
    """Whether every code point of a text takes one cell."""
    return text.isascii() or (cell_len(text) == len(text) and all(cell_len(sign) == 1 for sign in set(text)))


@lru_cache(maxsize=8192)
def _pen(style: Style, colours: ColorSystem) -> Pen:
    attributes = ";".join(code for name, code in _ATTRIBUTES if getattr(style, name))
    foreground, background = style.color, style.bgcolor
    fore = "" if foreground is None else ";".join(foreground.downgrade(colours).get_ansi_codes())
    back = "" if background is None else ";".join(background.downgrade(colours).get_ansi_codes(foreground=False))
    return _interned(attributes, "" if fore == "39" else fore, "" if back == "49" else back)


@lru_cache(maxsize=8192)
def _interned(attributes: str, foreground: str, background: str) -> Pen:
    """One object for equal pens, so that most comparisons are by identity."""
    return (attributes, foreground, background)
