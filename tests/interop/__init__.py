"""Files made by inspect_ai, lm-evaluation-harness and promptfoo, read here; and ours, read by them and by a schema.

Only `make test-interop` runs these: it installs the tools, each in an environment of its own below a cache folder.
"""
