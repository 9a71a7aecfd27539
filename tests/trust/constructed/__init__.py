"""Cases that a seeded generator constructs: who says so is the construction itself, checked by arithmetic of its own."""
