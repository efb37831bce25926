"""The engines that solve one planning problem, what they share, and the timing of their choice."""
