"""The ranges of a project's settings, for whoever takes them from a person or a file."""

from __future__ import annotations

LEAST_RATE, GREATEST_RATE = 40, 600
"""Words a minute that a voice can speak."""
GREATEST_MARGIN = 60_000
"""The longest margin around dialogue, and the longest pause between lines, in milliseconds."""
GREATEST_GAP = 600_000
"""The most that the shortest usable gap may be, in milliseconds."""
GREATEST_DISTANCE = 3_600_000
"""The farthest that a line may be from its action, in milliseconds."""
GREATEST_REACH = 1_000
"""The most gaps that a line may be away from its action."""
