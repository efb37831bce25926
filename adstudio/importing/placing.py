"""The lines of a finished script as lines of a project, each where it is in the script, and what stands against that.

Nothing is dropped: a line that cannot be spoken where it is written is in the project without a time, and what is cut
off of it is in its note.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from adstudio.core.narration import Lexicon, Pronunciation
from adstudio.core.script import NO_PIN, Approval, Cue, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.settings import Scope
from adstudio.core.timebase import Span
from adstudio.core.words import count_words, folded
from adstudio.delivery.columns import BETWEEN_WORDS
from adstudio.editing.change import MAX_CHARACTERS, median_salience
from adstudio.editing.wordings import MAX_DURATION_MS
from adstudio.importing.findings import Finding, Problem
from adstudio.script_files.finished import FinishedLine, FinishedScript

FASTEST = 600
"""Words a minute that nobody speaks: what a file says to be a line's length cannot be."""
_ROUNDED = 84
"""Timecode may have taken two frames of 24 a second from a line, in ms."""
_CUT_FASTEST = 300
"""Words a minute down to whose length a line may be cut where the next one starts."""


@dataclass(frozen=True)
class PlacedLine:
    """A line of the file in the project's time; `span` is None where it has none.

    `duration` is what the file says, None where the text decides. `override`: it does not lie in a gap, or fills one
    too far. `shorter` are wordings that say less, longest first.
    """

    source: FinishedLine
    text: str
    span: Span | None
    duration: int | None = None
    override: bool = False
    note: str = ""
    shorter: tuple[Variant, ...] = ()
    left_out: bool = False
    """Another line is spoken at that time."""


@dataclass
class Placing:
    """Places a script's lines in a film.

    `own_lengths` is off where the text decides how long all of them are; `shorter` are the shorter wordings of texts.
    Where they are not to be locked there (`locked`), what lies in their way is left to the planner. `extended`: lines
    whose out time leaves no time to speak are spoken while the picture is held.
    """

    script: Script
    gaps: Sequence[Span]
    own_lengths: bool = True
    locked: bool = True
    extended: bool = False
    shorter: Mapping[str, tuple[Variant, ...]] = field(default_factory=dict[str, tuple[Variant, ...]])
    _found: dict[Problem, list[FinishedLine]] = field(default_factory=dict[Problem, list[FinishedLine]])

    def placed(self, finished: FinishedScript) -> tuple[PlacedLine, ...]:
        """The lines in order of time, those without one where the file has them last."""
        end = self.script.film.end
        timed = sorted(finished.lines, key=lambda line: line.start)
        highest = -1
        for line in finished.lines:
            if line.start < highest:
                self._note(Problem.OUT_OF_ORDER, line)
            highest = max(highest, line.start)
        inside = [line for line in timed if 0 <= line.start < end]
        lines = [self._ended(self._placed(line), end) for line in inside]
        if self.locked:
            lines = self._with_overrides(self._without_overlap(lines))
        others = [line for line in timed if not 0 <= line.start < end]
        for line in others:
            self._note(Problem.BEFORE_FILM if line.start < 0 else Problem.PAST_END, line)
        for line in finished.untimed:
            self._note(Problem.NO_TIME, line)
        left = (self._placed(line, timed=False) for line in (*others, *finished.untimed))
        return (*lines, *(replace(line, span=None, duration=None) for line in left))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What stands against the lines that were placed."""
        found = {problem: sorted(lines, key=lambda line: line.line) for problem, lines in self._found.items()}
        return tuple(Finding(problem, tuple(found[problem])) for problem in Problem if problem in found)

    def _note(self, problem: Problem, line: FinishedLine) -> None:
        self._found.setdefault(problem, []).append(line)

    def _placed(self, line: FinishedLine, *, timed: bool = True) -> PlacedLine:
        text, note = line.text.strip(), line.notes
        if len(text) > MAX_CHARACTERS:
            self._note(Problem.TOO_LONG, line)
            note = f"{note}\n{text[MAX_CHARACTERS:]}".strip()
            text = text[:MAX_CHARACTERS]
        said = None if line.end is None else line.end - line.start
        speakable = said is not None and 0 < said <= MAX_DURATION_MS and said + _ROUNDED >= self._least(text, FASTEST)
        if self.extended and said is not None and not speakable:
            line = replace(line, extended=True)
        if line.extended:
            self._note(Problem.EXTENDED, line)
        duration = said if speakable and self.own_lengths else None
        if timed and not speakable and self.own_lengths and not line.extended:
            self._note(Problem.NO_LENGTH, line)
        length = duration if duration is not None else self.script.duration(Variant(text))
        span = Span(line.start, line.start + length)
        return PlacedLine(line, text, span, duration, note=note[:MAX_CHARACTERS], shorter=self.shorter.get(text, ()))

    def _shortens_to(self, line: PlacedLine, room: int) -> bool:
        """Whether a shorter wording is spoken in so many milliseconds."""
        return any(self.script.duration(wording) <= room for wording in line.shorter)

    def _least(self, text: str, words_per_minute: int) -> int:
        return count_words(text) * 60_000 // words_per_minute

    def _ended(self, line: PlacedLine, end: int) -> PlacedLine:
        if line.span is None or line.span.end <= end:
            return line
        if line.source.extended:
            # It is spoken while the picture is held.
            return replace(line, span=Span(line.span.start, end))
        self._note(Problem.RUNS_PAST_END, line.source)
        return replace(line, span=Span(line.span.start, end), duration=max(1, end - line.span.start))

    def _without_overlap(self, lines: Sequence[PlacedLine]) -> list[PlacedLine]:
        """The lines, those that would run into the next one ended there, as long as anybody can speak them so.

        Otherwise the next one is left out: conflicting locks would leave that to chance.
        """
        found = list(lines)
        last: int | None = None
        for after, following in enumerate(lines):
            if following.source.extended or following.span is None:
                continue
            line = None if last is None else found[last]
            if line is None or last is None or line.span is None or line.span.end <= following.span.start:
                last = after
                continue
            room = following.span.start - line.span.start
            if self._shortens_to(line, room):
                self._note(Problem.SHORTENED, line.source)
            elif room > 0 and room >= self._least(line.text, _CUT_FASTEST):
                self._note(Problem.CUT_SHORT, line.source)
                found[last] = replace(line, span=Span(line.span.start, following.span.start), duration=room)
            else:
                self._note(Problem.OVERLAPS_LINE, following.source)
                found[after] = replace(following, left_out=True)
                continue
            last = after
        return found

    def _with_overrides(self, lines: Sequence[PlacedLine]) -> list[PlacedLine]:
        """The lines, those allowed to overlap that do not lie in a gap, or fill one further than the project allows."""
        starts = [gap.start for gap in self.gaps]
        filled = [0] * len(self.gaps)
        found: list[PlacedLine] = []
        for line in lines:
            if line.span is None or line.source.extended or line.left_out:
                found.append(line)
                continue
            place = bisect_right(starts, line.span.start) - 1
            fits = place >= 0 and line.span.end <= self.gaps[place].end
            if not fits and place >= 0 and self._shortens_to(line, self.gaps[place].end - line.span.start):
                self._note(Problem.SHORTENED, line.source)
                fits = True
            problem = None if fits and self._in_scene(line.span) else Problem.OVERLAPS_DIALOGUE
            if problem is None:
                most = self.script.settings.max_share * self.gaps[place].length // 1_000_000
                length = min((line.span.length, *map(self.script.duration, line.shorter)))
                if filled[place] + length > most:
                    problem = Problem.FILLS_GAP
                else:
                    filled[place] += length
            if problem is not None:
                self._note(problem, line.source)
            found.append(replace(line, override=problem is not None))
        return found

    def _in_scene(self, span: Span) -> bool:
        if self.script.settings.scope is not Scope.SCENE:
            return True
        return any(scene.span.contains(span) for scene in self.script.scenes)


def said_in_dialogue(script: Script, lines: Sequence[PlacedLine]) -> list[FinishedLine]:
    """The lines whose words the dialogue says at that time: of many, the file is the film's subtitles."""
    cues: dict[str, list[Cue]] = {}
    for cue in script.cues:
        cues.setdefault(_bare(cue.text), []).append(cue)
    return [
        line.source
        for line in lines
        if (span := line.span) is not None
        and any(cue.start < span.end and span.start < cue.end for cue in cues.get(_bare(line.text), ()))
    ]


def _bare(text: str) -> str:
    return " ".join(folded(text).split())


def standing(source: FinishedLine) -> tuple[bool, bool]:
    """Whether a line is seen and accepted, as the file says; where it does not, its author has done both."""
    accepted = source.seen is not False if source.accepted is None else source.accepted
    return accepted or source.seen is not False, accepted


def new_eventuality(script: Script, identity: str, line: PlacedLine, note: str, *, locked: bool = True) -> Eventuality:
    """A line of the project: locked in where the file has it, or free to be planned.

    A person wrote it and has accepted it, unless the file says otherwise.
    """
    span = line.span
    seen, accepted = standing(line.source)
    pin = NO_PIN
    if locked and span is not None:
        out = Pin(selected=False)
        pin = out if line.left_out else Pin(selected=True, start=span.start, override=line.override)
    return Eventuality(
        id=identity,
        variants=(Variant(line.text, duration=line.duration), *line.shorter),
        occurrence=span,
        salience=None if span is None else median_salience(script),
        scene=scene_at(script, span),
        pin=NO_PIN if line.source.extended else pin,
        origin=line.source.origin or Origin.HUMAN,
        seen=seen,
        accepted=accepted,
        approval=Approval(0, pin.start) if accepted and pin.start is not None and not line.source.extended else None,
        note=note[:MAX_CHARACTERS],
        extended=line.source.extended and span is not None,
        duck=line.source.duck,
    )


def pronunciations_in(written: str, text: str) -> Lexicon | None:
    """The pronunciations of words of a text that stand beside it as `delivery.columns` writes them; None if others do.

    `Siobhan: shiv-AWN; Mikael: /mik/`: phonemes are between strokes.
    """
    found: list[Pronunciation] = []
    for part in written.split(BETWEEN_WORDS):
        word, colon, spoken = (each.strip() for each in part.partition(":"))
        phonemes = len(spoken) > 2 and spoken.startswith("/") and spoken.endswith("/")
        try:
            entry = Pronunciation(word, spoken.strip("/") if phonemes else spoken, phonemes=phonemes)
        except ValueError:
            return None
        if not colon or folded(word) not in folded(text):
            return None
        found.append(entry)
    return tuple(found)


def scene_at(script: Script, span: Span | None) -> str | None:
    """The scene in which a span has its middle."""
    if span is None:
        return None
    middle = span.doubled_midpoint // 2
    return next((scene.id for scene in script.scenes if scene.span.start <= middle < scene.span.end), None)


def shortest_pause(spans: Sequence[tuple[Span | None, bool]]) -> int | None:
    """The shortest pause between lines that do not overlap; None where there is none.

    That between two lines that are in the project already (True) is not looked at.
    """
    timed = sorted((span, known) for span, known in spans if span is not None)
    pauses = [
        after.start - before.end
        for (before, old), (after, known) in pairwise(timed)
        if after.start >= before.end and not (old and known)
    ]
    return min(pauses, default=None)
