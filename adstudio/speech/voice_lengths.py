"""What is known of how long voices speak texts: measured lengths and a model for each voice, kept with a project.

A length belongs to all that it depends on: engine, voice, rate, pitch, and the text as the voice is given it, with its
pronunciations. Another rate, or another pronunciation of a word, has lengths of its own, and those before are found
again when it is taken back. Texts themselves are not kept, only what they hash to.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Annotated, TypeVar

from adstudio.core.narration import Lengths, LineVoice, Narrator
from adstudio.speech.engine import Capabilities, Notation, UnspeakableError
from adstudio.speech.length_model import FEATURES, LengthModel
from adstudio.speech.spoken_text import spoken_text
from adstudio.speech.style import resolved_voice
from adstudio.system.codec import Codec, CodecError, Limits

Key = TypeVar("Key")
Value = TypeVar("Value")

MOST_VOICES = 200
"""Voices, rates and pitches whose lengths are kept: those used last."""
MOST_KNOWN = 100_000
"""Lengths that are kept of one of them: those measured last."""
MOST_LENGTHS = 400_000
"""Lengths that are kept of all of them: a voice that was not used for long goes first."""
LONGEST_MS = 3_600_000

_VERSION = 3
"""Another one where `length_model.FEATURES` count something else: models of those before are fitted anew."""
_EVERY_PRONUNCIATION = Capabilities(Notation.ESPEAK)
"""A length depends on pronunciations in phonemes too; whether the engine takes them need not be known here."""
_ENTRY = struct.Struct(">QI")
_MOST_REMEMBERED = 200_000
"""Texts in memory; a long film has some 15,000."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a text is spoken, as far as its length depends on it: `rate` in words a minute, `pitch` in per cent."""

    engine: Annotated[str, Limits(text=100)]
    voice: Annotated[str, Limits(text=300)]
    rate: int
    pitch: int
    language: Annotated[str, Limits(text=100)]


def manner_of(narrator: Narrator, voice: LineVoice | None = None) -> Manner:
    """How a narrator speaks a line that has this voice of its own."""
    engine, style = resolved_voice(narrator.voice, narrator.rate, voice)
    return Manner(engine, style.voice, style.rate, style.pitch, narrator.language)


def spoken(text: str, narrator: Narrator) -> str | None:
    """A text as lengths go by it, with its pronunciations; None where it cannot be spoken."""
    try:
        return spoken_text(text, narrator.language, narrator.lexicon, _EVERY_PRONUNCIATION).text
    except UnspeakableError:
        return None


@dataclass(frozen=True)
class KnownVoice:
    """What is known of a voice: lengths in milliseconds by what texts hash to, and its model.

    `version` is the engine's and the voice's when they were measured: with another one they count no more.
    """

    version: str = ""
    lengths: Mapping[int, int] = field(default_factory=dict[int, int])
    model: LengthModel | None = None


@dataclass
class _Asked:
    """What one narrator's lines were found to be: their manners, and texts as spoken with what they hash to."""

    narrator: Narrator
    manners: dict[LineVoice | None, Manner] = field(default_factory=dict[LineVoice | None, Manner])
    keys: dict[str, tuple[str, int] | None] = field(default_factory=dict[str, tuple[str, int] | None])

    def manner(self, voice: LineVoice | None) -> Manner:
        found = self.manners.get(voice)
        if found is None:
            found = self.manners[voice] = manner_of(self.narrator, voice)
        return found

    def find(self, text: str) -> tuple[str, int] | None:
        if text not in self.keys:
            if len(self.keys) >= _MOST_REMEMBERED:
                self.keys.clear()
            said = spoken(text, self.narrator)
            self.keys[text] = None if said is None else (said, key_of(said))
        return self.keys[text]


class VoiceLengths:
    """Lengths of any number of voices (`core.narration.Lengths`); a value: what is added makes another one."""

    def __init__(self, voices: Mapping[Manner, KnownVoice] | None = None) -> None:
        self._voices = dict(voices or {})
        self._asked: _Asked | None = None
        self._predicted: dict[tuple[Manner, int], int] = {}
        self._near: dict[Manner, Manner | None] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VoiceLengths) and list(self._voices.items()) == list(other._voices.items())

    __hash__ = None  # type: ignore[assignment]

    def measured(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        """As `Lengths.measured`."""
        asked = self._asked_by(narrator)
        known = self._voices.get(asked.manner(voice))
        found = None if known is None else asked.find(text)
        return None if known is None or found is None else known.lengths.get(found[1])

    def predicted(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        """As `Lengths.predicted`; by the same voice at another rate, where it is not known at this one."""
        asked = self._asked_by(narrator)
        wanted = asked.manner(voice)
        manner = self._nearest(wanted)
        found = None if manner is None else asked.find(text)
        if manner is None or found is None:
            return None
        known = self.known(manner)
        length = known.lengths.get(found[1]) or self._modelled(manner, known, *found)
        return length if manner is wanted else round(length * manner.rate / wanted.rate)

    def _modelled(self, manner: Manner, known: KnownVoice, said: str, key: int) -> int:
        """What a voice's model predicts, found once."""
        place = manner, key
        if place not in self._predicted:
            if len(self._predicted) >= _MOST_REMEMBERED:
                self._predicted.clear()
            self._predicted[place] = 0 if known.model is None else known.model.predict(said)
        return self._predicted[place]

    def _nearest(self, wanted: Manner) -> Manner | None:
        """The voice itself if it has a model, else the same one at the rate nearest to it."""
        if wanted not in self._near:
            models = [manner for manner, known in self._voices.items() if known.model is not None]
            alike = [manner for manner in models if replace(manner, rate=wanted.rate) == wanted]
            self._near[wanted] = min(alike, key=lambda manner: abs(manner.rate - wanted.rate), default=None)
        return self._near[wanted]

    def changed_from(self, before: Lengths, narrator: Narrator) -> Callable[[str], bool] | None:
        """As `Lengths.changed_from`."""
        if not isinstance(before, VoiceLengths):
            return None
        changed: set[int] = set()
        for manner in {*self.manners, *before.manners}:
            now, was = self.known(manner), before.known(manner)
            if now.model is not was.model:
                return None
            if now.lengths is not was.lengths:
                changed.update(key for key, _ in now.lengths.items() ^ was.lengths.items())
        find = self._asked_by(narrator).find

        def may_differ(text: str) -> bool:
            found = find(text)
            return found is not None and found[1] in changed

        return may_differ

    @property
    def manners(self) -> tuple[Manner, ...]:
        """The voices of which anything is known, the one used last last."""
        return tuple(self._voices)

    def known(self, manner: Manner) -> KnownVoice:
        """What is known of a voice; nothing at first."""
        return self._voices.get(manner) or KnownVoice()

    def with_measured(self, manner: Manner, version: str, lengths: Mapping[str, int]) -> VoiceLengths:
        """With lengths (ms) of texts as they are `spoken`; those of another version of the voice are gone.

        An empty version is that of a voice which is not here now.
        """
        known = self.known(manner)
        if version and known.version != version:
            known = KnownVoice(version)
        added = {key_of(text): ms for text, ms in lengths.items() if 0 < ms <= LONGEST_MS}
        rest = {key: ms for key, ms in known.lengths.items() if key not in added}
        return self._with(manner, replace(known, lengths=_last({**rest, **added}, MOST_KNOWN)))

    def with_model(self, manner: Manner, model: LengthModel | None) -> VoiceLengths:
        """With another model of a voice."""
        return self._with(manner, replace(self.known(manner), model=model))

    def _with(self, manner: Manner, known: KnownVoice) -> VoiceLengths:
        voices = {key: value for key, value in self._voices.items() if key != manner}
        count = len(known.lengths) + sum(len(each.lengths) for each in voices.values())
        for oldest in tuple(voices):
            if len(voices) < MOST_VOICES and count <= MOST_LENGTHS:
                break
            count -= len(voices.pop(oldest).lengths)
        other = VoiceLengths({**voices, manner: known})
        other._asked = self._asked
        if known.model is self.known(manner).model:
            other._predicted = self._predicted
        return other

    def _asked_by(self, narrator: Narrator) -> _Asked:
        if self._asked is None or (self._asked.narrator is not narrator and self._asked.narrator != narrator):
            self._asked = _Asked(narrator)
        # Each script has one of its own: an equal one, with thousands of pronunciations, is not compared again.
        self._asked.narrator = narrator
        return self._asked

    def to_bytes(self) -> bytes:
        """As it is kept in a project file."""
        voices = tuple(
            _Voice(manner, known.version, _packed(known.lengths), () if known.model is None else known.model.weights)
            for manner, known in self._voices.items()
        )
        return _CODEC.encode(_Stored(_VERSION, voices))

    @classmethod
    def from_bytes(cls, data: bytes) -> VoiceLengths:
        """What `to_bytes` wrote.

        Raises:
            CodecError: for anything else, also where a later version of the program wrote it.
        """
        stored = _CODEC.decode(data, _Stored)
        if stored.version > _VERSION:
            raise CodecError(f"version {stored.version} is not known")
        return cls({each.manner: _known(each, stored.version) for each in stored.voices})


def key_of(said: str) -> int:
    """What a text, as it is `spoken`, hashes to."""
    return int.from_bytes(blake2b(said.encode(errors="surrogatepass"), digest_size=8).digest())


@dataclass(frozen=True)
class _Voice:
    manner: Manner
    version: Annotated[str, Limits(text=300)]
    lengths: Annotated[bytes, Limits(data=MOST_KNOWN * _ENTRY.size)]
    weights: Annotated[tuple[float, ...], Limits(items=2_000)]


@dataclass(frozen=True)
class _Stored:
    version: int
    voices: Annotated[tuple[_Voice, ...], Limits(items=MOST_VOICES)]


_CODEC = Codec()


def _packed(lengths: Mapping[int, int]) -> bytes:
    return b"".join(_ENTRY.pack(key, ms) for key, ms in lengths.items())


def _known(stored: _Voice, version: int) -> KnownVoice:
    if len(stored.lengths) % _ENTRY.size:
        raise CodecError("lengths are cut off", "lengths")
    lengths = {key: ms for key, ms in _ENTRY.iter_unpack(stored.lengths) if 0 < ms <= LONGEST_MS}
    if not all(map(math.isfinite, stored.weights)):
        raise CodecError("a weight is no number", "weights")
    # Another version of the program counts other features: then the voice is fitted anew.
    fits = version == _VERSION and len(stored.weights) == len(FEATURES)
    model = LengthModel(stored.weights) if fits else None
    return KnownVoice(stored.version, lengths, model)


def _last(mapping: dict[Key, Value], most: int) -> dict[Key, Value]:
    return mapping if len(mapping) <= most else dict(list(mapping.items())[-most:])
