"""Whether this machine has anything to hear with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

DEVICES = Path("/dev/snd")
NO_SOUND = "There is no sound device: the film and the narration run in silence"


def has_sound() -> bool:
    """Whether a sound device or a sound server is there. On Linux the libraries that look for one fill the terminal."""
    if not sys.platform.startswith("linux"):
        return True
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    servers = ("pulse/native", "pipewire-0", "jack")
    return (
        "PULSE_SERVER" in os.environ or any((runtime / name).exists() for name in servers) or any(DEVICES.glob("pcm*p"))
    )
