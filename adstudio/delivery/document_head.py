"""What is said of a script before its lines, in every document: the film, the version, the day, how times count."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.counts import counted
from adstudio.core.film import Film
from adstudio.delivery.lines import ScriptLine
from adstudio.delivery.options import ExportOptions
from adstudio.delivery.text import document_text, on_one_line

KIND = "Audio description script"


@dataclass(frozen=True)
class DocumentHead:
    """The words at the head of a document, safe for office files; `version` and `start_timecode` may be empty."""

    title: str
    version: str
    date: dt.date
    language: str
    frame_rate: str
    start_timecode: str
    lines: int
    spoken: int
    """Milliseconds."""

    @classmethod
    def of(cls, film: Film, lines: Sequence[ScriptLine], options: ExportOptions) -> DocumentHead:
        """The head of a film's script."""
        return cls(
            title=document_text(on_one_line(film.title)) or "Untitled film",
            version=document_text(options.version),
            date=options.day,
            language=document_text(film.language),
            frame_rate=film.frame_rate.name,
            start_timecode=document_text(film.start_timecode),
            lines=len(lines),
            spoken=sum(line.span.length for line in lines),
        )

    @property
    def day(self) -> str:
        """The day as it is written: 2026-11-29, which no country reads otherwise."""
        return self.date.isoformat()

    @property
    def running(self) -> str:
        """What is said of it at the head of each page, beside the title."""
        return " · ".join(filter(None, (self.version, self.day)))

    @property
    def facts(self) -> tuple[str, ...]:
        """All but the title, the shortest way."""
        start = f"start {self.start_timecode}" if self.start_timecode else "times from the first frame"
        lines = counted(self.lines, "line")
        minutes, seconds = divmod(round(self.spoken / 1000), 60)
        spoken = f"{minutes:,} min {seconds:02d} s spoken" if minutes else f"{seconds} s spoken"
        rate = f"{self.frame_rate} fps"
        return tuple(filter(None, (self.version, self.day, self.language, rate, start, lines, spoken)))
