"""A folder that a model works in: what a test gives, what stands in it, a copy in namespaces, what was changed."""
