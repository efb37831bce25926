"""Drafting with a language model: which scenes, at what cost, progress, and lines arriving in the script."""
