"""A film's audio-description script: everything the describer owns. All values are frozen; steps make new ones.

Salience and penalties are integers in millionths, times integer milliseconds, so that every engine computes with the
same whole numbers (DESIGN section 4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property

from adstudio.core.timebase import RATES, FrameRate, Span
from adstudio.core.words import folded, spoken_ms

SALIENCE_UNIT = 1_000_000
"""One unit of salience, in millionths."""


class CueKind(Enum):
    """What a subtitle entry stands for."""

    SPEECH = "speech"
    SOUND = "sound"
    MUSIC = "music"
    SUNG = "sung"


class Origin(Enum):
    """Who made a line."""

    MACHINE = "machine"
    HUMAN = "human"


class Scope(Enum):
    """How far a delivery may stray: over the whole film, or only within its scene."""

    FILM = "film"
    SCENE = "scene"


@dataclass(frozen=True)
class Cue:
    """One dialogue cue as it stands in the subtitles; a reversed one keeps `end` < `start` until somebody mends it."""

    id: str
    start: int
    end: int
    text: str
    speaker: str | None = None
    kind: CueKind = CueKind.SPEECH


@dataclass(frozen=True)
class Silence:
    """A stretch the describer wants left alone: it is cut out of the gaps."""

    id: str
    span: Span
    note: str = ""


@dataclass(frozen=True)
class Opening:
    """A stretch the describer frees for narration although dialogue, or its margin, occupies it.

    The counterpart of `Silence`, which wins where both are; what is left of an opening is a gap however short it is.
    """

    id: str
    span: Span
    note: str = ""


@dataclass(frozen=True)
class Sequence:
    """A run of narratively related scenes."""

    id: str
    title: str


@dataclass(frozen=True)
class Scene:
    """A stretch of the film that is drafted as one unit."""

    id: str
    span: Span
    title: str = ""
    sequence: str | None = None
    reviewed: bool = False


@dataclass(frozen=True)
class Variant:
    """One wording (c_ik): `rate` is the compression it aims at, `duration` overrides the rate model."""

    text: str
    rate: Fraction = Fraction(1)
    duration: int | None = None


@dataclass(frozen=True)
class Pin:
    """The describer's hold on an eventuality; what is None is left to the planner."""

    selected: bool | None = None
    variant: int | None = None
    start: int | None = None
    override: bool = False

    @property
    def held(self) -> bool:
        """Whether anything is held at all."""
        return self != NO_PIN


NO_PIN = Pin()
"""Nothing held: the planner is free."""


@dataclass(frozen=True)
class Eventuality:
    """An event, process or state on screen (e_i), with its wordings.

    `occurrence` is None where nothing on screen establishes it; `salience` is in millionths; `within` bounds the
    delivery span; `extract` is the piece of the scene description that it comes from. `origin` is who worded it as it
    stands: a describer's rewriting makes it human. `joined`: where it follows the line before it in the same gap and
    without much of a pause, both are handed in as one cue; planning is not concerned. `confidence`: how sure a machine
    is that the occurrence is right, in thousandths; None where a person said so, or nobody estimated it. `source`: what
    it was drafted from, for a person (a screenplay's line, a model). `weighed`: a person set the salience. `worked`:
    a person changed something of it that nothing else here tells of (its place in the order, when it happens, a bound,
    how long a wording takes, the order of its wordings), so that no machine may make it anew.
    """

    id: str
    variants: tuple[Variant, ...]
    occurrence: Span | None = None
    salience: int | None = None
    scene: str | None = None
    pin: Pin = Pin()
    within: Span | None = None
    origin: Origin = Origin.MACHINE
    seen: bool = False
    accepted: bool = False
    extract: str = ""
    note: str = ""
    joined: bool = False
    confidence: int | None = None
    source: str = ""
    weighed: bool = False
    worked: bool = False

    def __post_init__(self) -> None:
        if not self.variants:
            raise ValueError(f"eventuality {self.id} has no wording")


@dataclass(frozen=True)
class Penalty:
    """What it costs to say both of two eventualities (redundancy), in millionths of an objective unit."""

    first: str
    second: str
    cost: int


@dataclass(frozen=True)
class Rules:
    """Side conditions between eventualities of one scene, by id.

    `alternatives`: at most one of each group. `requires`: the first only if the second. `together`: all or none.
    """

    alternatives: tuple[tuple[str, ...], ...] = ()
    requires: tuple[tuple[str, str], ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    penalties: tuple[Penalty, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.alternatives or self.requires or self.together or self.penalties)

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """Every eventuality that some rule ties."""
        groups: Iterable[tuple[str, ...]] = (*self.alternatives, *self.requires, *self.together)
        return frozenset(i for group in groups for i in group) | {
            i for penalty in self.penalties for i in (penalty.first, penalty.second)
        }


@dataclass(frozen=True)
class Media:
    """The video a project belongs to: where it lies, how to know it again, and what was measured of it.

    `fingerprint` identifies the content; `duration` is in milliseconds by presentation times.
    """

    path: str
    relative_path: str
    size: int
    fingerprint: str
    duration: int
    rate: Fraction | None = None
    variable_rate: bool = False
    has_audio: bool = False
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Film:
    """The programme. `end` is its length in milliseconds, `start_timecode` the label of its first frame."""

    title: str
    end: int
    language: str = "en"
    frame_rate: FrameRate = RATES["25"]
    start_timecode: str = ""
    media: Media | None = None
    subtitles: str = ""
    encoding: str = ""
    screenplay: str = ""


@dataclass(frozen=True)
class GapSettings:
    """How dialogue becomes gaps: margins and least length in milliseconds, and what else counts as occupied."""

    margin_before: int = 0
    margin_after: int = 0
    least: int = 1000
    keep_sound: bool = False
    keep_music: bool = False
    keep_sung: bool = True


@dataclass(frozen=True)
class Settings:
    """The project's choices for planning: rates in words a minute, times in milliseconds, `max_share` in millionths."""

    words_per_minute: int = 200
    rate_by_language: tuple[tuple[str, int], ...] = ()
    gaps: GapSettings = GapSettings()
    delta_max: int = 10_000
    min_pause: int = 0
    max_share: int = 1_000_000
    scope: Scope = Scope.FILM

    def rate_for(self, language: str) -> int:
        """A language's own speaking rate, else that of its main language (`pt` for `pt-BR`), else the project's."""
        rates = {tag.lower(): rate for tag, rate in self.rate_by_language}
        tag = language.lower()
        return rates.get(tag) or rates.get(tag.split("-")[0]) or self.words_per_minute


LONGEST_PERSON = 60
"""Characters of a person's name."""
LARGEST_FACE = 2_000_000
"""Bytes of a face's picture."""
LARGEST_FACES = 5_000_000
"""Bytes of all of them together: a change of the people is kept whole, before and after."""
MOST_PEOPLE = 100
LONGEST_PROMPT = 20_000
"""Characters of a prompt."""
MOST_PROMPTS = 100
_JOINERS: dict[int, None] = dict.fromkeys((0x200C, 0x200D))
"""Persian and Indian names are written with them."""


@dataclass(frozen=True)
class Person:
    """Somebody in the film: a name, and a picture of the face (JPEG or PNG), where there is one."""

    name: str
    face: bytes = field(default=b"", repr=False)

    def __post_init__(self) -> None:
        letters = self.name.translate(_JOINERS)
        if not letters.strip() or len(self.name) > LONGEST_PERSON or not letters.isprintable():
            raise ValueError(f"a person has a name of 1 to {LONGEST_PERSON} letters on one line")
        if len(self.face) > LARGEST_FACE:
            raise ValueError("a face’s picture is larger than 2 MB: make it smaller")

    @property
    def mime(self) -> str:
        """What kind of picture the face is."""
        return "image/png" if self.face.startswith(b"\x89PNG") else "image/jpeg"


People = tuple[Person, ...]
"""Those of a film whom models are told of, in the order in which they are shown."""
Prompts = tuple[tuple[str, str], ...]
"""A project's own wordings: the name of a prompt, and its text."""


def wrong_people(people: People) -> str:
    """Why these cannot be a film's people, as a sentence; empty where they can."""
    if len(people) > MOST_PEOPLE:
        return f"a film has at most {MOST_PEOPLE} people whom models are told of: leave out those hardly seen"
    if sum(len(person.face) for person in people) > LARGEST_FACES:
        return f"the faces together are larger than {LARGEST_FACES // 1_000_000} MB: make their pictures smaller"
    names = [folded(person.name.strip()) for person in people]
    twice = next((person.name for person, name in zip(people, names, strict=True) if names.count(name) > 1), None)
    return "" if twice is None else f"two people are called “{twice}”: name one of them otherwise"


def wrong_prompts(prompts: Prompts) -> str:
    """Why these cannot be a project's prompts, as a sentence; empty where they can."""
    names = [name for name, _ in prompts]
    if not all(0 < len(name) <= LONGEST_PERSON for name in names):
        return f"a prompt has a name of 1 to {LONGEST_PERSON} letters"
    if len(names) > MOST_PROMPTS:
        return f"a project has at most {MOST_PROMPTS} prompts of its own"
    if len(set(names)) != len(names):
        return "a prompt is there twice"
    if any(len(text) > LONGEST_PROMPT for _, text in prompts):
        return f"a prompt is longer than {LONGEST_PROMPT:,} characters: shorten it"
    return ""


Item = Cue | Silence | Opening | Sequence | Scene | Eventuality


@dataclass(frozen=True)
class Script:
    """The whole document: user state only. The plan is derived from it and lives elsewhere (DESIGN 3.3).

    Eventualities stand in textual order; the other collections in order of time. `people` and `prompts` are what models
    are told on top: the film's people, and this project's own wordings of prompts.
    """

    film: Film
    settings: Settings = Settings()
    sequences: tuple[Sequence, ...] = ()
    scenes: tuple[Scene, ...] = ()
    cues: tuple[Cue, ...] = ()
    silences: tuple[Silence, ...] = ()
    openings: tuple[Opening, ...] = ()
    eventualities: tuple[Eventuality, ...] = ()
    rules: Rules = field(default_factory=Rules)
    people: People = ()
    prompts: Prompts = ()

    @cached_property
    def eventuality_index(self) -> dict[str, int]:
        """Where each eventuality stands in textual order."""
        return {e.id: i for i, e in enumerate(self.eventualities)}

    @cached_property
    def scene_by_id(self) -> dict[str, Scene]:
        """Scenes by id."""
        return {scene.id: scene for scene in self.scenes}

    def changed(self, **fields: object) -> Script:
        """The script with other fields; where each eventuality stands stays known as long as they are untouched."""
        other = replace(self, **fields)
        return other if "eventualities" in fields else self._knowing_order(other)

    def with_eventuality(self, place: int, eventuality: Eventuality) -> Script:
        """The script with another state of the eventuality at a place: the same id, so the order stays known."""
        lines = list(self.eventualities)
        lines[place] = eventuality
        return self._knowing_order(replace(self, eventualities=tuple(lines)))

    def _knowing_order(self, other: Script) -> Script:
        if "eventuality_index" in self.__dict__:
            other.__dict__["eventuality_index"] = self.eventuality_index
        return other

    def eventuality(self, identity: str) -> Eventuality:
        """The eventuality of that id; KeyError where there is none."""
        return self.eventualities[self.eventuality_index[identity]]

    def duration(self, variant: Variant) -> int:
        """Milliseconds to say a wording (l_ik): its own measure or override, else the project's speaking rate."""
        if variant.duration is not None:
            return variant.duration
        return spoken_ms(variant.text, self.settings.rate_for(self.film.language))
