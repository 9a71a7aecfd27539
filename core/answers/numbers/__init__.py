"""Numbers, units and mathematics: what an answer says as a quantity or a formula."""
