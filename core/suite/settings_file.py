"""`suite.json` beside the domains: what holds for the whole suite where a file does not say otherwise."""

from __future__ import annotations

from modex.core.suite.dialects import DIALECTS, dialect_of
from modex.core.suite.state import Loading, one_object
from modex.core.suite.tables import SUITE


def load_settings(loading: Loading) -> None:
    """Read the suite's settings into `loading`; without the file, every file speaks for itself."""
    file = loading.under("suite.json")
    data = {}
    if "suite.json" in loading.folder(loading.definitions).files and (read := one_object(loading, file)) is not None:
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
