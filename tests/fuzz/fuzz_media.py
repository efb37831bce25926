"""Throws damaged films at the probe: `python tests/fuzz/fuzz_media.py --seconds 600 [--seed N]`.

Small clips in several containers are damaged at random and probed, by the hundred in a process of their own, so that
a crash of the native libraries is seen. What is allowed: a length, or `MediaError`. Anything else, a probe that takes
more than ten seconds, or memory beyond 1 GB ends the run and says which seed does it.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import av
import numpy as np

from adstudio.media.probe import MediaError, probe
from adstudio.media.sound_tracks import about_tracks

BATCH = 100
CONTAINERS = ("mp4", "mkv", "ts", "avi", "webm", "mov", "flv", "h264")


def make_clips(folder: Path) -> list[bytes]:
    made: list[bytes] = []
    for ending in CONTAINERS:
        path = folder / f"clip.{ending}"
        with av.open(str(path), "w") as out:
            video = out.add_stream("libvpx" if ending == "webm" else "libx264", rate=25)
            video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
            count = 2 if ending in ("mp4", "mkv", "ts") else 0
            sounds = [out.add_stream("aac", rate=48_000) for _ in range(count)]
            for sound, title in zip(sounds, ("Größe", "Audio description"), strict=False):
                sound.metadata["title"], sound.metadata["language"] = title, "eng"
            for number in range(30):
                picture = np.full((48, 64, 3), number * 8, np.uint8)
                out.mux(video.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            out.mux(video.encode())
            for sound in sounds:
                heard = av.AudioFrame.from_ndarray(np.zeros((2, 1024), np.float32), format="fltp", layout="stereo")
                heard.sample_rate = 48_000
                out.mux(sound.encode(heard))
                out.mux(sound.encode())
        made.append(path.read_bytes())
    return made


def damaged(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 30))):
        # Headers and indexes stand at either end.
        at = chance.choice(
            (chance.randrange(len(made)), chance.randrange(min(len(made), 600)), -chance.randrange(1, 800))
        )
        kind = chance.randrange(4)
        if kind == 0:
            made[at % len(made)] = chance.randrange(256)
        elif kind == 1:
            made[at % len(made)] ^= 1 << chance.randrange(8)
        elif kind == 2:
            place = at % len(made)
            made[place : place + 4] = chance.choice((b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff", b"\x80\0\0\0"))
        elif len(made) > 200:
            made = made[: chance.randrange(100, len(made))]
    return bytes(made)


def work(clips: list[bytes], seed: int, folder: Path) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    path = folder / "damaged"
    for number in range(BATCH):
        chance = random.Random(seed * BATCH + number)
        path.write_bytes(damaged(chance.choice(clips), chance))
        signal.alarm(10)
        for read_whole in (1_000_000_000, 1):
            try:
                found = probe(path, read_whole=read_whole)
            except MediaError as error:
                str(error).encode()
            else:
                if found.duration <= 0:
                    raise AssertionError("a film without length")
                for note in about_tracks(found.sound_tracks, None):
                    note.what.encode()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        if memory > 1024:
            raise AssertionError(f"{memory} MB of memory")
    signal.alarm(0)


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if chosen.work:
            work(make_clips(Path(folder)), chosen.seed, Path(folder))
            return 0
        end, seed = time.monotonic() + chosen.seconds, chosen.seed
        while time.monotonic() < end:
            done = subprocess.run([sys.executable, __file__, "--work", "--seed", str(seed)], check=False)
            if done.returncode:
                print(f"seed {seed}: ended with {done.returncode}")
                return 1
            seed += 1
        print(f"seeds {chosen.seed} to {seed - 1}: {(seed - chosen.seed) * BATCH} files probed twice each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
