"""How a model is called: litellm, the direct path beside it, thinking, retries, prices, the demo model."""
