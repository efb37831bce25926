"""Drafts from a screenplay or a description, with the film's cuts and subtitles, without a network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.errors import AdstudioError, Oddity
from adstudio.core.film import Film, Media
from adstudio.core.progress import OnProgress, Progress, Stage
from adstudio.core.script import Cue
from adstudio.core.timebase import parse_start_timecode
from adstudio.drafting.text.ground.film_times import PastTheEnd, in_film
from adstudio.drafting.text.prose_checks import require_description, require_times_in_film
from adstudio.drafting.text.stage_cache import cached, code_of
from adstudio.drafting.text.stages import Stages
from adstudio.drafting.text.text_drafting import (
    Drafted,
    Footage,
    aligned,
    from_prose,
    from_screenplay,
    require_marked_dialogue,
    require_this_film,
)
from adstudio.media.probe import Probe
from adstudio.subtitles.dialogue import spoken_texts

if TYPE_CHECKING:
    from adstudio.core.script import Script
    from adstudio.drafting.text.score.rules import Suggested
    from adstudio.media.speech_activity import Activity


def stage_progress(stage: Stage, share: float) -> Progress:
    """Progress of a stage by the share that is done (0 to 1); a negative share means that it cannot be measured."""
    return Progress(stage, share if share >= 0 else None)


def speech_cues(video: Path, probed: Probe, progress: OnProgress, track: int | None = None) -> tuple[Cue, ...]:
    """Cues without words where speech is detected in a film's audio; none in a film without audio.

    `track` is the number of the sound track, if one is chosen.

    Raises:
        OutsideFailureError: where the model that hears speech is not installed.
    """
    from adstudio.media.speech_activity import cues_of

    return cues_of(detect_speech(video, progress, track), probed.duration) if probed.has_audio else ()


def detect_speech(video: Path, progress: OnProgress, track: int | None = None) -> Activity:
    """Where speech is detected in a film's audio; raises as `speech_cues`."""
    from adstudio.media.speech_activity import speech_activity

    def report(share: float) -> None:
        progress(stage_progress(Stage.DETECTING_SPEECH, share))

    return speech_activity(video, track, report)


def ignore_note(_sentence: str) -> None:
    """For drafts that nobody follows."""


def drafted_screenplay(
    path: Path,
    film: Film,
    cues: Sequence[Cue],
    progress: OnProgress,
    *,
    any_screenplay: bool = False,
    stages: Stages | None = None,
    encoding: str | None = None,
) -> Drafted:
    """Lines from a screenplay's action; the `encoding` is that of `read_screenplay`.

    Raises:
        BadInputError: for what is no screenplay, or one of another film.
        OutsideFailureError: where it cannot be read, or a part that is needed is not installed.
    """
    from adstudio.screenplay.file import read_screenplay

    screenplay = read_screenplay(
        path,
        subtitles=spoken_texts(cues),
        progress=lambda share: progress(stage_progress(Stage.READING_SCREENPLAY, share)),
        encoding=encoding,
    )
    known = aligned(screenplay, cues)
    # Before the cuts are looked for, which takes minutes.
    require_marked_dialogue(known, str(path))
    if not any_screenplay:
        require_this_film(known.alignment.match, str(path))
    footage, odd = _footage(film, cues, progress)
    drafted = from_screenplay(
        screenplay, footage, name=str(path), any_screenplay=True, stages=stages, progress=progress, known=known
    )
    return replace(drafted, oddities=(*odd, *drafted.oddities))


def drafted_description(
    path: Path,
    film: Film,
    cues: Sequence[Cue],
    progress: OnProgress,
    *,
    stages: Stages | None = None,
    encoding: str | None = None,
    note: Callable[[str], None] = ignore_note,
) -> Drafted:
    """Lines from a description in prose; what puts it in doubt is noted at once. Raises as `drafted_screenplay`."""
    from adstudio.drafting.text.ground.prose import read_prose

    progress(Progress(Stage.READING_DESCRIPTION, 0.0))
    rate = film.frame_rate
    prose = read_prose(path, rate, encoding)
    start = parse_start_timecode(film.start_timecode, rate) if film.start_timecode else None
    # Before the cuts are looked for, which takes minutes.
    require_description(prose, film.end, cues)
    placed = in_film(prose, film.end, start, rate)
    require_times_in_film(placed, film.end)
    for oddity in placed.oddities:
        if isinstance(oddity, PastTheEnd):
            note(f"{path}: {oddity.what}")
    footage, odd = _footage(film, cues, progress)
    drafted = from_prose(prose, footage, start=start, rate=rate, stages=stages, progress=progress)
    return replace(drafted, oddities=(*odd, *drafted.oddities))


def cut_into_scenes(film: Film, media: Media, cues: tuple[Cue, ...], progress: OnProgress) -> Drafted:
    """No lines, and scenes by the film's cuts; if those cannot be found, a note says so."""
    from adstudio.drafting.scene_division import scenes_by_cuts

    cuts, why = _cuts(media, progress)
    odd = f"the film’s cuts are not known, so it is divided into scenes of two minutes: {why}"
    return Drafted(scenes_by_cuts(film.end, cuts, cues), (), cues, oddities=(Oddity(odd),) if why else ())


def suggestions(script: Script, names: Sequence[str], progress: OnProgress) -> tuple[Suggested, ...]:
    """The rules that each scene's lines suggest, scene by scene.

    Raises:
        OutsideFailureError: where a part that is needed is not installed.
    """
    from adstudio.drafting.text.score.embeddings import embedder
    from adstudio.drafting.text.score.rules import Line, Suggested, suggested

    encoder = embedder()
    name = code_of("adstudio.drafting.text.score", "adstudio.drafting.text.language")
    found: list[Suggested] = []
    for number, scene in enumerate(script.scenes):
        progress(Progress(Stage.SUGGESTING_RULES, number / len(script.scenes)))
        lines = [
            Line(e.id, e.variants[0].text, (e.salience or 0) * script.duration(e.variants[0]) // 1000)
            for e in script.eventualities
            if e.scene == scene.id
        ]
        found.append(
            cached(
                f"rules: {name}",
                [[[line.id, line.text, line.worth] for line in lines], list(names), script.film.language],
                lambda lines=lines: suggested(lines, encoder, known=names, language=script.film.language),
                Suggested,
            )
        )
    return tuple(found)


def _footage(film: Film, cues: Sequence[Cue], progress: OnProgress) -> tuple[Footage, tuple[Oddity, ...]]:
    """What is known of the film; if its cuts cannot be found, a note says that times are less certain."""
    if film.media is None:
        return Footage(film.end, tuple(cues), (), film.language), ()
    cuts, why = _cuts(film.media, progress)
    odd = f"the film’s cuts are not known, so times are less certain: {why}"
    return Footage(film.end, tuple(cues), cuts, film.language), (Oddity(odd),) if why else ()


def _cuts(media: Media, progress: OnProgress) -> tuple[tuple[int, ...], str]:
    """The film's cuts and ""; if they cannot be found, none and the reason."""
    from adstudio.media.shots import film_shots

    try:
        shots = film_shots(
            Path(media.path),
            fingerprint=media.fingerprint,
            on_fraction=lambda share: progress(stage_progress(Stage.DETECTING_CUTS, share)),
        )
    except AdstudioError as error:
        return (), str(error)
    return shots.cuts, ""
