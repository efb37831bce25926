"""How an imported script differs from what a project speaks: new, the same, changed or moved lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import Enum

from adstudio.core.narration import MAX_PRONUNCIATIONS, Lexicon, Pronunciation
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.core.words import folded
from adstudio.delivery.lines import Fragment, ScriptLine, extended_lines, script_lines
from adstudio.importing.notes import narrator_of, note_parts, only_counts, without_known
from adstudio.importing.placing import PlacedLine, pronunciations_in, shortest_pause

_NEAR_MS = 2_000
"""Lines that have some other words are the same line if they start no further apart than this."""
_ALIKE = 0.5
"""The share of words that two lines have in common from which on one may be the other, reworded and moved."""
_LONGEST_MS = 60_000
"""A line that starts so long before another is not looked at as the same."""
FRAME_MS = 45
"""Times that differ by less are the same, as timecode of 24 frames a second writes them."""
_MAX = 1 << 62


class Change(Enum):
    """What an imported line is to the project."""

    NEW = "new"
    SAME = "same"
    TEXT = "changed text"
    MOVED = "moved"
    TEXT_AND_MOVED = "changed text and moved"
    BROUGHT_IN = "not spoken so far"
    """The project has a line with these words, which its plan leaves out."""


@dataclass(frozen=True)
class LineChange:
    """An imported line, and what it is of the project: `present` as planned now, in these words and at this time."""

    change: Change
    line: PlacedLine
    present: tuple[Fragment, ...] = ()
    before_text: str = ""
    before: Span | None = None
    note: str = ""
    """What comes into the line’s note."""

    @property
    def elements(self) -> tuple[str, ...]:
        """The ids of the project's lines that it is: several, where they are spoken as one cue."""
        return tuple(each.element for each in self.present)


@dataclass(frozen=True)
class ImportDiff:
    """What importing changes: every line of the file, and the project's spoken items (ids) that the file lacks."""

    changes: tuple[LineChange, ...]
    lacking: tuple[str, ...] = ()
    lacking_texts: tuple[str, ...] = ()
    """The lines that say these, as they are spoken: linked items are one."""
    pause: int | None = None
    """The pause between lines that the project has then, where the script's are shorter than its own; None as it is."""
    words: Lexicon = ()
    """Pronunciations in the script of words that the project's lexicon lacks."""

    def count(self, *kinds: Change) -> int:
        """How many lines are of these kinds."""
        return sum(each.change in kinds for each in self.changes)


@dataclass(frozen=True)
class ImportChoices:
    """How lines come into a project.

    They are locked where they are, or free to be planned (`unlocked`). The project's spoken lines that the script lacks
    stay as they are, or are locked out (`only`).
    """

    unlocked: bool = False
    only: bool = False


def import_diff(script: Script, plan: Plan, lines: Sequence[PlacedLine], choices: ImportChoices) -> ImportDiff:
    """How an imported script differs from what the project speaks by its plan."""
    present = _present(script, plan)
    partners = _matched(present, lines)
    changes: list[LineChange] = []
    idle = _Idle(script, plan)
    words = _new_words(script.lexicon, lines)
    lexicon = frozenset((*script.lexicon, *words))
    project_voices = {script.voice.voice, narrator_of(lines)}
    counted = {line.source.number.strip(" .#") for line in lines} if only_counts(lines) else set[str]()
    for place, line in enumerate(lines):
        partner, numbers, voices = partners.get(place), {place + 1}, set(project_voices)
        if partner is not None:
            change = _compared(partner, line)
            numbers.add(partner.number)
            voices.add(partner.voice)
        elif (known := idle.take(line.text)) is not None:
            change = LineChange(Change.BROUGHT_IN, line, (Fragment(known, 0, line.span or Span(0, 0)),))
        else:
            change = LineChange(Change.NEW, line)
        known_notes = "\n".join(filter(None, (script.eventuality(name).note for name in change.elements)))
        parts = note_parts(line, numbers=counted.union(map(str, numbers)), voices=voices, lexicon=lexicon)
        changes.append(replace(change, note="\n".join(without_known(parts, known_notes))))
    used = {identity for each in changes for identity in each.elements}
    left = [each for each in present if all(part.element not in used for part in each.parts)]
    lacking = tuple(part.element for each in left for part in each.parts)
    spoken = [each for each in changes if not each.line.source.extended and not each.line.left_out]
    spans = [(each.before, True) if each.change is Change.SAME else (each.line.span, False) for each in spoken]
    pause = None if choices.unlocked else shortest_pause(spans)
    lowered = pause if pause is not None and pause < script.settings.min_pause else None
    return ImportDiff(tuple(changes), lacking, tuple(each.text for each in left), lowered, words)


def _new_words(lexicon: Lexicon, lines: Sequence[PlacedLine]) -> Lexicon:
    """The pronunciations that lines have and a lexicon lacks, as many as it may have."""
    known = {folded(entry.word) for entry in lexicon}
    found: dict[str, Pronunciation] = {}
    for line in lines:
        for entry in pronunciations_in(line.source.pronunciation, line.text) or ():
            if folded(entry.word) not in known:
                found.setdefault(folded(entry.word), entry)
    return tuple(found.values())[: MAX_PRONUNCIATIONS - len(lexicon)]


@dataclass(frozen=True)
class _Present:
    """What a project speaks: the text of a cue, when, and the lines that it is of."""

    parts: tuple[Fragment, ...]
    text: str
    span: Span
    number: int = 0
    voice: str = ""


def _present(script: Script, plan: Plan) -> list[_Present]:
    found = [_of_line(line) for line in script_lines(script, plan) if line.element is not None]
    found += [
        _Present((Fragment(each.line.id, each.variant, at),), each.wording.text, at)
        for each in extended_lines(script)
        for at in (Span(each.start, each.start),)
    ]
    return sorted(found, key=lambda each: each.span)


def _of_line(line: ScriptLine) -> _Present:
    end = min((part.span.start for part in line.joined), default=line.span.end)
    first = Fragment(line.element or "", line.variant, Span(line.span.start, end))
    return _Present((first, *line.joined), line.text, line.span, line.number, line.voice)


def key_of(text: str) -> str:
    """A text by which the same words are recognised, whatever their capitals and spaces."""
    return " ".join(folded(text).split())


def _matched(present: Sequence[_Present], lines: Sequence[PlacedLine]) -> dict[int, _Present]:
    """The present line of each imported one, by its place: of the same words, else at about the same time."""
    keys = [key_of(each.text) for each in present], [key_of(line.text) for line in lines]
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    partners: dict[int, _Present] = {}
    left: list[_Present] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            partners |= zip(range(j1, j2), present[i1:i2], strict=True)
        else:
            left += present[i1:i2]
    # Words that were moved to another place in the script.
    by_text = {key_of(each.text): each for each in reversed(left)}
    for place, line in enumerate(lines):
        if place not in partners and (same := by_text.pop(key_of(line.text), None)) is not None:
            partners[place] = same
            left.remove(same)
    for place, line in enumerate(lines):
        if place in partners or line.span is None:
            continue
        # They are in order of time, and none is that long.
        begin = bisect_left(left, line.span.start - _LONGEST_MS, key=lambda each: each.span.start)
        end = bisect_right(left, line.span.end + _NEAR_MS, key=lambda each: each.span.start)
        distances = [(_distance(left[at], line), at) for at in range(begin, end)]
        nearest, at = min(distances, default=(_MAX, 0))
        if nearest < _MAX:
            partners[place] = left.pop(at)
    return partners


def _distance(present: _Present, line: PlacedLine) -> int:
    """How far two lines of other words are apart in time; nothing where they overlap by half.

    Those that do not are only the same if they have many words in common.
    """
    one, other = present.span, line.span
    common = None if other is None else one.overlap(other)
    if other is None or abs(one.start - other.start) > _LONGEST_MS:
        return _MAX
    if common is not None and 2 * common.length >= min(one.length, other.length) > 0:
        return 0
    distance = abs(one.start - other.start)
    if distance > _NEAR_MS:
        return _MAX
    alike = SequenceMatcher(None, key_of(present.text).split(), key_of(line.text).split(), autojunk=False).ratio()
    return distance if alike >= _ALIKE else _MAX


def _compared(partner: _Present, line: PlacedLine) -> LineChange:
    same_text = partner.text.split() == line.text.split()
    span = line.span
    moved = span is None or abs(span.start - partner.span.start) > FRAME_MS
    # A line for which the picture is held takes no time of the film.
    timed = partner.span.length > 0 and not line.source.extended
    if not moved and line.duration is not None and span is not None and timed:
        moved = abs(span.end - partner.span.end) > FRAME_MS
    kinds = {
        (True, False): Change.SAME,
        (True, True): Change.MOVED,
        (False, False): Change.TEXT,
        (False, True): Change.TEXT_AND_MOVED,
    }
    return LineChange(kinds[same_text, moved], line, partner.parts, partner.text, partner.span)


class _Idle:
    """The lines of a project that its plan leaves out, by their words."""

    def __init__(self, script: Script, plan: Plan) -> None:
        spoken = plan.by_line
        self._lines: dict[str, list[str]] = {}
        for line in script.eventualities:
            if line.id in spoken or line.extended:
                continue
            for text in {key_of(variant.text) for variant in line.variants}:
                self._lines.setdefault(text, []).append(line.id)
        self._taken: set[str] = set()

    def take(self, text: str) -> str | None:
        """A line with these words that was not taken before."""
        name = next((name for name in self._lines.get(key_of(text), ()) if name not in self._taken), None)
        if name is not None:
            self._taken.add(name)
        return name
