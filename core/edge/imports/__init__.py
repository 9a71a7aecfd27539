"""Runs that other tools made, read from their logs: who was asked what, what was answered, and how that tool scored it."""
