"""A draft's report for the describer: how well film and screenplay agree, which lines are unsure, what is odd."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from adstudio.core.errors import Oddity
from adstudio.core.fusions import items_said
from adstudio.core.plan import Status
from adstudio.core.provenance import DescriptionLine, ScreenplayLine
from adstudio.core.script import Script
from adstudio.delivery.spoken_counts import SpokenCounts, spoken_counts
from adstudio.drafting.text.align.match import Match, SceneMatch
from adstudio.drafting.text.score.rules import SuggestedPenalty, SuggestedRequirement
from adstudio.system.codec import Codec, CodecError

if TYPE_CHECKING:
    from adstudio.drafting.draft import Draft
    from adstudio.drafting.request import Sources


@dataclass(frozen=True)
class Found:
    """Something odd in a source (its file's name), and the lines of the draft that it is about."""

    source: str
    oddity: Oddity
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """Lines by their ids; `unsure` have a low confidence, `lost` no time in the film.

    `words` and `scenes` are set if a screenplay was aligned with the dialogue; `speakers` cues have their speakers from
    it. `rules_set`: the suggested rules are in the script already. `characters` are the names in the cast,
    `described` lines that say what people are until their names may be said.
    """

    lines: int
    spoken: int
    unsure: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    words: Match | None = None
    scenes: SceneMatch | None = None
    cues: int = 0
    speakers: int = 0
    repetitions: tuple[SuggestedPenalty, ...] = ()
    needs: tuple[SuggestedRequirement, ...] = ()
    rules_set: bool = False
    found: tuple[Found, ...] = ()
    characters: tuple[str, ...] = ()
    described: tuple[str, ...] = ()

    @property
    def placed(self) -> int:
        """How many lines have a time in the film."""
        return self.lines - len(self.lost)


def stored_report(report: Report) -> bytes:
    """A report as it is kept with its project; empty where it exceeds the limits of the format."""
    try:
        return _codec().encode(report)
    except CodecError:
        return b""


def report_from(stored: bytes) -> Report | None:
    """The report that is kept with a project; None where there is none, or it cannot be read."""
    try:
        return _codec().decode(stored, Report) if stored else None
    except CodecError:
        return None


@cache
def _codec() -> Codec:
    return Codec()


@dataclass(frozen=True)
class PlanSummary:
    """A plan in numbers, times in milliseconds; `first_label` is the timecode of the first frame."""

    status: Status
    counts: SpokenCounts
    used: int
    free: int
    gaps: int
    rate: str
    first_label: str


def report_of(sources: Sources, draft: Draft) -> Report:
    """The report of a draft."""
    # The editor reads reports as it starts, and makes none.
    from adstudio.drafting.text.line_pipeline import UNSURE

    script, matched = draft.script, draft.matched
    drafted = _by_line(script)
    unsure = (e.id for e in script.eventualities if e.occurrence and e.confidence is not None and e.confidence < UNSURE)
    return Report(
        lines=len(script.eventualities),
        spoken=len(items_said(script, draft.plan)),
        unsure=tuple(unsure),
        lost=tuple(e.id for e in script.eventualities if e.occurrence is None),
        words=None if matched is None else matched.words,
        scenes=None if matched is None else matched.scenes,
        cues=len(script.cues),
        speakers=draft.speakers,
        repetitions=tuple(penalty for each in draft.suggested for penalty in each.penalties),
        needs=tuple(requirement for each in draft.suggested for requirement in each.requires),
        rules_set=sources.suggested_rules,
        found=tuple(
            Found(name, Oddity(odd.what, odd.line), drafted.get(odd.line or 0, ()) if name == str(sources.text) else ())
            for name, odd in draft.oddities  # of whatever sort they are: reports are told over a pipe
        ),
        characters=tuple(person.name for person in script.people),
        described=draft.described,
    )


def _by_line(script: Script) -> dict[int, tuple[str, ...]]:
    """The lines that were drafted from each line of the text."""
    found: dict[int, list[str]] = {}
    for each in script.eventualities:
        piece = each.provenance.drafted
        if isinstance(piece, ScreenplayLine | DescriptionLine):
            found.setdefault(piece.line, []).append(each.id)
    return {line: tuple(drafted) for line, drafted in found.items()}


def plan_summary(draft: Draft) -> PlanSummary:
    """A draft's plan in numbers."""
    film, spoken, gaps = draft.script.film, draft.plan.deliveries, draft.gaps.gaps
    return PlanSummary(
        draft.plan.status,
        spoken_counts(draft.script, draft.plan, draft.gaps.gaps),
        sum(each.end - each.start for each in spoken),
        sum(gap.length for gap in gaps),
        len(gaps),
        film.frame_rate.name,
        film.timecode(0),
    )
