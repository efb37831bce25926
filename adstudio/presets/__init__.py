"""Presets: the settings of a house under a name, each value with its source."""
