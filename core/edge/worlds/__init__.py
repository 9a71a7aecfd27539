"""Tool worlds of other benchmarks as servers of the Model Context Protocol: programs that stand alone, copied into suites."""
