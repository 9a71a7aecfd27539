"""The boundaries of untrusted text: `clean` before a person sees it, `redact` for messages and headers, and `without_secrets` for
the words of models, tools and people, which it leaves alone but for the values of known secrets."""

from modex.core.safety.clean import as_words, clean, clean_line
from modex.core.safety.known import without_secrets, without_secrets_in
from modex.core.safety.redact import redact

__all__ = ["as_words", "clean", "clean_line", "redact", "without_secrets", "without_secrets_in"]
