"""Widgets, form fields, formats and colours shared by every panel; nothing here knows a project."""
