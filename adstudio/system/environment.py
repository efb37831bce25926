"""What other programs are told of this one's environment."""

from __future__ import annotations

import os

KEYS = "ADSTUDIO_KEY_"
"""What the names of the variables begin with that hold keys of servers (`llm.keys`)."""


def without_keys() -> dict[str, str]:
    """The environment without keys: what decodes a film or speaks a line never has one."""
    return {name: value for name, value in os.environ.items() if not name.startswith(KEYS)}
