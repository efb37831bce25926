"""What is said of a draft by a model once it has come: what came, what it took, and what was amiss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from adstudio.core.errors import Oddity
from adstudio.core.script import Script
from adstudio.drafting.model.cost import dollars
from adstudio.drafting.model.events import SceneState

if TYPE_CHECKING:
    from adstudio.drafting.draft import Draft
    from adstudio.drafting.model.run import Outcome
    from adstudio.llm.messages import Usage


def told_spent(outcome: Outcome, name: str) -> Iterator[str]:
    """What came, what this run took, and what all runs have where that is more."""
    states = Counter(draft.state for draft in outcome.scenes)
    whole, part = states[SceneState.DONE], states[SceneState.PARTIAL]
    some = f", {part} in part" if part else ""
    totals = outcome.totals
    scenes = f"{whole} of {count(len(outcome.scenes), 'scene')}"
    kept = sum(outcome.kept.values())
    models = ", ".join(sorted(outcome.kept))
    if outcome.requests or not kept:
        before = f"; {count(kept, 'answer')} of {models} kept from before" if kept else ""
        took = f"{name} drafted {scenes}{some}: {count(outcome.requests, 'ask')}, {usage_words(outcome.usage)}{before}"
    else:
        took = f"{scenes} whole{some}: nothing was asked, all {count(kept, 'answer')} of {models} kept from before"
    more = totals.asked > outcome.requests
    so_far = f" (in all so far: {count(totals.asked, 'ask')}, {usage_words(totals.usage)})" if more else ""
    yield f"{took}{so_far}"


def told_direct(draft: Draft) -> Iterator[str]:
    """How much of what a model wrote itself, with its times, could be spoken (the paper's realistic filter)."""
    from adstudio.drafting.model.timed_lines import FASTEST, realistic

    found = realistic(draft.script.eventualities, draft.gaps.gaps)
    yield (
        f"of {count(found.lines, 'line')} that the model wrote, {found.realistic} can be spoken as they stand:"
        f" {found.fast} faster than {FASTEST} words a minute, {found.outside} over dialogue by more than a second,"
        f" {found.overlapping} begun before the line ahead has ended"
    )
    if found.unheld:
        yield (
            f"{count(found.unheld, 'line')} not wholly within a gap: held where the model put "
            f"{'it' if found.unheld == 1 else 'them'} all the same"
        )


def noted(script: Script, outcome: Outcome) -> list[tuple[str, Oddity]]:
    """What was amiss in the model's answers on a script's scenes and what was made of it, for a report."""
    from adstudio.drafting.model.script_drafting import called

    media = script.film.media
    source = media.path if media is not None else script.film.title
    return [
        (source, Oddity(f"{called(script, draft.scene)}: {note}")) for draft in outcome.scenes for note in draft.notes
    ]


def usage_words(usage: Usage) -> str:
    """Tokens and money for a person."""
    thought = f", {usage.tokens_thought:,} thought" if usage.tokens_thought else ""
    tokens = f"{usage.tokens_in:,} tokens in, {usage.tokens_out:,} out{thought}"
    if usage.micro_usd is None:
        return f"{tokens}, at a price that is not known"
    return f"{tokens}, {dollars(usage.micro_usd)}" if usage.micro_usd else tokens


def not_whole(outcome: Outcome) -> int:
    """How many scenes did not come, or not whole, whatever was in the way."""
    return sum(draft.state is not SceneState.DONE for draft in outcome.scenes)


def count(number: int, what: str) -> str:
    """So many of something."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
