"""Requests to remote models: transport, providers, keys, and enforcement of the project's sharing policy."""
