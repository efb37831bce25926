"""What is strange in a screenplay or a description beside its film, as a draft says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from adstudio.core.counts import percent
from adstudio.core.errors import Oddity
from adstudio.core.language_tags import primary_subtag
from adstudio.core.script import Scene
from adstudio.core.timebase import clock
from adstudio.drafting.candidates_file.findings import shown
from adstudio.drafting.text.chapters import Chapter
from adstudio.drafting.text.segment.foreign_directions import KNOWN
from adstudio.screenplay.builder import no_action
from adstudio.screenplay.parsed_screenplay import Action, Form

if TYPE_CHECKING:
    from adstudio.drafting.text.align.align import Alignment
    from adstudio.drafting.text.align.match import Match

ENGLISH = "en"
UNKNOWN_LANGUAGE = "und"
"""ISO 639's code for an undetermined language."""
FEW_WORDS = 0.1
PLENTY_WORDS = 100
"""If a film has so many words and its screenplay under a tenth of them, its dialogue was most likely not recognised."""
SHOWN_STRETCHES = 3


def about_slugs(found: Sequence[Action], form: Form) -> Iterator[Oddity]:
    """Paragraphs of a word or two in capitals, which are taken for headings and not described."""
    if found:
        what = no_action([each.text for each in found], "a word or two in capitals without a full stop", form)
        yield Oddity(what, found[0].line or None)


def about_the_match(match: Match) -> Iterator[Oddity]:
    """How little a screenplay and the film share, where that is so."""
    if not match.film_words:
        yield Oddity("the film’s dialogue is unknown, so only order and pauses locate the screenplay in it")
    elif not match.screenplay_words:
        yield Oddity("the screenplay has no dialogue, so only order and pauses locate it in the film")
    elif match.screenplay_words < FEW_WORDS * match.film_words and match.film_words >= PLENTY_WORDS:
        yield Oddity(
            f"the screenplay has hardly any dialogue ({match.screenplay_words:,} words, {match.film_words:,} in the "
            "film): dialogue that is not formatted as such may have been described as action"
        )
    elif match.another_film:
        share = percent(match.film_share)
        yield Oddity(
            f"it has little in common with this film: only {share} of the film’s dialogue is in it, so few lines can "
            "be placed"
        )


def about_coverage(alignment: Alignment) -> Iterator[Oddity]:
    """Where the film's dialogue is not in a screenplay that is otherwise this film's."""
    from adstudio.drafting.text.align.coverage import uncovered

    if alignment.match.another_film:
        return
    stretches = uncovered(alignment.words)
    if not stretches:
        return
    words = sum(stretch.words for stretch in stretches)
    spans = [(_seconds(stretch.span.start), _seconds(stretch.span.end)) for stretch in stretches[:SHOWN_STRETCHES]]
    where = ", ".join(f"{start}–{end}" for start, end in spans)
    more = f" and {len(stretches) - SHOWN_STRETCHES:,} more" if len(stretches) > SHOWN_STRETCHES else ""
    yield Oddity(
        f"{words:,} of the {alignment.match.film_words:,} words of the film’s dialogue are in stretches that the "
        f"screenplay does not have ({where}{more}): it may be a part, or of another cut, so little is described there"
    )


def _seconds(ms: int) -> str:
    return clock(ms).partition(".")[0]


def about_unread(paragraphs: Sequence[Action]) -> Iterator[Oddity]:
    """Paragraphs of action that the film’s dialogue shows to be speeches."""
    if paragraphs:
        many = len(paragraphs) > 1
        what = f"{len(paragraphs):,} paragraphs of action match" if many else "a paragraph of action matches"
        yield Oddity(
            f"{what} the film’s dialogue or its speakers’ names word for word, so {'they are' if many else 'it is'} "
            "treated as dialogue and not described: in the screenplay, write each name in capitals on a line of its "
            f"own above the speech (in Final Draft: Character and Dialogue): {shown(paragraphs[0].text)}",
            paragraphs[0].line or None,
        )


def about_the_language(language: str) -> Iterator[Oddity]:
    """What a draft in another language than English lacks."""
    main = primary_subtag(language)
    if main == ENGLISH:
        return
    named = f" ({language})" if known_language(language) else ""
    missing = "long sentences are not cut, pronouns stay as they are, and there are no shorter wordings"
    if main not in KNOWN:
        missing += ", and directions to the camera and sounds are taken for what is seen"
    yield Oddity(f"its language is not English{named}: sentences are used whole: {missing}")


def known_language(language: str) -> str:
    """A language’s tag; "" for an unknown one."""
    return "" if language == UNKNOWN_LANGUAGE else language


def not_in_the_film(chapters: Sequence[Chapter], scenes: Sequence[Scene]) -> Iterator[Oddity]:
    """Scenes of a screenplay that no scene of the draft stands for."""
    titles = {scene.title for scene in scenes}
    for chapter in chapters:
        if chapter.heading and chapter.heading not in titles:
            yield Oddity(f"the scene {shown(chapter.heading)} was not found in the film", chapter.line)
