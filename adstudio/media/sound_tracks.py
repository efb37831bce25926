"""A film's sound tracks: which is the one to listen to for dialogue, and which was used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.errors import Oddity
from adstudio.media.opening import MediaError, opened

if TYPE_CHECKING:
    from av.audio.stream import AudioStream
    from av.container import InputContainer


class Purpose(Enum):
    """What a sound track is for, the likeliest to have the film's own dialogue first."""

    FILM = "the film"
    DESCRIPTION = "audio description"
    COMMENTARY = "a commentary"
    EFFECTS = "music and effects"


@dataclass(frozen=True)
class SoundTrack:
    """A sound track as its file describes it; `number` counts the file's sound tracks from 1."""

    number: int
    title: str = ""
    language: str = ""
    default: bool = False
    purpose: Purpose = Purpose.FILM

    @property
    def name(self) -> str:
        """Its number, title, language and, where its title does not say so, what it is for."""
        title = f" “{self.title}”" if self.title else ""
        unsaid = self.purpose is not Purpose.FILM and _purpose(self.title, "") is not self.purpose
        about = ", ".join(part for part in (self.language, self.purpose.value if unsaid else "") if part)
        return f"{self.number}{title}{f' ({about})' if about else ''}"


_LONGEST_TITLE = 80
_PURPOSES = (
    (
        Purpose.DESCRIPTION,
        re.compile(
            r"audio.?des[ck]ri|audio.?beschreibung|descripti(?:ve|ons?)\b|described|visual(?:ly)?.impair|"
            r"hörfilm|sehbehinder|malvoyant|解説|화면해설|тифло|(?-i:(?<![^\W_])(?:AD|DVS)(?![^\W_]))",
            re.IGNORECASE,
        ),
    ),
    (Purpose.COMMENTARY, re.compile(r"comment|kommentar|coment[aá]r|director.?s.track|режисс", re.IGNORECASE)),
    (
        Purpose.EFFECTS,
        re.compile(
            r"(?-i:(?<![^\W_])M ?& ?E(?![^\W_]))|music (?:and|&) (?:sound )?effects|(?:effects|score|music) only|"
            r"clean effects|isolated (?:score|music)|karaoke|instrumental|international (?:sound ?)?track|"
            r"mus(?:ik|ique|ica|iek) ?(?:&|und|et|e|en) ?(?:effe|geräusch)|música ?(?:&|[ye]) ?ef|"
            r"музыка и (?:шум|эффект)|"
            r"(?<!\w)(?:it|i\.t\.)[- ](?:band|ton|fassung|musik)|version internationale|colonna internazionale",
            re.IGNORECASE,
        ),
    ),
)
_NARRATED = ("nar", "qad")
"""Codes that broadcasters write for narration in place of a language."""
NAMED = 8
"""Tracks that a message names at most."""


def sound_tracks(container: InputContainer) -> tuple[SoundTrack, ...]:
    """The sound tracks of an open file."""
    return tuple(_track(number, stream) for number, stream in enumerate(container.streams.audio, 1))


def tracks_of(video: Path) -> tuple[SoundTrack, ...]:
    """The sound tracks of a file, which is only opened; raises as `opened` does."""
    with opened(video) as container:
        return sound_tracks(container)


def chosen_track(
    tracks: Sequence[SoundTrack], number: int | None = None, video: Path | None = None
) -> SoundTrack | None:
    """The track of this number; without one, that which most probably has the dialogue. None where there is none.

    Descriptions, commentaries, and music and effects come after all others; of those alike the default one, else the
    first.

    Raises:
        MediaError: if there is no track of this number.
    """
    if number is None:
        order = list(Purpose)
        return min(tracks, key=lambda each: (order.index(each.purpose), not each.default, each.number), default=None)
    found = next((each for each in tracks if each.number == number), None)
    if found is None:
        only = "sound track" if len(tracks) == 1 else "sound tracks"
        have = f"has only {only} {_names(tracks)}" if tracks else "has no sound"
        raise MediaError(f"there is no sound track {number}: {video or 'the film'} {have}")
    return found


def sound_stream(container: InputContainer, number: int | None = None) -> AudioStream | None:
    """The stream of `chosen_track`."""
    track = chosen_track(sound_tracks(container), number, Path(container.name.removeprefix("file:")))
    return None if track is None else container.streams.audio[track.number - 1]


def about_tracks(tracks: Sequence[SoundTrack], number: int | None) -> tuple[Oddity, ...]:
    """Which of several tracks is used, and what else is odd about it.

    Raises:
        MediaError: as `chosen_track` does.
    """
    used = chosen_track(tracks, number)
    notes: list[Oddity] = []
    if used is not None and len(tracks) > 1:
        others = _names([each for each in tracks if each is not used])
        notes.append(Oddity(f"sound track {used.name} of {len(tracks)} is used; not used: {others}"))
    if used is not None and used.purpose is not Purpose.FILM:
        notes.append(
            Oddity(f"sound track {used.name} seems to hold {used.purpose.value}, not the film’s dialogue alone")
        )
    return tuple(notes)


def _names(tracks: Sequence[SoundTrack]) -> str:
    more = [f"and {len(tracks) - NAMED} more"] if len(tracks) > NAMED else []
    return ", ".join([*(each.name for each in tracks[:NAMED]), *more])


def _track(number: int, stream: AudioStream) -> SoundTrack:
    from av.stream import Disposition

    facts = stream.metadata
    title = " ".join((facts.get("title") or facts.get("name") or _handler(facts.get("handler_name", ""))).split())
    language = facts.get("language", "")
    purpose = _purpose(title, language)
    flags = stream.disposition
    if flags & (Disposition.visual_impaired | Disposition.descriptions):
        purpose = Purpose.DESCRIPTION
    elif flags & Disposition.comment:
        purpose = Purpose.COMMENTARY
    elif flags & (Disposition.clean_effects | Disposition.karaoke):
        purpose = Purpose.EFFECTS
    return SoundTrack(
        number,
        title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…",
        "" if language == "und" else language[:20],
        bool(flags & Disposition.default),
        purpose,
    )


def _handler(name: str) -> str:
    """A handler's name in MP4, unless it is a program's own word for sound."""
    return (
        "" if re.search(r"handler|core ?media|mainconcept|gpac|^(?:sound|audio|stereo)$", name, re.IGNORECASE) else name
    )


def _purpose(title: str, language: str) -> Purpose:
    if language.casefold() in _NARRATED:
        return Purpose.DESCRIPTION
    return next((purpose for purpose, pattern in _PURPOSES if pattern.search(title)), Purpose.FILM)
