"""What a draft is made from, and how: one request, for the command line, the editor and the process that drafts."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from adstudio.connections.model_access import Connection
from adstudio.core.cast import People, Prompts
from adstudio.core.errors import BadInputError
from adstudio.core.narration import NO_VOICE, VoiceSettings
from adstudio.core.progress import Stage
from adstudio.core.script import Script
from adstudio.core.settings import Settings
from adstudio.core.timebase import FrameRate
from adstudio.drafting.ablation import NO_ABLATION, Ablation
from adstudio.drafting.model.context import GivenTexts
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.weigh.scene import Weighing

SAMPLE = "sample.adproj"
"""The sample film's project in its folder."""


@dataclass(frozen=True)
class Sources:
    """The files of a film. Without a video, `end` (milliseconds) says how long it is.

    The first of candidates, screenplay and description that is given is the source of description; without any, the
    describer writes every line. Without subtitles, dialogue is detected in the film's sound if `listening`, else there
    is none. `without_dialogue`: subtitles in which no dialogue is found are used all the same. `any_screenplay`: one is
    used even if it hardly matches the film. `suggested_rules`: rules that the lines suggest are applied. `in_step`:
    subtitles that are surely out of sync with the speech in the video are moved. `in_scenes`: a film without a source
    of description is cut into scenes all the same, as a model drafts by scene. `sound_track`: the number of the video's
    sound track that is listened to; None: the one that most probably has the dialogue. `voice`: the project's, by whose
    lengths the film is planned. `cast_list`: the film's characters, beside those that the other sources name.
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
    screenplay: Path | None = None
    description: Path | None = None
    any_screenplay: bool = False
    suggested_rules: bool = False
    listening: bool = False
    without_dialogue: bool = False
    in_step: bool = False
    in_scenes: bool = False
    sound_track: int | None = None
    voice: VoiceSettings = NO_VOICE
    cast_list: Path | None = None

    @property
    def text(self) -> Path | None:
        """The source of description."""
        return self.candidates or self.screenplay or self.description


@dataclass(frozen=True)
class ModelDraft:
    """A model drafts: which one, under the `name` that people gave it, and how it is asked.

    `direct`: it writes the lines itself, with their times. Its answers are cached in `store`, or where they always are.
    """

    connection: Connection
    name: str
    options: ModelOptions
    direct: bool = False
    store: Path | None = None


class Existing(StrEnum):
    """What to do if the project that is to be written already exists."""

    REFUSE = "refuse"
    RESUME = "resume"
    REPLACE = "replace"


@dataclass(frozen=True)
class DraftRequest:
    """What is to be drafted.

    Without a `script`, a film is drafted from its `sources` into a new project, or drafting resumes in the `project`.
    With one, scenes of a film that is open elsewhere are drafted again (those of these ids, or all) by the `model`, or
    without one from the source of description, and the caller inserts the lines. `given` is what
    a text tells of its scenes, where the script comes without its lines. `people` are the film's, `prompts`
    the project's own wordings, for a film that is drafted from its files. The `ablation` is applied to a new project
    before it is planned.
    """

    project: Path = Path()
    sources: Sources = field(default_factory=Sources)
    script: Script | None = None
    scenes: tuple[str, ...] = ()
    given: GivenTexts | None = None
    people: People = ()
    prompts: Prompts = ()
    model: ModelDraft | None = None
    weighing: Weighing | None = None
    existing: Existing = Existing.REFUSE
    ablation: Ablation = NO_ABLATION


def sample_request(folder: Path) -> DraftRequest:
    """Copy the sample film into a folder; the request to draft it there, by the rules of the house.

    Raises:
        OutsideFailureError: if it cannot be written.
    """
    from adstudio.presets.library import DEFAULT, preset_named
    from adstudio.sample_film import TITLE, copy_sample_film

    sample = copy_sample_film(folder)
    sources = Sources(
        subtitles=sample.srt,
        candidates=sample.candidates,
        video=sample.film,
        title=TITLE,
        settings=preset_named(DEFAULT).settings,
    )
    return DraftRequest(folder / SAMPLE, sources)


def require_shown(sources: Sources, *, direct: bool = False) -> None:
    """Check that there is something for a model to see and to do.

    Raises:
        BadInputError: without a video, or with candidates, which leave a model nothing to do; where it is to write the
            lines itself, with any text, which it is not told of.
    """
    if sources.video is None:
        raise BadInputError("a model needs the film’s pictures: give the video")
    if sources.candidates is not None:
        raise BadInputError("candidates are lines already: give them without a model, or the model without them")
    if direct and sources.text is not None:
        raise BadInputError(
            f"a model that writes the script itself is not told of {sources.text}: leave out one of them"
        )
    if direct and sources.settings.min_pause:
        raise BadInputError(
            "a model that writes the script itself sets its own pauses: leave out --min-pause and --preset"
        )


_LINES = (Stage.SEGMENTING, Stage.GROUNDING, Stage.COMPRESSING, Stage.SCORING)
_SCREENPLAY = (Stage.DETECTING_CUTS, Stage.ALIGNING, *_LINES)
_DESCRIPTION = (Stage.READING_DESCRIPTION, Stage.DETECTING_CUTS, *_LINES)
_PLANNING = (Stage.FINDING_GAPS, Stage.PLANNING, Stage.WRITING_PROJECT)


def stages_of(sources: Sources) -> tuple[Stage, ...]:
    """The stages of a draft from these sources, in their order. One that has nothing to do is skipped."""
    stages: list[Stage] = []
    if sources.subtitles is not None:
        stages.append(Stage.READING_SUBTITLES)
    if sources.video is not None:
        stages.append(Stage.PROBING_VIDEO)
        if sources.in_step or (sources.subtitles is None and sources.listening):
            stages.append(Stage.DETECTING_SPEECH)
        if finds_words(sources):
            stages.append(Stage.FINDING_WORDS)
    if sources.candidates is not None:
        stages.append(Stage.READING_CANDIDATES)
    elif sources.text is not None:
        stages += text_stages(sources.screenplay, video=sources.video is not None)
        if checks_sync(sources):
            stages.append(Stage.DETECTING_SPEECH)
        stages.append(Stage.SUGGESTING_RULES)
    elif sources.in_scenes and sources.video is not None:
        stages.append(Stage.DETECTING_CUTS)
    if sources.voice.engine:
        stages.append(Stage.SPEAKING)
    return (*stages, *_PLANNING)


def finds_words(sources: Sources) -> bool:
    """Whether the words of subtitles are looked for in the film's sound, as dialogue counts by them."""
    return sources.settings.gaps.word_edges and sources.video is not None and sources.subtitles is not None


def checks_sync(sources: Sources) -> bool:
    """Whether subtitles by which a text is placed are compared with the speech in the film; `in_step` does it first."""
    given = sources.subtitles is not None and sources.video is not None and sources.candidates is None
    return given and sources.text is not None and not sources.in_step


def text_stages(screenplay: Path | None, *, video: bool) -> tuple[Stage, ...]:
    """The stages from a text to lines; without a screenplay the text is a description."""
    stages: list[Stage] = [*(_DESCRIPTION if screenplay is None else _SCREENPLAY)]
    if screenplay is not None and screenplay.suffix.lower() == ".pdf":
        # Other formats are read in an instant, and report nothing.
        stages.insert(0, Stage.READING_SCREENPLAY)
    return tuple(stage for stage in stages if stage is not Stage.DETECTING_CUTS or video)
