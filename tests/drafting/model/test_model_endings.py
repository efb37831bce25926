"""Scenes drafted through connections that are lost: what is lost is asked again, what is whole is never paid twice."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

import httpx2
from fake_openai import delta
from model_films import drafted, scenes_of, small_film
from scripted_model import PROSE, kind_of, usual
from scripted_server import ask_in

from adstudio.core.policy import Host, Policy
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.requests import FilmSeen
from adstudio.llm.faults import LostError
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.media import clips

pytestmark = pytest.mark.attack(7)

POLICY = Policy("on premises", (Host("gpu.house", 443),))
DONE = b"data: [DONE]\n\n"


@pytest.fixture
def film(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")
    return FilmSeen(small_film(tmp_path / "film.mp4", 60), 60_000, "print")


@pytest.fixture
def store(tmp_path):
    return tmp_path / "jobs.sqlite"


class Line(httpx2.AsyncBaseTransport, httpx2.AsyncByteStream):
    """A server whose responses end as `ending` has it: the blocks behind the text, and whether the connection is lost.

    The first `cut` of them are cut in the middle of an event, after which the stream ends like any other.
    """

    def __init__(self, blocks=(), *, lost=False, cut=0):
        self.kinds = []
        self._ending, self._lost, self._cut = blocks, lost, cut
        self._stream = b""

    async def handle_async_request(self, request):
        ask, _ = ask_in(json.loads(await request.aread()))
        self.kinds.append(kind_of(ask))
        text = usual(ask, PROSE)
        stream = b"".join([delta(text[:20]), delta(text[20:]), *self._ending])
        cut = len(delta(text[:20])) + 60 if self._cut else len(stream)
        self._cut = max(self._cut - 1, 0)
        self._stream = stream[:cut]
        return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, stream=self)

    async def __aiter__(self):
        yield self._stream
        if self._lost:
            raise LostError("the connection was lost")

    async def aclose(self):
        pass


def drafted_over(line, film, store):
    provider = OpenAIProvider(Server("https://gpu.house/v1", "m"), POLICY, line)
    (draft,) = drafted(film, scenes_of(1), provider, store, at_once=1).scenes
    return draft


def test_a_description_that_is_cut_in_an_event_is_asked_again(film, store):
    line = Line([delta(reason="stop")], cut=100)
    assert drafted_over(line, film, store).state is SceneState.FAILED
    assert set(line.kinds) == {"describe"}
    again = Line([delta(reason="stop")])
    assert drafted_over(again, film, store).state is SceneState.DONE
    assert again.kinds[0] == "describe"


ENDINGS = {
    "STOP, and lost": ([delta(reason="STOP")], True),
    "eos_token": ([delta(reason="eos_token")], False),
    "end_turn, and lost in the next event": ([delta(reason="end_turn"), b'data: {"usa'], False),
    "only [DONE]": ([delta(), DONE], False),
    "a name that nobody knows": ([delta(reason="because"), DONE], True),
}


@pytest.mark.parametrize(("blocks", "lost"), ENDINGS.values(), ids=ENDINGS)
def test_what_is_whole_is_neither_thrown_away_nor_paid_twice(film, store, blocks, lost):
    line = Line(blocks, lost=lost)
    draft = drafted_over(line, film, store)
    assert (draft.state, line.kinds.count("describe")) == (SceneState.DONE, 1)
    again = Line(blocks, lost=lost)
    assert drafted_over(again, film, store) == draft
    assert again.kinds == []


def test_a_tool_call_is_a_failed_scene_that_is_asked_again(film, store):
    call = delta(tool_calls=[{"index": 0, "function": {"name": "look", "arguments": "{}"}}], reason="tool_calls")

    class Calls(Line):
        async def __aiter__(self):
            yield call + DONE

    draft = drafted_over(Calls(), film, store)
    assert draft.state is SceneState.FAILED
    assert "called a tool" in draft.why
    assert drafted_over(Line([delta(reason="stop")]), film, store).state is SceneState.DONE
