"""The film: playing it, showing it, and the bar that drives it."""
