"""Suites that another system wrote, read as they are: each file's values in our form, and a word on what was translated."""
