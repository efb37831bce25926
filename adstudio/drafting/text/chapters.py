"""A text about a film as chapters: scenes of paragraphs, each between two times of the film."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.core.provenance import DescriptionLine, ScreenplayLine
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.drafting.text.align.anchors import Anchor
from adstudio.drafting.text.ground.ground import ORDERED
from adstudio.drafting.text.language.grammar import LONGEST_TEXT
from adstudio.drafting.text.shot_headings import with_shot_headings, with_shouted_ends
from adstudio.screenplay.line_kinds import is_slug
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, Speech

if TYPE_CHECKING:
    from adstudio.drafting.text.align.align import Alignment


@dataclass(frozen=True)
class Paragraph:
    """Action that lies between two times of the film (ms; None if unknown), which have a confidence (0..1).

    `whole`: it is one line of a script, which is not cut. `timed`: `after` is its own time. `speaker` is whose speech
    it follows, and `dialogue` what is said between it and the paragraph before, "" where it follows none.
    """

    text: str
    source: ScreenplayLine | DescriptionLine | None = None
    line: int | None = None
    after: int | None = None
    before: int | None = None
    sure: float = 0.0
    whole: bool = False
    timed: bool = False
    speaker: str = ""
    dialogue: str = ""


@dataclass(frozen=True)
class Chapter:
    """What becomes a scene: its heading, its paragraphs, and when its dialogue is spoken, if known."""

    heading: str
    paragraphs: tuple[Paragraph, ...]
    dialogue_span: Span | None = None
    line: int | None = None


NOWHERE = Anchor(None, None, 0.0)
LEAST_SURE = 0.7
"""The confidence of bounds if none of the dialogue next to the paragraph was found; it rises to 1 as all of it is.

Bounds widen by themselves if dialogue is missing, and remain valid: on made-up films with 0 to 60 % changed lines their
content was as accurate as `expected_error` predicts for their width, whatever was found nearby
(tests/bench/offline_draft.py). The remaining doubt is that action may have changed with the lines around it.
"""
CUT_WORDS = 4
"""A scene with at least this many spoken words, none of which is found, counts as cut."""
CUT = 0.2
"""What is left of an anchor's confidence in such a scene."""


def screenplay_chapters(screenplay: Screenplay, alignment: Alignment) -> tuple[Chapter, ...]:
    """A chapter for each scene that has action or dialogue, without slugs.

    A scene with dialogue of which the film has nothing was most likely cut: its action gets little confidence. If the
    film's dialogue is unknown, only the order of the action remains.
    """
    chapters: list[Chapter] = []
    whole_texts = with_shot_headings(screenplay.scenes) | with_shouted_ends(screenplay.scenes)
    for number, scene in enumerate(screenplay.scenes):
        paragraphs: list[Paragraph] = []
        speech_spans = [span for (at, _), span in alignment.speech_spans.items() if at == number]
        word_count = sum(count_words(part.text) for part in scene.parts if isinstance(part, Speech))
        trust = CUT if word_count >= CUT_WORDS and not speech_spans else 1.0
        speaker, said = "", list[str]()
        for place, part in enumerate(scene.parts):
            if isinstance(part, Speech):
                speaker = part.speaker
                said.append(part.text)
            if not isinstance(part, Action) or _is_unforced_slug(part) or _is_a_title(scene.heading, part):
                continue
            # A paragraph as long as a book is damage; its beginning is more than any real one has.
            text = whole_texts.get((number, place), part.text)[:LONGEST_TEXT]
            if not text.strip():
                continue
            anchor = alignment.anchors.get((number, place), NOWHERE)
            after, before = anchor.after, anchor.before
            sure = trust * (LEAST_SURE + (1 - LEAST_SURE) * anchor.confidence) if alignment.speech_spans else 0.0
            if not (alignment.match.film_words and alignment.match.screenplay_words):
                after, before, sure = None, None, ORDERED
            source = ScreenplayLine(part.line, part.page or 0)
            dialogue = "\n\n".join(filter(None, said))
            line = part.line or None
            paragraphs.append(Paragraph(text, source, line, after, before, sure, speaker=speaker, dialogue=dialogue))
            speaker, said = "", []
        if paragraphs or any(isinstance(part, Speech) for part in scene.parts):
            whole = Span(min(s.start for s in speech_spans), max(s.end for s in speech_spans)) if speech_spans else None
            chapters.append(Chapter(scene.heading, tuple(paragraphs), whole, scene.line or None))
    return tuple(chapters)


_TITLES = re.compile(
    r"(?:(?:OPENING|MAIN|END|CLOSING|ROLL) )*(?:TITLES?|CREDITS?)(?: CARD| SEQUENCE)?\W*", re.IGNORECASE
)


def _is_a_title(heading: str, action: Action) -> bool:
    """Whether action in capitals under the heading of the titles is what is written in them."""
    return _TITLES.fullmatch(heading.strip()) is not None and action.text.isupper()


def slugs(screenplay: Screenplay) -> tuple[Action, ...]:
    """The action that is left out because it is no more than a slug: THE ROOF, LATER.

    The readers leave it in, because only the film's dialogue shows which of it is a name above a speech.
    """
    parts = (part for scene in screenplay.scenes for part in scene.parts)
    return tuple(part for part in parts if isinstance(part, Action) and _is_unforced_slug(part))


def _is_unforced_slug(action: Action) -> bool:
    return is_slug(action.text) and not action.forced


def speaking(screenplay: Screenplay) -> tuple[str, ...]:
    """The names of all who speak in it, each once, in order."""
    parts = (part for scene in screenplay.scenes for part in scene.parts)
    return tuple(dict.fromkeys(part.speaker for part in parts if isinstance(part, Speech) and part.speaker))
