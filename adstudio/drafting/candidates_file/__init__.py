"""Reading prepared lines (candidates) from a JSON file."""
