"""The domain's frozen values to JSON and back, strictly: what is written reads back equal, what is odd is refused.

Every field is written, defaults too, so that a later change of a default never changes an old file. Spans are
`[start, end]`, fractions `"24000/1001"`, enums their value, bytes base64, sets lists in order; where a value may be of
several classes, `"type"` says which. The same limits hold for writing and for reading, so nothing is written that could
not be read again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import repeat
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from adstudio.core import script as domain
from adstudio.core.errors import BadInputError
from adstudio.core.plan import Delivery, HoldConflict, Plan, RuleConflict, Violation
from adstudio.core.policy import Consent
from adstudio.core.steps import (
    Insert,
    Move,
    Remove,
    Replace,
    SetFilm,
    SetPeople,
    SetPrompts,
    SetRules,
    SetSettings,
    Several,
    Step,
)
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.store.values import (
    MAX_ID,
    MAX_NUMBER,
    MAX_TEXT,
    CodecError,
    Convert,
    bytes_in,
    bytes_out,
    choice,
    enum,
    fraction_in,
    fraction_out,
    real,
    span_in,
    span_out,
    text,
    truth,
    whole,
)

MAX_NESTING = 20
"""How deep steps may lie in steps."""

_LETTERS = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
_ESCAPES = json.JSONEncoder(check_circular=False, separators=(",", ":"))

T = TypeVar("T")

_TAGS: dict[type[Any], str] = {
    domain.Cue: "cue",
    domain.Silence: "silence",
    domain.Opening: "opening",
    domain.Sequence: "sequence",
    domain.Scene: "scene",
    domain.Eventuality: "eventuality",
    Insert: "insert",
    Remove: "remove",
    Replace: "replace",
    Move: "move",
    SetFilm: "set film",
    SetSettings: "set settings",
    SetRules: "set rules",
    SetPeople: "set people",
    SetPrompts: "set prompts",
    Several: "several",
    HoldConflict: "hold",
    RuleConflict: "rule",
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
        domain.Penalty: ("first", "second"),
        domain.Person: ("name",),
        Consent: ("provider", "at"),
        domain.Rules: ("alternatives", "requires", "together"),
        Insert: ("before",),
        Remove: ("before",),
        Move: ("old_before", "new_before"),
        Delivery: ("element",),
        HoldConflict: ("element",),
        RuleConflict: ("of",),
        Violation: ("elements",),
    }.items()
    for name in names
}
_WIDE_NUMBERS = {
    (domain.Media, "size"),
    (domain.Eventuality, "salience"),
    (domain.Penalty, "cost"),
    (Plan, "objective"),
    (Plan, "bound"),
    (Plan, "deviation"),
}


def encode(value: object) -> bytes:
    """A script or a plan as JSON.

    Raises:
        CodecError: where it goes beyond a limit; then it must not be written.
    """
    if isinstance(value, domain.Script):
        require_sound(value)
    return _to_json(_run(_converter(type(value), writing=True), value))


def encode_step(step: Step) -> bytes:
    """A step as JSON, with its type; raises as `encode` does."""
    require_shallow(step)
    return _to_json(_run(_converter(Step, writing=True), step))


def encode_field(owner: type[Any], name: str, value: object) -> bytes:
    """A field's value as it stands within `owner`; raises as `encode` does."""
    return _to_json(_run(dict(_field_converters(owner, writing=True))[name], value))


def tag(kind: type[Any]) -> bytes:
    """The `"type"` that says of which class an item or a step is, as JSON."""
    return _to_json(_TAGS[kind])


def decode(data: bytes, kind: type[T]) -> T:
    """The value of class `kind` that JSON describes.

    Raises:
        CodecError: for anything else: broken JSON, unknown or missing keys, wrong types, impossible values.
    """
    value = _run(_converter(kind, writing=False), _from_json(data))
    if isinstance(value, domain.Script):
        require_sound(value)
    return cast("T", value)


def decode_step(data: bytes) -> Step:
    """The step that JSON describes; raises as `decode` does."""
    step = cast("Step", _run(_converter(Step, writing=False), _from_json(data)))
    require_shallow(step)
    return step


def _to_json(plain: object) -> bytes:
    try:
        return _LETTERS.encode(plain).encode()
    except UnicodeEncodeError:
        # A path may hold bytes that are no letters; escaped, they survive.
        return _ESCAPES.encode(plain).encode()


def _from_json(data: bytes) -> object:
    def refuse(name: str) -> None:
        raise CodecError(f"{name} is not a number")

    try:
        return json.loads(data, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise CodecError("this is not JSON as adstudio writes it") from error


def _run(convert: Convert, value: object) -> object:
    try:
        return convert(value)
    except RecursionError as error:
        raise CodecError("steps lie too deep in steps") from error


def require_sound(script: domain.Script) -> None:
    """Refuse a script in which an id names two items of a kind, or with people or prompts that cannot be."""
    for name, wrong in (
        ("people", domain.wrong_people(script.people)),
        ("prompts", domain.wrong_prompts(script.prompts)),
    ):
        if wrong:
            raise CodecError(wrong, name)
    for name in ("sequences", "scenes", "cues", "silences", "openings", "eventualities"):
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
    raise CodecError("steps lie too deep in steps")


@cache
def _converter(kind: object, *, writing: bool, limit: int = MAX_TIME_MS, longest: int = MAX_TEXT) -> Convert:
    """What turns values of `kind` into JSON's plain values, or back."""
    of = get_args(kind)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _optional_or_tagged(of, writing=writing, limit=limit, longest=longest)
    if origin is Literal:
        return choice(of)
    if origin is not None:
        inner = [_converter(each, writing=writing, limit=limit, longest=longest) for each in of if each is not ...]
        return _set(inner[0], writing=writing) if origin is frozenset else _tuple(inner, of[-1] is ..., writing=writing)
    known: dict[object, Convert] = {
        str: text(longest),
        int: whole(limit),
        bool: truth,
        float: real,
        bytes: bytes_out if writing else bytes_in,
        Span: span_out if writing else span_in,
        Fraction: fraction_out if writing else fraction_in,
    }
    if kind in known:
        return known[kind]
    if is_dataclass(kind):
        return (_record_out if writing else _record_in)(cast("type[Any]", kind))
    return enum(cast("type[Enum]", kind), writing=writing)


def _tuple(inner: list[Convert], endless: bool, *, writing: bool) -> Convert:
    taken = tuple if writing else list

    def convert(value: object) -> list[object] | tuple[object, ...]:
        if not isinstance(value, taken):
            raise CodecError("a list belongs here")
        items = cast("list[object]", value)
        if not endless and len(items) != len(inner):
            raise CodecError(f"a list of {len(inner)} belongs here")
        pairs = list(zip(repeat(inner[0], len(items)) if endless else inner, items, strict=True))
        try:
            made = [convert(item) for convert, item in pairs]
        except CodecError:
            _locate((str(place), convert, item) for place, (convert, item) in enumerate(pairs, 1))
            raise
        return made if writing else tuple(made)

    return convert


def _set(inner: Convert, *, writing: bool) -> Convert:
    def convert(value: object) -> object:
        if not isinstance(value, frozenset if writing else list):
            raise CodecError("a list belongs here")
        found: list[Any] = [inner(item) for item in cast("Iterable[object]", value)]
        if writing:
            return sorted(found)
        if found != sorted(set(found)):
            raise CodecError("a list in order belongs here")
        return frozenset(found)

    return convert


def _optional_or_tagged(of: tuple[object, ...], *, writing: bool, limit: int, longest: int) -> Convert:
    kinds = [kind for kind in of if kind is not NoneType]
    if len(kinds) > 1:
        return (_tagged_out if writing else _tagged_in)(cast("list[type[Any]]", kinds))
    convert = _converter(kinds[0], writing=writing, limit=limit, longest=longest)
    return lambda value: None if value is None else convert(value)


def _tagged_out(kinds: list[type[Any]]) -> Convert:
    tags = {kind: _TAGS[kind] for kind in kinds}

    def convert(value: object) -> dict[str, Any]:
        kind = cast("type[Any]", type(value))
        if kind not in tags:
            raise CodecError(f"one of {', '.join(tags.values())} belongs here")
        # Looked up when it is used: steps hold steps.
        return {"type": tags[kind], **_converter(kind, writing=True)(value)}

    return convert


def _tagged_in(kinds: list[type[Any]]) -> Convert:
    by_tag = {_TAGS[kind]: kind for kind in kinds}

    def convert(value: object) -> object:
        content = dict(cast("dict[str, object]", value)) if isinstance(value, dict) else {}
        tag = content.pop("type", None)
        if not isinstance(tag, str) or tag not in by_tag:
            raise CodecError(f"one of {', '.join(by_tag)} belongs here, named by “type”")
        return _converter(by_tag[tag], writing=False)(content)

    return convert


@cache
def _field_converters(owner: type[Any], *, writing: bool) -> list[tuple[str, Convert]]:
    hints = get_type_hints(owner)
    return [
        (
            field.name,
            _converter(
                hints[field.name],
                writing=writing,
                limit=MAX_NUMBER if (owner, field.name) in _WIDE_NUMBERS else MAX_TIME_MS,
                longest=MAX_ID if (owner, field.name) in _IDS else MAX_TEXT,
            ),
        )
        for field in fields(owner)
    ]


def _record_out(owner: type[Any]) -> Convert:
    converters = _field_converters(owner, writing=True)

    def convert(value: object) -> dict[str, object]:
        if type(value) is not owner:
            raise CodecError(f"{owner.__name__} belongs here")
        try:
            return {name: convert(getattr(value, name)) for name, convert in converters}
        except CodecError:
            _locate((name, convert, getattr(value, name)) for name, convert in converters)
            raise

    return convert


def _record_in(owner: type[Any]) -> Convert:
    converters = _field_converters(owner, writing=False)
    names = {name for name, _ in converters}

    def convert(value: object) -> object:
        if not isinstance(value, dict):
            raise CodecError(f"an object with {', '.join(sorted(names))} belongs here")
        found = cast("dict[str, Any]", value)
        if found.keys() != names:
            raise CodecError(_wrong_keys(found.keys() - names, names - found.keys()))
        try:
            arguments = [convert(found[name]) for name, convert in converters]
        except CodecError:
            _locate((name, convert, found[name]) for name, convert in converters)
            raise
        try:
            return owner(*arguments)
        except (ValueError, BadInputError) as error:
            raise CodecError(str(error)) from error

    return convert


def _wrong_keys(unknown: AbstractSet[str], missing: AbstractSet[str]) -> str:
    said = [f"unknown {', '.join(f'“{key:.40}”' for key in sorted(unknown)[:5])}"] if unknown else []
    said += [f"missing {', '.join(f'“{key}”' for key in sorted(missing))}"] if missing else []
    return " and ".join(said)


def _locate(parts: Iterable[tuple[str, Convert, Any]]) -> None:
    """Go through the parts of something that was refused once more, to say which of them it was."""
    for name, convert, value in parts:
        try:
            convert(value)
        except CodecError as error:
            raise CodecError(error.what, name, *error.where) from error
