"""A new cut: how its time follows from the former cut's, and the script brought to it."""
