"""Candidate lines prepared elsewhere and read from a JSON file."""
