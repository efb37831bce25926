"""What can be chosen about an exported script, and for which formats."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.timebase import parse_start_timecode
from adstudio.delivery.tables import COLUMNS


class Option(Enum):
    """A choice that some formats have."""

    ACCEPTED_ONLY = "accepted_only"
    FROM_TIMECODE = "from_timecode"
    SEPARATOR = "separator"
    COLUMNS = "columns"
    SCENE = "scene"


class Separator(Enum):
    """What stands between the cells of a table; its value is the character."""

    COMMA = ","
    SEMICOLON = ";"
    TAB = "\t"


@dataclass(frozen=True)
class ExportOptions:
    """The choices; a format ignores those that it does not have.

    `accepted_only`: lines that nobody has accepted are left out. `from_timecode`: times count from the film's start
    timecode, not from its first frame. `columns` are some of `COLUMNS`, in the order wanted. `scene` is the id of the
    only scene that is exported, None for the whole film.
    """

    accepted_only: bool = False
    from_timecode: bool = False
    separator: Separator = Separator.COMMA
    columns: tuple[str, ...] = COLUMNS
    scene: str | None = None

    def __post_init__(self) -> None:
        unknown = [name for name in self.columns if name not in COLUMNS]
        if unknown or not self.columns:
            what = f"there is no column “{unknown[0]}”" if unknown else "no column is chosen"
            raise BadInputError(f"{what}: use some of {', '.join(COLUMNS)}")
        if len(set(self.columns)) != len(self.columns):
            raise BadInputError("a column is chosen twice: name each once")

    def offset(self, film: Film) -> int:
        """What is added to the times of subtitles, in milliseconds.

        Raises:
            TimeError: for a start timecode that is not valid at the film's rate.
        """
        if not self.from_timecode or not film.start_timecode:
            return 0
        return parse_start_timecode(film.start_timecode, film.frame_rate).clock_offset


DEFAULTS = ExportOptions()
"""Every line, times from the film's first frame, all columns, commas, the whole film."""
