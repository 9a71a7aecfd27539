"""How does a run start? Forked behind the first screen, in a runner process of its own, or here in the foreground.

`watching` is what the command line says and returns when whoever watched a run leaves.
"""
