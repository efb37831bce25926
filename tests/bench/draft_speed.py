"""How busy a draft keeps a server's slots, beside the way it was: eight, one more after twenty, sixteen scenes.

    .venv/bin/python tests/bench/draft_speed.py [--scenes 240]

The server is `fakes/slot_server.py`, in virtual time, with the delays that were measured on one H200 with vLLM 0.32 and
a model of 27 billion parameters; a clip of a minute takes the client 1.2 s. The tail begins with the last scene.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))

from slot_server import SlotServer, drafted_by, slow_clip

from adstudio.drafting.model import scenes
from adstudio.llm.concurrency import Bounds, Gate

SLOTS = (4, 8, 16, 32, 64)
WAYS = {
    "says nothing": SlotServer,
    "says what it bears": lambda slots: SlotServer(slots, says=True),
    "refuses the rest": lambda slots: SlotServer(slots, refuses=True),
}


class OneByOne(Gate):
    """The limit as it grew before: by one after twenty quick first words, up to sixteen."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(Bounds(most=16), clock=clock)
        self._threshold = self.limit


def main() -> None:
    """Print the table."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--scenes", type=int, default=240)
    count = told.parse_args().scenes
    scenes.clip_of = slow_clip
    print("| slots | the server | way | film, min | 7 of 8 taken after, s | busy until the tail | waiting, most |")
    print("|---|---|---|---|---|---|---|")
    for slots in SLOTS:
        for what, made in WAYS.items():
            for way in ("before", "now"):
                server = made(slots)
                before = way == "before"
                server.says = server.says and not before
                with tempfile.TemporaryDirectory() as folder:
                    given = {"gate": OneByOne, "at_once": 16} if before else {}
                    _, seconds, _ = drafted_by(server, Path(folder) / "jobs.sqlite", count, **given)
                busy = server.mean_busy(0, server.last_begun)
                waiting = max(row[2] for row in server.rows)
                taken = server.reached(slots * 7 // 8)
                print(
                    f"| {slots} | {what} | {way} | {seconds / 60:.1f} | {taken:.0f} | {busy:.1f} | {waiting}"
                    f"{f', {server.refused} refused' * bool(server.refused)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
