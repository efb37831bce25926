"""A whole film: from the script to its planning problem, its live plan, suspended pins and second opinions."""
