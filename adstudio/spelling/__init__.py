"""Checking the spelling of what is written, with the system's dictionaries and the project's names."""
