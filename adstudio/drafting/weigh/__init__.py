"""Salience from a server: a model that weighs a scene’s lines, or embeddings of them and of their scene."""
