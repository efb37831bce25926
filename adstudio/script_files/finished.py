"""A finished AD script as it is read from a file: its lines with their times, and what was odd in it."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.errors import Oddity
from adstudio.core.script import Origin

DEEPEST = 600
"""Tenths of a decibel: what is lowered further is silent."""


@dataclass(frozen=True)
class FinishedLine:
    """One line that is spoken. Times are in milliseconds of the film: a start timecode has been taken off.

    `end` is None where the file does not say it. `line` is where it is in the file, from 1 (in a table of an office
    document its row). The rest is as written there, empty where nothing is: its `number`, the words or the sound before
    it (`cue`), `notes`, who speaks it (`voice`), and how words of it are pronounced. `extended`: it is spoken while the
    picture is held. `duck` is how far the film goes down under it, in tenths of a dB; None where the file does not say
    it, as with who wrote it (`origin`) and how far it has come: whether a person has `seen` and `accepted` it.
    """

    text: str
    start: int
    end: int | None
    line: int
    number: str = ""
    cue: str = ""
    notes: str = ""
    voice: str = ""
    pronunciation: str = ""
    extended: bool = False
    duck: int | None = None
    origin: Origin | None = None
    seen: bool | None = None
    accepted: bool | None = None


@dataclass(frozen=True)
class FinishedScript:
    """The lines in the order of the file, and what was repaired or not used.

    `untimed` are lines without a time, whose `start` means nothing. `language` (a tag), `title` and `start_timecode`
    are as the file says, empty where it does not.
    """

    lines: tuple[FinishedLine, ...]
    oddities: tuple[Oddity, ...] = ()
    language: str = ""
    title: str = ""
    start_timecode: str = ""
    untimed: tuple[FinishedLine, ...] = ()
