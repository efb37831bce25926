r"""Advanced SubStation Alpha (ASS) and SubStation Alpha (SSA): the `Dialogue:` lines of the events section.

The section's `Format:` line gives the order of an event's fields. Text is what libass shows: override blocks and
comments in braces are removed, `\{` and `\}` are braces, and drawings (from `{\p1}` on) are not text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adstudio.core.errors import Oddity
from adstudio.core.timebase import clock
from adstudio.subtitles.ass_typesetting import Event, interpreted, numbered
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.lines import MAX_CUES, Found, close_endless, quoted, split_lines, unreadable, unreadable_end
from adstudio.subtitles.markup import trimmed
from adstudio.subtitles.source import Source
from adstudio.subtitles.times import read_time

_SECTION = re.compile(r"[ \t\ufeff]*\[([^\]\r\n]{1,60})\][ \t]*")
_EVENT = re.compile(r"[ \t\ufeff]*(Dialogue|Comment|Picture|Sound|Movie|Command)[ \t]*:[ \t]*", re.IGNORECASE)
_FIELD_LINE = re.compile(r"[ \t\ufeff]*([A-Za-z][A-Za-z ]{0,30})[ \t]*:(.*)", re.DOTALL)
_WELL_WRITTEN = re.compile(r"(\d{1,4}):([0-5]\d):([0-5]\d)([.:])(\d\d)", re.ASCII)
_FEW = 4
_FRAMES_AT_MOST = 30
_DRAWING = re.compile(r"\\p(\d+)")
_ESCAPE = re.compile(r"\\([Nnh{}])")
_DEFAULT = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")


class AssReader:
    """Reads the lines once, keeping track of the section and its format."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines = split_lines(source.text)
        self.events: list[Event] = []
        self.sources: list[Event] = []
        self.oddities: list[Oddity] = []
        self.names: tuple[str, ...] = _DEFAULT
        self.format_seen = False
        self.soft_breaks = False
        self.after_colons: list[tuple[int, int]] = []

    def read(self) -> Found:
        """What is spoken or sung in an ASS or SSA file, and its problems; comments, drawings and signs are not."""
        section = ""
        for index, line in enumerate(self.lines):
            header = _SECTION.fullmatch(line)
            if header:
                section = header[1].strip().lower()
            elif section == "events" or (not section and _EVENT.match(line)):
                self._event_line(index, line)
            elif section == "script info":
                self._info(line)
            elif not section and line.strip(" \t\ufeff"):
                what = f"text before the first section was ignored: {quoted(self.source.clean(line))}"
                self.oddities.append(Oddity(what, index + 1))
        audible, signs, oddities = interpreted(self.events, self.sources)
        cues = [numbered(number, event, kind) for number, (event, kind) in enumerate(audible, 1)]
        endless = {index: event.endless for index, (event, _) in enumerate(audible) if event.endless}
        self.oddities += [*oddities, *close_endless(cues, endless), *self._perhaps_frames()]
        return Found(cues, self.oddities, signs=signs)

    def _perhaps_frames(self) -> list[Oddity]:
        """That times may count frames: SSA writes hundredths after a colon too, but not only low ones."""
        numbers = [number for number, _ in self.after_colons]
        if len(numbers) < max(_FEW, len(self.events)) or max(numbers) >= _FRAMES_AT_MOST:
            return []
        what = "the times may count frames after their last colon; they were read as hundredths, as in SSA"
        return [Oddity(what, self.after_colons[0][1] + 1)]

    def _info(self, line: str) -> None:
        field = _FIELD_LINE.fullmatch(line[:200])
        if field and field[1].lower() == "wrapstyle":
            self.soft_breaks = field[2].strip() == "2"

    def _event_line(self, index: int, line: str) -> None:
        event = _EVENT.match(line)
        if event:
            self._event(index, line, event)
            return
        if not line.strip() or line.lstrip().startswith(";"):
            return
        field = _FIELD_LINE.fullmatch(line[:2000])
        if field and field[1].lower() == "format":
            self._format(index, field[2].strip())
        else:
            self.oddities.append(Oddity(f"this line is not an event: {quoted(self.source.clean(line))}", index + 1))

    def _format(self, index: int, value: str) -> None:
        names = tuple(name.strip().lower() for name in value.split(","))
        names = tuple("name" if name == "actor" else name for name in names)
        if {"start", "end", "text"} <= set(names) and len(set(names)) == len(names):
            self.names = names
            self.format_seen = True
        else:
            what = f"this format lacks Start, End or Text, so the default order was used: {quoted(value)}"
            self.oddities.append(Oddity(self.source.clean(what), index + 1))

    def _event(self, index: int, line: str, event: re.Match[str]) -> None:
        kind = event[1].lower()
        if kind == "comment" and "\\k" in line.lower():
            self._source(index, line[event.end() :])
        if kind != "dialogue":
            return
        if not self.format_seen:
            self.oddities.append(
                Oddity("there is no “Format:” line before the events, so the default order was used", index + 1)
            )
            self.format_seen = True
        fields = self._fields(line[event.end() :])
        if fields is None:
            what = f"the line has fewer than {len(self.names)} fields and was ignored"
            self.oddities.append(Oddity(f"{what}: {quoted(self.source.clean(line))}", index + 1))
            return
        start, end = (self._time(fields[name], index) for name in ("start", "end"))
        found, drawn = self._as_event(index, fields, start or 0, end)
        if drawn and not found.text:
            return
        if start is None:
            written = f"{fields['start']},{fields['end']}"
            self.oddities.append(unreadable(self.source, written, found.text, index + 1))
            return
        self.events.append(found)
        if len(self.events) > MAX_CUES:
            raise SubtitleError(f"there are more than {MAX_CUES:,} cues: split the file")

    def _source(self, index: int, values: str) -> None:
        """Notes a comment that karaoke was generated from; a template is not one."""
        fields = self._fields(values)
        if fields is None or fields.get("effect", "").strip().lower().startswith(("template", "code")):
            return
        start, end = (read_time(fields[name], fraction_digits=2) for name in ("start", "end"))
        if start is not None and end is not None:
            self.sources.append(self._as_event(index, fields, start.ms, end.ms)[0])

    def _as_event(self, index: int, fields: dict[str, str], start: int, end: int | None) -> tuple[Event, bool]:
        """The event, and whether it contained a drawing."""
        raw = self.source.clean(fields["text"])
        shown, drawn = ass_text(raw, soft_breaks=self.soft_breaks)
        style, speaker, effect = (
            " ".join(self.source.clean(fields.get(name, "")).split()) for name in ("style", "name", "effect")
        )
        why = unreadable_end(self.source, f"{fields['start']},{fields['end']}") if end is None else ""
        stop = start if end is None else end
        return Event(index + 1, start, stop, style, speaker, effect, raw, shown, why), drawn

    def _fields(self, values: str) -> dict[str, str] | None:
        """The fields of an event by name; surplus commas belong to the text. None if there are too few."""
        text_at = self.names.index("text")
        *before, rest = values.split(",", text_at)
        found = [*before, *rest.rsplit(",", len(self.names) - 1 - text_at)]
        return dict(zip(self.names, found, strict=True)) if len(found) == len(self.names) else None

    def _time(self, text: str, index: int) -> int | None:
        text = text.strip()
        match = _WELL_WRITTEN.fullmatch(text)
        if match:
            h, m, s, cs = (int(part) for part in match.group(1, 2, 3, 5))
            if match[4] == ":":
                self.after_colons.append((cs, index))
            return ((h * 60 + m) * 60 + s) * 1000 + cs * 10
        time = read_time(text, fraction_digits=2)
        if time is None:
            return None
        if time.odd:
            what = f"{quoted(self.source.clean(text))} was read as {clock(time.ms)}"
            self.oddities.append(Oddity(what, index + 1))
        return time.ms


def ass_text(raw: str, *, soft_breaks: bool = False) -> tuple[str, bool]:
    r"""An event's text as a viewer reads it, and whether it contained a drawing.

    `soft_breaks`: whether `\n` breaks the line (wrap style 2) instead of meaning a space.
    """
    pieces: list[str] = []
    drawing = drawn = False
    at = 0
    for begin, stop in _blocks(raw):
        if not drawing:
            pieces.append(raw[at:begin])
        at = stop
        for scale in _DRAWING.findall(raw, begin, stop):
            drawing = scale.strip("0") != ""
            drawn = drawn or drawing
    if not drawing:
        pieces.append(raw[at:])
    meant = {"N": "\n", "n": "\n" if soft_breaks else " ", "h": "\u00a0", "{": "{", "}": "}"}
    text = _ESCAPE.sub(lambda match: meant[match[1]], "".join(pieces))
    return trimmed(text), drawn


def _blocks(raw: str) -> Iterator[tuple[int, int]]:
    """The ranges of unescaped pairs of braces; an unclosed brace is text."""
    begin = raw.find("{")
    while begin >= 0:
        if begin and raw[begin - 1] == "\\":
            begin = raw.find("{", begin + 1)
            continue
        stop = raw.find("}", begin)
        if stop < 0:
            return
        yield begin, stop + 1
        begin = raw.find("{", stop + 1)
