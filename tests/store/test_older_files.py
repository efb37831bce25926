"""Files of older versions, as the program of that time wrote them, open with all that is in them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import PLAN, fail, write
from example_scripts import CLERK, E1, E2, E3, LISBETH, MINA, PICTURE, SCRIPT
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.cast import Person, SpeakerSource
from adstudio.core.errors import BadInputError
from adstudio.core.film import SourceFile
from adstudio.core.narration import Take, VoiceSettings
from adstudio.core.plan import Delivery
from adstudio.core.policy import OFFLINE, Host, Lapse, Policy
from adstudio.core.provenance import (
    UNKNOWN_PROVENANCE,
    Contribution,
    DescriptionLine,
    FreeText,
    ModelTask,
    ModelWork,
    Provenance,
    ScreenplayLine,
)
from adstudio.core.script import Approval, Cue, Opening, Variant
from adstudio.core.settings import Near
from adstudio.core.steps import (
    Agent,
    ChangeKind,
    Insert,
    Replace,
    SetFilm,
    SetPeople,
    SetSettings,
    SetVoice,
    Several,
    Step,
    StepOrigin,
)
from adstudio.core.timebase import Span
from adstudio.editing.machine_steps import contributions_text
from adstudio.editing.redraft import drafted_scene_id, is_human_work
from adstudio.store import layout, legacy_texts
from adstudio.store.codec import decode, encode
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile

VERSION_2 = Path(__file__).resolve().parents[1] / "data" / "version_2.adproj"
"""Made by the last program that knew no openings: the core's example script; a note saved with a plan; after that a
note, a deletion of e2 with a move of e1 behind e3, a line written and undone, and the silence deleted."""

VERSION_3 = VERSION_2.with_name("version_3.adproj")
"""Made by the last program that knew no confidence: the core's example script; the film renamed, saved with a plan;
after that, at once, a note on e1 joined to the line before and e2 deleted; then the film renamed once more."""

VERSION_4 = VERSION_2.with_name("version_4.adproj")
"""Made by the last program that knew no people: the core's example script; a note saved with a plan; after that the
penalties taken away, at once e2 deleted and the film renamed, a note and its undoing."""

VERSION_5 = VERSION_2.with_name("version_5.adproj")
"""Made by the last program that did not mark all human work: the core's example script; e2 given a duration, saved with
a plan; after that e1 moved to the end, e3 given a duration, a note and its undoing."""

VERSION_6 = VERSION_2.with_name("version_6.adproj")
"""Made by the last program that told facts in sentences: the core's example script with six more lines, of all sorts of
sources, saved with a plan; after that a note and two lines kept in, a scene drafted in the editor, one by a command,
two lines weighed, the people and the rules set by commands, a note that was withdrawn, another, and one undone."""

VERSION_7 = VERSION_2.with_name("version_7.adproj")
"""Made by the last program that did not say whose a permission is: the core's example script, on premises; a note saved
with a plan; after that another note, e2 deleted, and a note that was undone."""

OLD_E2 = replace(E2, confidence=None, provenance=UNKNOWN_PROVENANCE, weighed=False, worked=False)
VERSION_8 = VERSION_2.with_name("version_8.adproj")
"""Made by the last program that knew only names of sources: the core's example script, its sources and pictures as it
knew them; a note saved with a plan; after that another screenplay, and a note that was undone."""

VERSION_9 = VERSION_2.with_name("version_9.adproj")
"""Made by the last program whose settings had one distance from the action: the core's example script; a note saved
with a plan; after that other settings, at once a title and settings, and a note that was undone."""

VERSION_10 = VERSION_2.with_name("version_10.adproj")
"""Made by the last program that chose the sound track alone: the core's example script; a note saved with a plan; after
that another video, at once none and it again with a title, and a note that was undone."""


VERSION_11 = VERSION_2.with_name("version_11.adproj")
VERSION_12 = VERSION_2.with_name("version_12.adproj")
"""Made by the last program that kept no report of a draft: the core's example script; a note saved with a plan; after
that other words of a line, at once a note and a title, and a note that was undone."""

VERSION_13 = VERSION_2.with_name("version_13.adproj")
"""Made by the last program that kept no versions: the core's example script with a report and the recording of a take;
a note saved with a plan; after that other words of a line, taken and extended, a voice, and a note that was undone."""

VERSION_14 = VERSION_2.with_name("version_14.adproj")
"""Made by the last program that fused no lines: the core's example script without fusions; a note saved with a plan,
and kept with it as the version “First”; after that e2 deleted, and a note that was undone."""

VERSION_15 = VERSION_2.with_name("version_15.adproj")
"""Made by the last program whose people were names and faces: the core's example script with a report; a note saved
with a plan, and kept with it as the version “First”; after that other words of a cue, at once a cast and a cue, and a
note that was undone."""

VERSION_16 = VERSION_2.with_name("version_16.adproj")
"""Made by the last program that counted all of a cue as dialogue: the core's example script; a note saved with a plan,
and kept with it as the version “First”; after that other settings, at once a title and settings, and a note that was
undone."""


VERSION_17 = VERSION_2.with_name("version_17.adproj")
"""Made by the last program for which every note was a person's: the core's example script, drafted from a description
and a screenplay; a note saved with a plan, and kept with it as the version “First”; after that another line's
provenance, and a note that was undone."""


def named(path: str) -> SourceFile:
    return SourceFile(path, "", 0, "")


SCRIPT_15 = replace(
    SCRIPT,
    people=(LISBETH, MINA),
    cues=tuple(replace(cue, speaker_source=None, speaker_confidence=None) for cue in SCRIPT.cues),
    named_faces=(),
    word_times=(),
)
SCRIPT_14 = replace(SCRIPT_15, fusions=())
SCRIPT_8 = replace(
    SCRIPT_14,
    film=replace(
        SCRIPT.film,
        subtitles=named("dialogue.srt"),
        screenplay=named("script.fountain"),
        other_sources=(
            named("dialogue.json"),
            named("candidates.json"),
            named("/films/Gün ter – ä/日本.json"),
            named("/films/Gün ter – ä/candidates.json"),
        ),
    ),
    people=(Person.named(LISBETH.name, LISBETH.face), MINA),
)
OLD_FILM = replace(SCRIPT_8.film, screenplay=None)
OLD = replace(SCRIPT_8, people=(), prompts=())
SAVED = replace(OLD, film=OLD_FILM, openings=(), eventualities=(replace(E1, note="one"), OLD_E2, E3))
LAST = replace(SAVED, silences=(), eventualities=(E3, replace(E1, note="two")))


def changed(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_file_without_openings_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_2, path)
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script, found.saved_plan) == (SAVED, LAST, PLAN)
        assert found.oddities == ()
        assert found.last_step_at is not None
        document = found.document(on_failure=fail)
        assert [type(step).__name__ for step in document.past] == ["Replace", "Several", "Remove"]
        document.apply(Insert(Opening("o1", Span(10, 20))))
        opened = document.script
    assert path.with_name("film (version 2).adproj").read_bytes() == VERSION_2.read_bytes()
    with ProjectFile.open(path) as found:
        document = found.document(on_failure=fail)
        assert document.script == opened
        while document.undo():
            pass
        assert document.script == SAVED


def of_version_1(path: Path) -> Path:
    """What the first program would have written of the file of version 2: no row says when its step was made."""
    shutil.copyfile(VERSION_2, path)
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT seq, act, step FROM journal ORDER BY seq").fetchall()
    chain = connection.execute("SELECT chain FROM snapshot ORDER BY seq LIMIT 1").fetchone()[0]
    saved, last = connection.execute("SELECT saved, last FROM state").fetchone()
    plan = connection.execute("SELECT plan FROM plan").fetchone()[0]
    connection.execute("DROP TABLE journal")
    connection.execute(layout.TABLES[1]["journal"])
    sums = {}
    for row in rows:
        chain = sums[row[0]] = layout.digest("journal", chain, *row)
        connection.execute("INSERT INTO journal VALUES (?, ?, ?, ?)", (*row, chain))
    layout.write_state(connection, saved, last, chain)
    layout.write_plan(connection, saved, sums[saved], plan)
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    return path


def test_a_file_of_the_first_version_opens_whole(path: Path) -> None:
    # Of that version the plan is not taken over, so nobody knows how e1 was spoken when it was accepted.
    saved, last = (
        replace(script, eventualities=tuple(replace(line, approval=None) for line in script.eventualities))
        for script in (SAVED, LAST)
    )
    with ProjectFile.open(of_version_1(path)) as found:
        assert (found.saved_script, found.last_script, found.oddities, found.last_step_at) == (saved, last, (), None)
        document = found.document(on_failure=fail)
        while document.undo():
            pass
        assert document.script == saved


def test_reading_an_older_file_writes_nothing(path: Path) -> None:
    shutil.copyfile(VERSION_2, path)
    path.chmod(0o444)
    with ProjectFile.open(path, read_only=True) as found:
        assert found.last_script == LAST
    assert path.read_bytes() == VERSION_2.read_bytes()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_damaged_unsaved_steps_of_an_older_file_are_set_aside(path: Path) -> None:
    shutil.copyfile(VERSION_2, path)
    changed(path, "UPDATE journal SET step = x'7b7d' WHERE seq = 3")
    with ProjectFile.open(path) as found:
        assert found.saved_script == found.last_script == SAVED
        assert found.saved_plan == PLAN
        assert "checksum of change 3" in found.oddities[0].what
        write(found.document(RestorePoint.LAST_SAVE, on_failure=fail), "three")
    names = sorted(each.name for each in path.parent.iterdir())
    assert names == ["film (damaged).adproj", "film (version 2).adproj", "film.adproj"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshot SET script = CAST(replace(CAST(script AS TEXT), 'She parks', 'He parks') AS BLOB)",
        "UPDATE journal SET step = x'7b7d' WHERE seq = 1",
        "UPDATE state SET saved = 2",
        "DELETE FROM state",
        "DELETE FROM snapshot",
    ],
)
def test_damage_to_saved_content_is_not_hidden(path: Path, statement: str) -> None:
    shutil.copyfile(VERSION_2, path)
    changed(path, statement)
    before = path.read_bytes()
    with pytest.raises(BadInputError, match="is damaged"):
        ProjectFile.open(path)
    assert path.read_bytes() == before


def test_a_plan_of_another_state_is_still_not_taken(path: Path) -> None:
    shutil.copyfile(VERSION_2, path)
    changed(path, "UPDATE plan SET plan = CAST(replace(CAST(plan AS TEXT), '650', '651') AS BLOB)")
    with ProjectFile.open(path) as found:
        assert found.saved_plan is None
        assert "will be re-planned" in found.oddities[0].what


def test_the_files_are_of_the_versions_they_say() -> None:
    for number, file in (
        (2, VERSION_2),
        (3, VERSION_3),
        (4, VERSION_4),
        (5, VERSION_5),
        (6, VERSION_6),
        (7, VERSION_7),
        (8, VERSION_8),
        (9, VERSION_9),
        (10, VERSION_10),
        (11, VERSION_11),
    ):
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        assert connection.execute("PRAGMA user_version").fetchone()[0] == number
        connection.close()
        assert number < layout.VERSION


def test_a_file_without_confidence_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_3, path)
    first = replace(OLD, film=replace(OLD_FILM, title="Named anew"), eventualities=(E1, OLD_E2, E3))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.saved_plan, found.oddities) == (first, PLAN, ())
        document = found.document(on_failure=fail)
        assert document.script.film == replace(OLD_FILM, title="Named once more")
        assert document.script.eventualities == (replace(E1, note="two", joined=True), E3)
        while document.undo():
            pass
        assert document.script == first
        while document.redo():
            pass
        write(document, "three")
    assert path.with_name("film (version 3).adproj").read_bytes() == VERSION_3.read_bytes()


def test_a_file_without_people_opens_whole_and_offline(path: Path) -> None:
    shutil.copyfile(VERSION_4, path)
    saved = replace(OLD, eventualities=(replace(E1, note="one"), replace(E2, weighed=False, worked=False), E3))
    last = replace(
        saved,
        film=replace(saved.film, title="Named anew"),
        eventualities=(replace(E1, note="one"), E3),
        rules=replace(saved.rules, penalties=()),
    )
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script, found.saved_plan) == (saved, last, PLAN)
        assert (found.policy, found.policies, found.oddities) == (OFFLINE, (), ())
        identity = found.identity
        assert len(bytes.fromhex(identity)) == 16
        document = found.document(on_failure=fail)
        assert [type(step).__name__ for step in document.past] == ["SetRules", "Several"]
        assert document.redo()
        assert document.script.eventuality("e1").note == "two"
        while document.undo():
            pass
        assert document.script == saved
        document.apply(SetPeople((), SCRIPT_8.people))
        found.set_policy(Policy("on premises", (Host("gpu.house", 8000),)))
        peopled = document.script
    assert path.with_name("film (version 4).adproj").read_bytes() == VERSION_4.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.last_script, found.identity, found.policy.rule) == (peopled, identity, "on premises")
        assert found.oddities == ()


def test_a_file_without_marks_of_human_work_opens_and_evident_work_is_marked(path: Path) -> None:
    shutil.copyfile(VERSION_5, path)
    timed = replace(E2, variants=(replace(E2.variants[0], duration=4200),), worked=True)
    other = replace(E3, variants=(replace(E3.variants[0], duration=1800),), worked=True)
    saved = replace(SCRIPT_8, eventualities=(E1, timed, E3))
    last = replace(saved, eventualities=(timed, other, E1))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script, found.saved_plan, found.oddities) == (saved, last, PLAN, ())
        document = found.document(on_failure=fail)
        assert [type(step).__name__ for step in document.past] == ["Move", "Replace"]
        assert document.redo()
        while document.undo():
            pass
        assert document.script == saved
    assert path.with_name("film (version 5).adproj").read_bytes() == VERSION_5.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.oddities) == (saved, ())


@pytest.mark.parametrize("file", [VERSION_2, VERSION_3, VERSION_4], ids=lambda file: file.stem)
def test_every_older_file_is_offline_with_an_identity_of_its_own(path: Path, file: Path) -> None:
    shutil.copyfile(file, path)
    with ProjectFile.open(path) as found:
        identity = found.identity
        assert (found.policy, found.last_script.people, found.last_script.prompts) == (OFFLINE, (), ())
    with ProjectFile.open(path, read_only=True) as found:
        assert (found.identity, found.policy, found.oddities) == (identity, OFFLINE, ())
    other = path.with_name("other.adproj")
    shutil.copyfile(file, other)
    with ProjectFile.open(other) as found:
        assert found.identity != identity


def by(model: str, *keys: str) -> Contribution:
    return Contribution(model, tuple(map(ModelTask.from_key, keys)))


EIGHT = 1_795_852_800
"""28 November 2026, 8:00 UTC."""
DRAFTED = ModelWork((by("vllm maker/m", "describe 1 edited 3f9a01bc"), by("n", "candidates 1", "repair 2")), EIGHT)
WEIGHED = ModelWork((by("w", "weigh 1"),), EIGHT + 3_600)
POLISHED = ModelWork((by("p", "polish 1"),), EIGHT + 7_200)
EMBEDDED = ModelWork((Contribution("v", (ModelTask("text embedding"),)),), EIGHT + 5_400)
PROVENANCES_6 = {
    "e1": UNKNOWN_PROVENANCE,
    "e2": Provenance(ScreenplayLine(12)),
    "e3": UNKNOWN_PROVENANCE,
    "d1": Provenance(DescriptionLine(3), weighed=WEIGHED),
    "m1": Provenance(DRAFTED, polished=POLISHED, held_by_polishing=True),
    "p1": Provenance(
        ScreenplayLine(40, page=3),
        weighed=ModelWork((Contribution("v", (ModelTask("text embedding"),)),), EIGHT + 5_400),
    ),
    "f1": Provenance(FreeText("a book, chapter 2; the second edition")),
    "o1": Provenance(ModelWork((by("", "describe 1"), by("m", "candidates 1")), EIGHT)),
    "t1": Provenance(polished=POLISHED),
}
ORIGINS_6 = [
    ("", StepOrigin()),
    ("Keep 2 lines in", StepOrigin()),
    ("Scene ‘Tailor’ drafted by house", StepOrigin(Agent.EDITOR, ChangeKind.SCENE_DRAFT, "house")),
    ("Scene 2 drafted by house", StepOrigin(Agent.COMMAND, ChangeKind.SCENE_DRAFT, "house")),
    ("", StepOrigin(Agent.COMMAND, ChangeKind.WEIGHTS, "house", 2)),
    ("", StepOrigin(Agent.COMMAND, ChangeKind.PEOPLE)),
    ("", StepOrigin(Agent.COMMAND, ChangeKind.RULES)),
    ("", StepOrigin()),
]


def origin_of(step: Step) -> tuple[str, StepOrigin]:
    return (step.label, step.origin) if isinstance(step, Several) else ("", StepOrigin())


def test_a_file_with_sentences_for_facts_opens_whole_with_values_in_their_place(path: Path) -> None:
    shutil.copyfile(VERSION_6, path)
    with ProjectFile.open(path) as found:
        assert found.oddities == ()
        assert found.saved_plan == PLAN
        assert {line.id: line.provenance for line in found.saved_script.eventualities} == PROVENANCES_6
        document = found.document(on_failure=fail)
        last = document.script
        assert [origin_of(step) for step in document.past] == ORIGINS_6, "what was withdrawn is not among them"
        assert [drafted_scene_id(step) for step in document.past[2:4]] == ["s1", "s2"]
        assert "2 scenes drafted by house, new salience for 2 lines by house" in contributions_text(document.past[2:7])
        assert last.eventuality("line-1").provenance == Provenance(DRAFTED)
        assert document.redo(), "the withdrawn step is gone, and the undone one after it can be redone"
        assert not document.redo()
        while document.undo():
            pass
        assert document.script == found.saved_script
        while document.redo():
            pass
        document.undo()
        assert document.script == last
        write(document, "of now")
        changed_script = document.script
    assert path.with_name("film (version 6).adproj").read_bytes() == VERSION_6.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.last_script, found.oddities) == (changed_script, ())
        assert [origin_of(step) for step in found.document(on_failure=fail).past] == [*ORIGINS_6, ("", StepOrigin())]


def test_a_step_that_was_withdrawn_stays_so_in_an_older_file(path: Path) -> None:
    shutil.copyfile(VERSION_6, path)
    with ProjectFile.open(path) as found:
        found.document(on_failure=fail)
    connection = sqlite3.connect(path)
    acts = [act for (act,) in connection.execute("SELECT act FROM journal WHERE seq > 0 ORDER BY seq")]
    connection.close()
    assert acts == ["do"] * 8 + ["withdraw", "do", "do", "undo"]


@pytest.mark.parametrize(
    ("text", "provenance"),
    [
        ("", UNKNOWN_PROVENANCE),
        ("line 12 of film.fountain", Provenance(FreeText("line 12 of film.fountain"))),
        ("page 3, scene 4", Provenance(FreeText("page 3, scene 4"))),
        ("screenplay, line 3", Provenance(ScreenplayLine(3))),
        ("screenplay, line 123456789", Provenance(FreeText("screenplay, line 123456789"))),
        ("line 12, then, 2026-11-28 08:00 UTC", Provenance(FreeText("line 12, then, 2026-11-28 08:00 UTC"))),
        ("Qwen3.5-27B, direct 1, 2026-11-28 08:00 UTC", Provenance(ModelWork((by("Qwen3.5-27B", "direct 1"),), EIGHT))),
        (
            "Maker, Qwen 3, direct 1, 2026-11-28 08:00 UTC",
            Provenance(ModelWork((by("Maker, Qwen 3", "direct 1"),), EIGHT)),
        ),
        ("a model, other 2, 2026-11-28 08:00 UTC", Provenance(ModelWork((by("", "other 2"),), EIGHT))),
        ("m, direct 1, 2026-99-99 99:99 UTC", Provenance(ModelWork((by("m", "direct 1"),), None))),
        # As versions told an answer that was broken off and gone on from.
        (
            "m, describe 1, then candidates 1, 2026-11-28 08:00 UTC",
            Provenance(ModelWork((by("m", "describe 1"), by("", "candidates 1")), EIGHT)),
        ),
        ("candidates 1, 2026-11-28 08:00 UTC", Provenance(ModelWork((by("", "candidates 1"),), EIGHT))),
        ("weighed by Tom", Provenance(weighed=FreeText("Tom"))),
        ("a book; polished by p, pol", Provenance(FreeText("a book"), polished=FreeText("p, pol"))),
        ("held by the polishing of another line", Provenance(held_by_polishing=True)),
        ("a cup; held by Tom", Provenance(FreeText("a cup; held by Tom"))),
    ],
)
def test_what_an_older_file_says_of_a_line(text: str, provenance: Provenance) -> None:
    assert decode(json.dumps(legacy_texts.provenance(text)).encode(), Provenance) == provenance


@pytest.mark.parametrize(
    ("label", "origin"),
    [
        ("Weigh 2 lines more", ("Weigh 2 lines more", StepOrigin())),
        ("Weigh 1,234 lines by house", ("", StepOrigin(Agent.COMMAND, ChangeKind.WEIGHTS, "house", 1234))),
        ("Set the rules that lines suggest", ("Set the rules that lines suggest", StepOrigin())),
        ("Tidy up (by a command)", ("Tidy up", StepOrigin(Agent.COMMAND))),
        (
            "Scene ‘It was drafted by us’ drafted by the house",
            (
                "Scene ‘It was drafted by us’ drafted by the house",
                StepOrigin(Agent.EDITOR, ChangeKind.SCENE_DRAFT, "the house"),
            ),
        ),
    ],
)
def test_what_an_older_file_says_of_a_steps_maker(label: str, origin: tuple[str, StepOrigin]) -> None:
    name, found = legacy_texts.origin(label)
    assert (name, decode(json.dumps(found).encode(), StepOrigin)) == origin


@given(st.text(max_size=80) | st.from_regex(legacy_texts._PROMPTED) | st.from_regex(legacy_texts._LATER))
def test_nothing_that_an_older_file_may_say_is_lost_or_cannot_be_read(text: str) -> None:
    found = decode(json.dumps(legacy_texts.provenance(text)).encode(), Provenance)
    assert decode(encode(found), Provenance) == found
    assert found != UNKNOWN_PROVENANCE or not text


@given(st.text(max_size=60), st.sampled_from(["", " (by a command)"]))
def test_any_label_of_an_older_file_can_be_read(label: str, mark: str) -> None:
    name, found = legacy_texts.origin(label + mark)
    origin = decode(json.dumps(found).encode(), StepOrigin)
    assert name == label or origin.kind is not ChangeKind.EDIT or (label.endswith(mark) and mark)


def test_a_file_whose_permission_is_nobodys_opens_whole_and_allows_nothing(path: Path) -> None:
    shutil.copyfile(VERSION_7, path)
    with ProjectFile.open(path) as found:
        assert (found.oddities, found.saved_plan) == ((), PLAN)
        assert found.saved_script == replace(SCRIPT_8, eventualities=(replace(E1, note="one"), E2, E3))
        assert found.last_script == replace(SCRIPT_8, eventualities=(replace(E1, note="two"), E3))
        assert [change.policy.rule for change in found.policies] == ["on premises"]
        assert (found.policy.rule, found.policy.lapse) == ("offline", Lapse.OTHER_USER)


def test_a_file_with_names_of_sources_opens_whole_and_protects_them(path: Path) -> None:
    shutil.copyfile(VERSION_8, path)
    noted = replace(SCRIPT_8, eventualities=(replace(E1, note="one"), E2, E3))
    last = replace(noted, film=replace(noted.film, screenplay=named("/texts/second.fountain")))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (noted, last)
        assert (found.saved_plan, found.oddities) == (PLAN, ())
        document = found.document(on_failure=fail)
        assert document.undo()
        assert document.script == noted
    assert path.with_name("film (version 8).adproj").read_bytes() == VERSION_8.read_bytes()


def test_a_file_with_one_distance_from_the_action_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_9, path)
    saved = replace(SCRIPT_14, eventualities=(replace(E1, note="one"), E2, E3))
    paused = replace(saved.settings, min_pause=300, delta_max=4000)
    last = replace(saved, film=replace(saved.film, title="Named anew"), settings=replace(paused, max_share=850_000))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (saved, last)
        assert (found.saved_plan, found.oddities) == (PLAN, ())
        settings = found.last_script.settings
        assert (settings.delta_early, settings.delta_late, settings.near, settings.reach) == (None, None, None, None)
        document = found.document(on_failure=fail)
        assert document.undo()
        assert document.script == replace(saved, settings=paused)
        near = replace(paused, delta_early=1500, delta_late=4000, near=Near(500, 2000, 800_000), reach=1)
        document.apply(SetSettings(paused, near))
    assert path.with_name("film (version 9).adproj").read_bytes() == VERSION_9.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.last_script.settings, found.oddities) == (near, ())


def test_a_file_without_sound_tracks_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_10, path)
    saved = replace(SCRIPT_14, eventualities=(replace(E1, note="one"), E2, E3))
    media = saved.film.media
    assert media is not None
    elsewhere = replace(media, path="/elsewhere/film.mp4", duration=7_100_000)
    last = replace(saved, film=replace(saved.film, media=elsewhere, title="Named anew"))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (saved, last)
        assert (found.saved_plan, found.oddities) == (PLAN, ())
        document = found.document(on_failure=fail)
        assert document.undo()
        assert document.script.film.media == elsewhere
        film = document.script.film
        chosen = replace(film, media=replace(elsewhere, sound_track=2))
        document.apply(SetFilm(film, chosen))
    assert path.with_name("film (version 10).adproj").read_bytes() == VERSION_10.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.last_script.film, found.oddities) == (chosen, ())


@pytest.mark.parametrize(
    ("delivery", "is_sound", "approval"),
    [
        (Delivery("e1", 0, 4_000, 9_000), True, Approval(0, 4_000)),
        (Delivery("e1", 0, 4_000, 9_000), False, None),
        (Delivery("e2", 0, 4_000, 9_000), True, None),
    ],
)
def test_accepted_lines_of_an_older_file_were_approved_as_its_plan_speaks_them(
    path: Path, delivery: Delivery, is_sound: bool, approval: Approval | None
) -> None:
    shutil.copyfile(VERSION_9, path)
    connection = sqlite3.connect(path)
    seq, plan = connection.execute("SELECT seq, plan FROM plan").fetchone()
    chain = connection.execute("SELECT sum FROM journal WHERE seq = ?", (seq,)).fetchone()[0]
    old = {"element": delivery.element, "variant": delivery.variant, "start": delivery.start, "end": delivery.end}
    plan = json.dumps({**json.loads(plan), "deliveries": [{**old, "text": None}]}).encode()
    layout.write_plan(connection, seq, chain if is_sound else b"another script's", plan)
    connection.commit()
    connection.close()
    with ProjectFile.open(path) as found:
        assert [line.approval for line in found.saved_script.eventualities] == [approval, None, None]
        assert [line.accepted for line in found.saved_script.eventualities] == [True, False, False]


def test_every_older_file_can_be_undone_and_redone_whole(path: Path) -> None:
    first = of_version_1(path.with_name("first.adproj"))
    for file in (first, *(VERSION_2.with_name(f"version_{number}.adproj") for number in range(2, layout.VERSION))):
        shutil.copyfile(file, path)
        with ProjectFile.open(path) as found:
            document = found.document(on_failure=fail)
            last = document.script
            steps = len(document.past)
            while document.undo():
                pass
            assert document.script == found.saved_script, file
            for _ in range(steps):
                assert document.redo()
            assert document.script == last, file
        path.unlink()


def test_a_file_without_reports_and_stale_wordings_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_11, path)
    saved = replace(SCRIPT_14, eventualities=(replace(E1, note="one"), E2, E3))
    reworded = replace(E2, variants=(Variant("Other words."), *E2.variants[1:]))
    last = replace(
        saved,
        eventualities=(replace(E1, note="one"), reworded, replace(E3, note="three")),
        film=replace(saved.film, title="Named anew"),
    )
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (saved, last)
        assert (found.saved_plan, found.oddities, found.report) == (PLAN, (), b"")
        document = found.document(on_failure=fail)
        assert document.undo()
        assert document.undo()
        assert document.script == saved
        assert document.redo()
        marked = replace(reworded, variants=(Variant("Other words.", stale=True), *reworded.variants[1:]))
        document.apply(Replace(reworded, marked))
        found.set_report(b'{"lines": 3}')
    assert path.with_name("film (version 11).adproj").read_bytes() == VERSION_11.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.last_script.eventuality(E2.id), found.oddities) == (marked, ())
        assert found.report == b'{"lines": 3}'


def test_a_file_without_voices_and_takes_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_12, path)
    saved = replace(SCRIPT_14, eventualities=(replace(E1, note="one"), E2, E3))
    reworded = replace(E2, variants=(Variant("Other words.", stale=True), *E2.variants[1:]), approval=Approval(0, 5000))
    last = replace(
        saved,
        eventualities=(replace(E1, note="one"), reworded, replace(E3, note="three")),
        film=replace(saved.film, title="Named anew"),
    )
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (saved, last)
        assert (found.saved_plan, found.oddities, found.report) == (PLAN, (), b'{"lines": 3}')
        assert (found.last_script.voice, found.last_script.lexicon, found.lengths) == (VoiceSettings(), (), b"")
        document = found.document(on_failure=fail)
        key = found.store_sound(b"RIFF a take")
        take = Take("t1", key, 700, "Other words.")
        spoken = replace(reworded, variants=(replace(reworded.variants[0], takes=(take,), take="t1"),), extended=True)
        document.apply(Replace(reworded, spoken))
        document.apply(SetVoice(VoiceSettings(), VoiceSettings("piper", pitch=5)))
        found.set_lengths(b"{}")
    assert path.with_name("film (version 12).adproj").read_bytes() == VERSION_12.read_bytes()
    with ProjectFile.open(path) as found:
        assert found.last_script.eventuality("e2") == spoken
        assert (found.last_script.voice, found.lengths) == (VoiceSettings("piper", pitch=5), b"{}")
        assert found.sound(key) == b"RIFF a take"


def test_a_file_without_versions_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_13, path)
    saved = replace(SCRIPT_14, eventualities=(replace(E1, note="one"), E2, E3))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.saved_plan, found.oddities) == (saved, PLAN, ())
        assert (found.report, found.versions.all) == (b'{"lines": 3}', ())
        assert found.last_script.voice == VoiceSettings("piper", pitch=5)
        (take,) = found.last_script.eventuality("e2").variants[0].takes
        assert found.sound(take.sound) == b"RIFF a take"
        assert found.last_script.eventuality("e2").extended
        document = found.document(on_failure=fail)
        last = document.script
        assert document.redo()
        assert document.script.eventuality("e3").note == "three"
        found.versions.keep(last, None, name="Before")
    assert path.with_name("film (version 13).adproj").read_bytes() == VERSION_13.read_bytes()
    with ProjectFile.open(path) as found:
        (version,) = found.versions.all
        assert (version.name, version.sounds) == ("Before", (take.sound,))
        assert found.versions.content(version.number).script == last


def test_a_file_without_fusions_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_14, path)
    saved = replace(SCRIPT_14, eventualities=(replace(E1, note="one"), E2, E3))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.saved_plan, found.oddities) == (saved, PLAN, ())
        (version,) = found.versions.all
        content = found.versions.content(version.number)
        assert (content.script, content.plan) == (saved, PLAN)
        document = found.document(on_failure=fail)
        assert document.script.eventualities == (replace(E1, note="one"), E3)
        assert document.redo()
        assert document.script.eventuality("e3").note == "three"
        document.apply(Insert(SCRIPT.fusions[0]))
    assert path.with_name("film (version 14).adproj").read_bytes() == VERSION_14.read_bytes()
    with ProjectFile.open(path) as found:
        assert found.last_script.fusions == SCRIPT.fusions[:1]


def test_a_file_whose_people_are_names_and_faces_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_15, path)
    saved = replace(SCRIPT_15, eventualities=(replace(E1, note="one"), E2, E3))
    reworded = replace(SCRIPT_15.cues[0], text="It’s nice.")
    renamed = (Person.named("Lisbeth", LISBETH.face, PICTURE), Person.named("Mikael"))
    last = replace(saved, people=renamed, cues=(Cue("c0", 0, 900, "Hm.", "MIKAEL"), reworded, SCRIPT_15.cues[1]))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (saved, last)
        assert (found.saved_plan, found.oddities, found.report) == (PLAN, (), b'{"lines": 3}')
        (version,) = found.versions.all
        assert found.versions.content(version.number).script == saved
        document = found.document(on_failure=fail)
        assert document.redo()
        assert document.undo()
        assert document.undo()
        assert document.script.people == (LISBETH, MINA)
        document.apply(Insert(CLERK))
        document.apply(Replace(reworded, spoken := replace(reworded, speaker_source=SpeakerSource.DESCRIBER)))
        document.apply(Insert(SCRIPT.named_faces[0]))
        document.apply(Insert(SCRIPT.word_times[0]))
    assert path.with_name("film (version 15).adproj").read_bytes() == VERSION_15.read_bytes()
    with ProjectFile.open(path) as found:
        opened = found.last_script
        assert (opened.people, opened.cues[0], found.oddities) == ((LISBETH, MINA, CLERK), spoken, ())
        assert (opened.named_faces, opened.word_times) == (SCRIPT.named_faces[:1], SCRIPT.word_times[:1])


def test_a_file_whose_dialogue_counts_by_cues_opens_whole(path: Path) -> None:
    shutil.copyfile(VERSION_16, path)
    saved = replace(SCRIPT, eventualities=(replace(E1, note="one"), E2, E3))
    paused = replace(SCRIPT.settings, min_pause=300)
    shorter = replace(paused, gaps=replace(paused.gaps, least=900))
    last = replace(saved, film=replace(saved.film, title="Named anew"), settings=shorter)
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.last_script) == (saved, last)
        assert (found.saved_plan, found.oddities) == (PLAN, ())
        assert not last.settings.gaps.word_edges
        (version,) = found.versions.all
        assert found.versions.content(version.number).script == saved
        document = found.document(on_failure=fail)
        assert document.undo()
        assert document.script == replace(saved, settings=paused)
        by_words = replace(paused, gaps=replace(paused.gaps, word_edges=True))
        document.apply(SetSettings(paused, by_words))
    assert path.with_name("film (version 16).adproj").read_bytes() == VERSION_16.read_bytes()
    with ProjectFile.open(path) as found:
        assert (found.last_script.settings, found.oddities) == (by_words, ())


def test_in_a_file_from_before_drafted_notes_every_note_is_a_persons(path: Path) -> None:
    shutil.copyfile(VERSION_17, path)
    told = (
        replace(E1, provenance=Provenance(DescriptionLine(3))),
        replace(E3, provenance=Provenance(ScreenplayLine(12))),
    )
    saved = replace(SCRIPT, eventualities=(replace(told[0], note="one"), E2, told[1]))
    with ProjectFile.open(path) as found:
        assert (found.saved_script, found.saved_plan, found.oddities) == (saved, PLAN, ())
        last = found.last_script
        assert last.eventuality("e2").provenance == Provenance(DescriptionLine(7))
        assert last.eventuality("e1").note == "one"
        assert is_human_work(last, last.eventuality("e1"))
        (version,) = found.versions.all
        assert found.versions.content(version.number).script == saved
        document = found.document(on_failure=fail)
        assert document.redo()
        assert document.script.eventuality("e1").note == "two"
        line = document.script.eventuality("e1")
        document.apply(Replace(line, replace(line, provenance=Provenance(DescriptionLine(3, "low")))))
    assert path.with_name("film (version 17).adproj").read_bytes() == VERSION_17.read_bytes()
    with ProjectFile.open(path) as found:
        assert found.last_script.eventuality("e1").provenance == Provenance(DescriptionLine(3, "low"))
        assert found.oddities == ()
