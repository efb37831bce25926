"""Polishing planned lines with a language model: requests, proposals, accepting them one by one."""
