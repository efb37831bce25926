"""Sounds, an input that gives what a test hands it, and waiting for something that is about to happen."""

from __future__ import annotations

import io
import threading
import time
import wave
from collections.abc import Callable

import numpy as np

from adstudio.recording.inputs import OnBlock

RATE = 48_000


def tone(ms: int, level: float = 0.5, hertz: float = 440.0) -> np.ndarray:
    return (level * np.sin(2 * np.pi * hertz * np.arange(RATE * ms // 1000) / RATE)).astype(np.float32)


def silence(ms: int) -> np.ndarray:
    return np.zeros(RATE * ms // 1000, np.float32)


def wav(samples: np.ndarray, rate: int = RATE) -> bytes:
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.rint(samples * 32767).astype("<i2").tobytes())
    return target.getvalue()


class FakeInput:
    """Gives blocks of a test."""

    name, rate = "fake", 48_000

    def __init__(self) -> None:
        self.is_open = True
        self._on_block: OnBlock | None = None

    def open(self, on_block: OnBlock) -> FakeInput:
        self._on_block = on_block
        return self

    def give(self, block: np.ndarray) -> None:
        assert self._on_block is not None
        self._on_block(block, 1234.5)

    def feed_until(self, over: threading.Event) -> None:
        while not over.wait(0.001):
            self.give(np.full(480, 0.25, np.float32))

    def close(self) -> None:
        self.is_open = False


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.002)
