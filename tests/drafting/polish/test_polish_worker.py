"""The process that polishes: requests and messages, a whole run, a stopped one, bad requests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from adstudio.connections.model_access import Connection
from adstudio.core.errors import BadInputError
from adstudio.core.plan import Delivery
from adstudio.core.provenance import Contribution, ModelTask, ModelWork
from adstudio.core.timebase import Span
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.messages import Failed, Noted, Request, write_request
from adstudio.drafting.polish.messages import Over, Wish, read_message, read_wish, write_message, write_wish
from adstudio.drafting.polish.passage import Unusable
from adstudio.drafting.polish.proposals import Polished, ScenePolished, Unpolished
from adstudio.gaps.gaps import gaps_of
from adstudio.llm.messages import Usage
from adstudio.planning.film.film_problem import plan_film

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


def started(folder, request, wish, pause=0.0):
    asked, wished = folder / "request.json", folder / "wish.json"
    asked.write_bytes(write_request(request))
    wished.write_bytes(write_wish(wish))
    code = CHILD.format(candidates=str(HERE.parent / "fakes"), pause=pause)
    command = [sys.executable, "-c", code, str(asked), str(wished)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def heard(child):
    with child:
        found = [read_message(line) for line in child.stdout]
        child.stdin.close()
    return found


def test_messages_arrive_as_they_were_sent():
    usage = Usage(1, 2, 3, 4, None)
    for message in (
        ScenePolished("s1", (GOOD, NONE), "why"),
        Spent(usage, 3),
        Noted("one thing"),
        Over(7, "halted", True, 9, usage),
        Failed("one sentence"),
    ):
        text = write_message(message)
        assert "\n" not in text
        assert read_message(text) == message
    for other in ("", "noise", "[]", "{}", '{"polished": "s1"}', '{"over": 1}', '{"looking": 0.5}', '{"over": "x"}'):
        assert read_message(other) is None


def test_a_wish_arrives_as_it_was_sent(tmp_path):
    wish = Wish((Delivery("e1", 1, 2, 3), Delivery("ä", 0, 5, 9)), whole=True)
    path = tmp_path / "wish.json"
    path.write_bytes(write_wish(wish))
    assert read_wish(path) == wish
    for bad in (b"", b"[]", b"{}", b'{"spoken": [[1]], "whole": true}', b'{"spoken": 3, "whole": 1}'):
        path.write_bytes(bad)
        with pytest.raises(BadInputError):
            read_wish(path)


def wished(script, **how):
    return Wish(plan_film(script, gaps_of(script).gaps).deliveries, **how)


def test_a_whole_run(tmp_path):
    script = station()
    messages = heard(started(tmp_path, Request(script, CONNECTION, store=tmp_path / "jobs.sqlite"), wished(script)))
    assert None not in messages
    done = {each.scene: each for each in messages if isinstance(each, ScenePolished)}
    assert {scene: len(each.proposals) for scene, each in done.items()} == {"s1": 3, "s2": 1}
    assert [each.text for each in done["s1"].proposals] == ["She parks.", "She takes package.", "She rises from seat."]
    assert messages[-1] == Over(4, "", False, 2, messages[-1].usage)


def test_a_prompt_that_this_version_does_not_know_is_passed_over_and_told(tmp_path):
    script = station().with_changes(prompts=(("summarise", "Sum it up."),))
    messages = heard(started(tmp_path, Request(script, CONNECTION, store=tmp_path / "jobs.sqlite"), wished(script)))
    assert isinstance(messages[0], Noted)
    assert "“summarise”" in messages[0].sentence
    assert messages[-1].proposals == 4


def test_let_go_of_it_stops_and_goes_on_there_the_next_time(tmp_path):
    script = station()
    request = Request(script, CONNECTION, store=tmp_path / "jobs.sqlite", at_once=1)
    child = started(tmp_path, request, wished(script), pause=0.05)
    first = next(message for line in child.stdout if isinstance(message := read_message(line), ScenePolished))
    child.stdin.close()
    rest = [read_message(line) for line in child.stdout]
    child.stdout.close()
    assert child.wait(timeout=20) == 130
    assert rest[-1] == Over(3, "", True, 2, rest[-1].usage)
    messages = heard(started(tmp_path, request, wished(script)))
    assert next(each for each in messages if isinstance(each, ScenePolished)) == first
    assert messages[-1].proposals == 4
    assert messages[-1].asked == 3, "the one that was stopped is asked again, the finished one is not"


def test_a_bad_request_is_told_in_a_sentence(tmp_path):
    script = station()
    request = Request(script, CONNECTION, store=tmp_path / "jobs.sqlite")
    child = started(tmp_path, request, Wish(()))
    assert isinstance(heard(child)[-1], Over)
    assert child.returncode == 0
    (tmp_path / "jobs.sqlite").write_text("no database" * 100)
    child = started(tmp_path, request, wished(script))
    (message,) = heard(child)
    assert isinstance(message, Failed)
    assert "jobs.sqlite is damaged" in message.sentence
    assert child.returncode == 2
