"""Who comes from another system gets what `docs/coming-from.md` says: on samples of our own in the forms of each."""
