"""The process that polishes: requests and messages, a whole run, a stopped one, bad requests."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from adstudio.connections.model_access import Connection
from adstudio.core.plan import Delivery
from adstudio.core.provenance import Contribution, ModelTask, ModelWork
from adstudio.core.timebase import Span
from adstudio.drafting.events import Failed, Noted
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.polish.events import PROTOCOL, PolishFinished, PolishRequest
from adstudio.drafting.polish.passage import Unusable
from adstudio.drafting.polish.proposals import Polished, ScenePolished, Unpolished
from adstudio.gaps.gaps import gaps_of
from adstudio.llm.messages import Usage
from adstudio.planning.film.film_plan import plan_film
from adstudio.system.codec import CodecError

HERE = Path(__file__).parents[1]
sys.path.insert(0, str(HERE.parent / "fakes"))
from polish_model import station  # noqa: E402 - found where the line above says

CONNECTION = Connection("vllm", "some/model", "http://127.0.0.1:9/v1")
CHILD = """
import sys
sys.path.insert(0, {candidates!r})
from polish_model import polishing
from adstudio.drafting.polish.worker import main
sys.exit(main(opened=lambda connection: polishing(pause={pause})))
"""
WORK = ModelWork((Contribution("model", (ModelTask("polish", 1),)),), 1_795_852_800)
GOOD = Polished("e1", 2, "She “parks”.", "Parks.", Span(1, 2), 900, 600, "s1", ("It has no verb.",), WORK)
NONE = Unpolished("e2", 0, "Takes.", Span(3, 4), "it is good as it is", "s1", Unusable.UNCHANGED)


def started(request, pause=0.0):
    code = CHILD.format(candidates=str(HERE.parent / "fakes"), pause=pause)
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdin.write(PROTOCOL.request_line(request))
    child.stdin.flush()
    return child


def heard(child):
    with child:
        found = [PROTOCOL.read_event(line) for line in child.stdout]
        child.stdin.close()
    return found


def wanted(tmp_path, script, **how):
    deliveries = plan_film(script, gaps_of(script).gaps).deliveries
    return PolishRequest(script, CONNECTION, deliveries, store=tmp_path / "jobs.sqlite", **how)


def test_events_arrive_as_they_were_sent():
    usage = Usage(1, 2, 3, 4, None)
    for event in (
        ScenePolished("s1", (GOOD, NONE), "why"),
        Spent(usage, 3),
        Noted("one thing"),
        PolishFinished(7, "halted", True, 9, usage),
        Failed("one sentence"),
    ):
        line = PROTOCOL.event_line(event)
        assert line.count(b"\n") == 1
        assert PROTOCOL.read_event(line) == event
    for other in (b"", b"noise", b"[]", b"{}", b'{"type": "Spent"}', b'{"type": "Progress", "stage": "scoring"}'):
        with pytest.raises(CodecError):
            PROTOCOL.read_event(other)


def test_a_request_arrives_as_it_was_sent():
    deliveries = (Delivery("e1", 1, 2, 3), Delivery("ä", 0, 5, 9))
    request = PolishRequest(
        station(), CONNECTION, deliveries, ("s1",), whole=True, options=ModelOptions(most_micro_usd=7)
    )
    line = PROTOCOL.request_line(request)
    assert PROTOCOL.read_request(line) == request
    for bad in (b"", b"[]", b"{}", line.replace(b'"whole":true', b'"whole":1')):
        with pytest.raises(CodecError):
            PROTOCOL.read_request(bad)


def test_a_whole_run(tmp_path):
    script = station()
    messages = heard(started(wanted(tmp_path, script)))
    assert None not in messages
    done = {each.scene: each for each in messages if isinstance(each, ScenePolished)}
    assert {scene: len(each.proposals) for scene, each in done.items()} == {"s1": 3, "s2": 1}
    assert [each.text for each in done["s1"].proposals] == ["She parks.", "She takes package.", "She rises from seat."]
    assert messages[-1] == PolishFinished(4, "", False, 2, messages[-1].usage)


def test_a_prompt_that_this_version_does_not_know_is_passed_over_and_told(tmp_path):
    script = station().with_changes(prompts=(("summarise", "Sum it up."),))
    messages = heard(started(wanted(tmp_path, script)))
    assert isinstance(messages[0], Noted)
    assert "“summarise”" in messages[0].sentence
    assert messages[-1].proposals == 4


def test_let_go_of_it_stops_and_goes_on_there_the_next_time(tmp_path):
    script = station()
    request = wanted(tmp_path, script, options=ModelOptions(at_once=1))
    child = started(request, pause=0.2)
    first = next(message for line in child.stdout if isinstance(message := PROTOCOL.read_event(line), ScenePolished))
    child.stdin.close()
    rest = [PROTOCOL.read_event(line) for line in child.stdout]
    child.stdout.close()
    assert child.wait(timeout=300) == 130
    assert rest[-1] == PolishFinished(3, "", True, 2, rest[-1].usage)
    messages = heard(started(request))
    assert next(each for each in messages if isinstance(each, ScenePolished)) == first
    assert messages[-1].proposals == 4
    assert messages[-1].asked == 3, "the one that was stopped is asked again, the finished one is not"


def test_a_bad_request_is_told_in_a_sentence(tmp_path):
    script = station()
    request = wanted(tmp_path, script)
    child = started(replace(request, deliveries=()))
    assert isinstance(heard(child)[-1], PolishFinished)
    assert child.returncode == 0
    (tmp_path / "jobs.sqlite").write_text("no database" * 100)
    child = started(request)
    (message,) = heard(child)
    assert isinstance(message, Failed)
    assert "jobs.sqlite is damaged" in message.message
    assert child.returncode == 2
