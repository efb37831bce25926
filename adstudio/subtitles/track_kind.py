"""What a file of cues is for, as its header, its name or its cues say, and the language in its name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePath

from adstudio.core.errors import Oddity
from adstudio.subtitles.parsed_file import SubtitleCue, TrackKind
from adstudio.system.languages import canonical_language

_DECLARED = {
    **dict.fromkeys(("subtitles", "subtitle", "captions", "caption", "dialogue", "forced", "asr"), TrackKind.DIALOGUE),
    **dict.fromkeys(("descriptions", "description", "audiodescription"), TrackKind.DESCRIPTIONS),
    **dict.fromkeys(("chapters", "chapter"), TrackKind.CHAPTERS),
    "metadata": TrackKind.METADATA,
    **dict.fromkeys(("thumbnails", "thumbnail", "sprites", "sprite"), TrackKind.THUMBNAILS),
}
_DESCRIBED = re.compile(r"ad|dvs|audio ?des\w*|audiobeschreibung|descriptions?|descriptive|described")
_BESIDE_THE_KIND = re.compile(r"(?!ad\b)[a-z]{2,3}(?:-[a-z]{2,4})?|sdh|cc|forced|\d{1,3}")
"""Parts of a name that may follow the kind: languages and numbers."""
_PARTS = re.compile(r"[._\[\](){}]+|-(?=\w{4})")
_WORDS = re.compile(r"[._\-\s\[\](){}]+")
_PICTURE = re.compile(r"\S+\.(?:jpe?g|png|webp|gif|avif)(?:\?\S*)?(?:#xywh=\S+)?", re.IGNORECASE)
_JSON = re.compile(r"\{\s*\".*\}|\[\s*[{\"\d].*\]", re.DOTALL)
_EXAMINED = 40
"""Cues examined for what a file holds."""
_LANGUAGE_IN_NAME = re.compile(
    r"[._]([a-z]{2})(-[A-Z][A-Za-z]{1,3})?(?:[._](?:sdh|cc|hi|forced|ad|dvs|descriptions?))?\.[A-Za-z0-9]+$"
)


def declared_kind(word: str) -> TrackKind | None:
    """The kind that a header declares in one word; None for a word that is none."""
    return _DECLARED.get(word.strip().strip("\"'").casefold())


class TrackOddity(Oddity):
    """That a file is not for dialogue."""

    __slots__ = ()


def not_dialogue(kind: TrackKind, declaration: str = "", line: int | None = None) -> TrackOddity:
    """That a file is not for dialogue: by its declaration or, without one, by its name or its cues."""
    says = f"declares itself as {kind.value} ({declaration})" if declaration else f"seems to hold {kind.value}"
    return TrackOddity(f"the file {says}, not dialogue: check that it is the right file", line)


def kind_in_name(name: str, film: str = "") -> TrackKind | None:
    """The kind that a file's name says, such as `film.ad.srt` or `film_chapters.vtt`; None if it says none.

    Where `film` is the name of the film without its extension, only what follows it counts.
    """
    stem = unicodedata.normalize("NFC", PurePath(name.replace("\\", "/")).stem).casefold()
    film = unicodedata.normalize("NFC", film).casefold()
    belongs = bool(film) and stem.startswith(film)
    # A word after a space may be the title's own.
    split = _WORDS.split(stem[len(film) :]) if belongs else _PARTS.split(stem)
    parts = [part.strip() for part in split if part.strip()]
    while len(parts) > 1 and _BESIDE_THE_KIND.fullmatch(parts[-1]):
        parts.pop()
    last = parts[-1] if parts else ""
    if _DESCRIBED.fullmatch(last) and (belongs or last != stem or len(last) > len("dvs")):
        return TrackKind.DESCRIPTIONS
    found = _DECLARED.get(last)
    return None if found is TrackKind.DIALOGUE else found


def kind_of_cues(cues: Sequence[SubtitleCue]) -> TrackKind | None:
    """The kind of what no viewer reads: pictures' addresses are thumbnails, JSON is metadata."""
    texts = [cue.text for cue in cues[:_EXAMINED] if cue.text]
    if texts and all(_PICTURE.fullmatch(text) for text in texts):
        return TrackKind.THUMBNAILS
    return TrackKind.METADATA if texts and all(_JSON.fullmatch(text) for text in texts) else None


def language_in_name(name: str) -> str | None:
    """The language in a file's name, such as `film.pt-BR.srt`."""
    match = _LANGUAGE_IN_NAME.search(name)
    return canonical_language(match[1] + (match[2] or "")) if match else None
