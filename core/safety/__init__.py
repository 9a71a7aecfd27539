"""The two boundaries of untrusted text: `clean` before a person sees it, `redact` before anything keeps it."""

from core.safety.clean import as_words, clean, clean_line
from core.safety.redact import redact

__all__ = ["as_words", "clean", "clean_line", "redact"]
