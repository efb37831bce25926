"""Recognising a file's format, by content first and file extension second."""

from __future__ import annotations

import re
from pathlib import PurePath

from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.parsed_file import SubtitleFormat

_READ = "adstudio reads SRT, WebVTT, TTML (also IMSC and DFXP) and ASS/SSA"
_HEAD = 20_000
_PACKED = "an archive or office document: unpack it, or save it as text"
_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG", "a picture"),
    (0, b"\xff\xd8\xff", "a picture"),
    (0, b"GIF8", "a picture"),
    (4, b"ftyp", "a video"),
    (0, b"\x1a\x45\xdf\xa3", "a video"),
    (0, b"\x00\x00\x01\xba", "a video"),
    (0, b"RIFF", "an audio or video file"),
    (0, b"OggS", "an audio or video file"),
    (0, b"ID3", "an audio file"),
    (0, b"fLaC", "an audio file"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"PK\x03\x04", _PACKED),
    (0, b"\x1f\x8b", _PACKED),
    (0, b"7z\xbc\xaf\x27\x1c", _PACKED),
    (0, b"Rar!", _PACKED),
    (0, b"\x7fELF", "a program"),
)
_EBU_STL = re.compile(rb"[\x00-\x7f]{3}STL\d\d\.\d\d")
_FOREIGN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s*<SAMI\b", re.IGNORECASE), "SAMI"),
    (re.compile(r"\s*\{-?\d{1,9}\}\{-?\d{0,9}\}"), "MicroDVD"),
    (re.compile(r"\s*\[\d{1,9}\]\[\d{1,9}\]"), "MPL2"),
    (re.compile(r"\s*(?:\[[a-z]{2,6}:[^\]\n]{0,200}\]\s{0,9}){0,20}\[\d{1,3}:\d\d(?:[.:]\d{1,3})?\]"), "LRC"),
    (re.compile(r"\s*\d{1,2}:\d\d:\d\d\.\d{3},\d{1,2}:\d\d:\d\d\.\d{3}[ \t]*[\r\n]"), "YouTube's SBV"),
    (re.compile(r"\s*Scenarist_SCC"), "Scenarist SCC"),
    (re.compile(r"\s*# VobSub index file"), "VobSub"),
    (re.compile(r"\s*[\[{]\s*[\"\]}{]"), "JSON"),
    (re.compile(r"\s*\{\\rtf"), "rich text (RTF)"),
    (re.compile(r"\s*<(?:!DOCTYPE\s+)?html\b", re.IGNORECASE), "HTML"),
)
_ASS = re.compile(r"^[ \t]*\[(?:Script Info|V4\+? ?\+?Styles|Events)\]", re.IGNORECASE | re.MULTILINE)
_ASS_LINE = re.compile(r"^[ \t]*(?:Dialogue|Comment):[^\r\n]{0,40},", re.MULTILINE)
_ROOT = re.compile(r"<(?:[^\W\d][\w.-]{0,40}:)?tt[\s/>]")
_XML = re.compile(r"\s*<(?:\?xml|!--|![A-Z]|[^\W\d])")
_ARROW = re.compile(r"\d[ \t]*-->[ \t]*\d")
_ENDINGS = {
    ".srt": SubtitleFormat.SRT,
    ".vtt": SubtitleFormat.VTT,
    ".webvtt": SubtitleFormat.VTT,
    ".ttml": SubtitleFormat.TTML,
    ".dfxp": SubtitleFormat.TTML,
    ".imsc": SubtitleFormat.TTML,
    ".ass": SubtitleFormat.ASS,
    ".ssa": SubtitleFormat.ASS,
}
# Those of text include the shifts and escapes of East Asian encodings.
_CONTROL = bytes(set(range(0x20)) - {0x09, 0x0A, 0x0C, 0x0D, 0x0E, 0x0F, 0x1A, 0x1B})


def kind_by_signature(data: bytes) -> str:
    """What a file is by its first bytes, such as “a picture”; empty where they say nothing."""
    return next((what for at, signature, what in _SIGNATURES if data.startswith(signature, at)), "")


def refuse_binary(data: bytes, name: str) -> None:
    """Raise `SubtitleError` for pictures, audio, video, archives and other binary files."""
    what = kind_by_signature(data)
    if what:
        raise SubtitleError(f"{name} is not a subtitle file but {what}; {_READ}")
    if _EBU_STL.match(data):
        raise SubtitleError(f"{name} is in EBU STL, which is not supported: convert it to SRT or WebVTT; {_READ}")
    if data.startswith(b"SQLite format 3\x00"):
        what = "an adstudio project" if data[68:72] == b"ADST" else "a database"
        raise SubtitleError(
            f"{name} is {what}, not a subtitle file: give the subtitles of the film; a project is opened in the editor"
        )
    head = data[:_HEAD]
    if b"\0" not in head and len(head) > 64 and len(head.translate(None, _CONTROL)) < len(head) * 0.9:
        what = f"{name} is not a text file (it is full of control characters): check that it is the right file"
        raise SubtitleError(what)


def recognise(text: str, name: str) -> SubtitleFormat:
    """The format of a text.

    Raises:
        SubtitleError: for an unsupported format, which the message names if known.
    """
    head = text[:_HEAD].lstrip("\ufeff \t\r\n")
    ending = _ENDINGS.get(PurePath(name).suffix.lower())
    if not text.strip():
        return ending or SubtitleFormat.SRT
    kind = _by_content(head, text, ending)
    if kind is not None:
        return kind
    for pattern, what in _FOREIGN:
        if pattern.match(head):
            raise SubtitleError(f"{name} is in {what}, which is not supported: convert it to SRT or WebVTT; {_READ}")
    if ending is not None and ending is not SubtitleFormat.TTML:
        return ending
    if _XML.match(head):
        raise SubtitleError(f"{name} is XML but not TTML (its root element is not “tt”); {_READ}")
    raise SubtitleError(f"{name} is not a subtitle file: it contains no subtitle times; {_READ}")


def _by_content(head: str, text: str, ending: SubtitleFormat | None) -> SubtitleFormat | None:
    if head.startswith("WEBVTT"):
        return SubtitleFormat.VTT
    if _ASS.match(head):
        return SubtitleFormat.ASS
    if _XML.match(head) and _ROOT.search(head):
        return SubtitleFormat.TTML
    if _ARROW.search(text):
        return SubtitleFormat.VTT if ending is SubtitleFormat.VTT else SubtitleFormat.SRT
    return SubtitleFormat.ASS if _ASS_LINE.search(text) or _ASS.search(text) else None
