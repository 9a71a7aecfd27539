"""The two boundaries of untrusted text: `clean` before a person sees it, `redact` before anything keeps it."""

from core.safety.clean import clean, clean_line
from core.safety.redact import redact

__all__ = ["clean", "clean_line", "redact"]
