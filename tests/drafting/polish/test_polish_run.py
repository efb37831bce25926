"""Polishing by a scripted model: what is told and asked, what is bad asked once more, faults, stopping, going on."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polish_model import fluent, lines_json, polished, polishing, station, worded
from scripted_model import ScriptedModel, asked_lines, ids_of, said

from adstudio.core.script import Origin, Pin, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.polish.proposals import Polished, ScenePolished, Unpolished
from adstudio.drafting.polish.run import STOPPED
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Response, State, Usage


def proposed(outcome):
    return {each.eventuality: each.text for each in outcome.proposals if isinstance(each, Polished)}


def left(outcome):
    return {each.eventuality: each.why for each in outcome.proposals if isinstance(each, Unpolished)}


def test_a_scene_is_told_in_the_order_in_which_it_is_heard(tmp_path):
    model = polishing()
    outcome = polished(station(), model, tmp_path)
    first, second = sorted(map(said, model.asks), key=len, reverse=True)
    # e1 stands at 1.0–1.3 s before e2 at 4.7–5.3 s: midpoints 2 and 5 s; the gap ends at 8 s.
    heard = first[first.index("[[[ HEARD") : first.index("HEARD, in seconds from the beginning of the passage ]]]")]
    assert [line.split(" ", 1)[1] for line in heard.splitlines()[1:]] == [
        "line p01: Parks.",
        "line p02: Takes package.",
        "dialogue: ANNA: Where is the train?",
        "line p03: Rises from seat.",
    ]
    lines = asked_lines(model.asks[0] if "Parks" in said(model.asks[0]) else model.asks[1])
    assert lines["p01"].groups()[1:] == ("9", "1", None, "Parks.", "She parks her scooter by the gate.")
    assert lines["p02"].groups()[1:] == ("11", "2", None, "Takes package.", None)
    assert first.endswith(prompts().polish.text)
    assert model.asks[0].system == prompts().system.text
    assert "Opens the drawer." in second
    assert "Platform" not in first, "what a scene is called is nobody’s business"
    assert proposed(outcome) == {
        "e1": "She parks.",
        "e2": "She takes package.",
        "e3": "She rises from seat.",
        "e4": "She opens the drawer.",
    }


def test_the_time_a_line_has_is_its_own_and_what_is_free_behind_it(tmp_path):
    outcome = polished(station(), polishing(), tmp_path)
    rooms = {each.eventuality: (each.span, each.room, each.duration) for each in outcome.proposals}
    # 0.3 s a word. e1 is spoken about 2 s, one word: 1.85–2.15 s; e2 about 5 s: 4.7–5.3 s; its gap ends at 8 s.
    assert rooms["e1"] == (Span(1_850, 2_150), 2_850, 600)
    assert rooms["e2"] == (Span(4_700, 5_300), 3_300, 900)
    # e3 about 13 s, three words, up to the dialogue at 20 s; e4 about 34 s, to the film’s end.
    assert rooms["e3"] == (Span(12_550, 13_450), 7_450, 1_200)
    assert rooms["e4"] == (Span(33_550, 34_450), 6_450, 1_200)


def test_lines_that_flow_on_are_told_to(tmp_path):
    script = station()
    close = (replace(script.eventualities[0], occurrence=Span(3_000, 5_000)), *script.eventualities[1:])
    model = polishing()
    polished(script.with_changes(eventualities=close), model, tmp_path)
    lines = asked_lines(next(ask for ask in model.asks if "Parks" in said(ask)))
    assert [bool(lines[each][4]) for each in ("p01", "p02", "p03")] == [False, True, False]


def test_what_a_person_worded_accepted_or_chose_stays_unless_all_are_asked_for(tmp_path):
    script = station()
    mine = replace(script.eventualities[0], origin=Origin.HUMAN)
    agreed = replace(script.eventualities[1], accepted=True)
    chosen = replace(script.eventualities[2], pin=Pin(variant=0))
    script = script.with_changes(eventualities=(mine, agreed, chosen, script.eventualities[3]))
    model = polishing()
    assert list(proposed(polished(script, model, tmp_path))) == ["e4"]
    assert len(model.asks) == 1
    everything = polished(script, polishing(), tmp_path / "all", whole=True)
    assert list(proposed(everything)) == ["e1", "e2", "e3", "e4"]
    one = polished(script, polishing(), tmp_path / "one", whole=True, scenes=["s1"])
    assert list(proposed(one)) == ["e1", "e2", "e3"]


def test_lines_that_stay_are_told_all_the_same(tmp_path):
    script = station()
    mine = replace(script.eventualities[0], origin=Origin.HUMAN)
    model = polishing()
    polished(script.with_changes(eventualities=(mine, *script.eventualities[1:])), model, tmp_path, scenes=["s1"])
    assert "line that stays: Parks." in said(model.asks[0])
    assert [asked_lines(model.asks[0])[each][5] for each in ids_of(model.asks[0])] == [
        "Takes package.",
        "Rises from seat.",
    ]


def test_bad_lines_are_asked_for_once_more_with_what_is_wrong(tmp_path):
    def script(ask):
        if "you wrote" not in said(ask):
            return lines_json(
                {"p01": "She parks her old red motor scooter beside the gate.", "p02": "", "p03": "She rises."}
            )
        assert ids_of(ask) == ["p01", "p02"]
        assert (
            "p01 (at most 9 words, 1 word now): Parks. — its full wording: She parks her scooter by the gate."
            " — you wrote: She parks her old red motor scooter beside the gate. — but it has 10 words where at most 9"
            " fit" in said(ask)
        )
        assert "p02 (at most 11 words, 2 words now): Takes package.\n" in said(ask)
        return lines_json({"p01": "She parks by the gate.", "p02": "Still. Bad."})

    lines = (
        worded("e1", 1_000, 0.9, "Parks.", extract="She parks her scooter by the gate."),
        *station().eventualities[1:3],
    )
    model = ScriptedModel(script)
    outcome = polished(station(eventualities=lines), model, tmp_path)
    assert proposed(outcome) == {"e1": "She parks by the gate.", "e3": "She rises."}
    assert left(outcome) == {"e2": "the model’s line is more than one sentence"}
    assert len(model.asks) == 2


def test_what_is_good_already_is_no_proposal_and_not_asked_again(tmp_path):
    model = polishing(lambda text, _most: text)
    outcome = polished(station(), model, tmp_path)
    assert proposed(outcome) == {}
    assert all(each.is_good_already for each in outcome.proposals)
    assert len(model.asks) == 2


def test_nothing_is_asked_twice(tmp_path):
    first = polishing()
    before = polished(station(), first, tmp_path)
    second = polishing()
    assert polished(station(), second, tmp_path).proposals == before.proposals
    assert second.asks == []
    assert before.totals.usage.tokens_in == 2_000


def test_the_projects_own_prompt_is_asked_and_told_of(tmp_path):
    model = polishing()
    outcome = polished(station(prompts=(("polish", "Make these lines sing."),)), model, tmp_path)
    assert said(model.asks[0]).endswith("Make these lines sing.")
    works = [each.polished_by for each in outcome.proposals if isinstance(each, Polished)]
    assert all(each.contributions[0].tasks[0].edited for each in works)


def test_each_line_names_the_model_that_truly_wrote_it(tmp_path):
    class Served(ScriptedModel):
        async def send(self, ask, on_chunk, stop):
            first = await super().send(ask, on_chunk, stop)
            return replace(first, model="new" if "you wrote" in said(ask) else "old")

    def amiss(ask):
        given = {each: fluent(line[5], int(line[2])) for each, line in asked_lines(ask).items()}
        if "you wrote" not in said(ask):
            given |= {each: "Two. Lines." for each, line in asked_lines(ask).items() if line[5] == "Takes package."}
        return lines_json(given)

    outcome = polished(station(), Served(script=amiss), tmp_path)
    found = {
        each.eventuality: each.polished_by.contributions[0].model
        for each in outcome.proposals
        if isinstance(each, Polished)
    }
    assert found == {"e1": "old", "e2": "new", "e3": "old", "e4": "old"}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Response("", State.FAILED, "the server is down"), "the server is down"),
        (Response("", State.BLOCKED, "it was withheld"), "it was withheld"),
        (Response('{"lines": [{"id": "p01", "te', State.TRUNCATED, "it broke off"), "it broke off"),
        ("{}", "the model’s line is missing"),
        ('{"lines": [{"id": "e99", "text": "She parks."}]}', "the model’s line is missing"),
        ("I would rather not.", "the model’s line is missing"),
    ],
)
def test_where_nothing_comes_each_line_says_why_and_is_not_asked_again(tmp_path, answer, why):
    model = ScriptedModel(lambda _ask: answer)
    outcome = polished(station(), model, tmp_path)
    assert left(outcome) == dict.fromkeys(("e1", "e2", "e3", "e4"), why)
    assert len(model.asks) == 2


def test_an_answer_that_breaks_off_is_used_and_the_rest_asked_for(tmp_path):
    def script(ask):
        if ids_of(ask) == ["p01", "p02", "p03"]:
            whole = lines_json({"p01": "She parks.", "p02": "She takes a package.", "p03": "She"})
            return Response(whole[: whole.index('"p03"')], State.TRUNCATED, "it broke off", Usage(9, 0, 9))
        return lines_json(dict.fromkeys(ids_of(ask), "She rises from her seat."))

    outcome = polished(station(eventualities=station().eventualities[:3]), ScriptedModel(script), tmp_path)
    assert proposed(outcome) == {
        "e1": "She parks.",
        "e2": "She takes a package.",
        "e3": "She rises from her seat.",
    }


def test_stopped_it_says_so_and_goes_on_there(tmp_path):
    stop = asyncio.Event()

    def script(ask):
        if "drawer" in said(ask) and not stop.is_set():
            stop.set()
        return polishing().script(ask)

    model = ScriptedModel(script)
    outcome = polished(station(), model, tmp_path, stop=stop, at_once=1)
    assert outcome.stopped
    assert list(proposed(outcome)) == ["e1", "e2", "e3"]
    assert left(outcome) == {"e4": STOPPED}
    again = polishing()
    assert list(proposed(polished(station(), again, tmp_path))) == ["e1", "e2", "e3", "e4"]
    assert len(again.asks) == 1


def test_it_tells_of_each_scene_and_of_what_is_spent(tmp_path):
    heard = []
    polished(station(), polishing(), tmp_path, hear=heard.append)
    scenes = [each for each in heard if isinstance(each, ScenePolished)]
    assert sorted((each.scene, len(each.proposals)) for each in scenes) == [("s1", 3), ("s2", 1)]
    assert [each.ended for each in heard if isinstance(each, Spent)] == [1, 2]


def test_a_measured_line_keeps_its_pace(tmp_path):
    # Two words in 2 s: eight words in the 4 s or so to the gap’s end would take 8 s.
    slow = replace(station().eventualities[1], variants=(Variant("Takes package.", duration=2_000),))
    model = polishing()
    outcome = polished(station(eventualities=(slow,)), model, tmp_path)
    (line,) = outcome.proposals
    assert line.span == Span(4_000, 6_000)
    assert line.room == 4_000
    assert asked_lines(model.asks[0])["p01"][2] == "4"
    assert (line.text, line.duration) == ("She takes package.", 3_000)


def test_a_long_scene_is_asked_for_in_lots_that_do_not_cut_what_flows_on(tmp_path):
    script = station(cues=(), eventualities=tuple(
        worded(f"e{n:02d}", 1_500 * n + (600 if n % 3 == 0 else 0), 0.5, f"Turns page {n}.") for n in range(25)
    ))  # fmt: skip
    model = polishing(lambda text, _most: text.replace("Turns", "Folds"))
    outcome = polished(script, model, tmp_path)
    assert sum(len(ids_of(ask)) for ask in model.asks) == 25
    assert max(len(ids_of(ask)) for ask in model.asks) <= 20
    assert set(left(outcome)) | set(proposed(outcome)) == {line.id for line in script.eventualities}


JSON_OF_ALL_SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["lines", "id", "text", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)
LINES_OF_ALL_KINDS = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from(["p01", "p02", "p99", ""]), "text": st.text(max_size=80) | st.none()}),
    max_size=5,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(max_size=200)
    | JSON_OF_ALL_SHAPES.map(json.dumps)
    | LINES_OF_ALL_KINDS.map(lambda lines: json.dumps({"lines": lines}))
)
def test_any_answer_leaves_every_line_with_a_proposal_that_fits_or_a_reason(tmp_path_factory, answer):
    outcome = polished(station(), ScriptedModel(lambda _ask: answer), tmp_path_factory.mktemp("fuzz"))
    assert [each.eventuality for each in outcome.proposals] == ["e1", "e2", "e3", "e4"]
    for each in outcome.proposals:
        if isinstance(each, Polished):
            assert each.duration <= each.room
        else:
            assert each.why


def test_no_more_is_asked_once_the_film_has_cost_its_limit_and_raised_it_goes_on(tmp_path):
    priced = Capabilities(known=True, images=4, usd_in=1.0, usd_out=1.0)

    def costing(ask):
        answer = polishing().script(ask)
        return Response(answer, State.COMPLETE, usage=Usage(9, 0, 9, 0, 100_000))

    model = ScriptedModel(costing, capabilities=priced)
    # The first ask is of platform's three lines and costs all that there is.
    outcome = polished(station(), model, tmp_path, at_once=1, most_micro_usd=100_000)
    assert len(model.asks) == 1
    assert set(proposed(outcome)) == {"e1", "e2", "e3"}
    assert outcome.failed == 1
    assert "the film has cost 0.10 US dollars of the 0.10 US dollars that were set as its limit" in left(outcome)["e4"]
    outcome = polished(station(), model, tmp_path, at_once=1, most_micro_usd=1_000_000)
    assert set(proposed(outcome)) == {"e1", "e2", "e3", "e4"}
    assert len(model.asks) == 2, "what came is not asked for again"
