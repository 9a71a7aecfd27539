"""Runs written in the forms that other tools read: inspect_ai's log, Every Eval Ever's record, a table for GitHub."""
