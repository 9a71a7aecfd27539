"""Text: words, choices, yes and no, keywords and patterns in an answer."""
