"""Spoken lines on the disk, by what was said and how, so that no line is spoken twice.

The files can all be made again: they are not flushed to the disk one by one, each is checked when it is read, and the
ones not heard for longest go when there are too many.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from adstudio.speech.engine import SpeechError
from adstudio.system.files import reason
from adstudio.system.private_files import close_folder, private_file, private_folder

LARGEST = 512 << 20
"""Bytes that the cache may take; at 22,050 Hz about three hours of speech."""

_FORMAT = 1
_KEPT_SHARE = 0.8
_ABANDONED_S = 3600
_ENDING = ".wav"


def line_key(engine: str, version: str, voice: str, rate: int, text: str) -> str:
    """The name under which a spoken line is kept: the same only where all that shapes its sound is the same."""
    return _key("line", engine, version, voice, rate, text)


def stretch_key(start: int, end: int, lines: tuple[tuple[str, int], ...]) -> str:
    """The name under which a stretch of the film is kept: its bounds, and each line's key and start."""
    return _key("stretch", start, end, lines)


def _key(*parts: object) -> str:
    return hashlib.sha256(json.dumps((_FORMAT, *parts)).encode()).hexdigest()


class _Kept(NamedTuple):
    heard: float
    size: int
    path: Path


@dataclass
class SpeechCache:
    """A folder of WAV files; where it cannot be written, a temporary one that goes when the cache is closed."""

    folder: Path
    largest: int = LARGEST
    _taken: int | None = None
    _temporary: list[Path] = field(default_factory=list[Path])

    def find(self, key: str) -> Path | None:
        """The file of that key, marked as heard just now; whether it is whole is the reader's to check."""
        for folder in (*self._temporary, self.folder):
            path = folder / f"{key}{_ENDING}"
            if path.is_file():
                with contextlib.suppress(OSError):
                    os.utime(path)
                return path
        return None

    def drop(self, key: str) -> None:
        """Forget a file that proved damaged."""
        path = self.find(key)
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink()

    def keep(self, key: str, data: bytes) -> Path:
        """Write a file that at every moment is either not there or whole, and make room for it where that is needed.

        One that is there in the same length is left alone: it may be playing.

        Raises:
            SpeechError: when neither the cache nor a temporary folder can be written.
        """
        known = self.find(key)
        if known is not None:
            with contextlib.suppress(OSError):
                if known.stat().st_size == len(data):
                    return known
        if not self._temporary:
            with contextlib.suppress(OSError):
                private_folder(self.folder)
                path = _written(self.folder / f"{key}{_ENDING}", data)
                self._make_room(path, len(data))
                return path
        try:
            if not self._temporary:
                self._temporary.append(Path(tempfile.mkdtemp(prefix="adstudio-speech-")))
            return _written(self._temporary[0] / f"{key}{_ENDING}", data)
        except OSError as error:
            raise SpeechError(f"the spoken line could not be kept: {reason(error)}") from error

    def close(self) -> None:
        """Remove the temporary folder, where there is one."""
        while self._temporary:
            shutil.rmtree(self._temporary.pop(), ignore_errors=True)

    def _make_room(self, newest: Path, size: int) -> None:
        if self._taken is not None and self._taken + size <= self.largest:
            self._taken += size
            return
        kept = sorted(self._kept())
        taken = sum(entry.size for entry in kept)
        if taken > self.largest:
            for entry in kept:
                if taken <= self.largest * _KEPT_SHARE:
                    break
                if entry.path != newest:
                    with contextlib.suppress(OSError):
                        entry.path.unlink()
                        taken -= entry.size
        self._taken = taken

    def _kept(self) -> list[_Kept]:
        found: list[_Kept] = []
        for entry in os.scandir(self.folder):
            with contextlib.suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if entry.name.endswith(_ENDING):
                    found.append(_Kept(about.st_mtime, about.st_size, Path(entry.path)))
                elif entry.name.endswith(".tmp") and time.time() - about.st_mtime > _ABANDONED_S:
                    Path(entry.path).unlink()
        return found


def _written(path: Path, data: bytes) -> Path:
    temporary = path.parent / f".{secrets.token_hex(6)}.tmp"
    try:
        private_file(temporary)
        temporary.write_bytes(data)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    return path


def speech_cache() -> SpeechCache:
    """The user's own cache of speech."""
    from platformdirs import user_cache_path

    folder = user_cache_path("adstudio") / "speech"
    close_folder(folder)
    return SpeechCache(folder)
