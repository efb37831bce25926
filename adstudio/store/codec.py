"""The domain's frozen values to JSON and back, strictly: what is written reads back equal, what is odd is refused.

Every field is written, defaults too, so that a later change of a default never changes an old file. How types are
written is the matter of `adstudio.system.codec`; here are the names and limits of the project's own.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar, cast

from adstudio.core import script as domain
from adstudio.core.cast import CastEntry, NamedFace, Person, named_faces_error, people_error, prompts_error
from adstudio.core.film import Media, SourceFile
from adstudio.core.narration import lexicon_error
from adstudio.core.plan import Delivery, HoldConflict, Plan, RuleConflict, Violation
from adstudio.core.policy import Consent
from adstudio.core.provenance import DescriptionLine, FreeText, ModelWork, ScreenplayLine
from adstudio.core.steps import (
    Insert,
    Move,
    Remove,
    Replace,
    SetFilm,
    SetLexicon,
    SetPeople,
    SetPrompts,
    SetRules,
    SetSettings,
    SetVoice,
    Several,
    Step,
)
from adstudio.core.word_times import CueWords
from adstudio.system.codec import Codec, CodecError, Limits, to_json

MAX_NESTING = 20
"""How deeply steps may be nested in steps."""
MAX_ID = 200
"""The longest id, in characters."""
MAX_NUMBER = 10**30
"""The limit of numbers that are no times: sizes, salience, objectives."""

T = TypeVar("T")

_TAGS: dict[type[Any], str] = {
    domain.Cue: "cue",
    domain.Silence: "silence",
    domain.Opening: "opening",
    domain.Sequence: "sequence",
    domain.Scene: "scene",
    domain.Eventuality: "eventuality",
    domain.Fusion: "fusion",
    Person: "person",
    NamedFace: "named face",
    CueWords: "words",
    Insert: "insert",
    Remove: "remove",
    Replace: "replace",
    Move: "move",
    SetFilm: "set film",
    SetSettings: "set settings",
    SetRules: "set rules",
    SetPeople: "set people",
    SetPrompts: "set prompts",
    SetVoice: "set voice",
    SetLexicon: "set lexicon",
    Several: "several",
    HoldConflict: "hold",
    RuleConflict: "rule",
    ScreenplayLine: "screenplay",
    DescriptionLine: "description",
    ModelWork: "models",
    FreeText: "text",
}
_IDS = {
    (owner, name)
    for owner, names in {
        domain.Cue: ("id",),
        domain.Silence: ("id",),
        domain.Opening: ("id",),
        domain.Sequence: ("id",),
        domain.Scene: ("id", "sequence"),
        domain.Eventuality: ("id", "scene"),
        domain.Fusion: ("id", "members"),
        domain.Penalty: ("first", "second"),
        **dict.fromkeys((CastEntry, Person), ("id", "name", "aliases", "described_as", "colour")),
        NamedFace: ("id", "person"),
        CueWords: ("id",),
        Consent: ("provider", "at"),
        domain.Rules: ("alternatives", "requires", "together"),
        Insert: ("before",),
        Remove: ("before",),
        Move: ("old_before", "new_before"),
        Delivery: ("element", "members"),
        HoldConflict: ("element",),
        RuleConflict: ("of",),
        Violation: ("elements",),
    }.items()
    for name in names
}
_WIDE_NUMBERS = {
    (Media, "size"),
    (SourceFile, "size"),
    (domain.Eventuality, "salience"),
    (domain.Penalty, "cost"),
    (ModelWork, "at"),
    (Plan, "objective"),
    (Plan, "bound"),
    (Plan, "deviation"),
}
_COLLECTIONS = (
    *("sequences", "scenes", "cues", "silences", "openings", "eventualities", "fusions", "named_faces", "word_times"),
)
"""The fields of a script whose items have ids; of people `people_error` knows."""

_CODEC = Codec(
    tags=_TAGS,
    field_limits={
        **dict.fromkeys(_IDS, Limits(text=MAX_ID)),
        **dict.fromkeys(_WIDE_NUMBERS, Limits(number=MAX_NUMBER)),
    },
)


def encode(value: object) -> bytes:
    """A script or a plan as JSON.

    Raises:
        CodecError: where it exceeds a limit; then it must not be written.
    """
    if isinstance(value, domain.Script):
        require_sound(value)
    return _CODEC.encode(value)


def encode_step(step: Step) -> bytes:
    """A step as JSON, with its type; raises as `encode` does."""
    require_shallow(step)
    return _CODEC.encode(step, Step)


def encode_field(owner: type[Any], name: str, value: object) -> bytes:
    """A field's value as it appears within `owner`; raises as `encode` does."""
    return _CODEC.encode_field(owner, name, value)


def tag(kind: type[Any]) -> bytes:
    """The `"type"` that says of which class an item or a step is, as JSON."""
    return to_json(_CODEC.tag(kind))


def decode(data: bytes, kind: type[T]) -> T:
    """The value of class `kind` that JSON describes.

    Raises:
        CodecError: for anything else: broken JSON, unknown or missing keys, wrong types, impossible values.
    """
    value = _CODEC.decode(data, kind)
    if isinstance(value, domain.Script):
        require_sound(value)
    return value


def decode_step(data: bytes) -> Step:
    """The step that JSON describes; raises as `decode` does."""
    step = cast("Step", _CODEC.decode_any(data, Step))
    require_shallow(step)
    return step


def require_sound(script: domain.Script) -> None:
    """Refuse a script in which an id names two items of a kind, lines are too many, or a single value cannot be."""
    for name, wrong in (
        ("people", people_error(script.people)),
        ("named_faces", named_faces_error(script.named_faces)),
        ("prompts", prompts_error(script.prompts)),
        ("lexicon", lexicon_error(script.lexicon)),
    ):
        if wrong:
            raise CodecError(wrong, name)
    if len(script.eventualities) > domain.MAX_LINES:
        raise CodecError(f"more than {domain.MAX_LINES:,} lines", "eventualities")
    for name in _COLLECTIONS:
        items = cast("tuple[domain.Item, ...]", getattr(script, name))
        if len({item.id for item in items}) != len(items):
            twice = next(identity for identity, n in Counter(item.id for item in items).items() if n > 1)
            raise CodecError(f"“{twice}” is there twice", name)


def require_shallow(step: Step) -> None:
    """Refuse steps that lie too deep in steps."""
    level: list[Step] = [step]
    for _ in range(MAX_NESTING):
        level = [inner for outer in level if isinstance(outer, Several) for inner in outer.steps]
        if not level:
            return
    raise CodecError("steps are nested too deeply")
