"""What models are told of a film beside its sources: its cast, and the project's own prompts."""

from __future__ import annotations

from dataclasses import dataclass, field

from adstudio.core.film import SourceFile
from adstudio.core.words import folded

MAX_NAME_LENGTH = 60
"""Characters in the name of a person or a prompt."""
MAX_FACE_BYTES = 2_000_000
"""Bytes of one picture of a face."""
MAX_ALL_FACES_BYTES = 5_000_000
"""Bytes of all faces together: every change of the cast is stored with all of them, before and after."""
MAX_PEOPLE = 100
MAX_PROMPT_LENGTH = 20_000
"""Characters in a prompt."""
MAX_PROMPTS = 100
_JOINERS: dict[int, None] = dict.fromkeys((0x200C, 0x200D))
"""Zero-width joiners, which Persian and Indian names are written with."""


@dataclass(frozen=True)
class Person:
    """Someone in the film: a name and, optionally, a picture of the face (JPEG or PNG), and the file it is from."""

    name: str
    face: bytes = field(default=b"", repr=False)
    picture: SourceFile | None = None

    def __post_init__(self) -> None:
        letters = self.name.translate(_JOINERS)
        if not letters.strip() or len(self.name) > MAX_NAME_LENGTH or not letters.isprintable():
            raise ValueError(f"a person’s name is 1 to {MAX_NAME_LENGTH} characters on one line")
        if len(self.face) > MAX_FACE_BYTES:
            raise ValueError("the picture of a face is larger than 2 MB: make it smaller")

    @property
    def mime(self) -> str:
        """The media type of the face."""
        return "image/png" if self.face.startswith(b"\x89PNG") else "image/jpeg"


People = tuple[Person, ...]
"""A film's cast as given to models, in display order."""
Prompts = tuple[tuple[str, str], ...]
"""A project's own prompts: name and text."""


def people_error(people: People) -> str:
    """Why these cannot be a film's cast, as a sentence; empty if they can."""
    if len(people) > MAX_PEOPLE:
        return f"the cast can have at most {MAX_PEOPLE} people: leave out minor ones"
    if sum(len(person.face) for person in people) > MAX_ALL_FACES_BYTES:
        return f"the faces exceed {MAX_ALL_FACES_BYTES // 1_000_000} MB in total: make the pictures smaller"
    names = [folded(person.name.strip()) for person in people]
    twice = next((person.name for person, name in zip(people, names, strict=True) if names.count(name) > 1), None)
    return "" if twice is None else f"two people are called “{twice}”: rename one of them"


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
