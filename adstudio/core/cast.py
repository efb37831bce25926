"""The film's cast: who is in it, how they are called and look; and the project's own prompts for models."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count
from typing import Self

from adstudio.core.film import SourceFile
from adstudio.core.words import folded

MAX_NAME_LENGTH = 60
"""Characters in the name of a person or a prompt."""
MAX_FACE_BYTES = 2_000_000
"""Bytes of one picture of a face."""
MAX_ALL_FACES_BYTES = 5_000_000
"""Bytes of all faces together: every change of the cast is stored with all of them, before and after."""
MAX_PEOPLE = 400
"""People in a cast; feature films credit up to two hundred."""
MAX_PROMPT_LENGTH = 20_000
"""Characters in a prompt."""
MAX_PROMPTS = 100
_JOINERS: dict[int, None] = dict.fromkeys((0x200C, 0x200D))
"""Zero-width joiners, which Persian and Indian names are written with."""


MAX_ALIASES = 30
"""Further names of one person."""
MAX_DESCRIBED_AS = 120
"""Characters of what is said of a person who may not be named yet."""
MAX_PORTRAITS = 20
"""Pictures of one person."""
MAX_NAMED_FACES = 20_000
MAX_ALL_ALIASES = 4_000
"""Further names of all people together."""
BOX_SCALE = 10_000
"""What boxes are measured in: ten-thousandths of the picture's width and height, as it is seen."""
LATEST = 360_000_000
"""The latest time, in milliseconds, that anything of a film can have: a hundred hours."""
_COLOUR = re.compile(r"#[0-9a-f]{6}")


class CharacterSource(Enum):
    """Where a person of the cast is known from."""

    SCREENPLAY = "screenplay"
    SUBTITLES = "subtitles"
    CAST_LIST = "cast_list"
    DIARISATION = "diarisation"
    """Another program's file of who speaks when names them."""
    DESCRIBER = "describer"


class SpeakerSource(Enum):
    """How it is known who speaks a cue."""

    LABEL = "label"
    """A label or a voice in the subtitles."""
    SCREENPLAY = "screenplay"
    MODEL = "model"
    """A language model read it from what is said."""
    VOICE = "voice"
    """The voice is like that of cues whose speaker is known."""
    DIARISATION = "diarisation"
    """A file of another program says who speaks when."""
    CAST = "cast"
    """Nobody else of the cast can be meant."""
    DESCRIBER = "describer"


class Pronouns(Enum):
    """The pronouns that narration uses for a person."""

    UNKNOWN = "unknown"
    SHE = "she"
    HE = "he"
    THEY = "they"


class MergeRule(Enum):
    """Why two entries of a cast were taken to be one person."""

    WRITTEN_ALIKE = "written_alike"
    """The same name but for letter case, accents, spaces and marks such as (V.O.)."""
    PART_OF_NAME = "part_of_name"
    """One name is part of the other, and of nobody else’s: Nora, Nora Vale."""
    TITLE_AND_SURNAME = "title_and_surname"
    """A form of address with a surname that only one person has: Mrs Vale."""
    NICKNAME = "nickname"
    """A usual short form of a first name that only one person has: Bill, William Stone."""
    CAST_LIST = "cast_list"
    """A cast list gives the one as a further name of the other."""
    DESCRIBER = "describer"


@dataclass(frozen=True)
class Portrait:
    """A picture of a face (JPEG or PNG), the file it is from, and the time in the film (ms) if it is from there."""

    image: bytes = field(repr=False)
    picture: SourceFile | None = None
    time: int | None = None

    def __post_init__(self) -> None:
        if not self.image:
            raise ValueError("the picture of a face is empty")
        if len(self.image) > MAX_FACE_BYTES:
            raise ValueError("the picture of a face is larger than 2 MB: make it smaller")
        _require_time(self.time)

    @property
    def mime(self) -> str:
        """The media type of the image."""
        return "image/png" if self.image.startswith(b"\x89PNG") else "image/jpeg"


@dataclass(frozen=True)
class CastEntry:
    """Somebody in the film, with what the project knows of them.

    `first_seen`, `first_speech` and `first_named` are times in milliseconds that the describer set; None where they are
    worked out. `colour` is `#rrggbb`, or empty where the editor chooses it.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    described_as: str = ""
    """What narration says until the name may be said, such as “the clerk”."""
    pronouns: Pronouns = Pronouns.UNKNOWN
    portraits: tuple[Portrait, ...] = ()
    """The first is the one that is shown, and that models are sent."""
    colour: str = ""
    sources: frozenset[CharacterSource] = frozenset()
    first_seen: int | None = None
    first_speech: int | None = None
    first_named: int | None = None

    def __post_init__(self) -> None:
        for name in (self.name, *self.aliases):
            require_name(name)
        if len(self.aliases) > MAX_ALIASES:
            raise ValueError(f"a person has at most {MAX_ALIASES} further names")
        if len(self.described_as) > MAX_DESCRIBED_AS or not self.described_as.translate(_JOINERS).isprintable():
            raise ValueError(f"a person’s description is at most {MAX_DESCRIBED_AS} characters on one line")
        if len(self.portraits) > MAX_PORTRAITS:
            raise ValueError(f"a person has at most {MAX_PORTRAITS} pictures")
        if self.colour and not _COLOUR.fullmatch(self.colour):
            raise ValueError("a colour is written #rrggbb")
        for time in (self.first_seen, self.first_speech, self.first_named):
            _require_time(time)

    @classmethod
    def named(cls, name: str, face: bytes = b"", picture: SourceFile | None = None) -> Self:
        """A person of whom no more is known than a name and perhaps a face, from the file of a `picture`."""
        require_name(name)
        return cls(person_id(name), name, portraits=(Portrait(face, picture),) if face else ())

    @property
    def face(self) -> bytes:
        """The picture that is shown, and that models are sent; empty if there is none."""
        return self.portraits[0].image if self.portraits else b""

    @property
    def mime(self) -> str:
        """The media type of the face."""
        return self.portraits[0].mime if self.portraits else "image/jpeg"


@dataclass(frozen=True)
class Merged:
    """An entry of the cast as it was before it was found to be somebody else's, so that it can be split off again."""

    entry: CastEntry
    rule: MergeRule
    gave: tuple[str, ...] = ()
    """The fields that were empty where it was merged into, and were taken over from it."""

    def __post_init__(self) -> None:
        if not set(self.gave) <= set(GIVEN):
            raise ValueError("an entry of the cast cannot give that")


GIVEN = ("described_as", "pronouns", "colour", "first_seen", "first_speech", "first_named")
"""The fields of a person that a merged entry fills in where they are empty."""


@dataclass(frozen=True)
class Person(CastEntry):
    """A character of the film: an entry of its cast, with the entries that were found to be the same person."""

    merged: tuple[Merged, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that means this person, each once: the own one first, then aliases and those of merged entries."""
        found: dict[str, str] = {}
        merged = (name for each in self.merged for name in (each.entry.name, *each.entry.aliases))
        for name in (self.name, *self.aliases, *merged):
            found.setdefault(name_key(name), name)
        return tuple(found.values())

    @property
    def all_portraits(self) -> tuple[Portrait, ...]:
        """Own pictures, then those of merged entries."""
        return (*self.portraits, *(portrait for each in self.merged for portrait in each.entry.portraits))


@dataclass(frozen=True, order=True)
class FaceBox:
    """Where a face is in a picture (`BOX_SCALE`); ordered from left to right."""

    left: int
    top: int
    width: int
    height: int

    def __post_init__(self) -> None:
        right, bottom = self.left + self.width, self.top + self.height
        if min(self.left, self.top) < 0 or min(self.width, self.height) < 1 or max(right, bottom) > BOX_SCALE:
            raise ValueError("a face lies outside of its picture")

    @property
    def area(self) -> int:
        """What part of the picture it covers, in hundred-millionths."""
        return self.width * self.height

    def overlap(self, other: FaceBox) -> float:
        """The shared area of two boxes as a part of what they cover together (intersection over union), 0 to 1."""
        wide = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        high = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        shared = max(wide, 0) * max(high, 0)
        return shared / (self.area + other.area - shared)


@dataclass(frozen=True)
class NamedFace:
    """The describer's word that the face at a place of the picture is somebody's, or nobody's of the cast (None)."""

    id: str
    time: int
    """In milliseconds."""
    box: FaceBox
    person: str | None = None
    """The id of the person."""

    def __post_init__(self) -> None:
        _require_time(self.time)


People = tuple[Person, ...]
"""A film's cast, in display order."""


def name_key(name: str) -> str:
    """A name in the form by which names are compared: folded, with single spaces."""
    return " ".join(folded(name).split())


def person_id(name: str, taken: Container[str] = ()) -> str:
    """An id for a new person, which does not give away the name.

    It is the same wherever the name is collected from, unless another person has it.
    """
    known = "person-" + hashlib.blake2b(name_key(name).encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    return known if known not in taken else next(new for n in count(2) if (new := f"{known}-{n}") not in taken)


def people_by_name(people: People) -> dict[str, Person]:
    """People by each name that means just one of them, as `name_key` has it; a person's own name goes before aliases.

    A name that several people share as a further name means none of them.
    """
    found: dict[str, Person | None] = {}
    for person in people:
        for name in map(name_key, person.names):
            found[name] = person if found.get(name, person) is person else None
    own = {name_key(person.name): person for person in people}
    return {name: person for name, person in {**found, **own}.items() if person is not None}


def without_pictures(people: People) -> People:
    """A cast that takes no room: as it is but for its pictures."""
    return tuple(
        replace(
            person,
            portraits=(),
            merged=tuple(replace(each, entry=replace(each.entry, portraits=())) for each in person.merged),
        )
        for person in people
    )


def require_name(name: str) -> None:
    """Refuse what cannot be a person's name with a ValueError that says what one is."""
    letters = name.translate(_JOINERS)
    if not letters.strip() or len(name) > MAX_NAME_LENGTH or not letters.isprintable():
        raise ValueError(f"a person’s name is 1 to {MAX_NAME_LENGTH} characters on one line")


def _require_time(time: int | None) -> None:
    if time is not None and not 0 <= time <= LATEST:
        raise ValueError("a time of a person is outside of any film")


Prompts = tuple[tuple[str, str], ...]
"""A project's own prompts: name and text."""


def people_error(people: People) -> str:
    """Why these cannot be a film's cast, as a sentence; empty if they can."""
    if len(people) > MAX_PEOPLE:
        return f"the cast can have at most {MAX_PEOPLE} people: leave out minor ones"
    if sum(len(portrait.image) for person in people for portrait in person.all_portraits) > MAX_ALL_FACES_BYTES:
        return f"the faces exceed {MAX_ALL_FACES_BYTES // 1_000_000} MB in total: make the pictures smaller"
    if sum(len(person.names) for person in people) > MAX_PEOPLE + MAX_ALL_ALIASES:
        return f"the cast has more than {MAX_ALL_ALIASES:,} further names: leave out some"
    names = Counter(name_key(person.name) for person in people)
    twice = next((person.name for person in people if names[name_key(person.name)] > 1), None)
    if twice is not None:
        return f"two people are called “{twice}”: rename one of them"
    return "two people have the same id" if len({person.id for person in people}) < len(people) else ""


def named_faces_error(faces: tuple[NamedFace, ...]) -> str:
    """Why these cannot be a film's named faces, as a sentence; empty if they can."""
    return f"more than {MAX_NAMED_FACES:,} faces are named: unname some" if len(faces) > MAX_NAMED_FACES else ""


def prompts_error(prompts: Prompts) -> str:
    """Why these cannot be a project's prompts, as a sentence; empty if they can."""
    names = [name for name, _ in prompts]
    if not all(0 < len(name) <= MAX_NAME_LENGTH for name in names):
        return f"a prompt’s name is 1 to {MAX_NAME_LENGTH} characters"
    if len(names) > MAX_PROMPTS:
        return f"a project can have at most {MAX_PROMPTS} prompts of its own"
    if len(set(names)) != len(names):
        return "a prompt appears twice"
    if any(len(text) > MAX_PROMPT_LENGTH for _, text in prompts):
        return f"a prompt is longer than {MAX_PROMPT_LENGTH:,} characters: shorten it"
    return ""
