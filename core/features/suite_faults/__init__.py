"""What stored runs say of the tests themselves: which tell nothing, which may have a wrong gold, which are asked twice."""
