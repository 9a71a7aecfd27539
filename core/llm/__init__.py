"""How a model is called: litellm, the lean path beside it, thinking, retries, prices, the demo model."""
