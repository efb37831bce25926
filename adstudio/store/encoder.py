"""A script encoded again and again under the hand: each item once, whatever becomes of the script around it.

Items are frozen, so what one was encoded to holds for as long as that very object lives; it is found by identity,
because comparing by value would take as long as encoding anew. A step then costs its new items, a whole script little
more than joining what is there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import fields
from itertools import chain, islice
from typing import Any, cast, get_args

from adstudio.core.script import Cue, Eventuality, Item, Opening, Person, Scene, Script, Sequence, Silence
from adstudio.core.steps import Several, Step
from adstudio.store.codec import (
    CodecError,
    encode,
    encode_field,
    encode_step,
    require_shallow,
    require_sound,
    tag,
)

_Part = Item | Person
_COLLECTIONS: dict[str, type[_Part]] = {
    "sequences": Sequence,
    "scenes": Scene,
    "cues": Cue,
    "silences": Silence,
    "openings": Opening,
    "eventualities": Eventuality,
    "people": Person,
}
_FIELDS = tuple(field.name for field in fields(Script))
_ITEMS = frozenset(get_args(Item))
_SPARE = 1000
"""How many items more than twice the script's are kept for undo and redo."""


class ScriptEncoder:
    """Writes the same JSON as `codec.encode` and `codec.encode_step`, and remembers the bytes of items.

    What is kept is bounded: the present script's items, and as many again from states before and after it.
    """

    def __init__(self, script: Script) -> None:
        # The object beside its bytes: as long as it is kept, nobody else can have its identity.
        self._known: dict[int, tuple[_Part, bytes]] = {}
        self._waiting: Iterator[_Part] = _items_of(script)
        self.prepared = False
        """Whether a whole script is quick to write: hardly an item is left to encode."""

    def script(self, script: Script) -> bytes:
        """The whole script as JSON; items of other states are forgotten. Raises as `codec.encode` does."""
        try:
            require_sound(script)
            # Joined once: it is megabytes, and each copy of them a millisecond.
            pieces: list[bytes] = []
            for name in _FIELDS:
                pieces += (b"," if pieces else b"{", b'"%s":' % name.encode())
                pieces += self._pieces(name, getattr(script, name))
            pieces.append(b"}")
        except CodecError:
            # The whole once more, because that tells the place.
            return encode(script)
        self._keep_only(script)
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
        """Encode so many more of the items that the script had at the beginning; `script` is the present one.

        Called at every step and rest, it spreads the cost of the first whole script.
        """
        if not self.prepared:
            bite = list(islice(self._waiting, count))
            self.prepared = len(bite) < count
            for item in bite:
                # One that cannot be written is told of when it has to be.
                with contextlib.suppress(CodecError):
                    self._item(item)
        if len(self._known) > 2 * sum(len(getattr(script, name)) for name in _COLLECTIONS) + _SPARE:
            self._keep_only(script)

    def _pieces(self, name: str, value: object) -> list[bytes]:
        kind = _COLLECTIONS.get(name)
        if kind is None:
            return [encode_field(Script, name, value)]
        if not isinstance(value, tuple) or any(type(item) is not kind for item in cast("tuple[object, ...]", value)):
            raise CodecError("this does not belong here", name)
        items = cast("tuple[_Part, ...]", value)
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

    def _item(self, item: _Part) -> bytes:
        known = self._known.get(id(item))
        if known is None:
            known = self._known[id(item)] = (item, encode(item))
        return known[1]

    def _keep_only(self, script: Script) -> None:
        known = self._known
        self._known = {id(item): known[id(item)] for item in _items_of(script) if id(item) in known}


def _items_of(script: Script) -> Iterator[_Part]:
    return chain.from_iterable(cast("tuple[_Part, ...]", getattr(script, name)) for name in _COLLECTIONS)
