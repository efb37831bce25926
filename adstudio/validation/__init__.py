"""Validators: files that scripts are exchanged in, checked against the rules of their formats."""
