"""Exporting scripts: a snapshot of what is spoken when, and writers for each file format."""
