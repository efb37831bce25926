"""Gaps by the edges of words in the sample film, whose speech is known to the millisecond, as its maker laid it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

from adstudio.characters.film_words import dialogue_with_words, words_in_film
from adstudio.core.film import Film
from adstudio.core.script import Cue, CueKind, Eventuality, Script, Variant
from adstudio.core.settings import GapSettings, Settings
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film
from adstudio.sample_film import sample_paths
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles
from adstudio.system.locations import resource

FILM = sample_paths(Path(resource("sample")))
END = 164_200
LAID_MS = 20
"""The maker lays each line's speech so far inside its cue, on both sides."""
CHARACTERS_PER_SECOND = 12
"""An easy reading speed, to which subtitles for television are held (DIN 2015, Ofcom 2015: 12 to 17)."""
LEAST_HELD_MS = 1_500
BY_CUES = Settings(words_per_minute=200, gaps=GapSettings(least=300))
BY_WORDS = replace(BY_CUES, gaps=GapSettings(least=300, word_edges=True))

pytestmark = pytest.mark.skipif(find_spec("pocketsphinx") is None, reason="pocketsphinx is not installed")


def held(cues: Iterable[Cue]) -> list[Cue]:
    """Cues held until they can be read, but not into the next."""
    found = list(cues)
    starts = [*(cue.start for cue in found[1:]), END]
    return [
        replace(cue, end=max(cue.end, min(cue.start + _reading(cue), start - 80)))
        for cue, start in zip(found, starts, strict=True)
    ]


def _reading(cue: Cue) -> int:
    return max(LEAST_HELD_MS, len(cue.text) * 1000 // CHARACTERS_PER_SECOND)


def free(gaps: Iterable[Span]) -> int:
    return sum(gap.length for gap in gaps)


def over(spans: Iterable[Span], speech: Iterable[Span]) -> int:
    said = list(speech)
    return sum(max(0, min(a.end, b.end) - max(a.start, b.start)) for a in spans for b in said)


@pytest.mark.parametrize("are_held", [False, True], ids=["exact", "held"])
def test_subtitles_free_what_they_are_held_and_no_line_lies_over_a_word(are_held: bool) -> None:
    cues = [cue for cue in dialogue(read_subtitles(FILM.sdh_srt)).cues if cue.kind is CueKind.SPEECH]
    speech = [Span(cue.start + LAID_MS, cue.end - LAID_MS) for cue in cues]
    assert all(a.end <= b.start for a, b in pairwise(speech))
    shown = held(cues) if are_held else cues
    retimed, words = dialogue_with_words(shown, words_in_film(FILM.film, None, shown, "en-GB", end=END))
    # A short line wherever one may be, so that every gap is filled to its edges.
    lines = tuple(
        Eventuality(f"e{at}", (Variant("A short line.", duration=450),), Span(at, at + 400), salience=500_000)
        for at in range(0, END - 600, 600)
    )
    by_cues = Script(Film("", END), BY_CUES, cues=retimed, word_times=words, eventualities=lines)
    by_words = replace(by_cues, settings=BY_WORDS)
    before, after = gaps_of(by_cues).gaps, gaps_of(by_words).gaps
    plan = plan_film(by_words, after)
    assert over([each.span for each in plan.deliveries], speech) == 0
    assert over(after, speech) == 0
    gained = free(after) - free(before)
    assert gained > 3_000 if are_held else abs(gained) < 500, "exact subtitles have nothing to give"
    print(f"free: {free(before) / 1000:.1f} s by the cues, {free(after) / 1000:.1f} s by their words")
