"""Piper's process: `python -m adstudio.speech.piper_server` (see `piper_engine`).

Noise is left out, so that a text has the same sound and the same length every time: a plan is made on that length.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from adstudio.core.errors import AdstudioError
from adstudio.core.language_tags import primary_subtag
from adstudio.core.words import count_words
from adstudio.speech.engine import SpeechError
from adstudio.speech.piper_engine import (
    DESCRIPTION,
    LARGEST_DESCRIPTION,
    MODEL,
    NAME,
    PROTOCOL,
    Synthesise,
    Synthesised,
)
from adstudio.speech.sound import Samples, Sound, encoded
from adstudio.system.files import read_bounded, write_atomically
from adstudio.system.locations import user_cache
from adstudio.system.onnx import onnx_session
from adstudio.system.worker import answer_requests

MOST_LOADED = 2
"""Voices that stay in memory, some 200 MB each."""
PASSAGES = {
    "en": "A woman in a dark coat crosses the empty station. She puts her suitcase on the bench, takes out a letter "
    "and reads it again. Behind her, a train slowly leaves.",
    "de": "Eine Frau im dunklen Mantel geht durch den leeren Bahnhof. Sie stellt ihren Koffer auf die Bank, holt einen "
    "Brief heraus und liest ihn noch einmal. Hinter ihr fährt langsam ein Zug ab.",
    "fr": "Une femme en manteau sombre traverse la gare déserte. Elle pose sa valise sur le banc, sort une lettre et "
    "la relit. Derrière elle, un train part lentement.",
    "es": "Una mujer con abrigo oscuro cruza la estación vacía. Deja su maleta en el banco, saca una carta y la lee "
    "otra vez. Detrás de ella, un tren se va lentamente.",
    "it": "Una donna con un cappotto scuro attraversa la stazione vuota. Posa la valigia sulla panchina, tira fuori "
    "una lettera e la rilegge. Dietro di lei, un treno parte lentamente.",
}
"""What a voice reads to find out how many words a minute it says; a voice of another language reads the English one."""

_SCALES = (0.6, 1.0, 2.0)
"""The lengths of phonemes, against the model's own, at which a voice's pace is measured."""
_SHORTEST, _LONGEST = 0.25, 8.0
_RATE_STEP = 50
"""Sample rates of a changed pitch are multiples of this, so that they are converted fast."""
_GLANCE_S = 0.5


@dataclass(frozen=True)
class Pace:
    """How long a voice takes for its passage of so many words at each of the `_SCALES`, in milliseconds."""

    words: int
    lengths: tuple[int, ...]

    def scale(self, rate: int) -> float:
        """The length of phonemes at which it says so many words a minute; on lines between and beyond those."""
        wanted = self.words * 60_000 / rate
        place = next((i for i, length in enumerate(self.lengths[1:-1]) if wanted < length), len(_SCALES) - 2)
        short, long = self.lengths[place : place + 2]
        low, high = _SCALES[place : place + 2]
        return min(_LONGEST, max(_SHORTEST, low + (wanted - short) * (high - low) / (long - short)))


class LoadedVoice:
    """A model in memory."""

    def __init__(self, model: Path) -> None:
        piper: Any = import_module("piper")
        config: Any = import_module("piper.config")
        description = model.with_name(model.name.removesuffix(MODEL) + DESCRIPTION)
        settings = json.loads(read_bounded(description, LARGEST_DESCRIPTION, "voice"))
        self._config = config.PiperConfig.from_dict(settings)
        self._synthesis = piper.SynthesisConfig
        self._voice: Any = piper.PiperVoice(session=onnx_session(str(model)), config=self._config)
        self._model = model
        self._paces: dict[int | None, Pace] = {}

    @property
    def rate(self) -> int:
        """Samples a second."""
        return int(self._config.sample_rate)

    def samples(self, text: str, scale: float, speaker: int | None) -> Samples:
        """The sound of a text, its phonemes so many times as long as the model's own."""
        config = self._synthesis(
            speaker_id=speaker,
            length_scale=scale * float(self._config.length_scale),
            noise_scale=0.0,
            noise_w_scale=0.0,
            # The level of a sentence shall not depend on the loudest sound in it.
            normalize_audio=False,
        )
        chunks = [np.asarray(chunk.audio_float_array) for chunk in self._voice.synthesize(text, config)]
        return np.concatenate(chunks) if chunks else np.zeros(0, np.float32)

    def pace(self, speaker: int | None) -> Pace:
        """How fast a speaker is: measured once, and remembered among the cached files."""
        if speaker not in self._paces:
            self._paces[speaker] = self._remembered(speaker) or self._measured(speaker)
        return self._paces[speaker]

    def _measured(self, speaker: int | None) -> Pace:
        language = primary_subtag(str(self._config.espeak_voice))
        passage = PASSAGES.get(language, PASSAGES["en"])
        lengths = tuple(Sound(self.samples(passage, scale, speaker), self.rate).trimmed().ms for scale in _SCALES)
        pace = Pace(count_words(passage), lengths)
        if not _rises(lengths):
            raise SpeechError(f"the voice {self._model.name} speaks no slower when it is asked to: choose another one")
        with contextlib.suppress(AdstudioError, OSError):
            path = self._memory(speaker)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, json.dumps([pace.words, *lengths]).encode(), flush=False)
        return pace

    def _remembered(self, speaker: int | None) -> Pace | None:
        with contextlib.suppress(AdstudioError, OSError, ValueError, TypeError):
            words, *lengths = json.loads(read_bounded(self._memory(speaker), 1_000, "pace"))
            if all(type(each) is int for each in (words, *lengths)) and len(lengths) == len(_SCALES):
                pace = Pace(words, tuple(lengths))
                return pace if words > 0 and _rises(pace.lengths) else None
        return None

    def _memory(self, speaker: int | None) -> Path:
        state = self._model.stat()
        known = (str(self._model), state.st_size, state.st_mtime_ns, speaker, _SCALES, sorted(PASSAGES.items()))
        return user_cache("speech") / f"pace-{hashlib.sha256(repr(known).encode()).hexdigest()[:32]}.json"


def _rises(lengths: tuple[int, ...]) -> bool:
    return lengths[0] > 0 and all(short < long for short, long in pairwise(lengths))


class Server:
    """What stays between requests: the voices in use."""

    def __init__(self) -> None:
        self._loaded: OrderedDict[Path, LoadedVoice] = OrderedDict()

    def answer(self, request: Synthesise) -> Synthesised:
        """Do what a request asks.

        Raises:
            SpeechError: where the voice cannot be loaded or does not speak.
        """
        name = request.model.name.removesuffix(MODEL)
        try:
            sound = _spoken(self._voice(request.model), request)
        except (AdstudioError, MemoryError):
            raise
        except Exception as error:
            raise SpeechError(
                f"the voice {name} of {NAME} does not work ({type(error).__name__}): "
                "choose another one, or install it again"
            ) from error
        write_atomically(request.target, encoded(sound.samples, sound.rate), flush=False)
        return Synthesised()

    def _voice(self, model: Path) -> LoadedVoice:
        if model not in self._loaded:
            self._loaded[model] = LoadedVoice(model)
        self._loaded.move_to_end(model)
        while len(self._loaded) > MOST_LOADED:
            self._loaded.popitem(last=False)
        return self._loaded[model]


def _spoken(voice: LoadedVoice, request: Synthesise) -> Sound:
    # A higher pitch is a slower line played faster: samples of a second are more than they were.
    faster = 1 + request.pitch / 100
    rate = round(voice.rate * faster / _RATE_STEP) * _RATE_STEP if request.pitch else voice.rate
    scale = voice.pace(request.speaker).scale(request.rate) * rate / voice.rate
    return Sound(voice.samples(request.text, scale, request.speaker), rate)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, even in the middle of a line."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_GLANCE_S)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def main() -> int:
    """Answer requests until the input ends, and return the exit code."""
    # Piper logs each phoneme that a model lacks.
    logging.disable(logging.CRITICAL)
    _end_with_parent()
    return answer_requests(PROTOCOL, Server().answer)


if __name__ == "__main__":
    sys.exit(main())
