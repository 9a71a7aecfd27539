"""Runs compared test by test."""
