"""Tool calls that a model wrote into its text, because its server or its training knows no other way."""
