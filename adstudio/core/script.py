"""A film's audio-description script: everything the describer owns. All values are frozen; steps create new ones.

Salience and penalties are integers in millionths and times are integer milliseconds, so that every engine computes with
the same whole numbers (DESIGN section 4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property

from adstudio.core.cast import NamedFace, People, Person, Prompts, SpeakerSource, name_key, people_by_name
from adstudio.core.film import Film, SourceFile
from adstudio.core.narration import (
    NO_VOICE,
    Lengths,
    LengthSource,
    Lexicon,
    LineVoice,
    Narrator,
    Take,
    VoiceSettings,
)
from adstudio.core.provenance import UNKNOWN_PROVENANCE, Provenance
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.core.word_times import CueWords
from adstudio.core.words import spoken_ms

SALIENCE_UNIT = 1_000_000
"""One unit of salience, in millionths."""


class CueKind(Enum):
    """What a subtitle entry represents."""

    SPEECH = "speech"
    SOUND = "sound"
    MUSIC = "music"
    SUNG = "sung"


class Origin(Enum):
    """Who worded a line."""

    MACHINE = "machine"
    HUMAN = "human"


@dataclass(frozen=True)
class Cue:
    """One dialogue cue as in the subtitles; a reversed one keeps `end` < `start` until someone corrects it.

    `speaker` is a name, which may mean a person of the cast (`Script.person_named`).
    """

    id: str
    start: int
    end: int
    text: str
    speaker: str | None = None
    kind: CueKind = CueKind.SPEECH
    speaker_source: SpeakerSource | None = None
    """How the speaker is known; None if nobody speaks, or nobody recorded it."""
    speaker_confidence: int | None = None
    """How sure a machine is of the speaker, in thousandths; None if a person said so or nobody rated it."""


@dataclass(frozen=True)
class Silence:
    """A span the describer keeps free of narration: it is cut out of the gaps."""

    id: str
    span: Span
    note: str = ""


@dataclass(frozen=True)
class Opening:
    """A span the describer opens for narration although dialogue or its margin occupies it.

    A `Silence` takes precedence over it. What remains is a gap, however short.
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
    """A part of the film that is drafted as one unit."""

    id: str
    span: Span
    title: str = ""
    sequence: str | None = None
    reviewed: bool = False


@dataclass(frozen=True)
class Variant:
    """One wording (c_ik): `rate` is its target compression, `duration` (ms) what the describer set as its length.

    `stale`: the full wording has been rewritten since, so that this one may no longer say the same. `take` is the id of
    the take that was chosen.
    """

    text: str
    rate: Fraction = Fraction(1)
    duration: int | None = None
    stale: bool = False
    takes: tuple[Take, ...] = ()
    take: str | None = None

    @property
    def chosen_take(self) -> Take | None:
        """The chosen take, if it is still what the wording says."""
        return next((take for take in self.takes if take.id == self.take and take.text == self.text), None)


@dataclass(frozen=True)
class Pin:
    """What the describer has fixed about an eventuality; None leaves the choice to the planner."""

    selected: bool | None = None
    variant: int | None = None
    start: int | None = None
    override: bool = False

    @property
    def held(self) -> bool:
        """Whether anything is fixed."""
        return self != NO_PIN


NO_PIN = Pin()
"""Nothing fixed: the planner is free."""


@dataclass(frozen=True)
class Approval:
    """How a line was spoken when a person last approved it: the number of the wording, start and duration (ms).

    An accepted line is planned at that duration, whatever is measured later, until a person acts on it; None if it was
    approved before the project had a voice.
    """

    variant: int
    start: int
    duration: int | None = None


@dataclass(frozen=True)
class Eventuality:
    """An event, process or state on screen (e_i), with its wordings."""

    id: str
    variants: tuple[Variant, ...]
    """Its wordings, the full one first."""
    occurrence: Span | None = None
    """When the video establishes it; None if it never does."""
    salience: int | None = None
    """In millionths; None if not rated."""
    scene: str | None = None
    """Id of its scene."""
    pin: Pin = Pin()
    within: Span | None = None
    """Bounds of its delivery span."""
    origin: Origin = Origin.MACHINE
    """Who wrote the current wording; a describer's rewrite makes it human."""
    seen: bool = False
    """A person has looked at it."""
    accepted: bool = False
    """A person has approved it."""
    extract: str = ""
    """The passage of the source text it comes from."""
    note: str = ""
    """The describer's note."""
    joined: bool = False
    """Exported as one cue with the previous line if they share a gap with hardly a pause; planning ignores it."""
    confidence: int | None = None
    """A machine's confidence in the occurrence, in thousandths; None if a person set it or nobody rated it."""
    provenance: Provenance = UNKNOWN_PROVENANCE
    """What it was drafted from, and which models have worked on it since."""
    weighed: bool = False
    """A person set the salience."""
    worked: bool = False
    """A person changed something no other field records (order, occurrence, bounds, a duration): never redrafted."""
    approval: Approval | None = None
    """As it was spoken when a person accepted it, or marked its scene as reviewed; None if it was not, or not known."""
    voice: LineVoice | None = None
    """How it is spoken otherwise than the project's other lines; None if it is not."""
    duck: int | None = None
    """How far the film is lowered under it, in tenths of a decibel; None as under the other lines."""
    extended: bool = False
    """Spoken while the picture is held at the start of its occurrence; it takes no part in the plan."""

    def __post_init__(self) -> None:
        if not self.variants:
            raise ValueError(f"eventuality {self.id} has no wording")

    @property
    def holds_picture(self) -> bool:
        """Whether the picture is held for it: it is extended, and its occurrence says where."""
        return self.extended and self.occurrence is not None


FUSED_LINES = range(2, 4)
"""How many eventualities a fusion may stand for."""


@dataclass(frozen=True)
class Fusion:
    """Wordings that say neighbouring eventualities in one breath; a plan speaks one delivery of it in their place.

    It is a machine's offer. It holds only for eventualities that nobody has changed or decided on since
    (`core.fusions.usable_fusions`), so no edit needs to mind it, and undoing one brings it back.
    """

    id: str
    """Unique among fusions and eventualities."""
    members: tuple[str, ...]
    """The ids of the eventualities, neighbours of one scene in textual order."""
    variants: tuple[Variant, ...]
    """Its wordings, the full one first."""
    texts: tuple[str, ...]
    """The full wordings of the members that it was made of."""

    def __post_init__(self) -> None:
        if len(self.members) not in FUSED_LINES or len(set(self.members)) < len(self.members):
            raise ValueError(f"fusion {self.id} is not of two or three different eventualities")
        if self.id in self.members or len(self.texts) != len(self.members):
            raise ValueError(f"fusion {self.id} does not match its members")
        if not self.variants:
            raise ValueError(f"fusion {self.id} has no wording")


@dataclass(frozen=True)
class Penalty:
    """The cost of speaking both of two eventualities (redundancy), in millionths of an objective unit."""

    first: str
    second: str
    cost: int


@dataclass(frozen=True)
class Rules:
    """Side conditions between eventualities of one scene, by id."""

    alternatives: tuple[tuple[str, ...], ...] = ()
    """At most one of each group is spoken."""
    requires: tuple[tuple[str, str], ...] = ()
    """The first is spoken only if the second is."""
    together: tuple[tuple[str, ...], ...] = ()
    """All of a group are spoken, or none."""
    penalties: tuple[Penalty, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.alternatives or self.requires or self.together or self.penalties)

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """Every eventuality that a rule applies to."""
        groups: Iterable[tuple[str, ...]] = (*self.alternatives, *self.requires, *self.together)
        return frozenset(i for group in groups for i in group) | {
            i for penalty in self.penalties for i in (penalty.first, penalty.second)
        }


MAX_LINES = 100_000
"""The most lines of a film; a two-hour one has some three thousand."""


Item = Cue | Silence | Opening | Sequence | Scene | Eventuality | Fusion | Person | NamedFace | CueWords


@dataclass(frozen=True)
class Script:
    """The whole document: user state only. The plan is derived from it and stored elsewhere (DESIGN 3.3).

    Eventualities are in textual order, people in the order in which they are shown, fusions, named faces and words in
    any, the other collections in order of time. `prompts` are the project's own, for models. `lengths` is what is known
    of how long the voice speaks; it is no user state, is not stored with the script, and does not count when scripts
    are compared.
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
    voice: VoiceSettings = NO_VOICE
    lexicon: Lexicon = ()
    fusions: tuple[Fusion, ...] = ()
    named_faces: tuple[NamedFace, ...] = ()
    word_times: tuple[CueWords, ...] = ()
    lengths: Lengths | None = field(default=None, compare=False, repr=False, metadata={"stored": False})

    @cached_property
    def eventuality_index(self) -> dict[str, int]:
        """Each eventuality's position in textual order."""
        return {e.id: i for i, e in enumerate(self.eventualities)}

    @cached_property
    def fusion_by_id(self) -> dict[str, Fusion]:
        """Fusions by id, whether they hold or not."""
        return {fusion.id: fusion for fusion in self.fusions}

    @property
    def sources(self) -> tuple[SourceFile, ...]:
        """All files that the film is made of, with the pictures of its people."""
        film = self.film
        pictures = (portrait.picture for person in self.people for portrait in person.all_portraits)
        found = (film.media, film.subtitles, film.screenplay, *film.other_sources, *pictures)
        return tuple(each for each in found if each is not None)

    @cached_property
    def person_by_id(self) -> dict[str, Person]:
        """People by id."""
        return {person.id: person for person in self.people}

    def person_named(self, name: str | None) -> Person | None:
        """The person of the cast whom a name means, such as that of a cue's speaker; None if it is nobody's alone."""
        return None if name is None else self._person_by_name.get(name_key(name))

    @cached_property
    def _person_by_name(self) -> dict[str, Person]:
        return people_by_name(self.people)

    @cached_property
    def words_by_cue(self) -> dict[str, CueWords]:
        """The words of each cue for which they are known and not stale, by the cue's id."""
        known = {each.id: each for each in self.word_times}
        return {
            cue.id: words
            for cue in self.cues
            if (words := known.get(cue.id)) is not None
            and (words.text, words.start, words.end) == (cue.text, cue.start, cue.end)
        }

    @cached_property
    def scene_by_id(self) -> dict[str, Scene]:
        """Scenes by id."""
        return {scene.id: scene for scene in self.scenes}

    def with_changes(self, **fields: object) -> Script:
        """A copy with these fields replaced; the index is reused unless the eventualities change."""
        other = replace(self, **fields)
        return other if "eventualities" in fields else self._with_same_index(other)

    def with_eventuality(self, place: int, eventuality: Eventuality) -> Script:
        """A copy with the eventuality at `place` replaced by another state of the same id, so the index is reused."""
        lines = list(self.eventualities)
        lines[place] = eventuality
        return self._with_same_index(replace(self, eventualities=tuple(lines)))

    def _with_same_index(self, other: Script) -> Script:
        if "eventuality_index" in self.__dict__:
            other.__dict__["eventuality_index"] = self.eventuality_index
        return other

    def eventuality(self, identity: str) -> Eventuality:
        """The eventuality with that id; KeyError if there is none."""
        return self.eventualities[self.eventuality_index[identity]]

    @cached_property
    def narrator(self) -> Narrator:
        """How lines are spoken where they say nothing else."""
        language = self.film.language
        return Narrator(self.voice, self.settings.rate_for(language), language, self.lexicon)

    def duration(self, variant: Variant, voice: LineVoice | None = None) -> int:
        """Milliseconds to speak a wording, by the best source that there is; `voice` is its line's own."""
        return self.length(variant, voice)[0]

    def length(self, variant: Variant, voice: LineVoice | None = None) -> tuple[int, LengthSource]:
        """As `duration`, with its source: see `LengthSource`, best first."""
        if variant.duration is not None:
            return variant.duration, LengthSource.OWN
        if variant.take is not None and (take := variant.chosen_take) is not None:
            return take.duration, LengthSource.TAKE
        if self.lengths is not None and self.voice.engine:
            if (measured := self.lengths.measured(variant.text, self.narrator, voice)) is not None:
                return measured, LengthSource.MEASURED
            if (predicted := self.lengths.predicted(variant.text, self.narrator, voice)) is not None:
                return predicted, LengthSource.PREDICTED
        rate = voice.rate if voice is not None and voice.rate else self.narrator.rate
        return spoken_ms(variant.text, rate), LengthSource.RATE

    def planned_duration(self, line: Eventuality, number: int) -> int:
        """Milliseconds that a line's wording is planned to take (l_ik)."""
        return self.planned_length(line, number)[0]

    def planned_length(self, line: Eventuality, number: int) -> tuple[int, LengthSource]:
        """As `length`, but a wording that was accepted keeps the length that it had then."""
        length, source = self.length(line.variants[number], line.voice)
        approval = line.approval
        if not line.accepted or approval is None or approval.duration is None or approval.variant != number:
            return length, source
        if not self.voice.engine or length == approval.duration or source in (LengthSource.OWN, LengthSource.TAKE):
            return length, source
        return approval.duration, LengthSource.ACCEPTED
