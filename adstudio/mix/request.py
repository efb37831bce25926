"""What is to be rendered and what came of it, as values: for the command line, the editor, and all kinds of render."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.mix_settings import MixSettings
from adstudio.core.script import Script
from adstudio.mix.lines import MixLine


class MixKind(Enum):
    """The sound files, and films, that can be rendered."""

    MIX = "mix"
    """The film's sound with the narration in it."""
    STEM = "stem"
    """The narration alone, as long as the programme."""
    LINES = "lines"
    """Each line in a file of its own, in a folder."""
    CONTROL = "control"
    """The narration, and beside it the control track from which receivers mix (BBC WHP 198)."""
    FILM = "film"
    """The film with the mix as a further sound track."""
    EXTENDED = "extended"
    """The film, held where an extended line is spoken, with captions to match."""


FILMS = frozenset({MixKind.FILM, MixKind.EXTENDED})
"""The kinds whose files are films."""
MIXES = FILMS | {MixKind.MIX}
"""The kinds with the film's sound in them."""
CAPTIONS = (".srt", ".vtt")
"""What follows the name of an extended film in that of its captions, which are one of the two."""
DESCRIPTIONS = ".descriptions.vtt"
"""What follows it in that of its narration as text."""

NOTHING_EXTENDED = (
    "no line is marked as extended, so the picture would not be held anywhere: mark lines as extended, "
    "or render the film with a further sound track (kind film) instead"
)


class MixError(BadInputError):
    """A mix that cannot be rendered as requested."""


class MixStoppedError(BadInputError):
    """The render was cancelled; nothing of it was written."""


@dataclass(frozen=True)
class MixRequest:
    """One render.

    `script` gives the programme's length, its dialogue and its start timecode; `video` is the film's file, None where
    the project has none. `target` is the file that is written, for `MixKind.LINES` the folder.
    """

    kind: MixKind
    script: Script
    lines: tuple[MixLine, ...]
    target: Path
    settings: MixSettings
    video: Path | None = None
    track: int | None = None
    """The number of the film's sound track, from 1; None: the one that most probably has the dialogue."""
    bits: int = 24
    """Bits of a sample, 16 or 24."""


def files_of(kind: MixKind, target: Path) -> tuple[Path, ...]:
    """All files that a render may write, besides those in the folder of `MixKind.LINES`: none may be a source."""
    if kind is not MixKind.EXTENDED:
        return (target,)
    return (target, *(target.with_suffix(suffix) for suffix in (*CAPTIONS, DESCRIPTIONS)))


class MixNoteKind(Enum):
    """What is worth knowing of a render."""

    NO_SOUND = "no sound"
    """The film has no sound: there is silence under the narration."""
    NO_FILM = "no film"
    """The project has no film: there is silence under the narration."""
    SILENT = "silent"
    """The film's sound is silent: it could not be brought to a loudness."""
    LAYOUT = "layout"
    """The film's channels were mapped to others: `names` are both layouts."""
    LINES_CUT = "lines cut"
    """Lines that reach beyond the programme's end are cut there."""
    LINES_BEYOND = "lines beyond"
    """Lines that start after the programme's end are left out."""
    LINES_OVERLAP = "lines overlap"
    """Lines that begin before the one before has ended: both sound at once."""
    OVER_DIALOGUE = "over dialogue"
    """Lines that sound over dialogue without the describer’s wish: it is not lowered there."""
    EXTENDED_LEFT_OUT = "extended left out"
    """Extended lines, which only an extended film has."""
    HELD_LATER = "held later"
    """Extended lines that begin within another line, or outside the film: the picture is held after it, or at its end.
    """
    LONGER_THAN_PLANNED = "longer than planned"
    """Lines that sound longer than the plan gives them; `ms` is by how much at most."""
    OTHER_LINES = "other lines"
    """Files of lines (`names`) that an earlier export wrote into the same folder."""
    PICTURE_CHANGED = "picture changed"
    """The picture had to be encoded with less than it had: `names` says what."""
    NO_LINES = "no lines"
    """No line is spoken."""
    LIMITED = "limited"
    """The true peak was kept by the limiter; `amount` is by how much at most."""
    TRACKS_LEFT_OUT = "tracks left out"
    """Parts of the film's file that the one that is written cannot hold: `names` says which."""
    NOT_FLAGGED = "not flagged"
    """The format cannot flag a track for the visually impaired: only its title says so. `names` is the format."""
    FILM_DAMAGED = "film damaged"
    """The film's file cannot be read from `at` on: what follows is missing."""
    TARGET_MISSED = "target missed"
    """The loudness is `amount` below the target (above it, if negative): peaks, levels or gains do not allow it."""
    TRACK = "track"
    """Which of several sound tracks was used: `names` are the one that was, and the others."""


@dataclass(frozen=True)
class MixNote:
    """Something worth knowing; which of its values are given depends on its kind."""

    kind: MixNoteKind
    lines: tuple[str, ...] = ()
    """Ids of lines."""
    names: tuple[str, ...] = ()
    at: int | None = None
    """Film time in milliseconds."""
    amount: int | None = None
    """Tenths of a dB."""
    ms: int | None = None
    """A length in milliseconds."""


@dataclass(frozen=True)
class RenderedLine:
    """Where a line lies in what was rendered; times in milliseconds."""

    id: str
    number: int
    start: int
    length: int
    file: Path | None = None
    """Its own file, for `MixKind.LINES`."""


@dataclass(frozen=True)
class MixReport:
    """What was rendered. Loudness is integrated, in LUFS, peaks in dBTP; None where nothing sounds."""

    kind: MixKind
    files: tuple[Path, ...]
    length: int
    """Milliseconds."""
    channels: int
    loudness: float | None = None
    true_peak: float | None = None
    programme_loudness: float | None = None
    """Of the film's sound as it is in its file."""
    narration_loudness: float | None = None
    """Of the narration as it is in the result."""
    lines: tuple[RenderedLine, ...] = ()
    """In parts, where one is of linked items: these have one number."""
    notes: tuple[MixNote, ...] = ()

    @property
    def line_count(self) -> int:
        """How many lines were rendered, counted as they are exported."""
        return len({line.number for line in self.lines})


Stop = Callable[[], bool]
"""Whether the render is to stop; asked about once a second of film."""


def never() -> bool:
    """For renders that nobody cancels."""
    return False
