"""The version of this modex, read from its installed metadata or, in a bare checkout, from the project file."""

from __future__ import annotations

from pathlib import Path


def version() -> str:
    """The version, e.g. `0.1.0`."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("modex")
    except PackageNotFoundError:
        import tomllib

        project = Path(__file__).resolve().parents[2] / "pyproject.toml"
        return str(tomllib.loads(project.read_text())["project"]["version"])
