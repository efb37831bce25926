"""A project that may ask a model of this machine, and a process in the model's place that does what a test says."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from desks import line, small_script

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.film import Media
from adstudio.core.policy import Host, Policy
from adstudio.core.provenance import Contribution, ModelTask, ModelWork, Provenance
from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.timebase import Span
from adstudio.drafting.events import PROTOCOL as DRAFTING
from adstudio.drafting.events import DraftEvent
from adstudio.drafting.model.events import Moved, SceneDraft, SceneState
from adstudio.drafting.polish.events import PROTOCOL as POLISHING
from adstudio.system.worker import WorkerProtocol

HOUSE = SavedConnection("House", "vllm", "maker/qwen-test", "http://127.0.0.1:9/v1")
ALLOWED = Policy("on premises", (Host("127.0.0.1", 9, plain=True),))
BY = Provenance(
    ModelWork((Contribution("qwen-test", (ModelTask("describe", 1), ModelTask("candidates", 1))),), 1_795_852_800)
)

WORKER = """
import json, pathlib, sys, time
out = sys.stdout.buffer
for verb, what in json.loads(sys.stdin.buffer.readline()):
    if verb == "say":
        out.write(what.encode("latin-1"))
        out.flush()
    elif verb == "wait":
        while not pathlib.Path(what).exists():
            time.sleep(0.01)
    elif verb == "until let go":
        sys.stdin.buffer.read()
    elif verb == "flood":
        while True:
            out.write(what.encode() * 1000)
    elif verb == "exit":
        sys.exit(what)
"""


def film_script(scenes: int = 2) -> Script:
    """The small film with a video, its lines in their scenes; or so many scenes of 1.5 s without lines."""
    script = small_script()
    media = Media("/nowhere/film.mp4", "film.mp4", 1, "print", 30_000)
    lines = tuple(replace(each, scene="s1" if each.id in "abc" else "s2") for each in script.eventualities)
    script = replace(script, film=replace(script.film, media=media), eventualities=lines)
    if scenes == 2:
        return script
    many = tuple(Scene(f"s{n + 1}", Span(n * 1_500, (n + 1) * 1_500), f"Room {n + 1}") for n in range(scenes))
    return replace(script, scenes=many, eventualities=())


def drafted_line(identity: str, start: int, scene: str = "s1", length: int = 1_000) -> Eventuality:
    """A line as a model's draft has it."""
    return replace(line(identity, start, start + length, 0.6, 1_500, scene=scene), confidence=550, provenance=BY)


def done(scene: str, *lines: Eventuality, state: SceneState = SceneState.DONE, why: str = "") -> SceneDraft:
    return SceneDraft(scene, state, lines, why, f"What is seen in {scene}.")


def says(*events: DraftEvent, protocol: WorkerProtocol[Any, Any] = DRAFTING) -> list[list[object]]:
    """The process says these, each on its line."""
    return [["say", protocol.event_line(event).decode("latin-1")] for event in events]


def ends(draft: SceneDraft) -> list[list[object]]:
    """The process says what came of a scene, as it always does."""
    return says(Moved(draft.scene, draft.state, draft.why), draft)


class Scripted:
    """Stands in the model's place: `course` is what the process does, in order; `requests` are what it was asked."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.course: Sequence[Sequence[object]] = ()
        self.requests: list[Any] = []
        for protocol in (DRAFTING, POLISHING):
            monkeypatch.setattr(protocol, "command", lambda: [sys.executable, "-I", "-c", WORKER])
            monkeypatch.setattr(protocol, "request_line", self._course_line)

    def gate(self, name: str = "gate") -> list[object]:
        """The process waits here until it is let go on."""
        return ["wait", str(self.folder / name)]

    def go_on(self, name: str = "gate") -> None:
        (self.folder / name).touch()

    def _course_line(self, request: object) -> bytes:
        self.requests.append(request)
        return json.dumps([list(each) for each in self.course]).encode() + b"\n"


def know_the_house() -> None:
    """One model is known in this workplace."""
    write_connections([HOUSE])
