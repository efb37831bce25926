"""One utterance, or the list of voices, by pyttsx3: `python -m adstudio.speech.pyttsx3_child`, a process for each.

It does what the one request on its input asks (see `pyttsx3_engine`). Exit code 1 and a sentence on its error output
where that fails.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from importlib import import_module
from typing import Any, cast

from adstudio.speech.engine import Voice
from adstudio.speech.pyttsx3_engine import PROTOCOL, Speak, Spoken, VoiceList

_GLANCE_S = 0.02
_FINISHED_S = 0.4
"""A file that has not grown for so long is finished, where the driver does not report the end."""


def main() -> int:
    """Do what the one request on standard input asks, and give the exit code."""
    try:
        request = PROTOCOL.read_request(sys.stdin.buffer.read())
        # pyttsx3 prints on standard output, which is for the answer alone.
        answer = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        engine: Any = import_module("pyttsx3").init()
        with answer:
            if isinstance(request, Speak):
                _speak(engine, request)
                answer.write(PROTOCOL.event_line(Spoken(_settings_taken(request))))
            else:
                answer.write(PROTOCOL.event_line(VoiceList(_voices(engine))))
    except Exception as error:  # noqa: BLE001 - whatever a driver raises is reported to the parent
        _leave(1, f"{type(error).__name__}: {error}")
    return _leave(0)


def _voices(engine: object) -> tuple[Voice, ...]:
    found: list[Voice] = []
    for voice in cast("Any", engine).getProperty("voices"):
        languages = voice.languages or [""]
        first = languages[0]
        tag = first.decode(errors="replace") if isinstance(first, bytes) else str(first)
        # What espeak's driver gives still has the C string's length byte and end in it.
        name = "".join(c for c in tag if c.isalnum() or c in "-_")
        found.append(Voice(str(voice.id), str(voice.name), name))
    return tuple(found)


def _speak(driver: object, request: Speak) -> None:
    engine = cast("Any", driver)
    target = request.target
    # An unknown voice is no error to the drivers: they take another one.
    if request.voice not in {voice.id for voice in _voices(engine)}:
        raise ValueError(f"there is no voice {request.voice}")
    ended: list[bool] = []
    failures: list[Exception] = []

    def end(**_: object) -> None:
        ended.append(True)

    def fail(exception: Exception, **_: object) -> None:
        failures.append(exception)

    engine.connect("finished-utterance", end)
    engine.connect("error", fail)
    engine.setProperty("voice", request.voice)
    engine.setProperty("rate", request.rate)
    if request.pitch is not None:
        engine.setProperty("pitch", request.pitch)
    engine.save_to_file(request.text, str(target))
    engine.runAndWait()
    # On Linux runAndWait does not wait; the parent ends this process when it takes too long.
    size, since = -1, time.monotonic()
    while not ended:
        if failures:
            raise failures[0]
        now = target.stat().st_size if target.exists() else 0
        if now != size:
            size, since = now, time.monotonic()
        elif size > 0 and time.monotonic() - since > _FINISHED_S:
            break
        time.sleep(_GLANCE_S)


def _settings_taken(request: Speak) -> bool:
    """Whether the text was spoken at the rate and pitch asked for: eSpeak's queue loses a setting now and then."""
    if sys.platform != "linux":
        return True
    library: Any = import_module("pyttsx3.drivers._espeak")
    # pyttsx3 2.99 asks with one argument of the two, so that what its getProperty gives is random.
    current = library.dll.espeak_GetParameter
    return current(library.RATE, 1) == request.rate and request.pitch in (None, current(library.PITCH, 1))


def _leave(code: int, complaint: str = "") -> int:
    # Past the drivers' own ends, which crash some of them after the work is done.
    if complaint:
        with contextlib.suppress(OSError):
            sys.stderr.write(complaint.replace("\n", " ") + "\n")
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
