"""Drafting by a model that sees the film: a description of each scene, then its elements found, worded and weighed."""
