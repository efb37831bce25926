"""The GPU server: starting vLLM with the right options, a front for its replicas, and checks of a running server."""
