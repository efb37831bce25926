"""Drafts at the server's speed: its slots are kept busy, it is not overrun, and nothing waits for what it need not."""

from __future__ import annotations

import asyncio
import threading

import pytest
from model_films import drafted, scenes_of, small_film
from scripted_model import ScriptedModel, kind_of, usual
from slot_server import SlotServer, drafted_by, slow_clip, with_bad_wordings

from adstudio.drafting.model import clip_making, direct, scenes
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.requests import FilmSeen
from adstudio.media import clips
from adstudio.media.clips import clip_stages

pytestmark = pytest.mark.attack(18)


@pytest.fixture
def without_video(monkeypatch):
    monkeypatch.setattr(scenes, "clip_of", slow_clip)
    monkeypatch.setattr(direct, "clip_of", slow_clip)


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 24), 24_000, "print")


@pytest.mark.usefixtures("without_video")
@pytest.mark.parametrize("says", [True, False])
def test_240_scenes_keep_28_of_32_slots_busy_until_the_tail(tmp_path, says):
    server = SlotServer(32, says=says)
    outcome, seconds, _ = drafted_by(server, tmp_path / "jobs.sqlite", 240)
    assert {draft.state for draft in outcome.scenes} == {SceneState.DONE}
    began, tail = server.reached(32), server.last_begun
    assert began < 60, "with a clip every 1.2 s the slots can be taken in 40 s"
    # Between two requests of a scene, and while a clip is decoded, a slot may be empty for moments.
    busy = sum(length for length, busy, _ in server.spans(began, tail) if busy >= 28)
    assert busy >= 0.998 * (tail - began)
    assert server.mean_busy(began, tail) > 31
    assert tail > 400
    assert seconds - tail < 120, "the tail is no longer than a scene"


@pytest.mark.usefixtures("without_video")
@pytest.mark.parametrize(("says", "most_waiting"), [(True, 2), (False, 5)])
def test_a_server_that_bears_four_is_not_overrun(tmp_path, says, most_waiting):
    server = SlotServer(4, says=says)
    outcome, seconds, gate = drafted_by(server, tmp_path / "jobs.sqlite", 60)
    assert {draft.state for draft in outcome.scenes} == {SceneState.DONE}
    assert max(waiting for _, _, waiting in server.rows) <= most_waiting, "four of the first eight, and one in decoding"
    assert gate.limit in (4, 5)
    settled = server.spans(120, seconds)
    assert sum(length * waiting for length, _, waiting in settled) < 1.5 * (seconds - 120)
    assert server.mean_busy(0, server.last_begun) > 3.8


@pytest.mark.usefixtures("without_video")
def test_a_server_that_refuses_the_fifth_is_seldom_asked_for_it(tmp_path):
    server = SlotServer(4, refuses=True)
    outcome, _, gate = drafted_by(server, tmp_path / "jobs.sqlite", 60)
    assert {draft.state for draft in outcome.scenes} == {SceneState.DONE}
    assert server.refused <= 10, "137 requests"
    assert gate.limit in (4, 5)
    assert server.mean_busy(0, server.last_begun) > 3.7


@pytest.mark.usefixtures("without_video")
def test_two_drafts_share_a_server(tmp_path):
    # The other one's requests are in flight too: each goes back, and neither is starved.
    server = SlotServer(32, says=True)
    server.in_flight = 28  # of somebody who keeps that many there
    server.taken = 28
    outcome, _, gate = drafted_by(server, tmp_path / "jobs.sqlite", 60)
    assert {draft.state for draft in outcome.scenes} == {SceneState.DONE}
    assert gate.limit <= 16
    assert server.mean_busy(60, server.last_begun) > 3.8


def test_clips_are_made_while_answers_come(film, tmp_path, monkeypatch):
    answered = threading.Event()
    made: list[bool] = []

    def stages(*given, **named):
        """The second clip is not finished before the first scene has been described."""
        made.append(True)
        if len(made) == 2:
            yield 0.0
            assert answered.wait(20), "the answer is not received while a clip is made"
        return (yield from clip_stages(*given, **named))

    def script(ask):
        if kind_of(ask) == "elements":  # it has the description of the first scene
            answered.set()

    monkeypatch.setattr(clip_making, "clip_stages", stages)
    outcome = drafted(film, scenes_of(2), ScriptedModel(script), tmp_path / "jobs.sqlite")
    assert [draft.state for draft in outcome.scenes] == [SceneState.DONE] * 2


def test_repairs_of_a_scene_go_together(film, tmp_path):
    both = asyncio.Event()

    class Awaiting(ScriptedModel):
        """Repairs nothing until two requests to repair have come."""

        repairs = 0

        async def send(self, ask, on_chunk, stop):
            if kind_of(ask) == "repair":
                self.repairs += 1
                if self.repairs == 2:
                    both.set()
                async with asyncio.timeout(20):
                    await both.wait()
            return await super().send(ask, on_chunk, stop)

    prose = " ".join(f"A guard in a blue cap watches the doors from the far end of gate {n}." for n in range(20, 30))

    def script(ask):
        return with_bad_wordings(usual(ask, prose)) if kind_of(ask) == "elements" else None

    model = Awaiting(script, prose=lambda _: prose)
    (draft,) = drafted(film, scenes_of(1), model, tmp_path / "jobs.sqlite").scenes
    assert draft.state is SceneState.DONE
    assert model.repairs == 2
    assert not [note for note in draft.notes if "left out" in note]
