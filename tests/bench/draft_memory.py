"""The memory of a draft by a model with one scene in hand, and with sixteen, whose clips are as large as they come.

    .venv/bin/python tests/bench/draft_memory.py [--scenes 18]

The film is noise, which no encoder makes small: clips of a minute at 640 × 352 are then some 6 MB, a feature film's are
1 to 3. Each run is a process of its own that asks a scripted server over HTTP; its most memory is the kernel's count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "fakes"), str(TESTS / "cli")]

SECONDS = 60
PAUSE = "0.02"


def noise(path: Path, seconds: int) -> Path:
    import av
    import numpy as np

    random = np.random.default_rng(1)
    with av.open(str(path), "w", format="mp4") as out:
        stream = out.add_stream("libx264", rate=1, options={"preset": "ultrafast", "crf": "20", "g": "10"})
        stream.width, stream.height, stream.pix_fmt = 640, 352, "yuv420p"
        stream.codec_context.time_base = Fraction(1)
        for number in range(seconds):
            frame = av.VideoFrame.from_ndarray(random.integers(0, 256, (352, 640, 3), np.uint8), format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1)
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def child(folder: Path, url: str, scenes: int, at_once: int) -> None:
    from model_films import drafted, scenes_of

    from adstudio.core.policy import Host, Policy
    from adstudio.drafting.model.requests import FilmSeen
    from adstudio.llm.concurrency import Bounds, Gate
    from adstudio.llm.openai_protocol import OpenAIProvider, Server
    from adstudio.llm.retry import Retrying
    from adstudio.llm.traffic_log import TrafficLog
    from adstudio.llm.transport import Transport
    from adstudio.media import clips

    clips.folder = lambda: folder / "clips"
    port = int(url.rsplit(":", 1)[1].removesuffix("/v1"))
    policy = Policy("on premises", (Host("127.0.0.1", port, plain=True),))
    transport = Transport(policy, TrafficLog(folder / f"sent{at_once}.jsonl", "bench"))
    provider = Retrying(OpenAIProvider(Server(url, "Qwen3.5-27B"), policy, transport), Gate(Bounds(start=at_once)))
    film = FilmSeen(folder / "film.mp4", scenes * SECONDS * 1000, f"noise {at_once}")
    outcome = drafted(
        film, scenes_of(scenes, SECONDS * 1000), provider, folder / f"jobs{at_once}.sqlite", at_once=at_once
    )
    peak = next(row for row in Path("/proc/self/status").read_text().splitlines() if row.startswith("VmHWM"))
    done = sum(draft.state.value == "done" for draft in outcome.scenes)
    sizes = [path.stat().st_size for path in (folder / "clips").glob("*.mp4")]
    print(json.dumps([int(peak.split()[1]) // 1024, done, max(sizes) / 1e6]))
    asyncio.run(provider.aclose())


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--scenes", type=int, default=18)
    told.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    given = told.parse_args()
    if given.child:
        child(Path(given.child[0]), given.child[1], given.scenes, int(given.child[2]))
        return
    from model_running import serving

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        noise(folder / "film.mp4", given.scenes * SECONDS)
        print("| scenes in hand | asks at a time at the server | scenes done | largest clip, MB | most memory, MB |")
        for at_once in (1, 16):
            with serving(folder, "--pause", PAUSE) as server:
                again = [sys.executable, __file__, "--scenes", str(given.scenes)]
                again += ["--child", name, f"{server.address}/v1", str(at_once)]
                done = subprocess.run(again, capture_output=True, text=True, check=True)
                peak, scenes, size = json.loads(done.stdout)
                most = max(row["now"] for row in server.rows)
                print(f"| {at_once} | {most} | {scenes} of {given.scenes} | {size:.1f} | {peak} |", flush=True)


if __name__ == "__main__":
    main()
