"""Why a line is in or out of the plan, in words: what is lost first, in seconds of which lines.

The numbers are those of `Reason`, `GapValue` and `Shortfall`; nothing is said that they do not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from adstudio.core.counts import percent
from adstudio.core.plan import Conflict, Plan
from adstudio.core.script import Pin
from adstudio.planning.engines.conflicts import conflict_if_pinned_in
from adstudio.planning.film.conflict_messages import MessageStyle, and_list
from adstudio.planning.film.shortfall_messages import NO_ACTION, NO_GAPS, shortfall_clause
from adstudio.planning.live.explain import GapValue, LineChange, LineChanges, Reason
from adstudio.planning.problem import Element, Problem, is_far
from adstudio.planning.shortfall import shortfall

MOST_NAMED = 2
"""How many lines are named of each kind of change where there is little room."""
ALL_NAMED = 1 << 20
NO_SALIENCE = "It has no salience, so no plan uses it; give it one to have it spoken."
OPEN = "What the opposite would cost is not known: finding out takes too long."


@dataclass(frozen=True)
class ReasonWriter:
    """Writes reasons about the plan of a problem.

    `time` writes a moment, `locks` an irreducible conflict as a sentence. At most `most` lines of each kind of change
    are named, and the others counted.
    """

    problem: Problem
    plan: Plan
    time: Callable[[int], str]
    locks: Callable[[Sequence[Conflict]], str]
    style: MessageStyle = field(default_factory=MessageStyle)
    most: int = MOST_NAMED
    has_room: Callable[[str], bool] | None = None
    """Whether a line (id) has room while all others stay as planned; None where nobody is shown that."""

    def why(self, reason: Reason) -> str:
        """Sentences for a reason."""
        if reason.open:
            return OPEN
        element = self._line(reason.element)
        fused = self.problem.fused_lines.get(reason.fusion)
        reason = reason._replace(others=self.others(reason))
        if reason.spoken:
            said = element if fused is None else fused.element
            parts = _locked(element.pin), self._fused(reason), self._distance(said), self._why_in(said, reason)
            return " ".join(filter(None, parts))
        held = "Locked out." if element.pin.selected is False else ""
        if reason.loss is None:
            return f"{held} {self._why_nowhere(element)}".strip()
        words = self._fused(reason) or self._own_words(element, reason)
        return " ".join(filter(None, (held, self._why_out(element, reason), words)))

    def others(self, reason: Reason) -> LineChanges:
        """What would become of other lines: what goes or comes with a fusion of its own is not theirs."""
        fused = self.problem.fused_lines.get(reason.fusion)
        if fused is None:
            return reason.others
        # What the fusion would say is not lost.
        own = {reason.fusion, *(() if reason.spoken else fused.fusion.of)}
        return LineChanges(tuple(each for each in reason.others.changes if each.element not in own))

    def gap(self, found: GapValue, where: str = "of its gap") -> str:
        """A sentence for what one more second of a gap would bring."""
        more, rest = f"One more second {where}", ", other scenes left as they are" if found.in_scene else ""
        if found.value is None:
            return f"With one more second {where}, the locked lines could not all be placed."
        gains, losses = self._gains(found.lines), self._losses(found.lines)
        if found.value == 0:
            return f"{more} would bring nothing{rest}."
        return f"{more} would {', but '.join(filter(None, (gains, losses)))}{rest}."

    def _line(self, name: str) -> Element:
        """An eventuality, or a fusion as one."""
        fused = self.problem.fused_lines.get(name)
        return self.problem.elements[self.problem.index[name]] if fused is None else fused.element

    def _fused(self, reason: Reason) -> str:
        """Which lines it is said with, where it is said with others."""
        fused = self.problem.fused_lines.get(reason.fusion)
        if fused is None:
            return ""
        others = (self._line(name) for name in fused.fusion.of if name != reason.element)
        names = and_list([self.style.quote(each.texts[0] if each.texts else each.id) for each in others])
        return f"{'Said' if reason.spoken else 'It would be said'} in one breath with {names}."

    # In

    def _distance(self, element: Element) -> str:
        """How far a line is from its action, where that makes it count less."""
        delivery, occurrence, near = self.plan.by_element[element.id], element.occurrence, self.problem.near
        if near is None or occurrence is None or not is_far(self.problem, element, delivery.start, delivery.end):
            return ""
        by = delivery.span.doubled_midpoint - occurrence.doubled_midpoint
        side = "after" if by > 0 else "before"
        return (
            f"Spoken {self.style.length(abs(by) // 2)} {side} its action, so {self._far_share} of its salience counts."
        )

    def _why_in(self, element: Element, reason: Reason) -> str:
        if reason.loss is None:
            return "No plan is possible without it."
        gains, losses = self._gains(reason.others), self._losses(reason.others, "lose")
        if not gains and not losses:
            if reason.loss > 0:
                lasts = self.style.length(element.durations[self.plan.by_element[element.id].variant])
                return f"Without it, its {lasts} would stay silent."
            if reason.loss < 0:
                return f"Without it the plan would be better: {_negative(element)}."
            return f"Leaving it out would cost nothing: {_worthless(element)}."
        more, than = (
            ("less", "than") if reason.loss > 0 else ("as much", "as") if reason.loss == 0 else ("more", "than")
        )
        then = ", but ".join(filter(None, (gains, losses)))
        return f"Without it the plan would {then}. That matters {more} to the story {than} this line."

    # Out

    def _why_out(self, element: Element, reason: Reason) -> str:
        losses, gains = self._losses(reason.others), self._gains(reason.others)
        also = f" It would also {gains}." if gains else ""
        loss = reason.loss or 0
        # Locked out, it waits for more than salience.
        unsalient = NO_SALIENCE if element.salience == 0 and element.pin.selected is not False else ""
        if losses:
            worth = "" if loss > 0 else " The plan would be worth " + ("as much." if loss == 0 else "more.")
            return f"{unsalient} Locking it in would {losses}.{worth}{also}".lstrip()
        if unsalient and loss == 0:
            return f"{unsalient}{f' Locked in, it would {gains}.' if gains else ''}"
        fits, moved = "It would fit", ""
        if self.has_room is not None and not reason.fusion and not self.has_room(element.id):
            fits, moved = "It would only fit if other lines were moved", "; they would lose nothing"
        if loss > 0:
            return f"{fits}, and would make the plan worse: {_negative(element)}.{also}"
        if loss < 0:
            return f"{fits}{moved or ' and cost no other line anything'}.{also}"
        return f"{fits}, and would add nothing: {_worthless(element)}.{also}"

    def _own_words(self, element: Element, reason: Reason) -> str:
        """How it would be spoken, where that is not in full and near its action."""
        variant = reason.variant
        if variant is None or (variant == 0 and not reason.far):
            return ""
        wording = f"in wording {variant + 1} ({self.style.length(element.durations[variant])})" if variant else ""
        far = f"far from its action, so {self._far_share} of its salience counts" if reason.far else ""
        return f"It would be spoken {', '.join(filter(None, (wording, far)))}."

    def _why_nowhere(self, element: Element) -> str:
        if element.occurrence is None:
            return NO_ACTION
        fused = self.problem.fused_lines.get(element.id)
        if fused is not None and not fused.usable:
            return "Locks of its items keep it out."
        found = shortfall(self.problem, element)
        if found is None:
            return NO_GAPS
        clause = shortfall_clause(self.problem, element, found, self.time, self.style.length)
        if clause:
            return f"No gap can take it: {clause}."
        index = self.problem.index
        conflict = conflict_if_pinned_in(self.problem, index[element.id]) if fused is None else ()
        if not conflict:
            return f"{'Rules and locks' if self.problem.rules else 'Locked lines'} keep it out."
        return f"Locked lines keep it out: {self.locks(conflict)}"

    # What would become of other lines

    def _losses(self, lines: LineChanges, verb: str = "cost") -> str:
        """`cost 2.1 s of “A”, which would go, and 0.8 s of “B”, which would be shortened`."""
        parts = (lines.displaced, "which would go"), (lines.shortened, "which would be shortened")
        costs = [f"{self.seconds_of(changes)}, {fate}" for changes, fate in parts if changes]
        found = [f"{verb} {', and '.join(costs)}"] if costs else []
        if lines.strayed:
            action, whose = ("its action", "its") if len(lines.strayed) == 1 else ("their actions", "their")
            names = self._names(lines.strayed, "{name}")
            found.append(f"move {names} far from {action}, so that {self._far_share} of {whose} salience counts")
        return ", and ".join(found)

    def _gains(self, lines: LineChanges) -> str:
        """`bring in 1.2 s of “A” and lengthen “B” by 0.4 s`."""
        actions = "its action" if len(lines.approached) == 1 else "their actions"
        found = [
            f"{verb} {self._names(changes, form)}{rest}"
            for changes, verb, form, rest in (
                (lines.added, "bring in", "{length} of {name}", ""),
                (lines.lengthened, "lengthen", "{name} by {length}", ""),
                (lines.approached, "move", "{name}", f" near {actions}"),
            )
            if changes
        ]
        return and_list(found)

    def seconds_of(self, changes: Sequence[LineChange]) -> str:
        """`2.1 s of “A”, 3.0 s of “B” and 3 more (7.5 s)`."""
        return self._names(changes, "{length} of {name}")

    def _names(self, changes: Sequence[LineChange], form: str) -> str:
        """`2.1 s of “A”, 3.0 s of “B” and 3 more (7.5 s)`."""
        named = changes if len(changes) <= self.most + 1 else changes[: self.most]
        rest = changes[len(named) :]
        length = self.style.length
        parts = [form.format(length=length(abs(each.longer)), name=self.name(each)) for each in named]
        if rest:
            total = sum(abs(each.longer) for each in rest)
            parts.append(f"{len(rest)} more" + (f" ({length(total)})" if total else ""))
        return and_list(parts)

    def name(self, change: LineChange) -> str:
        """The first words of a line as it is spoken, else as it would be; its id where it has no words."""
        element = self._line(change.element)
        variant = change.before if change.before is not None else change.after
        text = element.texts[variant or 0] if element.texts else ""
        return self.style.quote(text or element.id)

    @property
    def _far_share(self) -> str:
        return percent(0 if self.problem.near is None else self.problem.near.far_gain / 1_000_000, 4)


def _locked(pin: Pin) -> str:
    if pin.start is not None:
        return "Time locked."
    return "Locked in." if pin.selected else ""


def _worthless(element: Element) -> str:
    if element.occurrence is None:
        return "without an action it adds nothing to the plan"
    return "its salience is 0" if element.salience == 0 else "it contributes nothing there"


def _negative(element: Element) -> str:
    return "its salience is below 0" if element.worth < 0 else "a rule marks it as repetitive"
