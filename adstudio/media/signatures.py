"""Whether a file is a film or sound, told by its first bytes alone: nothing is decoded, its name says nothing."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.errors import AdstudioError
from adstudio.system.files import size_of

_LETTERS = (b"OggS", b"fLaC", b"ID3", b"FLV\x01", b"FORM", b"caff", b".snd", b".RMF", b"RIFF", b"RF64")
"""Ogg, FLAC, MP3 with a tag, Flash, AIFF, CAF, AU, RealMedia, WAV and AVI; a text may begin so, but holds no zero."""
_BYTES = (
    *(b"\x1a\x45\xdf\xa3", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3", b"\x06\x0e\x2b\x34"),
    *(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xfa", b"\xff\xf1"),
    *(b"\xff\xf9", b"\x0b\x77", b"\x7f\xfe\x80\x01"),
)
"""Matroska, MPEG, MXF, ASF, MP3, AAC, AC-3, DTS."""
_MP4 = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot")
_TS_PACKETS = (188, 192)


def is_media(path: Path) -> bool:
    """Whether a file begins as films and sound do; what cannot be read is none."""
    try:
        size_of(path, "file")
        with path.open("rb") as file:
            head = file.read(512)
    except (OSError, AdstudioError):
        return False
    if b"\0" in head and (head.startswith(_LETTERS) or head[4:8] in _MP4):
        return True
    return head.startswith(_BYTES) or any(_is_ts(head, length) for length in _TS_PACKETS)


def _is_ts(head: bytes, length: int) -> bool:
    first = length - 188
    return len(head) > first + 2 * length - 1 and head[first] == head[first + length] == 0x47
