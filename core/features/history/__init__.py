"""How a test, a cell or the suite went in every run."""
