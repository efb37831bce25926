"""English text as words with their grammar, and nothing of films."""
