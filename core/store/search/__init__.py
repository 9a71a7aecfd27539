"""Where words stand in what was asked and answered: an index beside the database, made from it and never needed to read it."""
