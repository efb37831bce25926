"""What table and inspector show of each line of a script under its plan, worked out when it is asked for.

A `Lines` belongs to one state of script, plan and gaps.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple

from adstudio.core.film import Film
from adstudio.core.fusions import has_words, wording_of
from adstudio.core.narration import LengthSource
from adstudio.core.plan import Delivery, HoldConflict, RuleConflict
from adstudio.core.script import NO_PIN, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.delivery.line_numbers import line_numbers
from adstudio.editing.fusions import is_fused_head, shown_line
from adstudio.editing.pins import pin_in, pin_out, unpin_placement
from adstudio.planning.drift import drift, is_far
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.film.room import Rooms
from adstudio.planning.film.spoken_lengths import EXPECTED
from adstudio.planning.problem import Problem
from adstudio.ui.session.session import Session
from adstudio.ui.session.timing_confidence import unsure


class Placement(NamedTuple):
    """Whether a line is locked in or out: the word, its tip, and the edit that makes it so."""

    word: str
    tip: str
    edit: Callable[[Script, Iterable[str]], Step | None]


PLACEMENTS = (
    Placement("Auto", "The planner decides", unpin_placement),
    Placement("In", "The plan must include it", pin_in),
    Placement("Out", "The plan must leave it out", pin_out),
)


class State(Enum):
    """The state of a line, by the word that is shown; the first that applies."""

    CONFLICT = "Conflict"
    OVERRIDE = "Override"
    START = "Time locked"
    LOCKED_IN = "Locked in"
    LOCKED_OUT = "Locked out"
    SPOKEN = "Spoken"
    HELD = "Picture held"
    """It is in no gap: the picture is held while it is spoken."""
    LEFT_OUT = "Left out"


class Filter(Enum):
    """Which lines to show, by the word on its chip."""

    ALL = "All"
    PLACED = "Spoken"
    DROPPED = "Left out"
    PINNED = "Locked"
    OVERRIDDEN = "Overlapping"
    CONFLICTING = "In conflict"
    UNSEEN = "Unseen"
    UNSURE = "Uncertain time"
    FAR = "Far from action"
    HELD = "Picture held"


@dataclass(frozen=True)
class Line:
    """One row. Times and lengths in milliseconds.

    `variant` is the wording spoken now, else the one that is locked, else the first. From `time` to `out` it is spoken,
    or shown in conflict, else the action lasts. `room` is what it has room for while all other lines stay as planned:
    for a spoken line on top of what it uses, else in all; None over dialogue, in conflict and where no gap is in reach.
    `gap` is where that is, or the nearest gap in reach. `needs` is what it takes at least. `drift` is how early or late
    it is spoken, or shown in conflict, in half-milliseconds, and `far` whether that is far. `source` is where `length`
    comes from, and `voiced` whether the project has a voice.
    """

    eventuality: Eventuality
    film: Film
    state: State
    spoken: bool
    variant: int
    length: int
    needs: int
    time: int | None
    out: int | None
    delivery: Delivery | None
    gap: Span | None
    room: int | None
    drift: int | None = None
    far: bool = False
    source: LengthSource = LengthSource.RATE
    voiced: bool = False
    fused: Variant | None = None
    """What is spoken of it and of the lines that it is fused with, where it is the first of them."""
    number: int = 0
    """The number of the line that says it, as in exports; 0 where none does."""
    said_elsewhere: bool = False
    """Whether the row of another item shows what is said of it, as it is fused with that one."""

    @property
    def is_predicted(self) -> bool:
        """Whether there is a voice, and its length is only expected of it."""
        return self.voiced and self.source in EXPECTED

    @property
    def text(self) -> str:
        """The wording that the row shows."""
        return self.wording.text

    @property
    def wording(self) -> Variant:
        """The wording that the row shows."""
        return self.fused or self.eventuality.variants[self.variant]

    @property
    def timecodes(self) -> tuple[str, str] | None:
        """In and out as exports have them: those of a spoken line stay within its gap. None without a time."""
        if self.time is None or self.out is None:
            return None
        film, span = self.film, Span(self.time, self.out)
        inside = self.delivery is not None and self.gap is not None and self.gap.contains(span)
        room = self.gap if self.gap is not None and inside else Span(0, max(film.end, span.end))
        return film.frame_rate.labels_inside(span, room, start=film.start_timecode)

    @property
    def rate(self) -> Fraction:
        """The compression that the wording aims at."""
        return self.wording.rate

    @property
    def pin(self) -> Pin:
        """What is locked."""
        return self.eventuality.pin

    @property
    def spare(self) -> int | None:
        """How much longer it could be in milliseconds, by its shortest wording where it is not spoken; None as `room`.

        Below 0 it is too long.
        """
        return self.room if self.spoken or self.room is None else self.room - self.needs

    @property
    def fits(self) -> bool:
        """Whether its shortest wording has room; a spoken line has it."""
        return self.spoken or (self.room is not None and self.needs <= self.room)


class Lines:
    """The rows of one state. Rows are made when they are asked for.

    `problem` is the film's as it was planned; it takes a while to make it of the script.
    """

    def __init__(self, script: Script, outcome: Outcome, gaps: Sequence[Span], problem: Problem | None = None) -> None:
        self.script = script
        self.outcome = outcome
        self.gaps = gaps
        self._problem = problem

    @cached_property
    def rooms(self) -> Rooms:
        """How long each line may last, and where."""
        return Rooms(self.script, self._problem or film_problem(self.script, self.gaps), self.outcome.plan)

    def of(self, identity: str) -> Line:
        """The row of one line; KeyError where there is none."""
        eventuality = self.script.eventuality(identity)
        delivery = self.outcome.plan.by_line.get(identity)
        apart = self.apart.get(identity)
        shown = delivery or apart
        variant = _variant_shown(eventuality, shown)
        fused = self.fused(delivery)
        if fused is None or delivery is None:
            length, source = self.script.planned_length(eventuality, variant)
            happens = eventuality.occurrence
        else:
            length, source = self.script.length(fused, eventuality.voice)
            happens = self.rooms.element(delivery.element).occurrence
        is_head = fused is not None and delivery is not None and delivery.line == identity
        needs = length if delivery else min(self.rooms.element(identity).durations)
        where = shown or happens
        by = None if shown is None or happens is None else drift(shown.span, happens)
        held = eventuality.holds_picture
        gap, room = (None, None) if held else self._room(identity, delivery, needs)
        return Line(
            eventuality=eventuality,
            film=self.script.film,
            state=_state(eventuality, spoken=delivery is not None, conflict=identity in self.conflicting),
            spoken=delivery is not None,
            variant=variant,
            length=length,
            source=source,
            voiced=bool(self.script.voice.engine),
            needs=needs,
            time=None if where is None else where.start,
            out=None if where is None else where.end,
            delivery=delivery,
            gap=gap,
            room=None if apart else room,
            drift=by,
            fused=fused if is_head else None,
            number=self.numbers.get(identity, 0),
            said_elsewhere=self.is_said_elsewhere(identity),
            far=by is not None and is_far(self.script.settings, by),
        )

    def text(self, identity: str) -> str:
        """The wording that the row of a line shows, without working out the rest of it; KeyError where it is none."""
        eventuality = self.script.eventuality(identity)
        delivery = self.outcome.plan.by_line.get(identity)
        if delivery is not None and delivery.line == identity and (fused := self.fused(delivery)) is not None:
            return fused.text
        return eventuality.variants[self.variant(eventuality)].text

    def fused(self, delivery: Delivery | None) -> Variant | None:
        """What a fusion says, where the delivery of one of its lines is one."""
        spoken = None if delivery is None or not delivery.members else self.outcome.plan.by_element[delivery.element]
        return None if spoken is None else wording_of(self.script, spoken)

    def is_said_elsewhere(self, identity: str) -> bool:
        """Whether the row of another item shows what is said of it in one breath with that one."""
        delivery = self.outcome.plan.by_line.get(identity)
        return delivery is not None and delivery.line != identity and self.fused(delivery) is not None

    @property
    def fused_members(self) -> Iterable[str]:
        """The items that a plan says fused with others."""
        return (name for each in self.outcome.plan.deliveries for name in each.members)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of the lines that say the items, by the ids of the items."""
        return line_numbers(self.script, self.outcome.plan, self.gaps)

    def variant(self, eventuality: Eventuality) -> int:
        """The number of the wording that the row of a line shows, of those that it has `as_shown`."""
        plan = self.outcome.plan
        if is_fused_head(self.script, plan, eventuality.id):
            return _variant_shown(eventuality, plan.spoken_as(eventuality.id))
        return _variant_shown(eventuality, plan.by_line.get(eventuality.id) or self.apart.get(eventuality.id))

    def as_shown(self, eventuality: Eventuality) -> Eventuality:
        """A line with the wordings that its row stands for: of the first one that a fused line says, those of that."""
        return shown_line(self.script, self.outcome.plan, eventuality.id)

    def _room(self, identity: str, delivery: Delivery | None, needs: int) -> tuple[Span | None, int | None]:
        """Where a line has room, and how much of it."""
        found = self.rooms.room(delivery.element if delivery and delivery.members else identity, needs)
        if delivery is None:
            gap = found.gap or self.rooms.gap_near(identity)
            return gap, None if gap is None else found.most
        gap = self.gap_around(delivery.span)
        return gap, None if gap is None else found.most - needs

    def filters(self, eventuality: Eventuality) -> frozenset[Filter]:
        """The filters that a line passes."""
        delivery, happens = self.outcome.plan.by_line.get(eventuality.id), eventuality.occurrence
        if delivery is not None and delivery.members:
            happens = self.rooms.element(delivery.element).occurrence
        unplaced = Filter.HELD if eventuality.holds_picture else Filter.DROPPED
        passed = [Filter.ALL, Filter.PLACED if self.is_said(delivery) else unplaced]
        if delivery is not None and happens is not None and is_far(self.script.settings, drift(delivery.span, happens)):
            passed.append(Filter.FAR)
        if eventuality.pin != NO_PIN:
            passed.append(Filter.PINNED)
            if eventuality.pin.override:
                passed.append(Filter.OVERRIDDEN)
        if eventuality.id in self.conflicting:
            passed.append(Filter.CONFLICTING)
        if not (eventuality.seen or eventuality.accepted):
            passed.append(Filter.UNSEEN)
        if unsure(eventuality):
            passed.append(Filter.UNSURE)
        return _shared(tuple(passed))

    def is_said(self, delivery: Delivery | None) -> bool:
        """Whether an item with this delivery counts as spoken (`core.fusions.items_said`)."""
        if delivery is None:
            return False
        return has_words(self.script, self.outcome.plan.by_element[delivery.element])

    @cached_property
    def apart(self) -> dict[str, Delivery]:
        """Lines that are shown where they are locked, although the locks conflict."""
        return {delivery.element: delivery for delivery in self.outcome.overlay}

    @cached_property
    def conflicting(self) -> frozenset[str]:
        """The lines whose locks or rules conflict."""
        found: set[str] = set(self.apart)
        for conflict in self.outcome.suspended:
            match conflict:
                case HoldConflict(element=element):
                    found.add(element)
                case RuleConflict(of=of):
                    found.update(of)
        return frozenset(found)

    def gap_around(self, span: Span) -> Span | None:
        """The gap that a delivery lies in, or mostly lies in; None over dialogue.

        A new line has no length: it lies in a gap whose start or end it is at.
        """
        place, is_empty = bisect_left(self.gaps, span.start, key=lambda gap: gap.end), span.start == span.end
        if place + 1 < len(self.gaps) and self.gaps[place].end == span.start and not is_empty:
            place += 1
        if place < len(self.gaps) and self.gaps[place].start < span.end + is_empty:
            return self.gaps[place]
        return None


def lines_of(session: Session) -> Lines:
    """The rows of the present state."""
    current = session.current_plan
    return Lines(session.script, current.outcome, session.gaps, current.planner.problem)


def placement(pin: Pin) -> int:
    """The place in `PLACEMENTS` of what is locked; a start locks a line in."""
    return 2 if pin.selected is False else 1 if pin.selected or pin.start is not None else 0


def pin_words(pin: Pin) -> str:
    """What is locked, in words: `in · wording 2`; empty where nothing is. A start locks a line in."""
    if pin == NO_PIN:
        return ""
    parts: list[str] = []
    if pin.selected is False:
        parts.append("out")
    elif pin.override or pin.start is not None:
        parts.append("override" if pin.override else "start")
    elif pin.selected:
        parts.append("in")
    if pin.variant is not None:
        parts.append(f"wording {pin.variant + 1}")
    return " · ".join(parts)


def origin_word(origin: Origin) -> str:
    """Who worded a line."""
    return "Human" if origin is Origin.HUMAN else "Machine"


def seen_word(eventuality: Eventuality) -> str:
    """How far the describer has come with a line."""
    return "Accepted" if eventuality.accepted else "Seen" if eventuality.seen else "Unseen"


@cache
def _shared(passed: tuple[Filter, ...]) -> frozenset[Filter]:
    """One set for each combination there is, so that four thousand lines need not make one each."""
    return frozenset(passed)


def _variant_shown(eventuality: Eventuality, shown: Delivery | None) -> int:
    wanted = shown.variant if shown else eventuality.pin.variant
    return wanted if wanted is not None and wanted < len(eventuality.variants) else 0


def _state(line: Eventuality, *, spoken: bool, conflict: bool) -> State:
    pin = line.pin
    if conflict:
        return State.CONFLICT
    if spoken and pin.override:
        return State.OVERRIDE
    if spoken and pin.start is not None:
        return State.START
    if spoken:
        return State.LOCKED_IN if pin.selected else State.SPOKEN
    if line.holds_picture:
        return State.HELD
    return State.LOCKED_OUT if pin.selected is False else State.LEFT_OUT
