"""LLM judges: what they are asked, how their reply is read as a verdict, and how far they agree."""
