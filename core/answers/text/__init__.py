"""Texts as they are compared: words, choices, dates, times, yes and no, and what is denied."""
