"""What a step did, as it is said after it: the new value first, then whose it is (“Salience 0.65: ‘Rain falls…’”)."""

from __future__ import annotations

from adstudio.core.counts import counted
from adstudio.core.film import Film
from adstudio.core.plan import Plan
from adstudio.core.script import SALIENCE_UNIT, Eventuality, Opening, Pin, Scene, Script, Silence
from adstudio.core.steps import Insert, Move, Remove, Replace, SetRules, Several, Step, touched_items
from adstudio.core.timebase import tenths_up
from adstudio.core.words import opening_words
from adstudio.editing.fit import fit_of
from adstudio.editing.fusions import owned_in_passing
from adstudio.editing.labels import TakeChange, cause_of, label_of, take_change
from adstudio.editing.names import line_name, quoted_line, scene_name, span_text
from adstudio.planning.film.room import Rooms

_DONE = {
    "Accept": "Accepted",
    "Add": "Added",
    "Allow": "Allowed",
    "Apply": "Applied",
    "Assign": "Assigned",
    "Change": "Changed",
    "Choose": "Chose",
    "Clear": "Cleared",
    "Confirm": "Confirmed",
    "Create": "Created",
    "Delete": "Deleted",
    "Describe": "Described",
    "Drag": "Dragged",
    "Duck": "Ducked",
    "Edit": "Edited",
    "Forget": "Forgot",
    "Hold": "Held",
    "Import": "Imported",
    "Limit": "Limited",
    "Link": "Linked",
    "Lock": "Locked",
    "Mark": "Marked",
    "Merge": "Merged",
    "Move": "Moved",
    "Name": "Named",
    "Polish": "Polished",
    "Put": "Put",
    "Redraft": "Redrafted",
    "Remove": "Removed",
    "Rename": "Renamed",
    "Reorder": "Reordered",
    "Replace": "Replaced",
    "Reset": "Reset",
    "Resize": "Resized",
    "Retime": "Retimed",
    "Rewrite": "Rewrote",
    "Set": "Set",
    "Split": "Split",
    "Sync": "Synced",
    "Take": "Took",
    "Trim": "Trimmed",
    "Unlink": "Unlinked",
    "Unlock": "Unlocked",
    "Use": "Used",
    "Withdraw": "Withdrew",
}
"""What has been done, by the verb with which a step's label says it."""


def result_of(step: Step, script: Script, *plans: Plan, rooms: Rooms | None = None) -> str:
    """The result of a step, without a full stop. `script` is the one after it; the plans, the first first, word lines.

    `rooms` are those of the first plan, where the last one is what was spoken before the step: if the one line that it
    was about is not spoken any more, the result says so, and by how much the line is too long. Linking lines and
    confirming times have no result here: whoever does that knows more to say.
    """
    steps = step.steps if isinstance(step, Several) else (step,)
    divided = _divided(steps, plans)
    if divided:
        return divided
    # With a scene that is reviewed, its lines are approved.
    reviewed = [each for each in steps if isinstance(each, Replace) and isinstance(each.new, Scene)]
    about, kinds = (reviewed, "scenes") if reviewed else (steps, "lines")
    about = [each for each in about if not _is_bookkeeping(each)]
    owned = [] if reviewed else [each for each in about if _is_owning(each, steps)]
    if owned:
        # What goes and changes with a fused line that becomes a person's own is no act of theirs.
        about = [each for each in about if each not in owned and not isinstance(each, (Remove, SetRules))]
    items = {item for each in about for item in touched_items(each)}
    found = [_outcome(each, script, plans) for each in about]
    outcomes, names = [outcome for outcome, _ in found], [name for _, name in found]
    if found and None not in outcomes and len(items) == 1:
        with_fused = _owned_in_passing(steps) if reviewed else owned_in_passing(len(owned))
        if not names[0] or not outcomes[-1]:
            return str(outcomes[-1])
        left_out, excess = _left_out(about[-1], plans, rooms)
        return f"{outcomes[-1]}{left_out and f', and {left_out}'}: {names[0]}{excess}{with_fused}"
    if found and None not in outcomes and len(set(outcomes)) == 1:
        return f"{outcomes[0]}: {len(items):,} {kinds}{owned_in_passing(len(owned))}" if outcomes[0] else ""
    left_out, excess = _left_out(about[-1], plans, rooms) if len(items) == 1 else ("", "")
    return f"{as_done(label_of(step, script, *plans))}{left_out and f'; it is {left_out}'}{excess}"


def _left_out(step: Step, plans: tuple[Plan, ...], rooms: Rooms | None) -> tuple[str, str]:
    """That the line of a step is not spoken any more, though nobody asked for that, and why; both empty if it is."""
    if rooms is None or not isinstance(step, (Replace, Move)):
        return "", ""
    item = step.new if isinstance(step, Replace) else step.item
    if not isinstance(item, Eventuality) or item.id in plans[0].by_line or item.id not in plans[-1].by_line:
        return "", ""
    line = rooms.script.eventuality(item.id)
    asked = line.pin.selected is False or line.holds_picture
    return ("", "") if asked else ("now left out", _excess(line, rooms))


def _excess(line: Eventuality, rooms: Rooms) -> str:
    """By how much even its shortest wording is too long for the room that other lines leave it; empty if one fits."""
    fits = [fit_of(rooms, line.id, number) for number in range(len(line.variants))]
    if any(each.gap is None or not each.too_long for each in fits):
        return ""
    return f", {tenths_up(min(each.too_long for each in fits)) / 1000:.1f} s too long"


def as_done(label: str) -> str:
    """A step's label, which says what to do, as what has been done: “Accepted 70 lines” for “Accept 70 lines”."""
    verb, space, rest = label.partition(" ")
    done = _DONE.get(verb)
    return f"{done}{space}{rest}" if done else f"Done: {label}"


def _is_owning(step: Step, steps: tuple[Step, ...]) -> bool:
    """Whether a step makes a fused line a person's own, for another step to change it."""
    if not isinstance(step, Replace) or not isinstance(step.new, Eventuality):
        return False
    return "variants" in step.changed and _is_changed_again(step.new, steps)


def _owned_in_passing(steps: tuple[Step, ...]) -> str:
    """How many fused lines became a person's own as scenes were reviewed: nothing else rewords a line with that."""
    reworded = (each for each in steps if isinstance(each, Replace) and isinstance(each.new, Eventuality))
    return owned_in_passing(sum("variants" in each.changed for each in reworded))


def _divided(steps: tuple[Step, ...], plans: tuple[Plan, ...]) -> str:
    """What became of a line that was split, or of lines that were merged; empty for anything else."""
    changed = [
        each.new
        for each in steps
        if isinstance(each, Replace) and isinstance(each.new, Eventuality) and "variants" in each.changed
    ]
    come = [each.item for each in steps if isinstance(each, Insert) and isinstance(each.item, Eventuality)]
    gone = [each.item for each in steps if isinstance(each, Remove) and isinstance(each.item, Eventuality)]
    if len(changed) != 1 or _is_changed_again(changed[0], steps):
        return ""
    name = line_name(changed[0], plans)
    if len(come) == 1 and not gone:
        return f"Split into {name} and {line_name(come[0], plans)}"
    return f"Merged {len(gone) + 1} lines: {name}" if gone and not come else ""


def _is_changed_again(line: Eventuality, steps: tuple[Step, ...]) -> bool:
    """Whether more was done to a line than what made it what it says, as where a fused one is accepted."""
    return any(isinstance(each, Replace) and each.old == line for each in steps)


def _is_bookkeeping(step: Step) -> bool:
    """Whether it only notes about a line that a person has worked on it."""
    return isinstance(step, Replace) and isinstance(step.new, Eventuality) and not cause_of(step)


def _outcome(step: Step, script: Script, plans: tuple[Plan, ...]) -> tuple[str | None, str]:
    """What happened, None for what only the step's label says, and to which line."""
    film, outcome, name = script.film, None, ""
    match step:
        case Replace(Eventuality() as old, Eventuality() as new):
            outcome, name = _line_outcome(old, new, cause_of(step), film), line_name(new, plans)
        case Move(Eventuality() as line) | Insert(Eventuality() as line):
            place = f"item {script.eventuality_index[line.id] + 1:,} of {len(script.eventualities):,}"
            outcome = place.capitalize() if isinstance(step, Move) else f"New line, {place}"
            name = line_name(line, plans) if line.variants[0].text.strip() else ""
        case Remove(Eventuality() as line):
            outcome, name = "Deleted", line_name(line, plans)
        case Replace(Scene() as old, Scene() as new) if old.reviewed is not new.reviewed:
            outcome, name = "Reviewed" if new.reviewed else "Not reviewed", f"scene {scene_name(script, new)}"
        case Insert(Silence() as region):
            outcome = f"Kept silent {span_text(film, region.span)}"
        case Insert(Opening() as region):
            outcome = f"Narration allowed {span_text(film, region.span)}"
        case _:
            pass
    return outcome, name


def _line_outcome(old: Eventuality, new: Eventuality, cause: str, film: Film) -> str | None:
    match cause:
        case "variants":
            more = len(new.variants) - len(old.variants)
            count = counted(len(new.variants), "wording")
            outcome = f"Wording {'added' if more > 0 else 'deleted'}, {count}" if more else "Reworded"
            if [each.text for each in old.variants] == [each.text for each in new.variants]:
                confirmed = [each.duration for each in old.variants] == [each.duration for each in new.variants]
                # A length that is set, or reset, the step’s label says.
                outcome = _take_outcome(old, new) or ("Wording confirmed" if confirmed else None)
        case "occurrence":
            outcome = f"Action {span_text(film, new.occurrence)}" if new.occurrence else "Action cleared"
        case "pin":
            outcome = _lock(old.pin, new, film)
        case "salience":
            outcome = "No salience" if new.salience is None else f"Salience {new.salience / SALIENCE_UNIT:.2f}"
        case "within":
            outcome = f"Limited to {span_text(film, new.within)}" if new.within else "Time limits cleared"
        case "joined" | "confidence":
            outcome = ""
        case "accepted" | "approval":
            outcome = "Accepted" if new.accepted else "Acceptance withdrawn"
        case "seen":
            outcome = "Seen" if new.seen else "Unseen"
        case "note":
            outcome = f"Note {quoted_line(new.note)}" if new.note else "Note deleted"
        case _:
            outcome = None
    return outcome


def _take_outcome(old: Eventuality, new: Eventuality) -> str:
    """What was done to the takes of a wording; empty if nothing was."""
    pairs = zip(old.variants, new.variants, strict=True)
    found = next(((other, change) for one, other in pairs if (change := take_change(one, other))), None)
    if found is None:
        return ""
    wording, change = found
    used = wording.chosen_take
    length = "" if used is None else f", {used.duration / 1000:.1f} s"
    count = counted(len(wording.takes), "take")
    return {
        TakeChange.ADD: f"Take added{length}",
        TakeChange.DELETE: f"Take deleted, {count}",
        TakeChange.CHOOSE: f"Take chosen{length}",
        TakeChange.LEAVE: f"No take chosen of {count}",
        TakeChange.TRIM: f"Take trimmed{length}",
        TakeChange.LEVEL: "Level of take set",
        TakeChange.RENAME: "Take renamed",
    }[change]


def _lock(old: Pin, line: Eventuality, film: Film) -> str:
    new = line.pin
    at = "" if new.start is None else film.timecode(new.start)
    if not new.held:
        outcome = "Locks cleared"
    elif new.override is not old.override:
        outcome = f"Overlap {'allowed' if new.override else 'not allowed'}{at and f', at {at}'}"
    elif new.start is not None and new.start != old.start:
        outcome = f"{'Time' if new.variant == old.variant else 'Wording and time'} locked at {at}"
    elif old.start is not None and new.start is None and new.selected is old.selected:
        outcome = "Time unlocked"
    elif new.selected is not old.selected:
        outcome = {True: "Locked in", False: "Locked out", None: "Unlocked"}[new.selected]
    elif new.variant is None:
        outcome = "Wording unlocked"
    else:
        text = line.variants[new.variant].text
        outcome = f"Wording {new.variant + 1} of {len(line.variants)} locked, “{opening_words(text, len(text))}”"
    return outcome
