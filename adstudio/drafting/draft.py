"""Drafting: a film, its dialogue subtitles and candidates become a script and its proven-best plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from adstudio.candidates.read import Candidates, read_candidates
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.plan import Plan
from adstudio.core.script import Cue, Film, Media, Scene, Script, Settings
from adstudio.core.timebase import RATES, FrameRate, Span, TimeError, clock
from adstudio.gaps.gaps import Gaps, gaps_of
from adstudio.media.probe import Probe, probe
from adstudio.planning.film import plan_film
from adstudio.store.media import fingerprint, paths
from adstudio.subtitles.dialogue import Dialogue, dialogue
from adstudio.subtitles.file import read_subtitles
from adstudio.subtitles.model import SubtitleFile

Told = Callable[[str], None]
"""Hears what is being done, for a person."""


class DraftError(BadInputError):
    """What was given does not make a film."""


@dataclass(frozen=True)
class Sources:
    """What a draft is made from. Without a video, `end` (milliseconds) says how long the film is.

    Without subtitles nobody speaks in the film; without candidates the describer writes every line.
    """

    subtitles: Path | None = None
    candidates: Path | None = None
    video: Path | None = None
    end: int | None = None
    title: str = ""
    language: str = ""
    encoding: str | None = None
    frame_rate: FrameRate | None = None
    start_timecode: str = ""
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True)
class Draft:
    """The script, its gaps and plan, and what was odd in each source, by its name."""

    script: Script
    gaps: Gaps
    plan: Plan
    oddities: tuple[tuple[str, Oddity], ...]


def draft(sources: Sources, project: Path, told: Told = lambda _: None) -> Draft:
    """Read the sources and plan the film; `project` is where the project will lie, for the path to its video.

    Raises:
        BadInputError: a source that cannot be used, or no way to tell how long the film is.
        OutsideFailureError: a source that cannot be read.
    """
    subtitles, spoken = None, Dialogue((), ())
    if sources.subtitles is not None:
        told("reading the subtitles")
        subtitles = read_subtitles(sources.subtitles, encoding=sources.encoding)
        spoken = dialogue(subtitles)
    cues = tuple(entry.cue for entry in spoken.entries)
    probed = None
    if sources.video is not None:
        told("looking at the video")
        probed = film_probe(sources.video)
    film = _film(sources, project, probed, subtitles, cues)
    candidates = Candidates(scenes=(Scene("s1", Span(0, film.end)),), eventualities=(), oddities=())
    if sources.candidates is not None:
        told("reading the candidates")
        candidates = read_candidates(sources.candidates, film_end=film.end)
    script = Script(
        film=film,
        settings=sources.settings,
        sequences=candidates.sequences,
        scenes=candidates.scenes,
        cues=cues,
        eventualities=candidates.eventualities,
    )
    told("finding the gaps")
    gaps = gaps_of(script)
    told("planning")
    plan = plan_film(script, gaps.gaps)
    found = (*(subtitles.oddities if subtitles else ()), *spoken.oddities, *gaps.outside)
    if sources.video is None and sources.end is None:
        found = (
            *found,
            Oddity(f"the film is taken to end with its last dialogue, at {clock(film.end)}: give its length"),
        )
    return Draft(script, gaps, plan, tuple(_by_source(sources, probed, found, candidates)))


def film_probe(video: Path) -> Probe:
    """What the video holds.

    Raises:
        BadInputError: for a file that is no film, or has no pictures.
    """
    probed = probe(video)
    if not probed.has_video:
        raise DraftError(f"{video} has sound but no pictures: give the film itself")
    return probed


def labels_of(rate: FrameRate | None, probed: Probe | None, start_timecode: str = "") -> FrameRate:
    """The rate that timecode labels count: as asked, else the video's own, else 25.

    A video of 29.97 or 59.94 is counted in drop-frame, so that labels keep up with the clock, unless the label of its
    first frame is written as drop-frame labels are not (`10:00:00:00`).
    """
    if rate is not None:
        return rate
    if probed is None or probed.rate is None:
        return RATES["25"]
    matching = [known for known in RATES.values() if known.rate == probed.rate]
    if matching:
        drop = ";" in start_timecode or not start_timecode
        return next((known for known in matching if known.drop is drop), matching[0])
    try:
        return FrameRate(probed.rate)
    except TimeError:
        return RATES["25"]


def _film(
    sources: Sources, project: Path, probed: Probe | None, subtitles: SubtitleFile | None, cues: tuple[Cue, ...]
) -> Film:
    end = sources.end
    media = None
    if sources.video is not None and probed is not None:
        end = probed.duration
        absolute, relative = paths(sources.video, project)
        media = Media(
            path=absolute,
            relative_path=relative,
            size=sources.video.stat().st_size,
            fingerprint=fingerprint(sources.video),
            duration=probed.duration,
            rate=probed.rate,
            variable_rate=probed.variable_rate,
            has_audio=probed.has_audio,
            width=probed.width,
            height=probed.height,
        )
    if end is None:
        end = max((cue.end for cue in cues), default=0)
    if end <= 0:
        given = f"{sources.subtitles} does not tell" if sources.subtitles else "nothing tells"
        raise DraftError(f"{given} how long the film is: give the video, or its length (--end)")
    rate = labels_of(sources.frame_rate, probed, sources.start_timecode)
    if sources.start_timecode:
        rate.frame_of_label(sources.start_timecode)
    film = Film(
        title=sources.title or (sources.video or sources.subtitles or project).stem,
        end=end,
        frame_rate=rate,
        start_timecode=sources.start_timecode,
        media=media,
        subtitles=str(sources.subtitles) if sources.subtitles else "",
        encoding=subtitles.encoding if subtitles else "",
    )
    language = sources.language or (subtitles.language if subtitles else None)
    return replace(film, language=language) if language else film


def _by_source(
    sources: Sources, probed: Probe | None, subtitles: tuple[Oddity, ...], candidates: Candidates
) -> list[tuple[str, Oddity]]:
    found = [(str(sources.subtitles), oddity) for oddity in subtitles]
    if probed is not None:
        found += [(str(sources.video), oddity) for oddity in probed.oddities]
    return found + [(str(sources.candidates), oddity) for oddity in candidates.oddities]
