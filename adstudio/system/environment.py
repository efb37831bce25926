"""Which environment variables other programs may see."""

from __future__ import annotations

import os

KEYS = "ADSTUDIO_KEY_"
"""The prefix of variables that hold API keys (`llm.keys`)."""


def without_keys() -> dict[str, str]:
    """The environment without API keys, for processes that decode films or speak lines."""
    return {name: value for name, value in os.environ.items() if not name.startswith(KEYS)}
