"""Asking a model that runs elsewhere, whichever protocol it speaks, within what the project's policy allows."""
