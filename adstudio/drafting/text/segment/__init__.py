"""Scene descriptions cut into description elements, each also as a sentence that stands alone."""
