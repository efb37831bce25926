"""Finished AD scripts into projects: their times checked against the film, new lines and changed ones, in one step."""
