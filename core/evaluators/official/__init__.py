"""How a benchmark itself reads an answer and decides on it, beside our own verdict: its published figures were made so."""
