"""The lane that says who is seen in which shot."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "characters"))
from face_values import face, faces

from adstudio.characters.faces_clusters import clustered
from adstudio.characters.faces_shots import people_in_shots
from adstudio.ui.timeline.lanes import DEFAULT_SIZES, GREATEST_HEIGHT, Lane, arrange
from adstudio.ui.timeline.seen_people import AT_ONCE, SeenPeople, changed_spans, seen_people, seen_people_in_parts

FOUND = faces(face(1000, 1), face(2000, 1), face(2000, 2, 6000), face(12_000, 2, 6000))
CLUSTERS = clustered(FOUND, {0: "nora"}).clusters
SEEN = seen_people(people_in_shots(FOUND, CLUSTERS), {"nora": "Nora"})
WITH_PEOPLE = replace(DEFAULT_SIZES, people=True)


def test_names_stand_in_their_shots_and_unnamed_faces_are_marked():
    assert [SEEN.text(place) for place in range(len(SEEN.strip))] == ["Nora, ?", "?"]
    assert SEEN.strip.starts == (0, 10_000)


def test_who_is_seen_is_said_in_words():
    assert SEEN.spoken_at(500) == "Nora, 1 without a name"
    assert SEEN.spoken_at(15_000) == "1 face without a name"
    assert SEEN.spoken_at(25_000) == ""
    assert seen_people((), {}).spoken_at(0) == ""


def test_only_shots_of_which_something_else_is_shown_have_changed():
    assert changed_spans(SEEN, SEEN) == []
    assert changed_spans(SeenPeople(), SEEN) == [(0, 10_000), (10_000, 20_000)]
    clusters = clustered(FOUND, {0: "nora", 3: "tom"}).clusters
    named = seen_people(people_in_shots(FOUND, clusters), {"nora": "Nora", "tom": "Tom"})
    assert changed_spans(SEEN, named) == [(0, 10_000), (10_000, 20_000)]
    later = faces(face(1000, 1), face(2000, 1), face(2000, 2, 6000))
    fewer = seen_people(people_in_shots(later, clustered(later, {0: "nora"}).clusters), {"nora": "Nora"})
    assert changed_spans(SEEN, fewer) == [(10_000, 20_000)]


def test_thousands_of_shots_are_looked_at_in_parts():
    shots = people_in_shots(FOUND, CLUSTERS) * AT_ONCE
    *parts, last = seen_people_in_parts(shots, {"nora": "Nora"})
    assert parts == [None] * (len(shots) // AT_ONCE)
    assert last is not None
    assert last.names.count("Nora") == AT_ONCE


def test_the_lane_is_there_only_while_somebody_is_known():
    for height in range(0, 1200, 52):
        without, with_people = arrange(height), arrange(height, WITH_PEOPLE)
        assert without[Lane.PEOPLE].height == 0
        assert sum(band.height for band in with_people.values()) <= max(height, WITH_PEOPLE.compact_height)
    assert arrange(GREATEST_HEIGHT * 3, WITH_PEOPLE)[Lane.PEOPLE].height >= 20
    assert arrange(0, WITH_PEOPLE)[Lane.PEOPLE].height == 0


def test_the_other_lanes_are_as_high_as_before_while_nobody_is_known():
    assert DEFAULT_SIZES.wanted_height == WITH_PEOPLE.wanted_height - WITH_PEOPLE.wanted(Lane.PEOPLE)
    assert DEFAULT_SIZES.with_height(Lane.PEOPLE, 40).wanted_height == DEFAULT_SIZES.wanted_height
