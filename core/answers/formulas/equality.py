"""Whether two statements say the same: structure first, then exact values, then values to many digits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from modex.core.answers.formulas.exact import NotRationalError, UndefinedError, exact_value
from modex.core.answers.formulas.matrices import identity_factor, identity_of
from modex.core.answers.formulas.points import ENOUGH, NEEDED, points
from modex.core.answers.formulas.statements import Many, Piece, Region, Relation, Statement, Value, Words, as_region
from modex.core.answers.formulas.suffixes import Suffix
from modex.core.answers.formulas.tree import Node, negated, number, variables
from modex.core.answers.numbers.reading import Number
from modex.core.answers.numbers.rounding import (
    float_noise,
    is_double,
    is_rounding_of,
    one_value,
    prints,
    terminates,
    written_decimal,
    written_number,
)
from modex.core.answers.text.text import comparable


@dataclass(frozen=True, slots=True)
class Numeric:
    """What arithmetic with rounding says: whether two expressions agree, and the real constants they are (30 digits).

    `gold_double` and `answer_double` are what the same operations give in doubles.
    """

    equal: bool
    gold: Fraction | None = None
    answer: Fraction | None = None
    gold_double: Fraction | None = None
    answer_double: Fraction | None = None


Ask = Callable[[Node, Node], Numeric]
"""Compares two expressions in a child that can be killed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether two statements are equal, by which method, why not, and the values of both where they are one number each."""

    equal: bool
    method: str
    why: str = ""
    gold: Fraction | None = None
    answer: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares statements; `percent_equal` says that 50 % equals 0.5."""

    ask: Ask
    percent_equal: bool = False

    def compare(self, gold: Statement, answer: Statement) -> Finding:
        """Whether `answer` says what `gold` does."""
        if isinstance(gold, Words) or isinstance(answer, Words):
            return self._words(gold, answer)
        if isinstance(gold, Relation) or isinstance(answer, Relation):
            return self._relations(gold, answer)
        if isinstance(gold, Region) or isinstance(answer, Region):
            return self._regions(gold, answer)
        if isinstance(gold, Many) or isinstance(answer, Many):
            return self._many(gold, answer)
        return self._values(gold, answer)

    def _words(self, gold: Statement, answer: Statement) -> Finding:
        if isinstance(gold, Words) and isinstance(answer, Words):
            equal = comparable(_plain(gold.text)) == comparable(_plain(answer.text)) and bool(gold.text)
            return Finding(equal, "text", "" if equal else "the texts differ")
        which = "answer" if isinstance(answer, Words) else "gold"
        return Finding(False, "text", f"the {which} is not readable as mathematics")

    def _values(self, gold: Value, answer: Value) -> Finding:
        if gold.base != answer.base:
            return Finding(False, "base", f"base {answer.base or 10} where {gold.base or 10} is expected")
        if gold.base:
            equal = gold.node == answer.node
            return Finding(equal, "base", "" if equal else "the digits differ")
        scale = Fraction(1)
        if _percent(gold.unit) != _percent(answer.unit):
            if self.percent_equal:
                scale = Fraction(1, 100) if _percent(answer.unit) else Fraction(100)
            elif answer.unit is not None and (gold.unit is not None or not _is_numeral(gold.node)):
                return Finding(False, "unit", "one is a percentage and the other is not")
        elif (turned := _turned(gold, answer)) is not None:
            return self._nodes(gold.node, turned)
        elif gold.unit and answer.unit and not gold.unit.same(answer.unit):
            return Finding(False, "unit", f"unit {answer.unit.text} where {gold.unit.text} is expected")
        node = answer.node if scale == 1 else Node("mul", (answer.node, number(str(scale))))
        found = self._nodes(gold.node, node)
        if not found.equal and scale != 1:
            return self._nodes(gold.node, answer.node) if _percent(gold.unit) else found
        return found

    def _nodes(self, gold: Node, answer: Node) -> Finding:
        if gold == answer:
            return Finding(True, "identical")
        if not variables(gold) and not variables(answer):
            return self._constants(gold, answer)
        return Finding(*self._same(gold, answer))

    def _same(self, gold: Node, answer: Node) -> tuple[bool, str, str]:
        exact = _exactly(gold, answer)
        equal = self.ask(gold, answer).equal if exact is None else exact
        return equal, "symbolic", "" if equal else "the expressions are not equal"

    def _constants(self, gold: Node, answer: Node) -> Finding:
        values: list[Fraction | None] = []
        for node in (gold, answer):
            try:
                values.append(exact_value(node, {}))
            except NotRationalError:
                values.append(None)
            except UndefinedError:
                return Finding(False, "numeric", "a value is not defined")
        doubles: list[Fraction | None] = [None, None]
        if values[0] is not None and values[1] is not None:
            equal, method = values[0] == values[1], "numeric"
            if not equal and _nearly(gold, answer, values[0], values[1]):
                said = self.ask(gold, answer)
                doubles = [said.gold_double, said.answer_double]
        else:
            said = self.ask(gold, answer)
            equal, method = said.equal, "symbolic"
            values = [said.gold if values[0] is None else values[0], said.answer if values[1] is None else values[1]]
            doubles = [said.gold_double, said.answer_double]
            if not equal and _rounds(gold, answer, values, irrational=True):
                return Finding(True, "rounded", "", *values)
        if not equal and _prints(gold, answer, values, doubles):
            return Finding(True, "double", "", *values)
        if not equal and method == "numeric" and _rounds(gold, answer, values, irrational=False):
            return Finding(True, "rounded", "", *values)
        return Finding(equal, method, "" if equal else "the values differ", *values)

    def _many(self, gold: Statement, answer: Statement) -> Finding:
        for one, other in ((gold, answer), (answer, gold)):
            if isinstance(one, Many) and one.kind == "matrix":
                equal = self._matrix(one, other)
                return Finding(equal, "matrix", "" if equal else "the matrices differ")
        if not isinstance(gold, Many) or not isinstance(answer, Many):
            return Finding(False, "collection", "one is a list of values and the other is not")
        kinds = {gold.kind, answer.kind}
        if kinds <= {"list", "set"}:
            solutions = all(_is_tuple(item) for item in (*gold.items, *answer.items))
            return self._unordered(gold, answer, repeats="set" not in kinds and not solutions)
        if kinds == {"tuple", "list"} and all(
            isinstance(item, Relation) for item in (gold if gold.kind == "list" else answer).items
        ):
            gold, answer = _by_name(gold), _by_name(answer)
        elif gold.kind != answer.kind or gold.brackets != answer.brackets:
            return Finding(False, "collection", "other brackets than expected")
        if gold.kind == "ratio":
            return self._ratio(gold, answer)
        if len(gold.items) != len(answer.items):
            return _count(gold, answer)
        for one, other in zip(gold.items, answer.items, strict=True):
            if not self.compare(one, other).equal:
                return Finding(False, "collection", "a value differs")
        return Finding(True, "collection")

    def _matrix(self, matrix: Many, other: Statement) -> bool:
        """A matrix equals one of its shape, cell by cell; of one row or column the vector of its cells; a multiple of `I`."""
        rows = [row.items for row in matrix.items if isinstance(row, Many)]
        if isinstance(other, Value):
            return other.unit is None and not other.base and self._identity(rows, other.node)
        if not isinstance(other, Many):
            return False
        if other.kind == "matrix":
            others = [row.items for row in other.items if isinstance(row, Many)]
            if len(rows) != len(others) or len(rows[0]) != len(others[0]):
                return False
            return all(self._alike(row, another) for row, another in zip(rows, others, strict=True))
        if other.kind != "tuple" or other.brackets not in ("()", "[]") or (len(rows) > 1 and len(rows[0]) > 1):
            return False
        return self._alike(tuple(cell for row in rows for cell in row), other.items)

    def _alike(self, ones: tuple[Statement, ...], others: tuple[Statement, ...]) -> bool:
        return len(ones) == len(others) and all(
            self.compare(one, other).equal for one, other in zip(ones, others, strict=True)
        )

    def _identity(self, rows: list[tuple[Statement, ...]], node: Node) -> bool:
        """Whether a square matrix is what `node` multiplies the identity with."""
        size = len(rows)
        factor = identity_factor(node, size)
        if factor is None or len(rows[0]) != size or not self._same(node, identity_of(node, factor))[0]:
            return False
        return all(
            self.compare(cell, Value(factor if column == line else number(0))).equal
            for line, row in enumerate(rows)
            for column, cell in enumerate(row)
        )

    def _unordered(self, gold: Many, answer: Many, *, repeats: bool) -> Finding:
        wanted, rest = list(gold.items), list(answer.items)
        if not repeats:
            wanted, rest = self._distinct(wanted), self._distinct(rest)
        if len(wanted) != len(rest):
            return _count(gold, answer)
        for item in wanted:
            found = next((index for index, other in enumerate(rest) if self.compare(item, other).equal), None)
            if found is None:
                return Finding(False, "collection", "a value is missing")
            del rest[found]
        return Finding(True, "collection")

    def _distinct(self, items: list[Statement]) -> list[Statement]:
        found: list[Statement] = []
        for item in items:
            if not any(self.compare(item, other).equal for other in found):
                found.append(item)
        return found

    def _ratio(self, gold: Many, answer: Many) -> Finding:
        """`3:4` equals `6:8`; two times of day must be the same."""
        if len(gold.items) != len(answer.items):
            return _count(gold, answer)
        ones, others = ([item.node for item in side.items if isinstance(item, Value)] for side in (gold, answer))
        same = all(self._nodes(one, other).equal for one, other in zip(ones, others, strict=True))
        if same or (_clock(ones) and _clock(others)):
            return Finding(same, "ratio", "" if same else "the times differ")
        for index in range(1, len(ones)):
            crossed = Node("mul", (ones[0], others[index])), Node("mul", (ones[index], others[0]))
            if not self._nodes(*crossed).equal:
                return Finding(False, "ratio", "the ratios differ")
        return Finding(True, "ratio")

    def _regions(self, gold: Statement, answer: Statement) -> Finding:
        one, other = as_region(gold), as_region(answer)
        if one is None or other is None:
            return Finding(False, "region", "one is a range of numbers and the other is not")
        if one.variable and other.variable and one.variable != other.variable:
            return Finding(False, "region", "the variables differ")
        ours, theirs = _merged(one.pieces), list(_merged(other.pieces))
        if len(ours) != len(theirs):
            found = "1 range" if len(theirs) == 1 else f"{len(theirs)} ranges"
            wanted = "1 is" if len(ours) == 1 else f"{len(ours)} are"
            return Finding(False, "region", f"{found} where {wanted} expected")
        for piece in ours:
            place = next((index for index, another in enumerate(theirs) if self._pieces(piece, another)), None)
            if place is None:
                return Finding(False, "region", "a range differs")
            del theirs[place]
        return Finding(True, "region")

    def _pieces(self, one: Piece, other: Piece) -> bool:
        if (one.low_closed, one.high_closed) != (other.low_closed, other.high_closed):
            return False
        return self._ends(one.low, other.low) and self._ends(one.high, other.high)

    def _ends(self, one: Node | None, other: Node | None) -> bool:
        if one is None or other is None:
            return one is other
        return self._nodes(one, other).equal

    def _relations(self, gold: Statement, answer: Statement) -> Finding:
        if isinstance(gold, Relation) and isinstance(answer, Relation):
            return self._two_relations(gold, answer)
        relation, other, first = (gold, answer, True) if isinstance(gold, Relation) else (answer, gold, False)
        assert isinstance(relation, Relation)
        if relation.name and relation.op == "=" and not _mentions(relation.right, relation.name):
            if isinstance(other, Region) and as_region(relation.right) is None:
                return Finding(False, "relation", "a value where a range is expected, or the other way round")
            return self.compare(relation.right, other) if first else self.compare(other, relation.right)
        if isinstance(other, Region) and relation.op != "=":
            single = _as_relation(other)
            if single is not None:
                return self._two_relations(*((relation, single) if first else (single, relation)))
            if relation.op == r"\ne" and relation.name and isinstance(relation.right, Value):
                hole = relation.right.node
                region = Region((Piece(None, hole, False, False), Piece(hole, None, False, False)), relation.name)
                return self._regions(region, other)
        return Finding(False, "relation", "one is an equation or inequality and the other is not")

    def _two_relations(self, gold: Relation, answer: Relation) -> Finding:
        if gold.op != "=" and answer.op != "=":
            return self._inequalities(gold, answer)
        if gold.op != answer.op:
            return Finding(False, "relation", "another relation")
        if gold.left is None and answer.left is None and _parts_of(gold.name) != _parts_of(answer.name):
            if (reordered := _reordered(gold, answer)) is None:
                return Finding(False, "relation", "a value of something else")
            return self.compare(gold.right, reordered)
        if gold.left is None or answer.left is None or gold.name == answer.name != "":
            return self.compare(gold.right, answer.right)
        if not isinstance(gold.right, Value) or not isinstance(answer.right, Value):
            return Finding(False, "relation", "the equations differ")
        equal = self._proportional(_difference(gold), _difference(answer), positive=False)
        return Finding(equal, "equation", "" if equal else "the equations differ")

    def _inequalities(self, gold: Relation, answer: Relation) -> Finding:
        signs = {"<": (-1, False), ">": (1, False), r"\le": (-1, True), r"\ge": (1, True), r"\ne": (0, False)}
        if gold.left is None or answer.left is None:
            return Finding(False, "relation", "the relations differ")
        (one, closed), (other, also_closed) = signs[gold.op], signs[answer.op]
        ours, theirs = (
            node if sign >= 0 else negated(node)
            for node, sign in ((_difference(gold), one), (_difference(answer), other))
        )
        if closed != also_closed or (one == 0) != (other == 0):
            return Finding(False, "relation", "another relation")
        equal = self._proportional(ours, theirs, positive=one != 0)
        return Finding(equal, "relation", "" if equal else "the relations differ")

    def _proportional(self, one: Node, other: Node, *, positive: bool) -> bool:
        """Whether one expression is a constant (positive) multiple of the other."""
        names = variables(one) | variables(other)
        if not names or variables(one) != variables(other):
            return False
        factors: set[Fraction] = set()
        try:
            for values in points(names):
                top, bottom = exact_value(one, values), exact_value(other, values)
                if top and bottom:
                    factors.add(top / bottom)
                elif top or bottom:
                    return False
        except UndefinedError:
            return False
        except NotRationalError:
            return self._same(one, other)[0] or (not positive and self._same(one, negated(other))[0])
        return len(factors) == 1 and (not positive or next(iter(factors)) > 0)


def _exactly(gold: Node, answer: Node) -> bool | None:
    """Whether two expressions agree at every point where both are rational; None where arithmetic is needed that rounds."""
    agreed = 0
    for values in points(variables(gold) | variables(answer)):
        try:
            one, other = exact_value(gold, values), exact_value(answer, values)
        except NotRationalError:
            return None
        except UndefinedError:
            continue
        if one != other:
            return False
        agreed += 1
        if agreed >= ENOUGH:
            return True
    return agreed >= NEEDED


def _rounds(gold: Node, answer: Node, values: list[Fraction | None], *, irrational: bool) -> bool:
    """Whether the decimal one of the two is the other, which no decimal can write, rounded or truncated."""
    ours, theirs = written_decimal(gold), written_decimal(answer)
    exact_gold, exact_answer = values
    if theirs is not None and ours is None and exact_gold is not None and (irrational or not terminates(exact_gold)):
        return is_rounding_of(exact_gold, theirs)
    if (
        ours is not None
        and theirs is None
        and exact_answer is not None
        and (irrational or not terminates(exact_answer))
    ):
        return is_rounding_of(exact_answer, ours)
    return False


def _prints(gold: Node, answer: Node, values: list[Fraction | None], doubles: list[Fraction | None]) -> bool:
    """Whether one of the two is a double printed in full, and the other what a program computed for it."""
    ours, theirs = written_decimal(gold), written_decimal(answer)
    if values[0] is None or values[1] is None:
        return False
    if ours is not None and theirs is not None:
        return abs(values[0] - values[1]) <= float_noise(ours, theirs)
    if theirs is not None:
        return prints(values[0], doubles[0], theirs) or _whole(values[0], theirs)
    return ours is not None and (prints(values[1], doubles[1], ours) or _whole(values[1], ours))


def _nearly(gold: Node, answer: Node, one: Fraction, other: Fraction) -> bool:
    """Whether doubles may have led from one rational value to the other, which is a long decimal."""
    decimals = [written_decimal(gold), written_decimal(answer)]
    return any(decimal is not None and is_double(decimal) for decimal in decimals) and one_value(one, other)


def _whole(exact: Fraction, printed: Number) -> bool:
    """Whether a sum in doubles came out beside a whole number or a short decimal (`2.0000000000000004`)."""
    if not terminates(exact) or exact.denominator > _SHORT:
        return False
    short = written_number(exact, float(exact)) if abs(exact) < _MOST_FLOAT else Number(exact)
    return abs(exact - printed.value) <= float_noise(short, printed)


_MOST_FLOAT = 10**300
_SHORT = 10**12
"""The denominator of a short decimal; that of forty digits, which stand for an irrational value, is larger."""


def _turned(gold: Value, answer: Value) -> Node | None:
    """The answer in the gold's measure of angles, where the gold names degrees or radians and the answer is in the other.

    A multiple of π without a unit is in radians beside degrees, on whichever side it stands.
    """
    if gold.unit is None:
        if answer.unit is None or not answer.unit.same(Suffix("degree", True)):
            return None
        if not _mentions_pi(gold.node) or _mentions_pi(answer.node):
            return None
        return Node("div", (Node("mul", (answer.node, Node("const", text="pi"))), number("180")))
    names = {name: gold.unit.same(Suffix(name, True)) for name in ("degree", "rad")}
    other = "rad" if names["degree"] else "degree" if names["rad"] else ""
    meant = answer.unit is not None and answer.unit.same(Suffix(other, True)) if other else False
    if other == "rad" and answer.unit is None:
        meant = _mentions_pi(answer.node) and not _mentions_pi(gold.node)
    if not meant:
        return None
    half, pi = number("180"), Node("const", text="pi")
    factor = Node("div", (half, pi) if other == "rad" else (pi, half))
    return Node("mul", (answer.node, factor))


def _mentions_pi(node: Node) -> bool:
    return any(part.op == "const" and part.text == "pi" for part in node.walk())


def _is_numeral(node: Node) -> bool:
    """Whether an expression is a number as people write it, beside which a percent sign only names what it counts."""
    return (node.args[0] if node.op == "neg" else node).op == "num"


def _percent(unit: Suffix | None) -> bool:
    return unit is not None and unit.same(Suffix("%", True))


def _count(gold: Many, answer: Many) -> Finding:
    return Finding(False, "collection", f"{len(answer.items)} values where {len(gold.items)} are expected")


def _by_name(many: Many) -> Many:
    """`y=2, x=1` as the tuple of its values in the order of the names."""
    if many.kind == "tuple":
        return many
    named = sorted((item for item in many.items if isinstance(item, Relation)), key=lambda item: item.name)
    return Many("tuple", tuple(item.right for item in named), "()")


def _clock(nodes: list[Node]) -> bool:
    """Whether the parts of a ratio may be hours and minutes: two digits behind the colon."""
    return len(nodes) > 1 and all(
        node.op == "num" and len(node.text) == 2 and int(node.text[0]) < 6
        for node in nodes[1:]
        if node.text.isdigit() or not node.text
    )


def _merged(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Neighbours that touch as one: `(1,2] ∪ (2,3)` is `(1,3)`."""
    if len(pieces) < 2:
        return pieces
    ends = []
    for piece in pieces:
        try:
            low = None if piece.low is None else exact_value(piece.low, {})
            high = None if piece.high is None else exact_value(piece.high, {})
        except ArithmeticError:
            return pieces
        ends.append((low, high, piece))
    ends.sort(key=lambda end: (end[0] is not None, end[0] or 0))
    merged = [ends[0]]
    for low, high, piece in ends[1:]:
        _, last_high, last = merged[-1]
        if low is not None and last_high is not None and low == last_high and (piece.low_closed or last.high_closed):
            joined = Piece(last.low, piece.high, last.low_closed, piece.high_closed)
            merged[-1] = (merged[-1][0], high, joined)
        else:
            merged.append((low, high, piece))
    return tuple(piece for _, _, piece in merged)


def _mentions(statement: Statement, name: str) -> bool:
    return isinstance(statement, Value) and name in variables(statement.node)


def _is_tuple(item: Statement) -> bool:
    """Whether an item is a solution of several unknowns, which counts once however often it is written."""
    bare = item.right if isinstance(item, Relation) and item.op == "=" else item
    return isinstance(bare, Many) and bare.kind == "tuple"


def _parts_of(name: str) -> list[str]:
    """The names within `(x, y)`, `V_1:V_2` and `\\frac{AB}{CD}`; none of a single name."""
    found = re.findall(r"[A-Za-z](?:_\{?\w+\}?)?", name) if re.fullmatch(r"\([^()]*,[^()]*\)|[^:]+:.+", name) else []
    return [name] if name.startswith(r"\frac{") and "dy" not in name else [re.sub(r"[{}]", "", one) for one in found]


def _reordered(gold: Relation, answer: Relation) -> Statement | None:
    """What `answer` gives to several names, in the order of the gold's; None where its names are others."""
    ours, theirs, right = _parts_of(gold.name), _parts_of(answer.name), answer.right
    if not ours or not theirs:
        return right
    if sorted(ours) != sorted(theirs) or not isinstance(right, Many) or len(right.items) != len(theirs):
        return None
    by_name = dict(zip(theirs, right.items, strict=True))
    return Many(right.kind, tuple(by_name[name] for name in ours), right.brackets)


def _difference(relation: Relation) -> Node:
    """`left - right`."""
    assert relation.left is not None
    right = relation.right.node if isinstance(relation.right, Value) else number(0)
    return Node("add", (relation.left, negated(right)))


def _as_relation(region: Region) -> Relation | None:
    """A region with one end as an inequality of its variable."""
    if len(region.pieces) != 1 or not region.variable:
        return None
    piece = region.pieces[0]
    end = piece.high if piece.low is None else piece.low
    if end is None or (piece.low is not None and piece.high is not None):
        return None
    closed = piece.low_closed or piece.high_closed
    op = (r"\le" if closed else "<") if piece.low is None else (r"\ge" if closed else ">")
    return Relation(Node("var", text=region.variable), op, Value(end), region.variable)


def _plain(text: str) -> str:
    """Words without the command around them."""
    for command in (r"\text{", r"\text {"):
        if text.startswith(command) and text.endswith("}"):
            return text[len(command) : -1]
    return text
