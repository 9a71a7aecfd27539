"""`suite.json` beside the domains, or beside their folder: what holds for the whole suite where a file does not say otherwise."""

from __future__ import annotations

from pathlib import Path

from modex.core.suite.dialects import DIALECTS, dialect_of
from modex.core.suite.files import FileFaultError, read_text
from modex.core.suite.state import Loading, one_object
from modex.core.suite.tables import SUITE

_NAME = "suite.json"
_OURS = ("dialect", "tool_ids_mode", "ignore_case")
"""The keys that decide something."""


def load_settings(loading: Loading) -> None:
    """Read the suite's settings into `loading`; without the file, every file speaks for itself."""
    data = {}
    if (file := _file(loading)) is not None and (read := one_object(loading, file)) is not None:
        source, given = read
        loading.report.check(source, given, SUITE)
        if not loading.report.take(source):
            data = given
    if data.get("dialect") in DIALECTS and loading.dialect is None:
        loading.dialect = dialect_of(data["dialect"])
    dialect = loading.dialect
    loading.ignore_case = data.get("ignore_case") is True
    appends = dialect is not None and dialect.appends_tools
    loading.tools_append = data.get("tool_ids_mode", "append" if appends else "overwrite") == "append"
    loading.settled = data.get("dialect") == "modex"


def _file(loading: Loading) -> str | None:
    """Which file holds the settings; None where none does.

    A `suite.json` beside the folder of the domains may be another program's: it is ours where it has a key of ours.
    """
    own, beside = loading.under(_NAME), _NAME
    inner = _NAME in loading.folder(loading.definitions).files
    place = Path(loading.full(beside))
    if own == beside or not place.is_file() or not place.resolve().is_relative_to(loading.real_root):
        return own if inner else None
    if inner:
        loading.report.note(beside, 0, f"is not read: {own} holds the settings; leave one of the two out")
        return own
    try:
        text = read_text(loading.full(beside))
    except FileFaultError:
        text = ""
    if any(f'"{key}"' in text for key in _OURS):
        return beside
    loading.report.note(beside, 0, f"is not read: it has none of {', '.join(_OURS)}")
    return None
