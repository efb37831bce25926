"""Where a screenplay and a film meet: their dialogue aligned word by word, and what follows from it."""
