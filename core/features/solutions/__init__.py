"""Whether the tests of a suite can be passed, and not by doing nothing: their own solutions are judged as answers are."""
