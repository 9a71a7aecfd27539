"""What will a run ask? The plan that a form fills in, what it comes to in calls and money, and the models on offer."""
