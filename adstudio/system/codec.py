"""Frozen dataclasses to JSON and back, strictly: what is written reads back equal, and anything odd is refused.

One codec serves project files (`store.codec`) and the lines that processes exchange (`system.worker`). Types alone say
how a value is written: every field by its name, spans as `[start, end]`, fractions as `"24000/1001"`, enums by value,
bytes in base64, paths as strings, sets as sorted lists; where a value may be of several classes, `"type"` says which.
The same limits hold for writing and for reading, so nothing is written that could not be read again.

A field with the metadata `{"stored": False}` is not written and reads as its default; it comes after all others.

Input is untrusted: unknown or missing keys, wrong types, impossible values, and whatever exceeds a limit raise
`CodecError`, which names the place.

Libraries that do the same were weighed, see docs/decisions/011: msgspec takes no union of two dataclasses and cannot
refuse unknown keys of one; cattrs is strict and bounded only by hooks that amount to this module.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise, repeat
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import Span
from adstudio.system import scalars
from adstudio.system.scalars import CodecError, Convert, Limits

__all__ = ["Codec", "CodecError", "Limits"]

T = TypeVar("T")

_UNICODE = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
_ASCII = json.JSONEncoder(check_circular=False, separators=(",", ":"))


class Codec:
    """Writes and reads values of annotated classes.

    `tags` names classes that occur in unions, which otherwise go by their own name. `limits` hold everywhere but in the
    fields for which `field_limits`, or an annotation such as `Annotated[str, Limits(text=200)]`, says otherwise.
    """

    def __init__(
        self,
        *,
        tags: Mapping[type[Any], str] | None = None,
        limits: Limits | None = None,
        field_limits: Mapping[tuple[type[Any], str], Limits] | None = None,
    ) -> None:
        self._tags = dict(tags or {})
        shared = self.tag, limits or Limits(), dict(field_limits or {})
        self._writing = _Converters(*shared, writing=True)
        self._reading = _Converters(*shared, writing=False)

    def encode(self, value: object, kind: object = None) -> bytes:
        """A value as JSON; `kind` is its type where that is a union or a container, by default the value's class.

        Raises:
            CodecError: where it exceeds a limit; then it must not be written.
        """
        return to_json(_run(self._writing.of(kind or type(value)), value))

    def encode_field(self, owner: type[Any], name: str, value: object) -> bytes:
        """A field's value as it appears within `owner`; raises as `encode` does."""
        return to_json(_run(dict(self._writing.of_fields(owner))[name], value))

    def decode(self, data: bytes, kind: type[T]) -> T:
        """The value of a class that JSON describes.

        Raises:
            CodecError: for anything else.
        """
        return cast("T", self.decode_any(data, kind))

    def decode_any(self, data: bytes, kind: object) -> Any:  # noqa: ANN401 - only the caller knows the union's type
        """As `decode`, for a union or a container."""
        return _run(self._reading.of(kind), _from_json(data))

    def tag(self, kind: type[Any]) -> str:
        """The `"type"` that names a class where a value may be of several."""
        return self._tags.get(kind, kind.__name__)


class _Converters:
    """What turns values into JSON's plain ones (`writing`), or back; each is built once."""

    def __init__(
        self,
        tag: Callable[[type[Any]], str],
        limits: Limits,
        field_limits: Mapping[tuple[type[Any], str], Limits],
        *,
        writing: bool,
    ) -> None:
        self._tag, self._limits, self._field_limits, self._writing = tag, limits, field_limits, writing
        self._known: dict[tuple[object, Limits], Convert] = {}
        self._known_fields: dict[type[Any], list[tuple[str, Convert]]] = {}

    def of(self, kind: object, limits: Limits | None = None) -> Convert:
        key = kind, limits or self._limits
        if key not in self._known:
            self._known[key] = self._new(*key)
        return self._known[key]

    def of_fields(self, owner: type[Any]) -> list[tuple[str, Convert]]:
        if owner not in self._known_fields:
            hints = get_type_hints(owner, include_extras=True)
            self._known_fields[owner] = [
                (each.name, self.of(hints[each.name], self._field_limits.get((owner, each.name))))
                for each in fields(owner)
                if each.init and each.metadata.get("stored", True)
            ]
        return self._known_fields[owner]

    def _new(self, kind: object, limits: Limits) -> Convert:
        if get_origin(kind) is not None:
            return self._generic(get_origin(kind), get_args(kind), limits)
        scalar = self._scalar(kind, limits)
        if scalar is not None:
            return scalar
        if isinstance(kind, type) and is_dataclass(kind):
            return (self._record_out if self._writing else self._record_in)(kind)
        raise TypeError(f"{kind} cannot be written as JSON")

    def _scalar(self, kind: object, limits: Limits) -> Convert | None:
        if isinstance(kind, type) and issubclass(kind, Enum):
            return scalars.enum(kind, writing=self._writing)
        known: dict[object, Convert] = {
            str: scalars.text(limits.text),
            int: scalars.integer(limits.number),
            bool: scalars.boolean,
            float: scalars.real,
            bytes: scalars.data(limits.data, writing=self._writing),
            Path: scalars.path(limits.text, writing=self._writing),
            Span: scalars.span(writing=self._writing),
            Fraction: scalars.fraction(writing=self._writing),
        }
        return known.get(cast("type[Any]", kind))

    def _generic(self, origin: object, of: tuple[Any, ...], limits: Limits) -> Convert:
        if origin is Annotated:
            return self.of(of[0], next((each for each in of[1:] if isinstance(each, Limits)), limits))
        if origin is Literal:
            return scalars.choice(of)
        if origin is Union or origin is UnionType:
            return self._union(of, limits)
        inner = [self.of(each, limits) for each in of if each is not ...]
        if origin is tuple:
            return _tuple(inner, limits.items, endless=of[-1] is ..., writing=self._writing)
        if origin is frozenset:
            return _set(inner[0], limits.items, writing=self._writing)
        if origin is dict or origin is Mapping:
            return _mapping(inner[0], inner[1], limits.items)
        raise TypeError(f"{origin} cannot be written as JSON")

    def _union(self, of: tuple[Any, ...], limits: Limits) -> Convert:
        kinds = [kind for kind in of if kind is not NoneType]
        if len(kinds) == 1:
            convert = self.of(kinds[0], limits)
        else:
            by_tag = {self._tag(kind): kind for kind in kinds}
            if len(by_tag) < len(kinds) or not all(map(is_dataclass, kinds)):
                raise TypeError(f"only dataclasses of different names can be told apart, not {kinds}")
            convert = (self._tagged_out if self._writing else self._tagged_in)(by_tag)
        return (lambda value: None if value is None else convert(value)) if NoneType in of else convert

    def _tagged_out(self, by_tag: dict[str, type[Any]]) -> Convert:
        tags = {kind: tag for tag, kind in by_tag.items()}

        def convert(value: object) -> dict[str, Any]:
            kind = cast("type[Any]", type(value))
            if kind not in tags:
                raise CodecError(f"expected one of {', '.join(by_tag)}")
            # Looked up when it is used: a class may hold others of its own kind.
            return {"type": tags[kind], **self.of(kind)(value)}

        return convert

    def _tagged_in(self, by_tag: dict[str, type[Any]]) -> Convert:
        def convert(value: object) -> object:
            content = dict(cast("dict[str, object]", value)) if isinstance(value, dict) else {}
            tag = content.pop("type", None)
            if not isinstance(tag, str) or tag not in by_tag:
                raise CodecError(f"expected one of {', '.join(by_tag)}, named by “type”")
            return self.of(by_tag[tag])(content)

        return convert

    def _record_out(self, owner: type[Any]) -> Convert:
        converters = self.of_fields(owner)

        def convert(value: object) -> dict[str, object]:
            if type(value) is not owner:
                raise CodecError(f"expected {owner.__name__}")
            try:
                return {name: convert(getattr(value, name)) for name, convert in converters}
            except CodecError:
                _locate((name, convert, getattr(value, name)) for name, convert in converters)
                raise

        return convert

    def _record_in(self, owner: type[Any]) -> Convert:
        converters = self.of_fields(owner)
        ordered = [name for name, _ in converters]
        names = set(ordered)
        # By place, which is quicker, unless some fields can be given by name only.
        by_place = not any(each.kw_only for each in fields(owner))

        def convert(value: object) -> object:
            if not isinstance(value, dict):
                raise CodecError(f"expected an object with {', '.join(sorted(names))}")
            found = cast("dict[str, Any]", value)
            if found.keys() != names:
                raise CodecError(_wrong_keys(found.keys() - names, names - found.keys()))
            try:
                values = [convert(found[name]) for name, convert in converters]
            except CodecError:
                _locate((name, convert, found[name]) for name, convert in converters)
                raise
            try:
                return owner(*values) if by_place else owner(**dict(zip(ordered, values, strict=True)))
            except (ValueError, BadInputError) as error:
                raise CodecError(str(error)) from error

        return convert


def to_json(plain: object) -> bytes:
    """Plain values as JSON, in UTF-8."""
    try:
        return _UNICODE.encode(plain).encode()
    except UnicodeEncodeError:
        # A path may hold bytes that are no text; escaped, they survive.
        return _ASCII.encode(plain).encode()


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
        raise CodecError("nested too deeply") from error


def _tuple(inner: list[Convert], most: int, *, endless: bool, writing: bool) -> Convert:
    taken = tuple if writing else list

    def convert(value: object) -> list[object] | tuple[object, ...]:
        if not isinstance(value, taken):
            raise CodecError("expected a list")
        items = cast("list[object]", value)
        if not endless and len(items) != len(inner):
            raise CodecError(f"expected a list of {len(inner)}")
        _require_few(items, most)
        pairs = list(zip(repeat(inner[0], len(items)) if endless else inner, items, strict=True))
        try:
            found = [convert(item) for convert, item in pairs]
        except CodecError:
            _locate((str(place), convert, item) for place, (convert, item) in enumerate(pairs, 1))
            raise
        return found if writing else tuple(found)

    return convert


def _set(inner: Convert, most: int, *, writing: bool) -> Convert:
    def convert(value: object) -> object:
        if not isinstance(value, frozenset if writing else list):
            raise CodecError("expected a list")
        items = cast("list[object]", value)
        _require_few(items, most)
        found: list[Any] = [inner(item) for item in items]
        if writing:
            return sorted(found)
        if any(before >= after for before, after in pairwise(cast("list[Any]", items))):
            raise CodecError("expected a sorted list without duplicates")
        return frozenset(found)

    return convert


def _mapping(key_of: Convert, value_of: Convert, most: int) -> Convert:
    def convert(value: object) -> dict[Any, Any]:
        if not isinstance(value, Mapping):
            raise CodecError("expected an object")
        found = cast("Mapping[Any, Any]", value)
        _require_few(found, most)
        try:
            return {key_of(key): value_of(item) for key, item in found.items()}
        except CodecError:
            _locate((str(key)[:40], value_of, item) for key, item in found.items())
            raise

    return convert


def _require_few(items: Iterable[object], most: int) -> None:
    if len(cast("list[object]", items)) > most:
        raise CodecError(f"more than {most:,} entries")


def _wrong_keys(unknown: AbstractSet[str], missing: AbstractSet[str]) -> str:
    parts = [f"unknown {', '.join(f'“{key:.40}”' for key in sorted(unknown)[:5])}"] if unknown else []
    parts += [f"missing {', '.join(f'“{key}”' for key in sorted(missing))}"] if missing else []
    return " and ".join(parts)


def _locate(parts: Iterable[tuple[str, Callable[[Any], Any], Any]]) -> None:
    """Go through the parts of something that was refused once more, to say which of them it was."""
    for name, convert, value in parts:
        try:
            convert(value)
        except CodecError as error:
            raise CodecError(error.what, name, *error.where) from error
