"""The child process that works mathematics out; it may be killed."""

from __future__ import annotations

import logging

from modex.core.answers.numbers.working_out import answer
from modex.core.sandbox.child import Confinement, serve

_CONFINEMENT = Confinement(memory_bytes=2 * 1024**3)

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    serve(answer, _CONFINEMENT)
