"""Programs of a model in namespaces of their own: real CPython without files, network, environment or others' processes."""
