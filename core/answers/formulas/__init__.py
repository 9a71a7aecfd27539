"""Formulas: LaTeX or plain mathematics as a tree, the statements made of it, and when two of them say the same."""
