"""What a model may call: mocks, the snapshot world, the code workspace."""
