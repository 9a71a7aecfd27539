"""The folder that a sample left, opened again for a person."""
