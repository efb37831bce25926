"""The takes of a wording: adding, choosing, trimming and deleting them; the chosen one's length is the wording's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from adstudio.core.cast import MAX_NAME_LENGTH
from adstudio.core.narration import MAX_TAKES, Take
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.steps import Replace, Step
from adstudio.core.words import is_one_line
from adstudio.editing.change import EditRefused, line_of, marked_as_worked, one_step, with_open_length
from adstudio.editing.fusions import on_own_lines

SOFTEST, LOUDEST = -240, 240
"""Tenths of a decibel."""
SHORTEST_MS = 100
"""The least that a take can be trimmed to."""


@dataclass(frozen=True)
class NewTake:
    """A recording that becomes a take of a wording: the fields of `Take`, and whose it is.

    `text` are the words that were read, None for those that the wording has now.
    """

    line: str
    variant: int
    sound: str
    length: int
    start: int = 0
    end: int | None = None
    name: str = ""
    text: str | None = None


def add_take(script: Script, new: NewTake, *, choose: bool = True) -> Step | None:
    """Add a recording of a wording, the last of its takes; `choose` has it used, unless it is of other words.

    A wording whose take is used has its length, whatever it had before, and is locked if the line has others, so that
    the planner speaks what has been recorded. None if that recording of the same words is there.

    Raises:
        EditRefused: if the line does not have that wording, the wording no words, or too many takes.
    """
    return add_takes(script, (new,), choose=choose)


def add_takes(script: Script, takes: Iterable[NewTake], *, choose: bool = True) -> Step | None:
    """As `add_take`, for several in one step; of those of one wording the last is used."""
    changed: dict[str, Eventuality] = {}
    count = 0
    for new in takes:
        line = changed.get(new.line) or line_of(script, new.line)
        with_it = _with_take(line, new, choose=choose)
        count += with_it is not line
        changed[new.line] = with_it
    steps = _steps(script, changed.values())
    return one_step(f"Import {count} takes", steps)


def add_spoken_takes(script: Script, plan: Plan, takes: Iterable[NewTake], *, choose: bool = True) -> Step | None:
    """As `add_takes`, of lines as a plan speaks them: fused ones become lines of their own.

    Takes of a fused line are of the first one that it says, and their wordings those of the fusion.
    """
    found = tuple(takes)
    names = (new.line for new in found)
    return on_own_lines(script, plan, names, lambda after, _plan, _names: add_takes(after, found, choose=choose))


def choose_take(script: Script, identity: str, variant: int, take: str | None) -> Step | None:
    """Use a take for its wording, or none.

    A take of other words is used too: whoever chooses it says that it fits.

    Raises:
        EditRefused: if it no longer exists.
    """

    def choose(wording: Variant) -> Variant:
        if take is None:
            return replace(wording, take=None)
        fitting = replace(_take_of(wording, take), text=wording.text)
        return replace(_with(wording, fitting), take=take, duration=None)

    line = line_of(script, identity)
    new = _with_wording(line, variant, choose)
    return one_step("", _steps(script, [new if take is None else _locked(new, variant)]))


def trim_take(script: Script, identity: str, variant: int, take: str, start: int, end: int | None) -> Step | None:
    """Use only what is from `start` to `end` of a take's recording (ms; None: to its end).

    Raises:
        EditRefused: if less than 0.1 s would be left, or the take no longer exists.
    """

    def trim(found: Take) -> Take:
        last = found.length if end is None or end >= found.length else end
        first = max(0, start)
        if last - first < min(SHORTEST_MS, found.length):
            raise EditRefused("At least 0.1 s of a take must be left.")
        return replace(found, start=first, end=None if last == found.length else last)

    return _edit_take(script, identity, variant, take, trim)


def set_take_level(script: Script, identity: str, variant: int, take: str, level: int) -> Step | None:
    """Play a take so many tenths of a decibel louder, or softer.

    Raises:
        EditRefused: if that is more than 24 dB, or the take no longer exists.
    """
    if not SOFTEST <= level <= LOUDEST:
        raise EditRefused(f"A take can be {LOUDEST // 10} dB louder or softer at most.")
    return _edit_take(script, identity, variant, take, lambda found: replace(found, level=level))


def rename_take(script: Script, identity: str, variant: int, take: str, name: str) -> Step | None:
    """Give a take a name; empty for none.

    Raises:
        EditRefused: if it is too long, or the take no longer exists.
    """
    cleaned = name.strip()
    if len(cleaned) > MAX_NAME_LENGTH or not is_one_line(cleaned):
        raise EditRefused(f"A name is at most {MAX_NAME_LENGTH} characters on one line.")
    return _edit_take(script, identity, variant, take, lambda found: replace(found, name=cleaned))


def remove_take(script: Script, identity: str, variant: int, take: str) -> Step | None:
    """Delete a take; if it was used, none is any more.

    Raises:
        EditRefused: if it no longer exists.
    """

    def remove(wording: Variant) -> Variant:
        gone = _take_of(wording, take)
        others = tuple(each for each in wording.takes if each is not gone)
        return replace(wording, takes=others, take=None if wording.take == take else wording.take)

    return one_step("", _steps(script, [_with_wording(line_of(script, identity), variant, remove)]))


def fresh_take_id(wording: Variant) -> str:
    """An id that none of a wording's takes has."""
    used = {take.id for take in wording.takes}
    return next(identity for number in range(1, len(used) + 2) if (identity := f"take-{number}") not in used)


def _with_take(line: Eventuality, new: NewTake, *, choose: bool) -> Eventuality:
    def add(wording: Variant) -> Variant:
        if not wording.text.strip():
            raise EditRefused("This line has no words yet: write them first.")
        text = wording.text if new.text is None else new.text
        same = next((take for take in wording.takes if (take.sound, take.text) == (new.sound, text)), None)
        if same is not None:
            return wording
        if len(wording.takes) >= MAX_TAKES:
            raise EditRefused(f"A wording can have at most {MAX_TAKES} takes: delete some.")
        identity, end = fresh_take_id(wording), None if new.end == new.length else new.end
        take = Take(identity, new.sound, new.length, text, new.start, end, 0, new.name)
        takes = (*wording.takes, take)
        if not choose or text != wording.text:
            return replace(wording, takes=takes)
        return replace(wording, takes=takes, take=identity, duration=None)

    added = _with_wording(line, new.variant, add)
    used = added is not line and added.variants[new.variant].take != line.variants[new.variant].take
    return _locked(added, new.variant) if used else added


def _locked(line: Eventuality, variant: int) -> Eventuality:
    if len(line.variants) == 1 or line.pin.variant is not None:
        return line
    return replace(line, pin=replace(line.pin, variant=variant))


def _edit_take(script: Script, identity: str, variant: int, take: str, edit: Callable[[Take], Take]) -> Step | None:
    changed = _with_wording(
        line_of(script, identity), variant, lambda wording: _with(wording, edit(_take_of(wording, take)))
    )
    return one_step("", _steps(script, [changed]))


def _take_of(wording: Variant, take: str) -> Take:
    found = next((each for each in wording.takes if each.id == take), None)
    if found is None:
        raise EditRefused("That take no longer exists.")
    return found


def _with(wording: Variant, take: Take) -> Variant:
    return replace(wording, takes=tuple(take if each.id == take.id else each for each in wording.takes))


def _with_wording(line: Eventuality, variant: int, edit: Callable[[Variant], Variant]) -> Eventuality:
    if not 0 <= variant < len(line.variants):
        raise EditRefused("That wording no longer exists.")
    wording = edit(line.variants[variant])
    if wording == line.variants[variant]:
        return line
    return replace(line, variants=(*line.variants[:variant], wording, *line.variants[variant + 1 :]))


def _steps(script: Script, lines: Iterable[Eventuality]) -> list[Step]:
    pairs = [(line_of(script, line.id), line) for line in lines]
    return [Replace(old, marked_as_worked(old, with_open_length(old, new))) for old, new in pairs if new != old]
