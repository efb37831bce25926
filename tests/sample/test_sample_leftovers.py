"""A making that was killed leaves a folder; the next one takes it away, but not that of one still at work."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from sample_watching import needs_voices

from sample_film.make import make_sample
from sample_film.source import FilmSource


def test_what_a_killed_making_left_is_taken_away(tmp_path: Path, short_source: FilmSource) -> None:
    needs_voices()
    ended = subprocess.Popen(["true"])
    ended.wait()
    for maker in (ended.pid, os.getpid()):
        left = tmp_path / f".sample-{maker}-abc"
        left.mkdir()
        (left / "film.mp4").write_bytes(b"half")
    make_sample(tmp_path, source=short_source)
    assert [path.name for path in tmp_path.glob(".sample-*")] == [f".sample-{os.getpid()}-abc"]
