"""What agents ask over the Model Context Protocol: what is stored, and runs that are planned first and have a budget."""
