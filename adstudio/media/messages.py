"""The messages between the editor and the process that works on films and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from adstudio.core.film import Media
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.gaps.subtitle_sync import SyncEstimate
from adstudio.media.cache import Kind, read_content
from adstudio.media.probe import Probe
from adstudio.media.sound_tracks import SoundTrack
from adstudio.system.codec import Limits
from adstudio.system.worker import Failed, WorkerProtocol

LARGEST_IMAGE = 8_000_000
"""Bytes of the largest image that is taken from the process."""
ACTIVITY: Mapping[Kind, str] = {
    Kind.PEAKS: "computing the waveform",
    Kind.SHOTS: "detecting the shots",
    Kind.THUMBNAILS: "taking a thumbnail of each shot",
    Kind.ACTIVITY: "detecting speech",
}
"""What the process is doing meanwhile, in the user's words."""
PROBING = "inspecting the video"
HASHING = "checking whether the video has changed"


@dataclass(frozen=True)
class ProbeVideo:
    """Measure what a film's file holds, answered by `Probed`."""

    video: Path


@dataclass(frozen=True)
class ProcessFilm:
    """Compute one kind of data of a film and cache it, answered by `Processed`.

    Without a `fingerprint` it is taken, which reads 3 MB. `track` is the number of a sound track, if one is chosen.
    """

    kind: Kind
    video: Path
    fingerprint: str = ""
    track: int | None = None


@dataclass(frozen=True)
class ListSoundTracks:
    """Which sound tracks a film has, answered by `SoundTracks`."""

    video: Path


@dataclass(frozen=True)
class HashFilm:
    """Read all of a film's file and remember its hash (`store.film_contents`), answered by `FilmHashed`."""

    video: Path


@dataclass(frozen=True)
class GrabFrame:
    """The picture that a film shows at a time (ms), answered by `Image`."""

    video: Path
    at: int


@dataclass(frozen=True)
class LoadImage:
    """A picture's file, made small enough to look at; answered by `Image`."""

    path: Path


@dataclass(frozen=True)
class CompareSubtitles:
    """Compare cues with the speech in their film, answered by `Compared`, or `SpeechDataDamaged`.

    The speech activity lies in a file or, where it could not be cached, comes along as `data`.
    """

    cues: tuple[Cue, ...]
    activity: Path | None
    data: bytes = b""


@dataclass(frozen=True)
class FilmProgress:
    """How far `ProcessFilm` or `HashFilm` is: 0 to 1, None where it cannot be measured.

    `partial` is a file to be read again now.
    """

    fraction: float | None
    partial: Path | None = None


@dataclass(frozen=True)
class Probed:
    """What a film's file holds, and the same as a project keeps it (its relative path is left empty)."""

    probe: Probe
    media: Media


@dataclass(frozen=True)
class SoundTracks:
    """A film's sound tracks."""

    tracks: tuple[SoundTrack, ...]


@dataclass(frozen=True)
class Processed:
    """The result lies at `path` or came along as `data`; `note` is something to tell the user, or empty."""

    path: Path | None = None
    data: bytes | None = None
    note: str = ""

    def content(self) -> bytes:
        """The result, to be given to `CachedData.parse`.

        Raises:
            BadInputError: where its file is missing or damaged.
            OutsideFailureError: when it cannot be read.
        """
        if self.path is not None:
            return read_content(self.path)
        return self.data or b""


@dataclass(frozen=True)
class FilmHashed:
    """The hash is where `store.film_contents` finds it."""


@dataclass(frozen=True)
class Image:
    """A JPEG."""

    data: Annotated[bytes, Limits(data=LARGEST_IMAGE)]


@dataclass(frozen=True)
class Compared:
    """How the subtitles match the speech; where there are no cues, when somebody speaks."""

    found: SyncEstimate
    speech: tuple[Span, ...] = ()


@dataclass(frozen=True)
class SpeechDataDamaged:
    """The film's cached speech cannot be used: it has to be detected again."""

    message: str


Request = ProbeVideo | ListSoundTracks | ProcessFilm | HashFilm | GrabFrame | LoadImage | CompareSubtitles
Event = FilmProgress | Probed | SoundTracks | Processed | FilmHashed | Image | Compared | SpeechDataDamaged | Failed
PROTOCOL = WorkerProtocol[Request, Event]("adstudio.media.worker", Request, Event)


def crashed(doing: str) -> str:
    """What to say when the process ended without an answer: the file was too much for the decoder."""
    return f"The video’s file crashed the process that was {doing}. The rest of the editor is not affected."
