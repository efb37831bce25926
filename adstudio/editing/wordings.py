"""A line's wordings: rewriting, adding and deleting them; a pinned wording stays pinned."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Origin, Script, Variant
from adstudio.core.steps import Replace, Step
from adstudio.core.words import count_words, folded, words
from adstudio.editing.change import EditRefused, checked_wording, line_of, marked_as_worked, one_step, with_open_length
from adstudio.editing.fusions import on_own_lines

MAX_WORDINGS = 50
"""The most wordings a line can have."""

MAX_DURATION_MS = 600_000
"""The longest duration of a line."""


def rewrite(script: Script, identity: str, variant: int, text: str) -> Step | None:
    """Change the text of a wording, which makes the line the describer's own and resets its duration.

    Its takes stay, as takes of other words.

    If the line has other drafted wordings and none is pinned, this one gets pinned, so that the planner speaks what the
    describer has just written. Other words in the full wording make the shorter ones stale.

    Raises:
        EditRefused: if the text is empty or too long, or the line does not have that wording.
    """
    line = _line(script, identity, variant)
    if line.variants[variant].text == text:
        return None
    pinned, full = line.pin.variant, line.variants[0].text
    if pinned is None and len(line.variants) > 1 and _drafted(line):
        pinned = variant
    new = replace(line.variants[variant], text=checked_wording(text), duration=None, stale=False)
    locked = replace(line, pin=replace(line.pin, variant=pinned))
    variants = _replace_at(line.variants, variant, new)
    if variant == 0:
        variants = with_stale(full, variants)
    return _with_variants(line, variants, locked)


def rewrite_spoken(script: Script, plan: Plan, identity: str, text: str) -> Step | None:
    """Change the text of the wording in which a plan speaks a line; a fused one becomes a line of its own.

    Raises:
        EditRefused: as `rewrite` does.
    """

    def edit(script: Script, plan: Plan, names: tuple[str, ...]) -> Step | None:
        spoken = plan.by_line.get(names[0])
        return rewrite(script, names[0], 0 if spoken is None else spoken.variant, text)

    return on_own_lines(script, plan, (identity,), edit)


def with_stale(before: str, variants: tuple[Variant, ...]) -> tuple[Variant, ...]:
    """Wordings whose full one was `before`: the others are stale if it has other words now."""
    full, *others = variants
    if _said(before) == _said(full.text):
        return variants
    return (full, *(replace(other, stale=True) for other in others))


def confirm_wording(script: Script, identity: str, variant: int) -> Step | None:
    """Confirm that a stale wording still says the same as the full one.

    Raises:
        EditRefused: if the line does not have that wording.
    """
    line = _line(script, identity, variant)
    confirmed = replace(line.variants[variant], stale=False)
    return _with_variants(line, _replace_at(line.variants, variant, confirmed), worded=False)


def _said(text: str) -> list[str]:
    """The words of a text, whatever their capitals and marks."""
    return [bare for word in words(folded(text)) if (bare := re.sub(r"[^\w]+", "", word))]


def add_wording(
    script: Script, identity: str, text: str, place: int | None = None, rate: Fraction | None = None
) -> Step | None:
    """Add a wording at a position (None: last).

    Without a rate, it is the wording's share of the full wording's words, in tenths.

    Raises:
        EditRefused: if the text is empty or too long, or the line has too many wordings.
    """
    line = line_of(script, identity)
    if len(line.variants) >= MAX_WORDINGS:
        raise EditRefused(f"A line can have at most {MAX_WORDINGS} wordings.")
    at = len(line.variants) if place is None else max(0, min(place, len(line.variants)))
    new = Variant(checked_wording(text), _share(text, line.variants[0].text) if rate is None else rate)
    renumbered = _renumbered(line, lambda number: number + (number >= at))
    return _with_variants(line, (*line.variants[:at], new, *line.variants[at:]), renumbered)


def remove_wording(script: Script, identity: str, variant: int) -> Step | None:
    """Delete a wording; if it was pinned, the choice is the planner's again.

    Raises:
        EditRefused: for the only wording, or one that the line does not have.
    """
    line = _line(script, identity, variant)
    if len(line.variants) == 1:
        raise EditRefused("A line needs a wording: rewrite this one, or delete the line.")
    renumbered = _renumbered(line, lambda number: None if number == variant else number - (number > variant))
    return _with_variants(line, line.variants[:variant] + line.variants[variant + 1 :], renumbered)


def set_duration(script: Script, identity: str, variant: int, duration: int | None) -> Step | None:
    """Set a wording's duration in milliseconds; None leaves it to the voice, or to the speaking rate.

    Raises:
        EditRefused: for a duration out of range, or a wording that the line does not have.
    """
    line = _line(script, identity, variant)
    if duration is not None and not 1 <= duration <= MAX_DURATION_MS:
        raise EditRefused(f"A duration must be from 0.001 s to {MAX_DURATION_MS // 1000} s.")
    changed = replace(line.variants[variant], duration=duration)
    return _with_variants(line, _replace_at(line.variants, variant, changed), worded=False)


def _line(script: Script, identity: str, variant: int) -> Eventuality:
    line = line_of(script, identity)
    if not 0 <= variant < len(line.variants):
        raise EditRefused("That wording no longer exists.")
    return line


def _drafted(line: Eventuality) -> bool:
    """Whether a line has wordings that the describer did not write: drafted lines keep their source passage."""
    return line.origin is Origin.MACHINE or bool(line.extract)


def _replace_at(variants: tuple[Variant, ...], place: int, variant: Variant) -> tuple[Variant, ...]:
    return (*variants[:place], variant, *variants[place + 1 :])


def _share(text: str, full: str) -> Fraction:
    tenths = round(Fraction(10 * count_words(text), max(1, count_words(full))))
    return Fraction(max(1, min(tenths, 10)), 10)


def _renumbered(line: Eventuality, number_of: Callable[[int], int | None]) -> Eventuality:
    """The line whose wordings get other numbers: a lock and an approval go with their wording, or end with it."""
    pinned, approval = line.pin.variant, line.approval
    spoken = None if approval is None else number_of(approval.variant)
    return replace(
        line,
        pin=replace(line.pin, variant=None if pinned is None else number_of(pinned)),
        approval=None if approval is None or spoken is None else replace(approval, variant=spoken),
    )


def _with_variants(
    line: Eventuality, variants: tuple[Variant, ...], changed: Eventuality | None = None, *, worded: bool = True
) -> Step | None:
    """The step to other wordings; `changed` is the line as it changes otherwise, `worded` if its text was changed."""
    new = with_open_length(line, replace(changed or line, variants=variants))
    new = replace(new, origin=Origin.HUMAN, seen=True) if worded else marked_as_worked(line, new)
    return one_step("", [Replace(line, new)] if new != line else [])
