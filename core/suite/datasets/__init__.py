"""Question–answer files as tests: streamed row by row, with columns guessed where they are not named."""

from modex.core.suite.datasets.reader import DatasetReader, read_suite_dataset

__all__ = ["DatasetReader", "read_suite_dataset"]
