"""What a project allows to be sent was allowed for one film: of another video nothing is, whatever way it came in."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import fail, write
from example_scripts import MEDIA, SCRIPT

from adstudio.core.document import Document
from adstudio.core.film import Media, SourceFile
from adstudio.core.policy import OFFLINE, Consent, Host, Lapse, Policy, film_identity
from adstudio.core.steps import SetFilm
from adstudio.llm.faults import NotAllowedError
from adstudio.llm.policy_enforcement import permit
from adstudio.store import layout
from adstudio.store.codec import encode
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile

HOUSE = Policy("on premises", (Host("gpu.house", 8000),))
CLOUD = Policy("cloud", HOUSE.hosts, Consent("gemini", frozenset(("text", "clips")), "2026-11-28T06:00:00Z"))
OTHER = replace(MEDIA, path="/films/other.mp4", fingerprint="blake2b:11")
TEXT = SourceFile("x.txt", "", 0, "")
OF_NO_FILM = Path(__file__).resolve().parents[1] / "data" / "version_5_of_no_film.adproj"
SILENT = SCRIPT.with_changes(film=replace(SCRIPT.film, media=None))


def link(document: Document, media: Media | None) -> None:
    film = document.script.film
    document.apply(SetFilm(film, replace(film, media=media)))


def holds(project: ProjectFile, policy: Policy) -> bool:
    return project.policy == policy and not project.policy.lapsed


def lapsed(project: ProjectFile) -> bool:
    policy = project.policy
    return policy.lapsed and policy.rule == "offline" and (policy.on_premises_hosts, policy.confirmed) == ((), None)


@pytest.mark.parametrize("policy", [HOUSE, CLOUD])
def test_of_another_video_nothing_may_be_sent_and_undo_is_no_way_round(path: Path, policy: Policy) -> None:
    with ProjectFile.create(path, SCRIPT, policy=policy) as project:
        document = project.document(on_failure=fail)
        assert holds(project, policy)
        link(document, OTHER)
        assert lapsed(project)
        assert document.undo()
        assert holds(project, policy), "it is the film that it was allowed for again"
        assert document.redo()
        assert lapsed(project)
        project.set_policy(policy)
        assert holds(project, policy)
        assert document.undo()
        assert lapsed(project), "now it is allowed for the other one, and the last word counts"
        assert document.redo()
        assert holds(project, policy)
        assert [(each.policy, each.policy.film) for each in project.policies] == [
            (policy, "blake2b:00"),
            (policy, "blake2b:11"),
        ]


def test_it_is_the_same_film_wherever_it_lies_and_whatever_is_written_about_it(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=CLOUD) as project:
        document = project.document(on_failure=fail)
        link(document, replace(MEDIA, path="/elsewhere/film.mp4", relative_path="film.mp4"))
        film = document.script.film
        document.apply(SetFilm(film, replace(film, title="Another title", subtitles=TEXT, screenplay=TEXT)))
        write(document, "one")
        assert holds(project, CLOUD)


def test_a_first_video_is_not_what_was_allowed_without_one_and_no_video_is_not_the_one(path: Path) -> None:
    with ProjectFile.create(path, SILENT, policy=HOUSE) as project:
        document = project.document(on_failure=fail)
        assert holds(project, HOUSE)
        link(document, MEDIA)
        assert lapsed(project)
        with pytest.raises(NotAllowedError, match="were confirmed before the project had this video"):
            permit(project.policy, "https", "gpu.house", 8000)
        project.set_policy(HOUSE)
        assert holds(project, HOUSE)
        assert document.undo()
        assert lapsed(project)


@pytest.mark.parametrize(("name", "port"), [("gpu.house", 8000), ("generativelanguage.googleapis.com", 443)])
def test_the_transport_refuses_in_a_sentence(path: Path, name: str, port: int) -> None:
    with ProjectFile.create(path, SCRIPT, policy=CLOUD) as project:
        document = project.document(on_failure=fail)
        permit(project.policy, "https", name, port)
        link(document, OTHER)
        with pytest.raises(NotAllowedError) as refused:
            permit(project.policy, "https", name, port)
    assert str(refused.value) == (
        f"nothing was sent to {name}:{port}: the project’s sharing settings were confirmed for another film, and have"
        " to be confirmed again for this one"
    )


def test_saved_closed_and_opened_again_it_is_still_another_film(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=CLOUD) as project:
        link(project.document(on_failure=fail), OTHER)
        project.save()
    for read_only in (True, False):
        with ProjectFile.open(path, read_only=read_only) as project:
            assert lapsed(project)
            project.document(on_failure=fail)
            assert lapsed(project)


def test_after_a_crash_it_holds_for_the_film_that_is_chosen(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=CLOUD) as project:
        link(project.document(on_failure=fail), OTHER)
    with ProjectFile.open(path) as project:
        assert project.recoverable
        assert lapsed(project), "nobody has said yet which film it is"
        project.document(RestorePoint.LAST_STEP, on_failure=fail)
        assert lapsed(project)
    with ProjectFile.open(path) as project:
        project.document(RestorePoint.LAST_SAVE, on_failure=fail)
        assert holds(project, CLOUD)


def test_saved_as_copied_and_beside_it_goes_along_for_its_own_film_alone(path: Path) -> None:
    other = SCRIPT.with_changes(film=replace(SCRIPT.film, media=OTHER))
    saved_as, copy, of_the_file = (path.with_name(f"{n}.adproj") for n in ("saved as", "copy", "file"))
    with ProjectFile.create(path, SCRIPT, policy=CLOUD) as project:
        document = project.document(on_failure=fail)
        with ProjectFile.create(saved_as, SCRIPT, like=project) as same:
            assert holds(same, CLOUD)
        link(document, OTHER)
        ProjectFile.create(copy, document.script, like=project).close()
        with ProjectFile.create(saved_as, other, like=project) as another:
            another.attach(Document(other), on_failure=fail)
            assert lapsed(another)
        project.save()
    shutil.copyfile(path, of_the_file)
    for each in (saved_as, copy, of_the_file):
        with ProjectFile.open(each) as found:
            assert lapsed(found), each
            document = found.document(on_failure=fail)
            link(document, MEDIA)
            assert holds(found, CLOUD), "it is the film that it was allowed for"


def test_what_has_lapsed_is_not_taken_for_a_new_project(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=CLOUD) as project:
        link(project.document(on_failure=fail), OTHER)
        gone = project.policy
    with ProjectFile.create(path.with_name("new.adproj"), SCRIPT, policy=gone) as new:
        assert (new.policy, new.policy.lapsed, new.policies) == (OFFLINE, False, ())


def test_letting_nothing_leave_ends_what_has_lapsed(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=CLOUD) as project:
        document = project.document(on_failure=fail)
        link(document, OTHER)
        project.set_policy(OFFLINE)
        assert (project.policy, project.policy.lapsed) == (OFFLINE, False)
        assert document.undo()
        assert project.policy == OFFLINE, "nothing opens a way out but a person"


def test_a_video_without_a_fingerprint_is_identified_by_all_that_is_known() -> None:
    bare = replace(SCRIPT.film, media=replace(MEDIA, fingerprint=""))
    assert film_identity(bare) != film_identity(SILENT.film) == ""
    assert film_identity(bare) != film_identity(replace(SCRIPT.film, media=replace(MEDIA, fingerprint="", duration=1)))


def written_before(path: Path) -> None:
    """The rows as they were written before they said of which film and of whom they are, with their sums."""
    connection = sqlite3.connect(path)
    (identity,) = connection.execute("SELECT identity FROM identity").fetchone()
    chain = layout.digest("policies", identity)
    rows = connection.execute("SELECT seq, at, policy FROM policy ORDER BY seq").fetchall()
    for seq, at, row in rows:
        data = row[: row.index(b',"film":')] + b"}"
        chain = layout.digest("policy", chain, seq, at, data)
        connection.execute("UPDATE policy SET policy = ?, sum = ?, code = x'' WHERE seq = ?", (data, chain, seq))
    head = (identity, len(rows), chain)
    connection.execute("UPDATE identity SET last_sum = ?, sum = ?", (chain, layout.digest("identity", *head)))
    connection.commit()
    connection.close()


def of_nobody(project: ProjectFile) -> bool:
    return lapsed(project) and project.policy.lapse is Lapse.OTHER_USER


def test_what_an_older_file_allows_has_to_be_confirmed_by_its_user(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as project:
        project.set_policy(CLOUD)
        expected, identity = project.policies, project.identity
    written_before(path)
    old = path.read_bytes()
    with ProjectFile.open(path, read_only=True) as project:
        assert of_nobody(project)
        assert project.policy.consent == CLOUD.consent, "it can be offered again"
        assert (project.policies, project.identity, project.oddities) == (expected, identity, ())
        with ProjectFile.create(path.with_name("as.adproj"), SCRIPT, like=project) as saved_as:
            assert of_nobody(saved_as)
    assert path.read_bytes() == old, "to read it writes nothing"
    with ProjectFile.open(path) as project:
        project.document(on_failure=fail)
        assert of_nobody(project)
        project.set_policy(CLOUD)
        assert holds(project, CLOUD)
    with ProjectFile.open(path) as project:
        assert holds(project, CLOUD)


def test_a_file_that_the_program_before_wrote_itself(path: Path) -> None:
    """Written by the last program whose rows did not say of which film they are."""
    shutil.copyfile(OF_NO_FILM, path)
    with ProjectFile.open(path) as project:
        assert (project.saved_script.film.media, project.oddities) == (MEDIA, ())
        assert [(each.at, each.policy) for each in project.policies] == [(1795865257038, HOUSE), (1795865257064, CLOUD)]
        assert of_nobody(project)


def test_of_an_older_file_with_unsaved_steps_it_is_of_the_film_that_was_saved(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as project:
        link(project.document(on_failure=fail), OTHER)
    written_before(path)
    with ProjectFile.open(path) as project:
        project.document(RestorePoint.LAST_STEP, on_failure=fail)
        assert lapsed(project)


def test_an_older_file_that_was_offline_is_not_touched(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as project:
        project.set_policy(OFFLINE)
    written_before(path)
    old = path.read_bytes()
    with ProjectFile.open(path) as project:
        assert (project.policy, project.oddities) == (OFFLINE, ())
    assert path.read_bytes() == old


def test_rows_with_keys_that_nobody_knows_are_still_no_policy(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT, policy=HOUSE):
        pass
    connection = sqlite3.connect(path)
    identity, at = *connection.execute("SELECT identity FROM identity").fetchone(), 5
    data = encode(HOUSE).replace(b'"film":null', b'"films":null')
    total = layout.digest("policy", layout.digest("policies", identity), 1, at, data)
    connection.execute("UPDATE policy SET at = ?, policy = ?, sum = ?", (at, data, total))
    connection.execute(
        "UPDATE identity SET last_sum = ?, sum = ?", (total, layout.digest("identity", identity, 1, total))
    )
    connection.commit()
    connection.close()
    with ProjectFile.open(path) as found:
        assert found.policy == OFFLINE
        assert "unknown “films”" in found.oddities[0].what
