"""What people call a feature, a folder each: its rule, its query, its words."""
