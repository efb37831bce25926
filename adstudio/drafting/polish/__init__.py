"""Polishing: the lines that a plan speaks, written again by a model as fluent sentences that fit their time."""
