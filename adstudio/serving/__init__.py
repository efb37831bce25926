"""The GPU server: vLLM started as it should be, one front before its replicas, and the checks of a server."""
