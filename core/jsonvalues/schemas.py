"""A JSON Schema walked beside a value: which schema holds below it, and what it means to leave a value out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from modex.core.jsonvalues.jsonargs import schema_faults

_DEEPEST = 16
_NULL_WORD = re.compile(r"\b(?:null|none|nil)\b", re.IGNORECASE)
_NULL_DOES = re.compile(
    r"\b(?:clear|remov|delet|unset|reset|eras|detach|disabl|drop|cancel|unassign|wip)(?:e|es|s|ed|ing|ting|)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SchemaPlace:
    """A place in a JSON Schema; `root` is the whole, which references point into."""

    node: Any
    root: Any
    named: bool = False
    """Whether it is a property that the schema names, which has a meaning where it is left out."""

    @classmethod
    def whole(cls, schema: Any) -> SchemaPlace:
        """The schema of all arguments of a tool."""
        return cls(schema, schema)

    def below(self, name: str, holder: Any) -> SchemaPlace | None:
        """The schema of the property `name` of the object `holder`; None where any value may stand there, or none."""
        for node in self._parts(holder):
            properties = node.get("properties")
            if isinstance(properties, dict) and isinstance(properties.get(name), dict):
                return SchemaPlace(properties[name], self.root, named=True)
        for node in self._parts(holder):
            others = node.get("patternProperties")
            for pattern, schema in others.items() if isinstance(others, dict) else ():
                if isinstance(schema, dict) and not schema_faults({name: None}, {"patternProperties": {pattern: True},
                                                                                 "additionalProperties": False}):  # fmt: skip
                    return SchemaPlace(schema, self.root)
        for node in self._parts(holder):
            if isinstance(node.get("additionalProperties"), dict):
                return SchemaPlace(node["additionalProperties"], self.root)
        return None

    def allows(self, name: str) -> bool:
        """Whether the schema says of itself that an object may have the property `name`."""
        return self.below(name, None) is not None or any(
            node.get("additionalProperties") is True for node in self._parts(None)
        )

    def item(self, number: int, holder: Any) -> SchemaPlace | None:
        """The schema of an item of the list `holder`."""
        for node in self._parts(holder):
            first = node.get("prefixItems")
            if isinstance(first, list) and number < len(first):
                return SchemaPlace(first[number], self.root)
            if isinstance(node.get("items"), dict):
                return SchemaPlace(node["items"], self.root)
        return None

    def faults(self, name: str, value: Any) -> list[str]:
        """What the schema has against `value` as the property `name`; at most five messages."""
        known = self.root if isinstance(self.root, dict) else {}
        shared = {key: known[key] for key in ("$defs", "definitions") if key in known}
        return schema_faults({name: value}, {**shared, "properties": {name: self.node}})

    def left_out(self) -> tuple[Any, ...]:
        """The values that say no more than leaving the property out: its default; without one null where that is allowed,
        and an object of nothing where the schema names its keys.

        Null has a meaning of its own where the description says so (`null removes the number`).
        """
        if not self.named:
            return ()
        nodes = list(self._parts(None))
        for node in nodes:
            if "default" in node:
                return (node["default"],)
        values: list[Any] = []
        if any(map(_allows_null, nodes)) and not any(map(_null_does_something, nodes)):
            values.append(None)
        if any(isinstance(node.get("properties"), dict) and node["properties"] for node in nodes):
            values.append({})
        return tuple(values)

    def _parts(self, value: Any) -> Iterator[dict[str, Any]]:
        """The node itself, and what its references, `allOf` and, of `anyOf` and `oneOf`, the forms that `value` has say."""
        yield from self._of(self.node, value, 0)

    def _of(self, node: Any, value: Any, depth: int) -> Iterator[dict[str, Any]]:
        if not isinstance(node, dict) or depth > _DEEPEST:
            return
        yield node
        if isinstance(node.get("$ref"), str):
            yield from self._of(self._referred(node["$ref"]), value, depth + 1)
        for key in ("allOf", "anyOf", "oneOf"):
            for form in node[key] if isinstance(node.get(key), list) else ():
                if key == "allOf" or self._is(form, value):
                    yield from self._of(form, value, depth + 1)

    def _is(self, form: Any, value: Any) -> bool:
        return value is None or not SchemaPlace(form, self.root).faults("value", value)

    def _referred(self, reference: str) -> Any:
        node = self.root
        if not reference.startswith("#"):
            return None
        for step in reference[1:].split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(node, dict) or name not in node:
                return None
            node = node[name]
        return node


def _allows_null(node: dict[str, Any]) -> bool:
    kind = node.get("type")
    if kind == "null" or (isinstance(kind, list) and "null" in kind) or node.get("nullable") is True:
        return True
    listed = node.get("enum")
    return ("const" in node and node["const"] is None) or (isinstance(listed, list) and None in listed)


def _null_does_something(node: dict[str, Any]) -> bool:
    said = node.get("description")
    return isinstance(said, str) and bool(_NULL_WORD.search(said) and _NULL_DOES.search(said))
