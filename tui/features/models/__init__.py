"""Screens of models by name (`modex.core.config.entries`): a list with what is wrong with each, and a form that adds one."""
