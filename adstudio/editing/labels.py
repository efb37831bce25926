"""What a step is called in the undo list, as a colleague would say it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from adstudio.core.plan import RuleConflict
from adstudio.core.prompt_titles import title_of
from adstudio.core.script import (
    SALIENCE_UNIT,
    Cue,
    Eventuality,
    Item,
    Opening,
    People,
    Pin,
    Prompts,
    Rules,
    Scene,
    Script,
    Sequence,
    Silence,
)
from adstudio.core.steps import (
    Agent,
    ChangeKind,
    Insert,
    Move,
    Remove,
    Replace,
    SetFilm,
    SetPeople,
    SetPrompts,
    SetRules,
    SetSettings,
    Several,
    Step,
)
from adstudio.editing.names import at_time, line_name, named, stretch
from adstudio.editing.rules import ALTERNATIVES, PENALTIES, REQUIRES, listed


def label_of(step: Step, script: Script | None = None) -> str:
    """A step's name for the undo list; the script, before or after it, names the lines that it only mentions."""
    match step:
        case Several():
            label = _several(step)
        case Insert():
            label = _coming(step.item)
        case Remove():
            label = f"Delete {_kind_and_name(step.item)}"
        case Move():
            label = f"Move {_kind_and_name(step.item)} {_before(step.new_before, script)}"
        case Replace():
            label = _changing(step)
        case SetFilm():
            label = "Change the film’s data"
        case SetSettings():
            label = "Change the settings"
        case SetRules():
            label = _ruling(step.old, step.new, script)
        case SetPeople():
            label = _casting(step.old, step.new)
        case SetPrompts():
            label = _prompting(step.old, step.new)
    return label


def _several(step: Several) -> str:
    origin, label = step.origin, step.label
    match origin.kind:
        case ChangeKind.WEIGHTS:
            label = f"Weigh {origin.count:,} line{'' if origin.count == 1 else 's'} by {origin.by}"
        case ChangeKind.PEOPLE:
            label = "Take over who is in the film"
        case ChangeKind.RULES:
            label = "Set the rules that lines suggest"
        case ChangeKind.EDIT | ChangeKind.SCENE_DRAFT:
            label = label or "Several changes"
    return f"{label} (by a command)" if origin.agent is Agent.COMMAND else label


def _coming(item: Item) -> str:
    if isinstance(item, Silence | Opening):
        return f"Draw {_kind_and_name(item)}"
    if isinstance(item, Eventuality):
        return f"Write {line_name(item)}"
    return f"Add {_kind_and_name(item)}"


def _kind_and_name(item: Item) -> str:
    match item:
        case Eventuality():
            return line_name(item)
        case Silence():
            return f"silence {stretch(item.span)}"
        case Opening():
            return f"opening {stretch(item.span)}"
        case Cue():
            return f"cue {named(item.text)}"
        case Scene():
            return f"scene {named(item.title) if item.title else stretch(item.span)}"
        case Sequence():
            return f"sequence {named(item.title)}"


def _before(identity: str | None, script: Script | None) -> str:
    if identity is None:
        return "to the end"
    if script is not None and identity in script.eventuality_index:
        return f"before {line_name(script.eventuality(identity))}"
    return "to another place"


def _changing(step: Replace) -> str:
    changed = set(step.changed)
    match step.old, step.new:
        case Eventuality() as old, Eventuality() as new:
            label = _line_changing(old, new, changed)
        case Cue(), Cue() as cue:
            label = _cue_changing(cue, changed)
        case Scene() as old, Scene() as new:
            label = _scene_changing(old, new, changed)
        case Sequence() as old, Sequence() as new:
            label = f"Rename {_kind_and_name(old)} to {named(new.title)}"
        case ((Silence() | Opening() as old), (Silence() | Opening() as new)):
            same_length = old.span.length == new.span.length
            verb = "Note on" if changed == {"note"} else "Move" if same_length else "Change"
            label = f"{verb} {_kind_and_name(new)}"
        case _:
            label = f"Change {_kind_and_name(step.new)}"
    return label


def _cue_changing(new: Cue, changed: set[str]) -> str:
    if changed == {"kind"}:
        return f"Take cue {named(new.text)} for {new.kind.value}"
    return f"{'Retime' if changed <= {'start', 'end'} else 'Change'} cue {named(new.text)}"


def _scene_changing(old: Scene, new: Scene, changed: set[str]) -> str:
    name = _kind_and_name(old)
    if changed == {"reviewed"}:
        return f"Mark {name} as {'reviewed' if new.reviewed else 'not reviewed'}"
    if changed == {"title"}:
        return f"Rename {name} to {named(new.title)}"
    if changed == {"sequence"}:
        return f"Assign {name} to {'another' if new.sequence else 'no'} sequence"
    return f"Change {name}"


def _line_changing(old: Eventuality, new: Eventuality, changed: set[str]) -> str:
    return next((label(old, new) for field, label in _OF_FIELD if field in changed), f"Change {line_name(old)}")


def _occurring(old: Eventuality, new: Eventuality) -> str:
    if new.occurrence is None:
        return f"{line_name(old)} happens nowhere"
    return f"Set when {line_name(old)} happens: {stretch(new.occurrence)}"


def _confirming(old: Eventuality, _: Eventuality) -> str:
    return f"Confirm when {line_name(old)} happens"


def _weighing(old: Eventuality, new: Eventuality) -> str:
    weight = "nothing" if new.salience is None else f"{new.salience / SALIENCE_UNIT:.2f}"
    return f"Reweight {line_name(old)} to {weight}"


def _bounding(old: Eventuality, new: Eventuality) -> str:
    if new.within is None:
        return f"Let {line_name(old)} be spoken at any time"
    return f"Speak {line_name(old)} within {stretch(new.within)}"


def _joining(old: Eventuality, new: Eventuality) -> str:
    return f"Join {line_name(old)} to the line before" if new.joined else f"Part {line_name(old)} from the line before"


def _accepting(old: Eventuality, new: Eventuality) -> str:
    return f"Accept {line_name(old)}{'' if new.accepted else ' no more'}"


def _seeing(old: Eventuality, new: Eventuality) -> str:
    return f"Mark {line_name(old)} as {'seen' if new.seen else 'not seen'}"


def _noting(old: Eventuality, _: Eventuality) -> str:
    return f"Note on {line_name(old)}"


def _wording(old: Eventuality, new: Eventuality) -> str:
    before, after = old.variants, new.variants
    if len(after) > len(before):
        return f"Add a wording to {line_name(old)}"
    if len(after) < len(before):
        return f"Remove a wording of {line_name(old)}"
    differing = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    if len(differing) == 1:
        one, other = differing[0]
        if one.text != other.text:
            kept = new.pin.variant is not None and old.pin.variant is None
            return f"Rewrite {named(one.text)}{' and keep this wording' if kept else ''}"
        if other.duration is None:
            return f"Clear the duration of {named(one.text)}"
        return f"Set the duration of {named(one.text)} to {other.duration / 1000:.3f} s"
    return f"Reorder the wordings of {line_name(old)}"


def _pinning(line: Eventuality, changed: Eventuality) -> str:
    old, new, name = line.pin, changed.pin, line_name(line)
    if not new.held:
        return f"Unpin {name}"
    if new.start is not None and new.start != old.start and new.variant != old.variant:
        return f"Keep {name} as it is"
    if new.start is not None and new.start != old.start:
        return f"Pin {name} at {at_time(new.start)}"
    if new.start is not None and new.override != old.override:
        return f"Override {name} at {at_time(new.start)}" if new.override else f"Override {name} no more"
    return _holding(old, new, name)


def _holding(old: Pin, new: Pin, name: str) -> str:
    if old.start is not None and new.start is None and new.selected is old.selected:
        return f"Leave the time of {name} open"
    if new.selected is not old.selected:
        return {True: f"Keep {name} in", False: f"Keep {name} out", None: f"Free {name}"}[new.selected]
    return f"Free the wording of {name}" if new.variant is None else f"Pin wording {new.variant + 1} of {name}"


_OF_FIELD: tuple[tuple[str, Callable[[Eventuality, Eventuality], str]], ...] = (
    # Who worded a line, whether it was looked at, and a pin that follows its wording come along with other changes.
    ("variants", _wording),
    ("occurrence", _occurring),
    ("confidence", _confirming),
    ("pin", _pinning),
    ("salience", _weighing),
    ("within", _bounding),
    ("joined", _joining),
    ("accepted", _accepting),
    ("seen", _seeing),
    ("note", _noting),
)
"""What a change of a line is called by the first of these fields that it touches."""


_RULES = {
    ALTERNATIVES: "Say at most one of {}",
    REQUIRES: "Say the first of {} only with the second",
    "together": "Say all or none of {}",
    PENALTIES: "Penalise saying both of {}",
}


def _ruling(old: Rules, new: Rules, script: Script | None) -> str:
    before, after = listed(old), listed(new)
    come, gone = [rule for rule in after if rule not in before], [rule for rule in before if rule not in after]
    if len(come) == 1 and not gone:
        return _RULES[come[0].rule].format(_lines(come[0], script))
    if len(gone) == 1 and not come:
        return f"Remove the rule on {_lines(gone[0], script)}"
    if gone and not come:
        return f"Remove {len(gone)} rules"
    if not come and not gone:
        return "Change a penalty"
    return "Change the rules"


def _casting(old: People, new: People) -> str:
    before, after = {each.name: each.face for each in old}, {each.name: each.face for each in new}
    come, gone = [name for name in after if name not in before], [name for name in before if name not in after]
    faced = [name for name, face in after.items() if before.get(name, face) != face]
    match come, gone, faced:
        case [name], [], []:
            return f"Add {named(name)} to the people"
        case [], [name], []:
            return f"Remove {named(name)} from the people"
        case [], [], [name]:
            return f"Give {named(name)} a face" if after[name] else f"Remove the face of {named(name)}"
        case [name], [other], []:
            return f"Rename {named(other)} to {named(name)}"
        case [], [], []:
            return "Reorder the people"
        case _:
            return "Change the people"


def _prompting(old: Prompts, new: Prompts) -> str:
    before, after = dict(old), dict(new)
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    if len(changed) != 1:
        return "Change the prompts"
    return f"{'Change' if changed[0] in after else 'Restore'} the prompt {named(title_of(changed[0]))}"


def _lines(rule: RuleConflict, script: Script | None) -> str:
    return _listed(
        line_name(script.eventuality(identity)) if script and identity in script.eventuality_index else identity
        for identity in rule.of
    )


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
