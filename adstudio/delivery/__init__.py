"""Finished scripts: a snapshot of what is said when, and writers that make files of it."""
