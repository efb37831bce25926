"""The names of steps in the undo list."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from adstudio.core.cast import NamedFace, People, Person, Prompts
from adstudio.core.counts import counted
from adstudio.core.film import Film
from adstudio.core.narration import Lexicon
from adstudio.core.plan import Plan, RuleConflict
from adstudio.core.prompt_titles import title_of
from adstudio.core.script import (
    SALIENCE_UNIT,
    Cue,
    Eventuality,
    Fusion,
    Item,
    Opening,
    Pin,
    Rules,
    Scene,
    Script,
    Sequence,
    Silence,
    Variant,
)
from adstudio.core.settings import Settings
from adstudio.core.steps import (
    Agent,
    ChangeKind,
    Insert,
    Move,
    Remove,
    Replace,
    SetFilm,
    SetLexicon,
    SetPeople,
    SetPrompts,
    SetRules,
    SetSettings,
    SetVoice,
    Several,
    Step,
)
from adstudio.core.word_times import CueWords
from adstudio.editing.names import line_name, quoted, quoted_line, span_text
from adstudio.editing.rules import ALTERNATIVES, PENALTIES, REQUIRES, TOGETHER, list_rules
from adstudio.editing.sound_track import only_sound_track
from adstudio.presets.preset import PLAN_KEYS

Plans = tuple[Plan, ...]
_SetStep = SetFilm | SetSettings | SetRules | SetPeople | SetPrompts | SetVoice | SetLexicon


def label_of(step: Step, script: Script, *plans: Plan) -> str:
    """A step's name. The script, before or after it, gives timecode and lines; the plans, the first first, wordings."""
    match step:
        case Several():
            label = _several(step)
        case Insert(Person() as person):
            label = f"Add {quoted(person.name)} to the cast"
        case Remove(Person() as person):
            label = f"Remove {quoted(person.name)} from the cast"
        case Insert(Opening(span=span)):
            label = f"Allow narration {span_text(script.film, span)}"
        case Insert():
            label = f"Add {_kind_and_name(step.item, script.film, plans)}"
        case Remove():
            label = f"Delete {_kind_and_name(step.item, script.film, plans)}"
        case Move():
            label = f"Move {_kind_and_name(step.item, script.film, plans)} {_before(step.new_before, script, plans)}"
        case Replace():
            label = _changing(step, script.film, plans)
        case _:
            label = _setting(step, script, plans)
    return label


def _setting(step: _SetStep, script: Script, plans: Plans) -> str:
    match step:
        case SetFilm():
            label = "Choose sound track" if only_sound_track(step.old, step.new) else "Change film details"
        case SetSettings():
            label = _changing_settings(step.old, step.new)
        case SetRules():
            label = _changing_rules(step.old, step.new, script, plans)
        case SetPeople():
            label = _changing_cast(step.old, step.new)
        case SetPrompts():
            label = _changing_prompts(step.old, step.new)
        case SetVoice():
            label = "Change voice"
        case SetLexicon():
            label = _changing_lexicon(step.old, step.new)
    return label


def _changing_settings(old: Settings, new: Settings) -> str:
    changed = [key for key in PLAN_KEYS if key.value(old) != key.value(new)]
    if len(changed) != 1 or old.rate_by_language != new.rate_by_language:
        return "Change settings"
    (key,) = changed
    return f"Set “{key.label}” to {key.text(key.value(new))}"


def _changing_lexicon(old: Lexicon, new: Lexicon) -> str:
    changed = dict.fromkeys(entry.word for entry in (*old, *new) if (entry in old) != (entry in new))
    if len(changed) != 1:
        return "Change lexicon"
    (word,) = changed
    return f"Change pronunciation of {quoted(word)}"


def _several(step: Several) -> str:
    origin, label = step.origin, step.label
    match origin.kind:
        case ChangeKind.WEIGHTS:
            label = f"Set salience of {counted(origin.count, 'line')} by {origin.by}"
        case ChangeKind.PEOPLE:
            label = "Import cast"
        case ChangeKind.RULES:
            label = "Apply suggested rules"
        case ChangeKind.SCRIPT_IMPORT:
            label = "Import script"
        case ChangeKind.EDIT | ChangeKind.SCENE_DRAFT:
            label = label or "Several changes"
    return f"{label} (by a command)" if origin.agent is Agent.COMMAND else label


def _kind_and_name(item: Item, film: Film, plans: Plans) -> str:
    match item:
        case Eventuality():
            name = line_name(item, plans)
        case Silence():
            name = f"silence {span_text(film, item.span)}"
        case Opening():
            name = f"opening {span_text(film, item.span)}"
        case Cue():
            name = f"cue {quoted_line(item.text)}"
        case Scene():
            name = f"scene {quoted(item.title) if item.title else span_text(film, item.span)}"
        case Sequence():
            name = f"sequence {quoted(item.title)}"
        case Fusion():
            name = f"fused wording {quoted_line(item.variants[0].text)}"
        case Person():
            name = quoted(item.name)
        case NamedFace():
            name = f"the name of a face at {film.timecode(item.time)}"
        case CueWords():
            name = f"word times of cue {quoted_line(item.text)}"
    return name


def _before(identity: str | None, script: Script, plans: Plans) -> str:
    if identity is None:
        return "to the end"
    if identity in script.eventuality_index:
        return f"before {line_name(script.eventuality(identity), plans)}"
    return "to another position"


def _changing(step: Replace, film: Film, plans: Plans) -> str:
    changed = set(step.changed)
    name = _kind_and_name(step.old, film, plans)
    match step.old, step.new:
        case Eventuality() as old, Eventuality() as new:
            label = _line_changing(old, new, cause_of(step), film, name)
        case Cue(), Cue() as cue if changed == {"kind"}:
            label = f"Mark {_kind_and_name(cue, film, plans)} as {cue.kind.value}"
        case Cue(), Cue() as cue if changed <= {"speaker", "speaker_source", "speaker_confidence"}:
            speaker = f"Set speaker of {name} to {quoted(cue.speaker)}" if cue.speaker else ""
            label = speaker or f"Clear speaker of {name}"
        case Cue(), Cue() as cue:
            label = f"{'Retime' if changed <= {'start', 'end'} else 'Change'} {_kind_and_name(cue, film, plans)}"
        case Scene(), Scene() as scene:
            labels = {
                "reviewed": f"Mark {name} as {'reviewed' if scene.reviewed else 'not reviewed'}",
                "title": f"Rename {name} to {quoted(scene.title)}",
                "sequence": f"Assign {name} to {'another' if scene.sequence else 'no'} sequence",
                "span": f"Resize {name}",
            }
            label = labels.get("".join(changed), f"Change {name}")
        case Person() as old, Person() as new:
            label = _changing_person(old, new)
        case Sequence(), Sequence() as sequence:
            label = f"Rename {name} to {quoted(sequence.title)}"
        case ((Silence() | Opening() as old), (Silence() | Opening() as new)):
            same_length = old.span.length == new.span.length
            verb = "Edit note of" if changed == {"note"} else "Move" if same_length else "Resize"
            label = f"{verb} {_kind_and_name(new, film, plans)}"
        case _:
            label = f"Change {name}"
    return label


_CAUSES = (
    "variants", "occurrence", "confidence", "pin", "salience", "within", "extended", "voice", "duck", "joined",
    "accepted", "approval", "seen", "note",
)  # fmt: skip
"""The first of these fields that changed names the change of a line, so the cause comes first: rewriting a line, for
example, also changes its origin, `seen` and pin."""


def cause_of(step: Replace) -> str:
    """The field of a line that a step is about, of all that it changed; empty where there is none."""
    return next((field for field in _CAUSES if field in step.changed), "")


def _line_changing(old: Eventuality, new: Eventuality, cause: str, film: Film, name: str) -> str:
    match cause:
        case "variants":
            label = _wording(old, new, name)
        case "occurrence":
            to = f"Set action of {name} to {span_text(film, new.occurrence)}" if new.occurrence else ""
            label = to or f"Clear action of {name}"
        case "confidence":
            label = f"Confirm time of {name}"
        case "pin":
            label = _pinning(old.pin, new.pin, film, name)
        case "salience":
            to = "" if new.salience is None else f"Set salience of {name} to {new.salience / SALIENCE_UNIT:.2f}"
            label = to or f"Clear salience of {name}"
        case "within":
            to = f"Limit {name} to {span_text(film, new.within)}" if new.within else ""
            label = to or f"Clear time limits of {name}"
        case "joined":
            label = f"Link {name} with previous" if new.joined else f"Unlink {name} from previous"
        case "accepted":
            label = f"{'Accept' if new.accepted else 'Withdraw acceptance of'} {name}"
        case "approval":
            label = f"Accept {name} as it is spoken now"
        case "seen":
            label = f"Mark {name} as {'seen' if new.seen else 'unseen'}"
        case "note":
            label = f"Edit note of {name}"
        case _:
            label = _voicing(new, cause, name)
    return label


def _voicing(new: Eventuality, cause: str, name: str) -> str:
    if cause == "extended":
        return f"Hold the picture for {name}" if new.extended else f"Put {name} in a gap again"
    if cause == "voice":
        return f"{'Change' if new.voice else 'Reset'} voice of {name}"
    if cause == "duck":
        to = "" if new.duck is None else f"Duck the film under {name} by {new.duck / 10:g} dB"
        return to or f"Reset film level under {name}"
    return f"Change {name}"


def _wording(old: Eventuality, new: Eventuality, name: str) -> str:
    before, after = old.variants, new.variants
    if len(after) != len(before):
        return f"{'Add wording to' if len(after) > len(before) else 'Delete wording of'} {name}"
    pairs = list(zip(before, after, strict=True))
    # That the full wording was rewritten marks the others: what was done is the rewriting.
    differing = [(one, other) for one, other in pairs if replace(one, stale=other.stale) != other]
    if not differing:
        return f"Confirm wording of {name}"
    if len(differing) == 1:
        one, other = differing[0]
        if one.text != other.text:
            locked = new.pin.variant is not None and old.pin.variant is None
            return f"Rewrite {quoted_line(one.text)}{' and lock wording' if locked else ''}"
        return _spoken_otherwise(one, other)
    return f"Reorder wordings of {name}"


def _spoken_otherwise(old: Variant, new: Variant) -> str:
    """What was done to how a wording is spoken, or to its length."""
    change = take_change(old, new)
    if change is not None:
        return _TAKE_LABELS[change].format(quoted_line(new.text))
    if new.duration is None:
        return f"Reset duration of {quoted_line(old.text)}"
    return f"Set duration of {quoted_line(old.text)} to {new.duration / 1000:.3f} s"


class TakeChange(Enum):
    """What was done to the takes of a wording."""

    ADD = "add"
    DELETE = "delete"
    CHOOSE = "choose"
    LEAVE = "leave"
    TRIM = "trim"
    LEVEL = "level"
    RENAME = "rename"


_TAKE_LABELS = {
    TakeChange.ADD: "Add take of {}",
    TakeChange.DELETE: "Delete take of {}",
    TakeChange.CHOOSE: "Choose take of {}",
    TakeChange.LEAVE: "Use no take of {}",
    TakeChange.TRIM: "Trim take of {}",
    TakeChange.LEVEL: "Set level of take of {}",
    TakeChange.RENAME: "Rename take of {}",
}


def take_change(old: Variant, new: Variant) -> TakeChange | None:
    """What was done to a wording's takes; None if nothing was."""
    if len(old.takes) != len(new.takes):
        return TakeChange.ADD if len(new.takes) > len(old.takes) else TakeChange.DELETE
    if old.take != new.take:
        return TakeChange.LEAVE if new.take is None else TakeChange.CHOOSE
    changed = next(((one, other) for one, other in zip(old.takes, new.takes, strict=True) if one != other), None)
    if changed is None:
        return None
    one, other = changed
    if (one.start, one.end) != (other.start, other.end):
        return TakeChange.TRIM
    if one.level != other.level:
        return TakeChange.LEVEL
    return TakeChange.CHOOSE if one.text != other.text else TakeChange.RENAME


def _pinning(old: Pin, new: Pin, film: Film, name: str) -> str:
    if not new.held:
        return f"Clear locks of {name}"
    if new.start is not None and new.start != old.start and new.variant != old.variant:
        return f"Lock {name} as planned"
    if new.start is not None and new.start != old.start:
        return f"Lock {name} at {film.timecode(new.start)}"
    if new.start is not None and new.override != old.override:
        return f"{'Allow' if new.override else 'Stop allowing'} overlap of {name} at {film.timecode(new.start)}"
    return _locking(old, new, name)


def _locking(old: Pin, new: Pin, name: str) -> str:
    if old.start is not None and new.start is None and new.selected is old.selected:
        return f"Unlock time of {name}"
    if new.selected is not old.selected:
        return {True: f"Lock {name} in", False: f"Lock {name} out", None: f"Unlock {name}"}[new.selected]
    return f"Unlock wording of {name}" if new.variant is None else f"Lock wording {new.variant + 1} of {name}"


_RULES = {
    ALTERNATIVES: "Speak at most one of {lines}",
    REQUIRES: "Speak {0} only if {1} is spoken",
    TOGETHER: "Speak all or none of {lines}",
    PENALTIES: "Mark {lines} as repetitive",
}


def _changing_rules(old: Rules, new: Rules, script: Script, plans: Plans) -> str:
    before, after = list_rules(old), list_rules(new)
    added, removed = [rule for rule in after if rule not in before], [rule for rule in before if rule not in after]
    if len(added) == 1 and not removed:
        names = _names(added[0], script, plans)
        return _RULES[added[0].rule].format(*names, lines=_listed(names))
    if len(removed) == 1 and not added:
        return f"Delete rule on {_listed(_names(removed[0], script, plans))}"
    if removed and not added:
        return f"Delete {len(removed)} rules"
    if not added and not removed:
        return "Change repetition penalty"
    return "Change rules"


def _changing_cast(old: People, new: People) -> str:
    before, after = {each.name: each.face for each in old}, {each.name: each.face for each in new}
    added, removed = [name for name in after if name not in before], [name for name in before if name not in after]
    other_face = [name for name, face in after.items() if before.get(name, face) != face]
    match added, removed, other_face:
        case [name], [], []:
            return f"Add {quoted(name)} to the cast"
        case [], [name], []:
            return f"Remove {quoted(name)} from the cast"
        case [], [], [name]:
            return f"{'Set' if after[name] else 'Remove'} face of {quoted(name)}"
        case [name], [other], []:
            return f"Rename {quoted(other)} to {quoted(name)}"
        case [], [], []:
            return "Reorder cast"
        case _:
            return "Change cast"


def _changing_person(old: Person, new: Person) -> str:
    labels = {
        "name": f"Rename {quoted(old.name)} to {quoted(new.name)}",
        "aliases": f"Change other names of {quoted(new.name)}",
        "described_as": f"Describe {quoted(new.name)} as {quoted(new.described_as)}"
        if new.described_as
        else f"Clear description of {quoted(new.name)}",
        "pronouns": f"Change pronouns of {quoted(new.name)}",
        "portraits": f"{_picturing(old, new)} of {quoted(new.name)}",
        "colour": f"Change colour of {quoted(new.name)}",
        "first_seen": f"Change when {quoted(new.name)} is first seen",
        "first_speech": f"Change when {quoted(new.name)} is first heard",
        "first_named": f"Change when {quoted(new.name)} is first named",
    }
    changed = [name for name in labels if getattr(old, name) != getattr(new, name)]
    return labels[changed[0]] if len(changed) == 1 else f"Change {quoted(old.name)} in the cast"


def _picturing(old: Person, new: Person) -> str:
    before, after = len(old.portraits), len(new.portraits)
    if after == before:
        return "Choose portrait"
    return "Add picture" if after > before else "Remove picture" if before - after == 1 else "Remove pictures"


def _changing_prompts(old: Prompts, new: Prompts) -> str:
    before, after = dict(old), dict(new)
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    if len(changed) != 1:
        return "Change prompts"
    return f"{'Change' if changed[0] in after else 'Reset'} prompt {quoted(title_of(changed[0]))}"


def _names(rule: RuleConflict, script: Script, plans: Plans) -> list[str]:
    there = script.eventuality_index
    return [line_name(script.eventuality(each), plans) if each in there else each for each in rule.of]


def _listed(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
