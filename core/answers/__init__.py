"""The reading of answers: texts, numbers, formulas, choices and dates, and what a response asserts of them."""
