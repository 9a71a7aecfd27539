"""The evaluation engine of Model Explorer: everything but the screen.

Folders import only downward: reports, engine → pipeline → evaluators, tools, llm → suite → store.
"""
