"""What can be chosen about an exported script, and for which formats."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from enum import Enum

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.timebase import FrameRate, parse_start_timecode
from adstudio.core.words import is_one_line
from adstudio.delivery.columns import COLUMNS
from adstudio.delivery.recorded_files import Recordings
from adstudio.delivery.template_file import Template

LONGEST_VERSION = 80
"""Characters in the name of a version."""


class Option(Enum):
    """A choice that some formats have."""

    ACCEPTED_ONLY = "accepted_only"
    FROM_TIMECODE = "from_timecode"
    SEPARATOR = "separator"
    COLUMNS = "columns"
    SCENE = "scene"
    FRAME_RATE = "frame_rate"
    START_TIMECODE = "start_timecode"
    VERSION = "version"
    TEMPLATE = "template"
    RECORDINGS = "recordings"


class Separator(Enum):
    """What stands between the cells of a table; its value is the character."""

    COMMA = ","
    SEMICOLON = ";"
    TAB = "\t"


@dataclass(frozen=True)
class ExportOptions:
    """The choices; a format ignores those that it does not have.

    `accepted_only`: lines that nobody has accepted are left out. `from_timecode`: times count from the film's start
    timecode, not from its first frame. `columns` are some of `COLUMNS`, in the order wanted, None for the format's own.
    `scene` is the id of the only scene that is exported, None for the whole film. `frame_rate` and `start_timecode` are
    what timecode counts by, None and empty where it counts by the film's own; times of subtitles count from a start
    timecode that is given. `version` is what a person calls this state of the script, and `date` the day that is
    written in it, None for today. `template` is filled in instead of a document of our own. `shots` are the boundaries
    of the film's shots in ms, empty where they are not known. `recordings` are files in which lines are spoken.
    """

    accepted_only: bool = False
    from_timecode: bool = False
    separator: Separator = Separator.COMMA
    columns: tuple[str, ...] | None = None
    scene: str | None = None
    frame_rate: FrameRate | None = None
    start_timecode: str = ""
    version: str = ""
    template: Template | None = None
    date: dt.date | None = None
    shots: tuple[int, ...] = ()
    recordings: Recordings = ()

    def __post_init__(self) -> None:
        if len(self.version) > LONGEST_VERSION or not is_one_line(self.version):
            raise BadInputError(f"a version's name is at most {LONGEST_VERSION} characters, on one line")
        if self.columns is None:
            return
        unknown = [name for name in self.columns if name not in COLUMNS]
        if unknown or not self.columns:
            what = f"there is no column “{unknown[0]}”" if unknown else "no column is chosen"
            raise BadInputError(f"{what}: use some of {', '.join(COLUMNS)}")
        if len(set(self.columns)) != len(self.columns):
            raise BadInputError("a column is chosen twice: name each once")

    def film(self, film: Film) -> Film:
        """A film with the frame rate and the start timecode by which times are written.

        Raises:
            TimeError: for a start timecode that is not valid at the rate.
        """
        rate, start = self.frame_rate or film.frame_rate, self.start_timecode or film.start_timecode
        if start and (self.frame_rate is not None or self.start_timecode):
            rate.frame_of_label(start)
        return replace(film, frame_rate=rate, start_timecode=start)

    @property
    def day(self) -> dt.date:
        """The day that is written in it."""
        return self.date or dt.date.today()  # noqa: DTZ011 - the day where the describer is

    def offset(self, film: Film) -> int:
        """What is added to the times of subtitles, in milliseconds.

        Raises:
            TimeError: for a start timecode that is not valid at the film's rate.
        """
        if not (self.from_timecode or self.start_timecode) or not film.start_timecode:
            return 0
        return parse_start_timecode(film.start_timecode, film.frame_rate).clock_offset


DEFAULTS = ExportOptions()
"""Every line, times from the film's first frame, a format's own columns, commas, the whole film."""
