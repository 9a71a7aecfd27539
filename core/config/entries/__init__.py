"""Models by name: what stands in `models.toml`, where that file lies, and the model that a name means."""
