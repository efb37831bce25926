"""Replacing words in many lines as one step: in the wordings that are spoken, in all of them, or in the notes too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum

from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.steps import Replace, Several, Step
from adstudio.editing.change import (
    EditRefused,
    checked_text,
    checked_wording,
    lines_of,
    marked_as_worked,
    one_step,
    with_open_length,
)
from adstudio.editing.fusions import is_fused_head, own_steps, spoken_line
from adstudio.editing.names import line_name
from adstudio.editing.search import Finder, Search
from adstudio.editing.wordings import with_stale

Shown = Callable[[Eventuality], int]
"""The number of the wording of a line that is spoken, or would be shown."""
LONGEST_LABEL = 24


class Where(Enum):
    """In which texts of a line to look."""

    SPOKEN = "Spoken wording"
    WORDINGS = "All wordings"
    NOTES = "Wordings and note"


def texts(line: Eventuality, where: Where, shown: Shown) -> Iterator[str]:
    """The texts of a line in which to look."""
    if where is Where.SPOKEN:
        yield line.variants[shown(line)].text
        return
    for variant in line.variants:
        yield variant.text
    if where is Where.NOTES and line.note:
        yield line.note


def count_matches(lines: Iterable[Eventuality], finder: Finder, where: Where, shown: Shown) -> tuple[int, int]:
    """How often it is found, and in how many lines."""
    counts = [sum(len(finder.spans(text)) for text in texts(line, where, shown)) for line in lines]
    return sum(counts), sum(map(bool, counts))


def replace_matches(
    script: Script,
    search: Search,
    by: str,
    identities: Iterable[str],
    where: Where,
    shown: Shown,
    plan: Plan | None = None,
) -> Step | None:
    """Replace what is found in these lines. They count as worked on; nothing is locked, seen or accepted by that.

    Where only a full wording is replaced in, the others are stale; where all are, none is by that. With a plan, what is
    found in the wordings of a fused line is replaced there: it becomes a line of its own, and `shown` is asked of that.

    Raises:
        EditRefused: where a wording would be left without words or be too long, the replacement is invalid, the
            expression takes too long, or a line is not in the script.
    """
    finder, ids = search.finder(), tuple(identities)
    own = [] if plan is None else own_steps(script, plan, _fused_with_match(script, plan, ids, finder, where, shown))
    after = Several("", tuple(own)).apply(script) if own else script
    left = [name for name in ids if name in after.eventuality_index or name not in script.eventuality_index]
    pairs = [(line, _replaced(line, finder, by, where, shown)) for line in lines_of(after, left)]
    steps = [Replace(old, marked_as_worked(old, new)) for old, new in pairs if new != old]
    label = f"Replace “{_short(search.text)}” with “{_short(by)}”"
    return one_step(f"{label} in {len(steps)} lines", [*own, *steps] if steps else [])


def _fused_with_match(
    script: Script, plan: Plan, identities: Iterable[str], finder: Finder, where: Where, shown: Shown
) -> list[str]:
    """The first lines of fused ones in whose wordings it is found."""
    spoken = [spoken_line(script, plan, name)[0] for name in identities if is_fused_head(script, plan, name)]
    return [line.id for line in spoken if any(map(finder.contains, texts(line, where, shown)))]


def _replaced(line: Eventuality, finder: Finder, by: str, where: Where, shown: Shown) -> Eventuality:
    wanted = {shown(line)} if where is Where.SPOKEN else set(range(len(line.variants)))
    variants = tuple(
        _rewritten(line, variant, finder, by) if number in wanted else variant
        for number, variant in enumerate(line.variants)
    )
    if where is Where.SPOKEN:
        variants = with_stale(line.variants[0].text, variants)
    note = checked_text(finder.replaced(line.note, by)[0]) if where is Where.NOTES else line.note
    return with_open_length(line, replace(line, variants=variants, note=note))


def _rewritten(line: Eventuality, variant: Variant, finder: Finder, by: str) -> Variant:
    text, times = finder.replaced(variant.text, by)
    if not times or text == variant.text:
        return variant
    if not text.strip():
        raise EditRefused(f"Nothing was replaced: a wording of {line_name(line)} would be left without words.")
    return replace(variant, text=checked_wording(text), duration=None)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_LABEL else f"{text[:LONGEST_LABEL]}…"
