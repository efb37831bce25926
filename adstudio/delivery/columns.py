"""The columns of a script as a table, in every format that has one: names, headings, and what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from adstudio.core.film import Film
from adstudio.core.narration import Lexicon, Pronunciation
from adstudio.core.timebase import FrameRate, Span
from adstudio.delivery.lines import ScriptLine
from adstudio.delivery.text import on_one_line
from adstudio.speech.lexicon import SpokenTexts

HEADINGS = {
    "number": "No.",
    "in": "TC in",
    "out": "TC out",
    "in s": "In (s)",
    "out s": "Out (s)",
    "duration s": "Duration (s)",
    "text": "Description",
    "next dialogue": "Next dialogue",
    "notes": "Notes",
    "dialogue cue": "Dialogue cue",
    "dialogue end": "Dialogue ends",
    "pronunciation": "Pronunciation",
    "speed": "Speed (wpm)",
    "duck": "Duck (dB)",
    "voice": "Voice",
    "status": "Status",
    "dialogue speaker": "Dialogue speaker",
}
"""The headings as people read them, by the names that choose the columns; `script_files.columns` knows both."""
COLUMNS = tuple(HEADINGS)
"""The names, in the order of a CSV that has them all."""
TRADE_COLUMNS = (
    *("number", "in", "out", "duration s", "dialogue cue", "dialogue end", "text", "notes", "pronunciation", "speed"),
    *("duck", "voice", "status"),
)
"""What the trade's scripts have, in its order."""
BETWEEN_WORDS = "; "
"""What stands between the pronunciations of a line."""
CUE_WORDS = 12
"""The last words of dialogue that tell a reader when a line begins."""

Cell = str | int | Decimal | None
"""What is in a cell; None for nothing."""


@dataclass(frozen=True)
class ScriptTable:
    """A script's lines as they are tabulated.

    `in`, `out` and `dialogue end` are SMPTE timecode at the frame rate, counted from the start timecode; rounding to a
    frame never leaves the gap of a line. Seconds have three decimals. `dialogue cue` are the last words of the dialogue
    before the line, `dialogue speaker` who says it, as far as that is known. `speed` is in words a minute, `duck` in dB
    where the line has a depth of its own.
    """

    lines: tuple[ScriptLine, ...]
    frame_rate: FrameRate
    start_timecode: str
    film_end: int
    lexicon: Lexicon = ()

    @classmethod
    def of(cls, lines: Iterable[ScriptLine], film: Film, lexicon: Lexicon = ()) -> ScriptTable:
        """The table of a film's lines."""
        return cls(tuple(lines), film.frame_rate, film.start_timecode, film.end, lexicon)

    def rows(self) -> list[dict[str, Cell]]:
        """The cells of each line by the names of their columns.

        Raises:
            TimeError: for a start timecode that is not valid at this rate.
        """
        pronounced = pronunciations(self.lines, self.lexicon)
        return [self._cells(line, words) for line, words in zip(self.lines, pronounced, strict=True)]

    def _cells(self, line: ScriptLine, pronounced: Sequence[Pronunciation]) -> dict[str, Cell]:
        rate, start = self.frame_rate, self.start_timecode
        first, last = rate.labels_inside(line.span, line.gap or Span(0, self.film_end), start=start)
        before, after = line.previous_dialogue, line.next_dialogue
        return {
            "number": line.number,
            "in": first,
            "out": last,
            "in s": seconds_cell(line.span.start),
            "out s": seconds_cell(line.span.end),
            "duration s": seconds_cell(line.span.length),
            "text": line.text,
            "next dialogue": after.text if after else None,
            "notes": line.notes or None,
            "dialogue cue": last_words(before.text) if before else None,
            "dialogue end": rate.label(before.end, start=start) if before else None,
            "pronunciation": BETWEEN_WORDS.join(map(pronunciation_text, pronounced)) or None,
            "speed": line.speed,
            "duck": None if line.duck is None else Decimal(line.duck).scaleb(-1),
            "voice": line.voice or None,
            "status": line.status.value,
            "dialogue speaker": (before.speaker or None) if before else None,
        }


def pronunciations(lines: Sequence[ScriptLine], lexicon: Lexicon) -> list[tuple[Pronunciation, ...]]:
    """For each line the words of the lexicon that are in it."""
    if not lexicon:
        return [()] * len(lines)
    found: list[list[Pronunciation]] = [[] for _ in lines]
    texts = SpokenTexts([on_one_line(line.text) for line in lines])
    for entry in lexicon:
        for number in texts.having(entry.word):
            found[number].append(entry)
    return [tuple(each) for each in found]


def pronunciation_text(entry: Pronunciation) -> str:
    """A pronunciation as a reader needs it, phonemes between strokes."""
    return f"{entry.word}: /{entry.spoken}/" if entry.phonemes else f"{entry.word}: {entry.spoken}"


def last_words(dialogue: str) -> str:
    """The end of a dialogue, on one line."""
    words = on_one_line(dialogue).split()
    return ("… " if len(words) > CUE_WORDS else "") + " ".join(words[-CUE_WORDS:])


def printed(column: str, value: Cell) -> str:
    """A value as it is read on paper: a duration in tenths of a second."""
    if isinstance(value, Decimal) and column == "duration s":
        return f"{value:.1f}"
    return "" if value is None else str(value)


def seconds_cell(ms: int) -> Decimal:
    """Seconds with exactly three decimals."""
    return Decimal(ms).scaleb(-3)
