"""Lines as a describer says them: nothing of the camera, names before pronouns, what belongs together in one breath."""
