"""What went wrong, for both paths: a provider's status, code and words, or a broken connection → one typed error.

`modex.core.llm.quirks` holds what providers say; `words` finds it in the many shapes of their bodies; `reading` decides.
"""

from modex.core.llm.faults.finish import ending_of
from modex.core.llm.faults.reading import (
    NoAttachmentsError,
    NoToolsError,
    Provider,
    RefusedParameterError,
    StreamProgress,
    TimedOutError,
    broken_stream,
    connection_failed,
    content_filter,
    empty_choices,
    from_error_body,
    from_status,
    invalid_response,
    no_stream,
    not_json,
    stopped_by,
    timed_out,
    too_large,
)
from modex.core.llm.faults.words import MESSAGE_LIMIT, ProviderWords, kept, provider_words, retry_after

__all__ = [
    "MESSAGE_LIMIT",
    "NoAttachmentsError",
    "NoToolsError",
    "Provider",
    "ProviderWords",
    "RefusedParameterError",
    "StreamProgress",
    "TimedOutError",
    "broken_stream",
    "connection_failed",
    "content_filter",
    "empty_choices",
    "ending_of",
    "from_error_body",
    "from_status",
    "invalid_response",
    "kept",
    "no_stream",
    "not_json",
    "provider_words",
    "retry_after",
    "stopped_by",
    "timed_out",
    "too_large",
]
