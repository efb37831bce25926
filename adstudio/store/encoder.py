"""Encoding a script repeatedly while it is edited, each item only once.

Items are frozen, so an item's encoding is valid as long as that very object lives; it is looked up by identity, since
comparing by value would cost as much as encoding. A step then costs only its new items, and a whole script little more
than joining bytes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import fields
from itertools import chain, islice
from typing import Any, cast, get_args

from adstudio.core.cast import NamedFace, Person
from adstudio.core.script import Cue, Eventuality, Fusion, Item, Opening, Scene, Script, Sequence, Silence
from adstudio.core.steps import Several, Step
from adstudio.core.word_times import CueWords
from adstudio.store.codec import (
    CodecError,
    encode,
    encode_field,
    encode_step,
    require_shallow,
    require_sound,
    tag,
)

_COLLECTIONS: dict[str, type[Item]] = {
    "sequences": Sequence,
    "scenes": Scene,
    "cues": Cue,
    "silences": Silence,
    "openings": Opening,
    "eventualities": Eventuality,
    "people": Person,
    "fusions": Fusion,
    "named_faces": NamedFace,
    "word_times": CueWords,
}
_FIELDS = tuple(field.name for field in fields(Script) if field.metadata.get("stored", True))
_ITEMS = frozenset(get_args(Item))
_SPARE = 1000
"""How many items beyond twice the script's are cached for undo and redo."""


class ScriptEncoder:
    """Produces the same JSON as `codec.encode` and `codec.encode_step`, caching the bytes of items.

    The cache is bounded: the current script's items, and as many again from earlier and later states.
    """

    def __init__(self, script: Script) -> None:
        # The object is stored with its bytes, so that no other object can get its identity.
        self._known: dict[int, tuple[Item, bytes]] = {}
        self._waiting: Iterator[Item] = _items_of(script)
        self.prepared = False
        """Whether nearly all items are encoded, so that a whole script is quick to write."""

    def script(self, script: Script) -> bytes:
        """The whole script as JSON; drops other states' items from the cache. Raises as `codec.encode` does."""
        try:
            require_sound(script)
            # Joined only once: it is megabytes, and each copy costs a millisecond.
            pieces: list[bytes] = []
            for name in _FIELDS:
                pieces += (b"," if pieces else b"{", b'"%s":' % name.encode())
                pieces += self._pieces(name, getattr(script, name))
            pieces.append(b"}")
        except CodecError:
            # Encode it all again, since that error names the place.
            return encode(script)
        self._forget_others(script)
        self.prepared = True
        return b"".join(pieces)

    def step(self, step: Step) -> bytes:
        """A step as JSON. Raises as `codec.encode_step` does."""
        require_shallow(step)
        try:
            return self._step(step)
        except CodecError:
            return encode_step(step)

    def prepare(self, script: Script, count: int) -> None:
        """Encode up to `count` more of the original script's items; `script` is the current one.

        Called at every step and when idle, it spreads the cost of the first whole script.
        """
        if not self.prepared:
            batch = list(islice(self._waiting, count))
            self.prepared = len(batch) < count
            for item in batch:
                # Failures are reported when the item must be written.
                with contextlib.suppress(CodecError):
                    self._item(item)
        if len(self._known) > 2 * sum(len(getattr(script, name)) for name in _COLLECTIONS) + _SPARE:
            self._forget_others(script)

    def _pieces(self, name: str, value: object) -> list[bytes]:
        kind = _COLLECTIONS.get(name)
        if kind is None:
            return [encode_field(Script, name, value)]
        if not isinstance(value, tuple) or any(type(item) is not kind for item in cast("tuple[object, ...]", value)):
            raise CodecError("this does not belong here", name)
        items = cast("tuple[Item, ...]", value)
        pieces = [b","] * (2 * len(items))
        pieces[1::2] = [self._item(item) for item in items]
        pieces[:1] = [b"["]
        pieces.append(b"]")
        return pieces

    def _step(self, step: Step) -> bytes:
        parts = [b'"type":' + tag(type(step))]
        for field in fields(step):
            value: Any = getattr(step, field.name)
            if isinstance(step, Several) and field.name == "steps":
                data = b"[%s]" % b",".join([self._step(each) for each in step.steps])
            elif isinstance(value, Item) and type(value) in _ITEMS:
                data = b'{"type":%s,%s' % (tag(type(value)), self._item(value)[1:])
            else:
                data = encode_field(type(step), field.name, value)
            parts.append(b'"%s":%s' % (field.name.encode(), data))
        return b"{%s}" % b",".join(parts)

    def _item(self, item: Item) -> bytes:
        known = self._known.get(id(item))
        if known is None:
            known = self._known[id(item)] = (item, encode(item))
        return known[1]

    def _forget_others(self, script: Script) -> None:
        known = self._known
        self._known = {id(item): known[id(item)] for item in _items_of(script) if id(item) in known}


def _items_of(script: Script) -> Iterator[Item]:
    return chain.from_iterable(cast("tuple[Item, ...]", getattr(script, name)) for name in _COLLECTIONS)
