"""The types of sound that recordings may have, by the endings of their files."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import urlsplit

SOUND_TYPES = {
    ".wav": "audio/wave",
    ".flac": "audio/flac",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".ogg": "audio/ogg",
}
"""`audio/wave` is what the examples of the specification write."""


def sound_type(address: str) -> str:
    """The type of the sound at an address; empty where the ending of its path does not tell it."""
    try:
        path = urlsplit(address).path
    except ValueError:  # for what is no address, such as http://[
        return ""
    return SOUND_TYPES.get(PurePosixPath(path).suffix.lower(), "")
