"""The wordings of a line: rewritten, added, taken away, put in order; a held wording stays the one that was held."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from adstudio.core.script import Eventuality, Origin, Script, Variant
from adstudio.core.steps import Replace, Step
from adstudio.core.words import count_words
from adstudio.editing.change import by_hand, line_of, one_step, said
from adstudio.editing.refusal import EditRefused

MOST_WORDINGS = 50
"""The most wordings that a line may have."""

LONGEST_MS = 600_000
"""The longest that a line may last."""


def rewrite(script: Script, identity: str, variant: int, text: str) -> Step | None:
    """Change the text of a wording. The line is then the describer's; a duration of the old text holds no more.

    Where the line has wordings of the draft beside it and none is held, this one is held with it: what the describer
    has just written is what is spoken, and not some other wording that the planner would rather say.

    Raises:
        EditRefused: for a wording without words, of absurd length, or one that the line does not have.
    """
    line = _line(script, identity, variant)
    if line.variants[variant].text == text:
        return None
    held = line.pin.variant
    if held is None and len(line.variants) > 1 and _drafted(line):
        held = variant
    return _with(line, _put(line.variants, variant, Variant(said(text), line.variants[variant].rate)), held)


def add_wording(
    script: Script, identity: str, text: str, place: int | None = None, rate: Fraction | None = None
) -> Step | None:
    """Give a line another wording, at a place among the others (None: the last).

    Without a rate it is taken to aim at its share of the full wording's words, in tenths.

    Raises:
        EditRefused: for a wording without words, of absurd length, or one too many.
    """
    line = line_of(script, identity)
    if len(line.variants) >= MOST_WORDINGS:
        raise EditRefused(f"A line has {MOST_WORDINGS} wordings at most.")
    at = len(line.variants) if place is None else max(0, min(place, len(line.variants)))
    new = Variant(said(text), _share(text, line.variants[0].text) if rate is None else rate)
    held = line.pin.variant
    if held is not None and held >= at:
        held += 1
    return _with(line, (*line.variants[:at], new, *line.variants[at:]), held)


def remove_wording(script: Script, identity: str, variant: int) -> Step | None:
    """Take a wording away; if it was held, the choice is the planner's again.

    Raises:
        EditRefused: for the only one, or one that the line does not have.
    """
    line = _line(script, identity, variant)
    if len(line.variants) == 1:
        raise EditRefused("A line needs a wording: rewrite this one, or delete the line.")
    held = line.pin.variant
    if held is not None:
        held = None if held == variant else held - (held > variant)
    return _with(line, line.variants[:variant] + line.variants[variant + 1 :], held)


def move_wording(script: Script, identity: str, variant: int, to: int) -> Step | None:
    """Put a wording at another place among the others; the first one is the full one.

    Raises:
        EditRefused: for a wording that the line does not have.
    """
    line = _line(script, identity, variant)
    order = list(range(len(line.variants)))
    order.insert(max(0, min(to, len(order) - 1)), order.pop(variant))
    held = line.pin.variant
    moved = tuple(line.variants[place] for place in order)
    return _with(line, moved, None if held is None else order.index(held), worded=False)


def set_duration(script: Script, identity: str, variant: int, duration: int | None) -> Step | None:
    """Say how long a wording takes, in milliseconds; None leaves it to the speaking rate again.

    Raises:
        EditRefused: for a time that no line takes, or a wording that the line does not have.
    """
    line = _line(script, identity, variant)
    if duration is not None and not 1 <= duration <= LONGEST_MS:
        raise EditRefused(f"A line lasts from 0.001 s to {LONGEST_MS // 1000} s.")
    changed = replace(line.variants[variant], duration=duration)
    return _with(line, _put(line.variants, variant, changed), worded=False)


def _line(script: Script, identity: str, variant: int) -> Eventuality:
    line = line_of(script, identity)
    if not 0 <= variant < len(line.variants):
        raise EditRefused("The line does not have that wording any more.")
    return line


def _drafted(line: Eventuality) -> bool:
    """Whether a line has wordings that the describer did not write: a draft's line bears what it was drafted from."""
    return line.origin is Origin.MACHINE or bool(line.extract)


def _put(variants: tuple[Variant, ...], place: int, variant: Variant) -> tuple[Variant, ...]:
    return (*variants[:place], variant, *variants[place + 1 :])


def _share(text: str, full: str) -> Fraction:
    tenths = round(Fraction(10 * count_words(text), max(1, count_words(full))))
    return Fraction(max(1, min(tenths, 10)), 10)


_SAME = -1


def _with(
    line: Eventuality, variants: tuple[Variant, ...], held: int | None = _SAME, *, worded: bool = True
) -> Step | None:
    """The step to other wordings; `worded` where the describer had a hand in the words."""
    pin = line.pin if held == _SAME else replace(line.pin, variant=held)
    new = replace(line, variants=variants, pin=pin)
    new = replace(new, origin=Origin.HUMAN, seen=True) if worded else by_hand(line, new)
    return one_step("", [Replace(line, new)] if new != line else [])
