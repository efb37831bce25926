"""Drafts a film from its files, with the proven-best plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.errors import AdstudioError, BadInputError, Oddity
from adstudio.core.film import Film
from adstudio.core.plan import Plan
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.script import Cue, Scene, Script
from adstudio.core.settings import GapSettings
from adstudio.core.timebase import Span, clock
from adstudio.drafting.candidates_file.reading import read_candidates
from adstudio.drafting.dialogue_doubts import about_cues_past_the_end, about_listening, words_of_dialogue
from adstudio.drafting.film_time import dialogue_in_film, labels_of
from adstudio.drafting.landing import rules_of
from adstudio.drafting.naming import with_spoken_names
from adstudio.drafting.request import Sources, checks_sync
from adstudio.drafting.subtitle_sync import check_sync
from adstudio.drafting.text.film_drafting import (
    cut_into_scenes,
    detect_speech,
    drafted_description,
    drafted_screenplay,
    ignore_note,
    speech_cues,
    suggestions,
)
from adstudio.drafting.text.stages import Stages
from adstudio.drafting.text.text_drafting import Drafted, Matched
from adstudio.gaps.gaps import Gaps, gaps_of
from adstudio.media.probe import Probe, probe
from adstudio.media.sound_tracks import about_tracks
from adstudio.planning.film.film_plan import plan_film
from adstudio.store.media import source_file
from adstudio.subtitles.dialogue import dialogue, require_dialogue
from adstudio.subtitles.parsed_file import SubtitleFile
from adstudio.subtitles.reading import read_subtitles

if TYPE_CHECKING:
    from adstudio.characters.cast_sources import FoundPerson
    from adstudio.drafting.text.score.rules import Suggested


class DraftError(BadInputError):
    """The sources do not make a film."""


@dataclass(frozen=True)
class DraftedFilm:
    """A film drafted from its files, without rules and without a plan.

    `names` are the people in the lines, `matched` how well screenplay and film agree, `speakers` how many cues have
    their speaker from it, `people` whom it lets speak, and `oddities` what is odd in each source, by its name.
    """

    script: Script
    oddities: tuple[tuple[str, Oddity], ...] = ()
    names: tuple[str, ...] = ()
    matched: Matched | None = None
    speakers: int = 0
    people: tuple[FoundPerson, ...] = ()


@dataclass(frozen=True)
class Draft:
    """The script, its gaps and plan, and what is odd in each source, by its name.

    `suggested` are rules that the lines suggest, by scene, applied or not; `lengths` is how long the voice speaks, as
    the project keeps it; `matched` and `speakers` as in `DraftedFilm`. `described` are the lines (ids) that say what
    people are, as their names may not be said yet.
    """

    script: Script
    gaps: Gaps
    plan: Plan
    oddities: tuple[tuple[str, Oddity], ...]
    matched: Matched | None = None
    suggested: tuple[Suggested, ...] = ()
    speakers: int = 0
    lengths: bytes = b""
    described: tuple[str, ...] = ()


def draft_film(
    sources: Sources,
    project: Path,
    progress: OnProgress = ignore_progress,
    stages: Stages | None = None,
    note: Callable[[str], None] = ignore_note,
) -> DraftedFilm:
    """Read the sources and draft what they describe; `project` is the path of the project to be.

    `stages` replace the program's own segmenting, grounding, compressing and scoring. `progress` may raise to stop the
    work; what is finished by then is cached for the next time. What is to be known at once is told to `note`.

    Raises:
        BadInputError: if a source cannot be used, or the film's length is unknown.
        OutsideFailureError: if a source cannot be read, or a required component is not installed.
    """
    subtitles, cues, found = None, (), list[tuple[str, Oddity]]()
    if sources.subtitles is not None:
        progress(Progress(Stage.READING_SUBTITLES))
        subtitles = read_subtitles(sources.subtitles, encoding=sources.encoding)
        spoken = dialogue(subtitles)
        cues = spoken.cues
        if not sources.without_dialogue:
            require_dialogue(spoken, sources.subtitles)
        found += _of(sources.subtitles, (*subtitles.oddities, *spoken.oddities))
    before = {cue.id: cue.speaker for cue in cues}
    probed = None
    if sources.video is not None:
        progress(Progress(Stage.PROBING_VIDEO))
        probed = film_probe(sources.video)
        found += _of(sources.video, (*probed.oddities, *about_tracks(probed.sound_tracks, sources.sound_track)))
    if sources.subtitles is not None:
        end = probed.duration if probed else sources.end
        cues, shifted = dialogue_in_film(
            *(cues, sources.subtitles, probed, end),
            rate=sources.frame_rate,
            start_timecode=sources.start_timecode,
        )
        found += _of(sources.subtitles, (*shifted, *about_cues_past_the_end(cues, end)))
    if sources.video is not None and probed is not None:
        if sources.subtitles is None and sources.listening:
            cues = speech_cues(sources.video, probed, progress, sources.sound_track)
            found += _of(sources.video, (about_listening(probed, cues),))
        elif sources.subtitles is not None and sources.in_step:
            # Only from the film's start are they near enough to be compared.
            check = check_sync(cues, detect_speech(sources.video, progress, sources.sound_track), mend=True)
            cues = check.cues
            found += [] if check.in_sync else _of(sources.subtitles, (Oddity(check.finding),))
    film = _film(sources, project, probed, subtitles, cues)
    cues, words, doubts = words_of_dialogue(sources, film, cues, progress)
    found += _of(sources.subtitles or project, doubts)
    drafted = _drafted(sources, film, cues, progress, stages, note)
    if checks_sync(sources) and probed is not None and probed.has_audio:
        found += _of(sources.subtitles or project, [*_about_sync(sources, cues, progress)])
    if not sources.language and drafted.language:
        film = replace(film, language=drafted.language)
    found += _of(sources.text or sources.video or project, drafted.oddities)
    script = Script(
        film=film,
        settings=sources.settings,
        sequences=drafted.sequences,
        scenes=drafted.scenes,
        cues=drafted.cues,
        eventualities=drafted.eventualities,
        fusions=drafted.fusions,
        word_times=words,
    )
    # Only a screenplay passes speakers on.
    speakers = sum(cue.speaker is not None and cue.speaker != before.get(cue.id) for cue in drafted.cues)
    speakers = 0 if drafted.matched is None else speakers
    return DraftedFilm(script, tuple(found), drafted.names, drafted.matched, speakers, drafted.people)


def planned(
    sources: Sources,
    project: Path,
    film: DraftedFilm,
    progress: OnProgress = ignore_progress,
    *,
    suggests: bool = False,
    change: Callable[[Script], Script] | None = None,
) -> Draft:
    """A drafted film with its plan.

    `change` is applied to the script first: lines are scored anew, an ablation is made. With `suggests` the lines
    suggest rules, which are applied if the sources say so.

    Raises:
        OutsideFailureError: if rules are to be suggested, and a required component is not installed.
    """
    script = film.script if change is None else change(film.script)
    suggested: tuple[Suggested, ...] = suggestions(script, film.names, progress) if suggests else ()
    if sources.suggested_rules and suggests:
        script = replace(script, rules=rules_of(suggested))
    stored, unmeasured = b"", list[Oddity]()
    before = script
    if sources.voice.engine:
        from adstudio.speech.script_measuring import measured_lengths

        # The voice is asked for the wordings that will be spoken.
        script, _ = with_spoken_names(script, plan_of(script), plan_of)
        script = script.with_changes(voice=sources.voice)
        try:
            lengths, finished = measured_lengths(script, progress)
        except AdstudioError as error:
            # What was drafted may have been paid for.
            unmeasured = [Oddity(f"lines are timed by the speaking rate, since the voice could not speak: {error}")]
        else:
            script, stored = script.with_changes(lengths=lengths), lengths.to_bytes()
            if count := finished.failed:
                what = f"{count:,} wording{'s' * (count > 1)} could not be measured: {finished.why}"
                unmeasured = [Oddity(what)]
    progress(Progress(Stage.FINDING_GAPS))
    gaps = gaps_of(script)
    progress(Progress(Stage.PLANNING))
    plan = plan_film(script, gaps.gaps)
    # Once more where a voice has other lengths than its rate: the plan may have moved lines.
    script, plan = with_spoken_names(script, plan, plan_of)
    dialogue = sources.subtitles or sources.video or project
    found = [*film.oddities, *_of(project, unmeasured), *_of(dialogue, gaps.outside)]
    if not gaps.gaps:
        found += _of(dialogue, (Oddity(_no_gaps(script.settings.gaps)),))
    if sources.video is None and sources.end is None:
        what = f"the film is taken to end with its last dialogue, at {clock(script.film.end)}: give its length"
        found += _of(sources.subtitles or project, (Oddity(what),))
    described = tuple(
        line.id
        for line, named in zip(script.eventualities, before.eventualities, strict=True)
        if [each.text for each in line.variants] != [each.text for each in named.variants]
    )
    return Draft(script, gaps, plan, tuple(found), film.matched, suggested, film.speakers, stored, described)


def plan_of(script: Script) -> Plan:
    """The best plan of a script."""
    return plan_film(script, gaps_of(script).gaps)


def _no_gaps(settings: GapSettings) -> str:
    margins = f"margins of {settings.margin_before / 1000:g} and {settings.margin_after / 1000:g} s around dialogue"
    return (
        f"there is no gap, so no line can be spoken and none limited to gaps near its action: {margins} and a shortest"
        f" gap of {settings.least / 1000:g} s leave none"
    )


def _drafted(
    sources: Sources,
    film: Film,
    cues: tuple[Cue, ...],
    progress: OnProgress,
    stages: Stages | None,
    note: Callable[[str], None],
) -> Drafted:
    if sources.candidates is not None:
        progress(Progress(Stage.READING_CANDIDATES))
        read = read_candidates(sources.candidates, film_end=film.end)
        return Drafted(read.scenes, read.eventualities, cues, sequences=read.sequences, oddities=read.oddities)
    if sources.screenplay is not None:
        return drafted_screenplay(
            *(sources.screenplay, film, cues, progress),
            any_screenplay=sources.any_screenplay,
            stages=stages,
            encoding=sources.encoding,
        )
    if sources.description is not None:
        return drafted_description(
            sources.description, film, cues, progress, stages=stages, encoding=sources.encoding, note=note
        )
    if sources.in_scenes and film.media is not None:
        return cut_into_scenes(film, film.media, cues, progress)
    return Drafted((Scene("s1", Span(0, film.end)),), (), cues)


def _about_sync(sources: Sources, cues: Sequence[Cue], progress: OnProgress) -> Iterator[Oddity]:
    """A doubt about subtitles that are surely out of step with the speech, or hardly agree; lines go by them."""
    if sources.video is None:
        return
    try:
        activity = detect_speech(sources.video, progress, sources.sound_track)
    except AdstudioError:
        return  # what is not installed, or cannot be heard, leaves no doubt
    check = check_sync(cues, activity, mend=False)
    if check.fixable:
        yield Oddity(
            f"{check.finding}: it may be of another cut, and lines are placed by it; sync it to the audio (--in-step; "
            "in the window, Sync subtitles to audio)"
        )
    elif check.of_another:
        yield Oddity(check.finding)


def film_probe(video: Path) -> Probe:
    """What the video holds; raises BadInputError for a file that is no film, or has no pictures."""
    probed = probe(video)
    if not probed.has_video:
        raise DraftError(f"{video} has sound but no pictures: give the film itself")
    return probed


def _film(
    sources: Sources, project: Path, probed: Probe | None, subtitles: SubtitleFile | None, cues: tuple[Cue, ...]
) -> Film:
    end = sources.end
    media = None
    if sources.video is not None and probed is not None:
        end = probed.duration
        known = source_file(sources.video, project)
        media = probed.media(known.path, known.relative_path, known.size, known.fingerprint)
        media = replace(media, sound_track=sources.sound_track)
    if end is None:
        end = max((cue.end for cue in cues), default=0)
    if end <= 0:
        given = f"{sources.subtitles} does not tell" if sources.subtitles else "nothing tells"
        raise DraftError(f"{given} how long the film is: give the video, or its length (--end)")
    rate = labels_of(sources.frame_rate, probed, sources.start_timecode)
    if sources.start_timecode:
        rate.frame_of_label(sources.start_timecode)
    script = sources.screenplay if sources.text == sources.screenplay else None
    texts = {sources.candidates, sources.description, sources.screenplay} - {script}
    film = Film(
        title=sources.title or (sources.video or sources.subtitles or project).stem,
        end=end,
        frame_rate=rate,
        start_timecode=sources.start_timecode,
        media=media,
        subtitles=source_file(sources.subtitles, project) if sources.subtitles else None,
        encoding=subtitles.encoding if subtitles else "",
        screenplay=source_file(script, project) if script is not None else None,
        other_sources=tuple(source_file(each, project) for each in sorted(filter(None, texts))),
    )
    language = sources.language or (subtitles.language if subtitles else None)
    return replace(film, language=language) if language else film


def _of(source: Path, oddities: Sequence[Oddity]) -> list[tuple[str, Oddity]]:
    return [(str(source), oddity) for oddity in oddities]
