"""From dialogue to gaps: the permissible narration intervals G of a film."""
