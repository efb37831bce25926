"""Drafts without a network: from a screenplay or a description, and what is known of the film, to grounded lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adstudio.characters.cast_sources import FoundPerson, in_screenplay
from adstudio.core import script
from adstudio.core.cast import SpeakerSource
from adstudio.core.counts import percent
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.script import Cue, CueKind, Eventuality, Fusion, Scene
from adstudio.core.timebase import FrameRate, Span, StartTimecode
from adstudio.core.words import count_words
from adstudio.drafting.text.chapters import Paragraph, screenplay_chapters, slugs, speaking
from adstudio.drafting.text.draft_oddities import (
    ENGLISH,
    about_coverage,
    about_slugs,
    about_the_language,
    about_the_match,
    about_unread,
    known_language,
    not_in_the_film,
)
from adstudio.drafting.text.ground.evidence import Grounding, Seen
from adstudio.drafting.text.ground.film_times import in_film
from adstudio.drafting.text.ground.ground import calibrated
from adstudio.drafting.text.ground.prose import ORDINARY, Prose
from adstudio.drafting.text.language.names import names_of
from adstudio.drafting.text.line_pipeline import (
    Line,
    Placing,
    PlacingOddity,
    draft_lines,
    has_footing,
    oddities_of,
)
from adstudio.drafting.text.prose_chapters import places_of, prose_chapters, with_cue_times
from adstudio.drafting.text.prose_checks import require_description, require_lines, require_times_in_film
from adstudio.drafting.text.prose_speech import without_speech
from adstudio.drafting.text.script_items import script_items
from adstudio.drafting.text.stage_cache import cached, tidy
from adstudio.drafting.text.stages import Stages
from adstudio.screenplay.language import guess_language
from adstudio.screenplay.parsed_screenplay import Action, Form, Screenplay, Speech

if TYPE_CHECKING:
    from adstudio.drafting.text.align.align import Alignment
    from adstudio.drafting.text.align.match import Match, SceneMatch
    from adstudio.drafting.text.segment.elements import Element

LEAST_UNMARKED = 3
"""Fewer paragraphs of action that the film says are slips of the writer."""


class OtherFilmError(BadInputError):
    """A screenplay that shares hardly any dialogue with the film."""

    option = "--any-screenplay"


class UnreadDialogueError(BadInputError):
    """A screenplay in plain text whose dialogue is mostly not recognised as such."""


@dataclass(frozen=True)
class Footage:
    """What is known of the film: its length (ms), its dialogue, the cuts between its shots, its language."""

    end: int
    cues: tuple[Cue, ...] = ()
    cuts: tuple[int, ...] = ()
    language: str = ENGLISH

    @property
    def seen(self) -> Seen:
        """What grounding goes by: the film's length, its cuts, and the spans of speech and song."""
        kinds = (CueKind.SPEECH, CueKind.SUNG)
        speech = (Span(cue.start, cue.end) for cue in self.cues if cue.kind in kinds and cue.start < cue.end)
        return Seen(self.end, self.cuts, tuple(speech))


@dataclass(frozen=True)
class Matched:
    """How far the screenplay and the film agree, by words and by scenes.

    The film's scenes are those that the draft makes of the screenplay's, so nearly all of them have a counterpart: the
    informative figure is how many of the screenplay's scenes are found.
    """

    words: Match
    scenes: SceneMatch


@dataclass(frozen=True)
class Drafted:
    """A draft's result. `cues` are the film's, with speakers where the screenplay names them.

    `names` are those of the people in the lines; `language` is the language of the lines, "" if unknown. `people` are
    those whom the screenplay lets speak.
    """

    scenes: tuple[Scene, ...]
    eventualities: tuple[Eventuality, ...]
    cues: tuple[Cue, ...]
    matched: Matched | None = None
    oddities: tuple[Oddity, ...] = ()
    names: tuple[str, ...] = ()
    language: str = ""
    sequences: tuple[script.Sequence, ...] = ()
    fusions: tuple[Fusion, ...] = ()
    people: tuple[FoundPerson, ...] = ()


@dataclass(frozen=True)
class Aligned:
    """A screenplay aligned with a film. `unmarked` is the action that turned out to be dialogue of the film."""

    screenplay: Screenplay
    alignment: Alignment
    unmarked: tuple[Action, ...] = ()


def aligned(screenplay: Screenplay, cues: Sequence[Cue]) -> Aligned:
    """Align a screenplay with the dialogue of a film."""
    from adstudio.drafting.text.align.align import align
    from adstudio.drafting.text.align.unmarked_dialogue import with_found_dialogue

    screenplay, unmarked = with_found_dialogue(screenplay, cues)
    return Aligned(screenplay, align(screenplay, cues), unmarked)


def from_screenplay(
    screenplay: Screenplay,
    footage: Footage,
    *,
    name: str = "the screenplay",
    any_screenplay: bool = False,
    stages: Stages | None = None,
    progress: OnProgress = ignore_progress,
    known: Aligned | None = None,
) -> Drafted:
    """Lines from a screenplay's action, grounded by the dialogue that it shares with the film.

    `name` is the screenplay's file. With `any_screenplay`, one that shares next to nothing with the film is used too.
    `known` is its alignment with the film, if that exists already.

    Raises:
        OtherFilmError: if the screenplay seems to be another film's, with the figures.
        UnreadDialogueError: if it is a plain text whose dialogue is mostly read as action.
        OutsideFailureError: if a component that is needed is not installed.
    """
    progress(Progress(Stage.ALIGNING, 0.0))
    known = known or aligned(screenplay, footage.cues)
    screenplay, alignment = known.screenplay, known.alignment
    match = alignment.match
    require_marked_dialogue(known, name)
    if not any_screenplay:
        require_this_film(match, name)
    chapters = screenplay_chapters(screenplay, alignment)
    language = screenplay.language or footage.language
    paragraphs = [paragraph.text for chapter in chapters for paragraph in chapter.paragraphs]
    names = names_of(speaking(screenplay), paragraphs)
    drafted = draft_lines(chapters, footage.seen, language, names, stages or Stages(), progress, cues=footage.cues)
    drafted = replace(drafted, lines=tuple(_less_sure(line, match) for line in drafted.lines))
    scenes, eventualities, fusions = script_items(chapters, drafted, footage.end, footage.cuts)
    speakers = dict(alignment.speakers)
    cues = tuple(
        replace(cue, speaker=speakers[cue.id], speaker_source=SpeakerSource.SCREENPLAY)
        if speakers.get(cue.id) not in (None, cue.speaker)
        else cue
        for cue in footage.cues
    )
    scene_match = alignment.scene_match(screenplay, scenes)
    tidy()
    found = [
        *screenplay.oddities,
        *about_the_match(match),
        *about_coverage(alignment),
        *about_unread(known.unmarked),
        *about_slugs(slugs(screenplay), screenplay.form),
        *about_the_language(language),
    ]
    advice = "check that its dialogue and the subtitles belong to this film, or give a description with times instead"
    if not match.film_words:
        advice = "give the film’s subtitles (--subtitles), whose dialogue locates it in the film"
    found += [*not_in_the_film(chapters, scenes), *oddities_of(drafted, advice)]
    if not drafted.lines:
        found.append(Oddity("it contains no action, so there is nothing to describe"))
    return Drafted(
        scenes,
        eventualities,
        cues,
        Matched(match, scene_match),
        tuple(found),
        names,
        known_language(language),
        fusions=fusions,
        people=in_screenplay(screenplay),
    )


def _less_sure(line: Line, match: Match) -> Line:
    """The line, less sure of its time the more the film says other things than the screenplay, and calibrated."""
    if not (match.film_words and match.screenplay_words):
        return line
    confidence = calibrated(round(match.as_filmed * line.grounding.confidence))
    return replace(line, grounding=replace(line.grounding, confidence=confidence))


def require_this_film(match: Match, name: str) -> None:
    """Check that a screenplay belongs to the film, as far as the dialogue shows; `name` is its file.

    Raises:
        OtherFilmError: if it does not, with the figures.
    """
    if match.film_words and match.screenplay_words and match.another_film:
        raise OtherFilmError(
            f"{name} does not seem to be this film’s screenplay: {percent(match.screenplay_share)} of its dialogue is "
            f"in the film, and {percent(match.film_share)} of the film’s dialogue is in it: give the right one, or use "
            "it anyway"
        )


def require_marked_dialogue(known: Aligned, name: str) -> None:
    """Check that most of a plain text's dialogue was recognised by its form; `name` is its file.

    What the film says was found in its action and taken out, but the film does not say all of it.

    Raises:
        UnreadDialogueError: if it was not, with the figures.
    """
    if known.screenplay.form not in (Form.TEXT, Form.PDF) or len(known.unmarked) < LEAST_UNMARKED:
        return
    parts = (part for scene in known.screenplay.scenes for part in scene.parts)
    said = sum(count_words(part.text) for part in parts if isinstance(part, Speech))
    unmarked = sum(count_words(part.text) for part in known.unmarked)
    if unmarked * 2 > said:
        raise UnreadDialogueError(
            f"{name} has dialogue that its layout does not show: {len(known.unmarked):,} paragraphs read as action are "
            f"spoken in the film’s subtitles ({unmarked:,} words, {max(0, said - unmarked):,} in speeches): save it as "
            "Fountain or FDX, or write each name in capitals on a line of its own directly above its speech"
        )


def from_prose(
    prose: Prose,
    footage: Footage,
    *,
    start: StartTimecode | None = None,
    rate: FrameRate = ORDINARY,
    stages: Stages | None = None,
    progress: OnProgress = ignore_progress,
) -> Drafted:
    """Lines from a description in prose, grounded by the times in it, by order, and by likeness to the dialogue.

    `start` is the label of the film's first frame: it is subtracted from times that count from it.

    Raises:
        OtherTextError: for what cannot be a description of this film: a novel, a transcript.
        OutsideFailureError: if a component that is needed is not installed.
    """
    require_description(prose, footage.end, footage.cues)
    given = prose.sections
    prose = in_film(prose, footage.end, start, rate)
    require_times_in_film(prose, footage.end)
    gives_times = prose.timed or any(section.cue for section in prose.sections)
    prose = with_cue_times(without_speech(prose, footage.cues), footage.cues)
    language = guess_language(section.text for section in prose.sections) or footage.language
    chapters = prose_chapters(prose, footage.end)
    speakers = {cue.speaker for cue in footage.cues if cue.speaker}
    names = names_of(sorted(speakers), [section.text for section in prose.sections])
    placing = _placing(footage, language, stages)
    drafted = draft_lines(chapters, footage.seen, language, names, stages or Stages(), progress, placing, footage.cues)
    require_lines(len(drafted.lines), replace(prose, sections=given))
    scenes, eventualities, fusions = script_items(chapters, drafted, footage.end, footage.cuts)
    tidy()
    advice = "put the time before each paragraph, such as [00:01:23]"
    if gives_times:
        advice = "check its times, and put one before each paragraph that has none, such as [00:01:23]"
    past = {section.line for section in prose.sections if section.at is not None and section.at >= footage.end}
    found = [*prose.oddities, *about_the_language(language), *oddities_of(drafted, advice, past)]
    if not gives_times and has_footing(drafted.lines):
        found.append(
            PlacingOddity(
                "the description has no times, so they are estimated from its order, what it has in common with the "
                "dialogue, and the pauses: for better times, put them before its paragraphs, such as [00:01:23]"
            )
        )
    return Drafted(
        scenes,
        eventualities,
        footage.cues,
        None,
        tuple(found),
        names,
        known_language(language),
        fusions=fusions,
    )


def _placing(footage: Footage, language: str, stages: Stages | None) -> Placing:
    placer = (stages or Stages()).placer
    said = [[cue.start, cue.end, cue.text, cue.speaker, cue.kind.value] for cue in footage.cues]

    def groundings(pairs: Sequence[tuple[Paragraph, Element]]) -> Sequence[Grounding]:
        places = places_of(pairs, footage.cues)
        asked = [[each.text, each.after, each.before, each.sure, each.timed] for each in places]
        return cached(
            f"place: {placer.name}",
            [asked, said, footage.end, list(footage.cuts), language],
            lambda: tuple(placer.groundings(places, footage.seen, footage.cues, language)),
            tuple[Grounding, ...],
        )

    return groundings
