"""A draft that is killed in the middle, and two processes that draft the same film: nothing is asked twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from model_films import small_film

PROCESS = Path(__file__).parents[2] / "fakes" / "model_process.py"
WHOLE = [["outcome", [["done", 4]] * 6]]


def start(folder, log, pause):
    return subprocess.Popen([sys.executable, str(PROCESS), str(folder), str(log), str(pause)])


def lines_of(log, kind):
    if not log.exists():
        return []
    # The last line of a process that was killed may be half.
    lines = [line for line in log.read_text().split("\n")[:-1] if line]
    return [found for found in map(json.loads, lines) if found[0] == kind]


def test_killed_in_the_middle_only_what_was_in_hand_is_asked_again(tmp_path):
    small_film(tmp_path / "film.mp4", 60)
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    child = start(tmp_path, first, 0.01)
    deadline = time.monotonic() + 60
    while len(lines_of(first, "ended")) < 5:
        assert child.poll() is None, "it is still at work"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    begun = [key for _, key, _ in lines_of(first, "begun")]
    ended = len(lines_of(first, "ended"))
    assert len(begun) == len(set(begun))
    assert start(tmp_path, second, 0).wait() == 0
    assert lines_of(second, "outcome") == WHOLE
    again = [key for _, key, _ in lines_of(second, "begun")]
    assert len(again) == len(set(again))
    # Twelve asks in all. At most the four that were in hand when it was killed are asked anew, or their rest is.
    both = Counter(begun + again)
    twice = [key for key, count in both.items() if count > 1]
    assert len(twice) <= len(begun) - ended <= 4
    assert 12 <= len(both) <= 12 + 4
    assert not list(tmp_path.glob("*.owner"))
    third = tmp_path / "third.log"
    assert start(tmp_path, third, 0).wait() == 0
    assert lines_of(third, "begun") == []
    assert lines_of(third, "outcome") == WHOLE


def test_two_processes_share_the_work(tmp_path):
    small_film(tmp_path / "film.mp4", 60)
    logs = [tmp_path / "one.log", tmp_path / "two.log"]
    children = [start(tmp_path, log, 0.002) for log in logs]
    assert [child.wait() for child in children] == [0, 0]
    assert [lines_of(log, "outcome") for log in logs] == [WHOLE, WHOLE]
    keys = [key for log in logs for _, key, _ in lines_of(log, "begun")]
    assert len(keys) == len(set(keys)) == 12
