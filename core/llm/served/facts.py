"""What is kept with a run of how its models were served: enough to serve them so again, and to say where two runs differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modex.core.config.runconfig import ModelSpec
from modex.core.llm.served.gguf import read_gguf
from modex.core.llm.served.status import Status


def facts_of(spec: ModelSpec, status: Status) -> dict[str, Any]:
    """Of one model at its server: `name`, `file`, `file_digest`, `architecture`, `parameters`, `quantization`, `trained_context`,
    `context` and `slots` (of the server, else as wished), `threads`, `gpu_layers`, `server`, `build`, `template_digest`,
    `template`, `peak_bytes`, `starts`; what is not known is left out.

    Raises:
        ConfigurationError: the file cannot be read any more.
    """
    said = spec.serve
    found: dict[str, Any] = {
        "name": spec.said,
        "context": said and said.context,
        "slots": said and said.slots,
        "threads": said and said.threads,
        "gpu_layers": said and said.gpu_layers,
        "command": said and said.command,
        "peak_bytes": (status.peak_bytes if status.facts else 0) or None,
        "starts": status.starts or None,
        **status.facts,
    }
    if spec.gguf is not None:
        head = read_gguf(Path(spec.gguf))
        found |= {
            "file": head.path.name,
            "file_digest": spec.gguf_digest,
            "architecture": head.architecture,
            "parameters": head.parameters or None,
            "quantization": head.quantization,
            "trained_context": head.context or None,
            "own_template": head.template is not None,
        }
    return {name: value for name, value in found.items() if value is not None}
