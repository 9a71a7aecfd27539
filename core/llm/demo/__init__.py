"""The scripted model: plays any suite from the test's own answer, errs by level, and says that it is scripted."""
