"""The lines in the rows of a table whose columns are known: texts, times, what stands beside them, and dialogue."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median, mode

from adstudio.core.errors import Oddity
from adstudio.script_files.asides import is_narrator, speech, without_label
from adstudio.script_files.columns import STATUS, Column
from adstudio.script_files.finished import DEEPEST, FinishedLine, FinishedScript
from adstudio.script_files.grids import GridRow, lines_shown
from adstudio.script_files.script_clock import ScriptClock, WrittenTime

_FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r", "\n")
_DECIBELS = re.compile(r"[-+−–]?\s?(\d{1,2}(?:[.,]\d{1,2})?)\s?(?:dB)?", re.IGNORECASE)
_LEAST_LABELS = 3


def _plain(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from running it as a formula."""
    text = cell.replace("\r\n", "\n").replace("\r", "\n")
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA_MARKS) else text.strip()


@dataclass
class RowReader:
    """Reads the lines of a script; `places` are those of its columns, `oddities` what is odd about the table."""

    rows: Sequence[GridRow]
    places: Mapping[Column, int]
    clock: ScriptClock
    oddities: list[Oddity] = field(default_factory=list[Oddity])

    def read(self) -> FinishedScript:
        """The lines in their order, those without a time apart."""
        offset = self._between_labels_and_seconds()
        lines: list[FinishedLine] = []
        untimed: list[FinishedLine] = []
        differing: list[int] = []
        empty: list[int] = []
        cue = ""
        labels = self._labels()
        dialogue = self._dialogue(labels)
        for row in self.rows:
            text = labels.get(row.line) or _plain(self._at(row, Column.TEXT))
            if row.line in dialogue:
                cue = text
                continue
            cue = _plain(self._at(row, Column.CUE)) or cue
            if not text.strip():
                if self._says_anything(row):
                    empty.append(row.line)
                continue
            start, end, differs = self._span(row, offset)
            if differs:
                differing.append(row.line)
            line = self._line(row, text, cue)
            cue = ""
            if start is None:
                untimed.append(line)
            else:
                lines.append(replace(line, start=start, end=end))
        if labels:
            what = "the label of a description before a text is not spoken, so not used"
            self.oddities.append(Oddity(f"{what}: {lines_shown([*labels])}", min(labels)))
        self._report(lines, differing, dialogue)
        if empty:
            self.oddities.append(Oddity(f"rows have no text, so not used: {lines_shown(empty)}", empty[0]))
        return FinishedScript(tuple(lines), tuple(self.oddities), untimed=tuple(untimed))

    def _says_anything(self, row: GridRow) -> bool:
        """Whether a row without a text has more than a number, and cue words for the next one."""
        beside = (Column.NUMBER, Column.CUE, Column.CUE_OUT, Column.CUE_SPEAKER)
        passed = {self.places.get(column) for column in beside}
        return any(cell.strip() for at, cell in enumerate(row.cells) if at not in passed)

    def _report(
        self,
        lines: Sequence[FinishedLine],
        differing: Sequence[int],
        dialogue: frozenset[int],
    ) -> None:
        if differing:
            what = f"timecode and seconds do not agree, and the timecode is used: {lines_shown(differing)}"
            self.oddities.append(Oddity(what, differing[0]))
        if dialogue:
            spoken = sorted(dialogue)
            what = f"rows spoken by anyone but the narrator are dialogue, so not used: {lines_shown(spoken)}"
            self.oddities.append(Oddity(what, spoken[0]))
        reversed_lines = [line.line for line in lines if line.end is not None and line.end < line.start]
        if reversed_lines:
            what = f"lines end before they start, so their out times are not used: {lines_shown(reversed_lines)}"
            self.oddities.append(Oddity(what, reversed_lines[0]))

    def _at(self, row: GridRow, column: Column) -> str:
        place = self.places.get(column)
        return "" if place is None or place >= len(row.cells) else row.cells[place]

    def _line(self, row: GridRow, text: str, cue: str) -> FinishedLine:
        voice = _plain(self._at(row, Column.VOICE)) or _plain(self._at(row, Column.SPEAKER))
        notes = [_plain(self._at(row, Column.NOTES))]
        duck, speed = _plain(self._at(row, Column.DUCK)), _plain(self._at(row, Column.SPEED))
        depth = _DECIBELS.fullmatch(duck)
        status = _plain(self._at(row, Column.STATUS))
        seen, accepted = STATUS.get(status.casefold(), (None, None))
        # A number of words a minute follows from text and times.
        if speed and not speed.isdecimal():
            notes.append(f"speed: {speed}")
        if duck and depth is None:
            notes.append(f"duck: {duck}")
        if status and seen is None:
            notes.append(f"status: {status}")
        return FinishedLine(
            text,
            0,
            None,
            row.line,
            number=_plain(self._at(row, Column.NUMBER)),
            cue=cue,
            notes="\n".join(filter(None, notes)),
            voice=voice,
            pronunciation=_plain(self._at(row, Column.PRONUNCIATION)),
            duck=None if depth is None else min(round(float(depth[1].replace(",", ".")) * 10), DEEPEST),
            seen=seen,
            accepted=accepted,
        )

    def _labels(self) -> dict[int, str]:
        """The texts behind a label, such as AD: or Narrator:, by their lines, where several have one."""
        texts = ((row.line, without_label(_plain(self._at(row, Column.TEXT)))) for row in self.rows)
        found = {line: text.strip() for line, text in texts if text is not None and text.strip()}
        return found if len(found) >= _LEAST_LABELS else {}

    def _dialogue(self, labels: Mapping[int, str]) -> frozenset[int]:
        """The lines whose speaker is not the narrator, where any row has the narrator as its speaker."""
        if labels and Column.SPEAKER not in self.places:
            others = [row for row in self.rows if row.line not in labels]
            return frozenset(row.line for row in others if speech(self._at(row, Column.TEXT)) is not None)
        named = {row.line: speaker for row in self.rows if (speaker := self._at(row, Column.SPEAKER).strip())}
        others = frozenset(line for line, speaker in named.items() if not is_narrator(speaker))
        return others if len(others) < len(named) else frozenset()

    def _seconds(self, row: GridRow, column: Column) -> int | None:
        cell = self._at(row, column)
        return self.clock.duration(cell, row.line) if cell.strip() else None

    def _time(self, row: GridRow, column: Column) -> WrittenTime | None:
        cell = self._at(row, column).strip()
        if not cell:
            return None
        found = self.clock.read(cell, row.line)
        # Plain numbers in a column of times are seconds.
        seconds = None if found is not None else self.clock.duration(cell, row.line)
        return found if seconds is None else WrittenTime(seconds - self.clock.clock_offset, label=False)

    def _between_labels_and_seconds(self) -> int | None:
        """By how much timecode is ahead of the seconds beside it, as in most rows; None where a row never has both."""
        if Column.IN not in self.places or Column.IN_SECONDS not in self.places:
            return None
        found = [
            label.ms - seconds
            for row in self.rows
            if (label := self._time(row, Column.IN)) and (seconds := self._seconds(row, Column.IN_SECONDS)) is not None
        ]
        if not found:
            return None
        usual = mode(round(each / 200) for each in found)
        ahead = round(median(each for each in found if abs(each - 200 * usual) <= 200))
        # A start timecode is of a whole second nearly always; seconds are exact, and timecode is not.
        return round(ahead, -3) if abs(ahead - round(ahead, -3)) < 1000 / self.clock.rate.rate else ahead

    def _span(self, row: GridRow, offset: int | None) -> tuple[int | None, int | None, bool]:
        """When a row's line starts and ends, and whether its timecode says otherwise than the seconds beside it."""
        both = self.clock.read_both(self._at(row, Column.IN), row.line) if self._at(row, Column.IN).strip() else None
        start = self._time(row, Column.IN)
        end = self._time(row, Column.OUT) or (both[1] if both is not None else None)
        first, last = self._seconds(row, Column.IN_SECONDS), self._seconds(row, Column.OUT_SECONDS)
        if first is not None and start is not None and offset is not None:
            tolerance = 2 * round(1000 / self.clock.rate.rate) + 20
            moved = abs(start.ms - first - offset) > tolerance
            if not moved and (end is None or last is None or abs(end.ms - last - offset) <= tolerance):
                return first, last, False
            return start.ms - offset, None if end is None else end.ms - offset, True
        at = first if first is not None else None if start is None else start.ms
        if at is None:
            return None, None, False
        until = last if first is not None else None if end is None else end.ms
        if until is None and (length := self._at(row, Column.DURATION)).strip():
            duration = self.clock.duration(length, row.line)
            until = None if duration is None else at + duration
        return at, until, False
