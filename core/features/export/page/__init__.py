"""The HTML report: one self-contained file about one run, or several side by side, for people who were not there.

What a model or a suite wrote is text everywhere in it: escaped where it stands in the page, JSON in a comment where the page's
one script draws it, and the policy in the page's head lets nothing run or load but that script and that style.
"""

from modex.core.features.export.page.document import report

__all__ = ["report"]
