"""What a model may call: mocks, handlers, the code workspace."""
