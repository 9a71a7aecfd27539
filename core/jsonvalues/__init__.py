"""JSON values compared, and JSON arguments as models write them."""
