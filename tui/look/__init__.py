"""How is something drawn? Colours, signs, numbers, lines, and how the user wants them."""
