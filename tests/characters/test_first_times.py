"""When characters are first seen, heard and named, as far as the project knows."""

from __future__ import annotations

from adstudio.characters.first_times import FirstTimes, first_times
from adstudio.core.cast import FaceBox, NamedFace, Person
from adstudio.core.film import Film
from adstudio.core.script import Cue, CueKind, Script

BOX = FaceBox(0, 0, 10, 10)
NORA = Person("n", "Nora Vale", ("Mrs Vale",))
TOM = Person("t", "Tom", first_seen=500)
HOPE = Person("h", "Hope")
SCRIPT = Script(
    Film("f", 60_000),
    people=(NORA, TOM, HOPE),
    cues=(
        Cue("c1", 1_000, 2_000, "I hope you can.", "TOM"),
        Cue("c2", 3_000, 4_000, "MRS. VALE SPEAKS", "Mrs Vale", CueKind.SOUND),
        Cue("c3", 5_000, 6_000, "Where is Mrs. Vale’s coat, Tom?"),
        Cue("c4", 7_000, 8_000, "TOM! HOPE!", "MRS VALE"),
        Cue("c5", 9_000, 9_500, "Yes.", "nora vale"),
        Cue("c6", 9_600, 9_700, "Tomorrow.", "Somebody"),
    ),
    named_faces=(NamedFace("a", 8_000, BOX, "n"), NamedFace("b", 2_500, BOX, "n"), NamedFace("c", 0, BOX, None)),
)


def test_each_time_is_the_earliest_that_is_known() -> None:
    assert first_times(SCRIPT) == {
        "n": FirstTimes(seen=2_500, speech=7_000, named=5_000, cues=2),
        "t": FirstTimes(seen=500, speech=1_000, named=5_000, cues=1),
        "h": FirstTimes(named=7_000),  # “hope” with a small letter names nobody
    }


def test_a_face_that_was_found_earlier_than_a_named_one_counts_unless_the_describer_set_the_time() -> None:
    found = first_times(SCRIPT, {"n": 1_500, "t": 100, "h": 9_000})
    assert {who: each.seen for who, each in found.items()} == {"n": 1_500, "t": 500, "h": 9_000}
    assert first_times(SCRIPT, {"n": 3_000})["n"].seen == 2_500


def test_without_a_cast_there_is_nothing_to_tell() -> None:
    assert first_times(Script(Film("f", 1))) == {}
