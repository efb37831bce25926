"""A cache of spoken lines on disk, keyed by text and voice settings.

All files can be synthesised again: they are not flushed to disk individually, each is checked when read, and the least
recently used are removed when there are too many.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from adstudio.core.errors import AdstudioError
from adstudio.speech.engine import SpeechError, Style
from adstudio.system.cache import CacheFolder
from adstudio.system.files import reason, write_atomically
from adstudio.system.locations import user_cache
from adstudio.system.private_files import FILE, close_folder

LARGEST = 512 << 20
"""Bytes of the cache; at 22,050 Hz about three hours of speech."""

_FORMAT = 2
_SHARE_LEFT = 0.8
_ENDING = ".wav"
_NAMES = re.compile(r"\w+\.wav")


def line_key(engine: str, fingerprint: str, style: Style, text: str) -> str:
    """The key of a spoken line, from everything that determines its sound before it is turned up or down.

    `text` is what the engine is given, its lexicon applied.
    """
    return _key("line", engine, fingerprint, style.voice, style.rate, style.pitch, text)


def louder_key(key: str, volume: int) -> str:
    """The key of a spoken line that was turned up or down by so many tenths of a dB."""
    return _key("louder", key, volume)


def take_key(sound: str, start: int, end: int | None, level: int) -> str:
    """The key of what is used of a recording, by the recording's own key; times in ms, the level in tenths of a dB."""
    return _key("take", sound, start, end, level)


def segment_key(start: int, end: int, lines: tuple[tuple[str, int], ...]) -> str:
    """The key of a rendered segment of the film, from its bounds and each line's key and start."""
    return _key("segment", start, end, lines)


def _key(*parts: object) -> str:
    return hashlib.sha256(json.dumps((_FORMAT, *parts)).encode()).hexdigest()


@dataclass
class SpeechCache:
    """A folder of WAV files; if it cannot be written, a temporary one that is removed when the cache is closed."""

    folder: Path
    largest: int = LARGEST
    _taken: int | None = None
    _temporary: list[Path] = field(default_factory=list[Path])

    def find(self, key: str) -> Path | None:
        """The file for a key, marked as just used; the reader must check that it is complete."""
        for folder in (*self._temporary, self.folder):
            path = folder / f"{key}{_ENDING}"
            if path.is_file():
                with contextlib.suppress(OSError):
                    os.utime(path)
                return path
        return None

    def drop(self, key: str) -> None:
        """Delete a file that turned out to be damaged."""
        path = self.find(key)
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink()

    def store(self, key: str, data: bytes) -> Path:
        """Write a file atomically, and trim the cache if needed.

        An existing file of the same length is left alone, as it may be playing.

        Raises:
            SpeechError: if neither the cache nor a temporary folder can be written.
        """
        known = self.find(key)
        if known is not None:
            with contextlib.suppress(OSError):
                if known.stat().st_size == len(data):
                    return known
        if not self._temporary:
            with contextlib.suppress(AdstudioError):
                path = self.folder / f"{key}{_ENDING}"
                self._cache.write(path, data, flush=False)
                self._make_room(len(data))
                return path
        try:
            if not self._temporary:
                self._temporary.append(Path(tempfile.mkdtemp(prefix="adstudio-speech-")))
            path = self._temporary[0] / f"{key}{_ENDING}"
            write_atomically(path, data, mode=FILE, flush=False)
        except (OSError, AdstudioError) as error:
            why = reason(error) if isinstance(error, OSError) else error
            raise SpeechError(f"the spoken line could not be stored: {why}") from error
        return path

    def close(self) -> None:
        """Remove the temporary folder, where there is one."""
        while self._temporary:
            shutil.rmtree(self._temporary.pop(), ignore_errors=True)

    def _make_room(self, size: int) -> None:
        if self._taken is not None and self._taken + size <= self.largest:
            self._taken += size
        else:
            self._taken = self._cache.trim(self.largest, to=int(self.largest * _SHARE_LEFT))

    @property
    def _cache(self) -> CacheFolder:
        return CacheFolder(self.folder, _NAMES)


def speech_cache() -> SpeechCache:
    """The user's own cache of speech."""
    folder = user_cache("speech")
    close_folder(folder)
    return SpeechCache(folder)
