"""adstudio: audio description drafted, planned to a proven optimum, and finished by a describer."""

__version__ = "0.1.0"
