"""`modex choose`: from a file of questions to a decision between models, in one command."""
