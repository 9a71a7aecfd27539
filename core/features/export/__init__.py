"""Runs written for people and for other programs."""
