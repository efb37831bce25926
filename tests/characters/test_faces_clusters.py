from __future__ import annotations

import contextlib
import random
from dataclasses import replace

import numpy as np
import pytest
from face_values import face, faces
from hypothesis import given
from hypothesis import strategies as st

from adstudio.characters.faces import Faces, PortraitVector, picture_hash
from adstudio.characters.faces_clusters import MOST_COMPARED, NOBODY, clustered
from adstudio.characters.faces_known import known_faces
from adstudio.characters.faces_known_data import encode_known, known_key, parse_known
from adstudio.characters.faces_portraits import matches
from adstudio.characters.faces_shots import Identified, face_at, people_in_shots
from adstudio.core.cast import NamedFace, Person, Portrait
from adstudio.core.errors import BadInputError
from adstudio.media.cache import DamagedCacheError

TWO = faces(
    *(face(time, 1) for time in range(500, 29_000, 1000)), *(face(time, 2, 6000) for time in (700, 11_700, 12_700))
)


def people_of(found, result):
    """For each cluster, who is in it (the numbers that `face_values.face` was given), by the place of the face."""
    return [{1 if found.faces[n].box.left == 1000 else 2 for n in cluster.faces} for cluster in result.clusters]


def test_each_person_is_a_cluster_and_the_one_seen_most_is_first():
    result = clustered(TWO, {})
    assert people_of(TWO, result) == [{1}, {2}]
    assert [len(cluster.faces) for cluster in result.clusters] == [29, 3]
    assert all(cluster.person is None for cluster in result.clusters)


def test_a_film_without_faces_has_no_clusters():
    assert clustered(Faces(()), {}).clusters == ()


def test_the_same_faces_give_the_same_clusters():
    assert clustered(TWO, {}) == clustered(replace(TWO), {})


def test_naming_one_face_names_its_cluster():
    number = next(n for n, each in enumerate(TWO.faces) if each.box.left == 6000)
    result = clustered(TWO, {number: "clerk"})
    assert [(cluster.person, len(cluster.faces)) for cluster in result.clusters] == [(None, 29), ("clerk", 3)]
    assert result.clusters[1].labelled == {number}


def test_two_clusters_of_one_name_are_one():
    result = clustered(TWO, {0: "nora", 1: "nora"})
    assert [(cluster.person, len(cluster.faces)) for cluster in result.clusters] == [("nora", 32)]


def test_a_face_that_is_said_to_be_another_leaves_its_cluster():
    result = clustered(TWO, {0: "nora", 4: "double"})
    assert {cluster.person: 4 in cluster.faces for cluster in result.clusters if cluster.person} == {
        "nora": False,
        "double": True,
    }


def test_faces_of_two_people_are_never_in_one_cluster_however_alike():
    twins = faces(*(face(1000 * n, 1, nearness=0.01) for n in range(1, 29)))
    said = {0: "ann", 9: "beth", 20: NOBODY}
    for cluster in clustered(twins, said).clusters:
        assert len({said[number] for number in cluster.faces if number in said}) <= 1


def test_two_faces_of_one_picture_are_two_people_and_said_to_be_alike():
    mirrored = faces(face(500, 1), face(500, 1, 6000), face(1500, 1), face(1500, 1, 6000))
    result = clustered(mirrored, {})
    assert len(result.clusters) == 2
    assert result.alike == ((0, 1), (2, 3))


def test_the_describers_word_is_stronger_than_a_mirror():
    mirrored = faces(face(500, 1), face(500, 1, 6000))
    assert [cluster.faces for cluster in clustered(mirrored, {0: "nora", 1: "nora"}).clusters] == [(0, 1)]


def test_a_hundred_people_are_a_hundred_clusters():
    crowd = faces(*(face(200 * n + 7 * frame, n, 1000) for n in range(100) for frame in range(2)))
    assert len(clustered(crowd, {}).clusters) == 100


def test_of_more_faces_than_can_be_compared_the_others_join_whom_they_are_like_and_those_like_nobody_are_counted():
    # Each in a shot of its own, so that none can be joined to its neighbour beforehand.
    shots = tuple(range(0, 10 * MOST_COMPARED + 110, 10))
    many = [face(10 * n, n % 3) for n in range(MOST_COMPARED)]
    like = [face(10 * (MOST_COMPARED + n), 1, score=10) for n in range(5)]
    strangers = [face(10 * (MOST_COMPARED + 5 + n), 50 + n, score=10) for n in range(3)]
    result = clustered(faces(*many, *like, *strangers, boundaries=shots), {})
    assert result.uncompared == 3
    assert sum(len(cluster.faces) for cluster in result.clusters) == MOST_COMPARED + 5
    assert len(result.clusters) == 3


def test_clusters_never_mix_people_however_the_faces_are_spread():
    for seed in range(20):
        draw = random.Random(seed)
        found = faces(
            *(
                face(100 * n, person, 1000 if person == 1 else 6000, nearness=draw.choice([0.05, 0.1, 0.2]))
                for n, person in enumerate(draw.choices([1, 2], k=60))
            )
        )
        assert all(len(people) == 1 for people in people_of(found, clustered(found, {})))


def test_a_portrait_names_the_cluster_that_is_like_it():
    result = clustered(TWO, {})
    portraits = {"nora": [face(1, 1).vector], "clerk": [face(1, 2).vector], "absent": [face(1, 3).vector]}
    found = matches(TWO, result.clusters, portraits)
    assert {number: match.person for number, match in found.items()} == {0: "nora", 1: "clerk"}


def test_portraits_of_twins_and_pictures_of_no_face_match_nobody():
    result = clustered(TWO, {})
    twins = {"ann": [face(1, 1).vector], "beth": [face(2, 1).vector], "house": [b""]}
    assert matches(TWO, result.clusters, twins) == {}
    assert matches(TWO, result.clusters, {"house": [b""]}) == {}


def test_what_the_describer_said_is_not_matched():
    result = clustered(TWO, {0: "nora"})
    assert 0 not in matches(TWO, result.clusters, {"clerk": [face(1, 1).vector]})


def test_who_is_seen_in_which_shot():
    result = clustered(TWO, {0: "nora"})
    clerk = matches(TWO, result.clusters, {"clerk": [face(1, 2).vector]})
    first, second, third = people_in_shots(TWO, result.clusters, clerk)
    assert first.known == second.known == ("nora", "clerk")
    assert third.known == ("nora",)
    assert [each.by for each in first.people] == [Identified.DESCRIBER, Identified.PORTRAIT]
    assert first.people[1].times == (700,)


def test_a_clusters_people_are_seen_from_their_first_face_on():
    nora, tom = Person("nora", "Nora"), Person("tom", "Tom")
    first = TWO.faces[next(n for n, each in enumerate(TWO.faces) if each.box.left == 6000 and each.time == 11_700)]
    known = known_faces(TWO, (nora, tom), [NamedFace("f", first.time, first.box, "tom")])
    assert known.first_seen == {"tom": 700}, "the label is at 11.7 s, and the cluster has a face at 0.7 s"
    assert known.seen == [(700, "tom"), (11_700, "tom"), (12_700, "tom")]


def test_nobody_of_the_cast_is_in_no_shot():
    result = clustered(TWO, {0: NOBODY})
    shots = people_in_shots(TWO, result.clusters)
    assert [shot.known for shot in shots] == [(), (), ()]
    assert all((each.person, each.cluster) == (None, 1) for shot in shots for each in shot.people)


def test_a_named_face_is_found_again_after_another_search():
    box = TWO.faces[1].box
    assert face_at(TWO, 700, replace(box, left=box.left + 100)) == 1
    assert face_at(TWO, 700, replace(box, left=box.left + 2000)) is None
    assert face_at(TWO, 9_999, TWO.faces[1].box) is None


def test_what_is_known_of_faces_goes_from_one_process_to_another():
    nora = Person("nora", "Nora", portraits=(Portrait(b"a picture of Nora"),))
    clerk, stranger = (next(each for each in TWO.faces if each.box.left == left) for left in (6000, 1000))
    found = replace(TWO, portraits=(PortraitVector(picture_hash(b"a picture of Nora"), stranger.vector),))
    named = [NamedFace("f", clerk.time, clerk.box), NamedFace("g", 29_999, clerk.box)]
    known = known_faces(found, (nora,), named)
    assert (len(known.matched), known.lost, known.clusters.clusters[1].person) == (1, ("g",), NOBODY)
    assert parse_known(encode_known(known, "key"), found) == known


def test_what_is_known_of_nothing_and_of_several_faces_in_a_portrait_is_the_same_afterwards():
    none = known_faces(Faces((), (0, 1000)), (), [])
    assert parse_known(encode_known(none, ""), none.faces) == none
    nora = Person("nora", "Nora", portraits=(Portrait(b"a family"),))
    two = replace(TWO, portraits=(PortraitVector(picture_hash(b"a family"), face(1, 1).vector, 3),))
    known = known_faces(two, (nora,), [])
    assert known.several == ("nora",)
    assert parse_known(encode_known(known, ""), two) == known


@given(st.integers(0, 400), st.integers(0, 255))
def test_whatever_byte_of_it_is_wrong_it_is_read_or_refused(place, byte):
    data = bytearray(encode_known(known_faces(TWO, (), []), "key"))
    data[place % len(data)] = byte
    with contextlib.suppress(BadInputError):
        known = parse_known(bytes(data), TWO)
        assert all(0 <= number < len(TWO.faces) for cluster in known.clusters.clusters for number in cluster.faces)
        assert all(cluster.faces for cluster in known.clusters.clusters)
        assert len(tuple(known.shots)) == len(TWO.boundaries) - 1, "what is read later is damaged no more"


def test_what_is_known_of_other_faces_is_refused():
    data = encode_known(known_faces(TWO, (), []), "key")
    for changed in (data[:-1], data[:40], b"", data + b"more"):
        with pytest.raises(DamagedCacheError):
            parse_known(changed, TWO)
    with pytest.raises(DamagedCacheError):
        parse_known(data, replace(TWO, faces=TWO.faces[:-1]))


def test_the_key_tells_faces_portraits_and_names_apart():
    named = NamedFace("f", 1, TWO.faces[0].box, "nora")
    keys = [
        known_key("a", {"nora": ("x",)}, [named]),
        known_key("b", {"nora": ("x",)}, [named]),
        known_key("a", {"nora": ("y",)}, [named]),
        known_key("a", {"tom": ("x",)}, [named]),
        known_key("a", {"nora": ("x",)}, [replace(named, person=None)]),
        known_key("a", {"nora": ("x",)}, []),
    ]
    assert len(set(keys)) == len(keys)
    assert known_key("a", {"nora": ("x",)}, [named]) == keys[0]


def at(distance, *, from_=1, towards=9):
    """A vector that far from the middle of a person's faces, in the direction of nobody."""
    point = np.zeros(128)
    point[from_], point[towards] = 0.7, distance
    return point.astype("<f4").tobytes()


def seen(time, numbers, left=1000):
    return replace(face(time, 1, left), vector=numbers)


def clusters_of(*found, boundaries=(0, 10_000, 20_000, 30_000)):
    result = clustered(faces(*found, boundaries=boundaries), {})
    return sorted(len(cluster.faces) for cluster in result.clusters)


def test_whoever_stays_in_a_place_of_the_picture_stays_who_they_are():
    """0.58 is too far for two faces of a film, and near enough for two that follow each other in one place."""
    away = at(0.58)
    assert clusters_of(seen(1000, at(0)), seen(2000, away)) == [2]
    assert clusters_of(seen(1000, at(0)), seen(2000, away, left=3000)) == [1, 1], "in another place"
    assert clusters_of(seen(1000, at(0)), seen(4000, away)) == [1, 1], "later"
    assert clusters_of(seen(9500, at(0)), seen(10_500, away)) == [1, 1], "in another shot"
    assert clusters_of(seen(1000, at(0)), seen(2000, at(0.62))) == [1, 1], "behind a cut that was not detected"


def test_a_stray_face_joins_whom_it_is_clearly_most_like():
    nora = [face(1000 * n, 1, 1000) for n in range(1, 9)]
    tom = [face(1000 * n, 2, 6000) for n in range(11, 19)]
    stray = seen(25_000, at(0.55), left=3000)
    assert clusters_of(*nora, *tom, stray) == [8, 9]
    assert clusters_of(*nora, stray) == [1, 8], "of two alone nobody can tell"
    between = np.zeros(128)
    between[1] = between[2] = 0.35  # as far from the one as from the other
    assert clusters_of(*nora, *tom, seen(25_000, between.astype("<f4").tobytes(), left=3000)) == [1, 8, 8]
    beside = seen(3000, at(0.55), left=3000)
    assert clusters_of(*nora, *tom, beside) == [1, 8, 8], "one picture shows them both"


def test_two_people_who_are_alike_and_often_seen_are_not_joined():
    nora = [face(1000 * n, 1, 1000) for n in range(1, 9)]
    sister = [seen(1000 * n, at(0.55), left=1000) for n in range(11, 19)]
    other = [face(1000 * n, 3, 6000) for n in range(21, 29)]
    assert clusters_of(*nora, *sister, *other) == [8, 8, 8]
