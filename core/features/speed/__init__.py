"""How fast a model writes, over calls at once."""
