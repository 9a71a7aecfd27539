"""Whether an answer follows instructions that can be checked without a model, as IFEval's."""
