"""What is other in one run than in another: settings, prompts by layer, golds, judges, tests, and the verdicts of it."""
