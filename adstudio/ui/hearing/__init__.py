"""Hearing the narration: lines, wordings, gaps over the picture, the plan along with the film."""
