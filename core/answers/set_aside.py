"""Whether a text that gives one number sets a later one aside: what others say, another thing, a part of it, a remark."""

from __future__ import annotations

import re

from modex.core.foundation.lazy_regex import deferred

BETWEEN_CHARS = 300
"""Characters between two numbers that tell which of them is meant."""
CONCEDED = deferred(
    r"\b(?:although|(?:even )?though|while|whilst|whereas|despite|in spite of|compared (?:to|with)|as opposed to|unlike|versus|vs"
    r"|(?:some|many|most|other|older|several) [^\W\d_]{3,20} (?:say|said|claim|state|list|give|report|think|believe)s?"
    r"|obwohl|während|aunque|mientras|bien que|alors que|meskipun|walaupun|sedangkan|embora|sebbene|mentre)\b",
    re.IGNORECASE,
)
"""Words before a number of others, or of another thing."""
_PART_OF = deferred(r"\s(?:of (?:which|them|these|those)|davon|d['’]entre eux|de ellos)\b", re.IGNORECASE)


def is_set_aside(text: str, given: int, start: int, end: int) -> bool:
    """Whether `text[start:end]` is set aside after the number that ends at `given` (`207, although some say 206`)."""
    between = text[given:start]
    aside = between.rfind("(") > between.rfind(")")
    return aside or CONCEDED.search(between[-BETWEEN_CHARS:]) is not None or _PART_OF.match(text, end) is not None
