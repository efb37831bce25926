"""What a project allows to be sent: kept at once, never undone, copied along, nothing where rows do not add up."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from example_projects import fail, fill, write
from example_scripts import SCRIPT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.policy import OFFLINE, RULES, SENT, Consent, Host, Policy, Rule, Sent
from adstudio.store import codec, layout, policies
from adstudio.store.codec import CodecError, decode, encode
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile

HOUSE = Policy("on premises", (Host("gpu.house", 8000), Host("10.0.0.7", 80, plain=True)))
CLOUD = Policy("cloud", HOUSE.hosts, Consent("gemini", frozenset(("text", "clips")), "2026-11-28T06:00:00Z"))

_hosts = st.builds(
    Host, st.text(st.characters(categories=("Ll", "Nd", "Pd")), min_size=1), st.integers(1, 65_535), st.booleans()
)
_consents = st.builds(Consent, st.text(max_size=9), st.frozensets(st.sampled_from(SENT)), st.text(max_size=9))
ANY = st.builds(
    Policy,
    st.sampled_from(RULES),
    st.lists(_hosts, max_size=4).map(tuple),
    st.none() | _consents,
)


def changed(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_new_project_is_offline_and_one_of_its_own(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        assert (created.policy, created.policies) == (OFFLINE, ())
        first = created.identity
        assert len(bytes.fromhex(first)) == 16
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as created:
        assert created.policy == HOUSE
        assert [change.policy for change in created.policies] == [HOUSE]
        assert created.identity != first


def test_all_rules_and_kinds_are_listed() -> None:
    assert get_args(Rule) == RULES
    assert get_args(Sent) == SENT


def test_each_change_is_stored_with_its_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([1_000, 2_000, 3_000])
    monkeypatch.setattr("adstudio.store.layout.now", lambda: next(times))
    with ProjectFile.create(path, SCRIPT) as created:
        for policy in (HOUSE, CLOUD, CLOUD, OFFLINE):
            created.set_policy(policy)
            assert created.policy == policy
        expected = [(change.at, change.policy) for change in created.policies]
        identity = created.identity
    assert expected == [(1_000, HOUSE), (2_000, CLOUD), (3_000, OFFLINE)]
    for read_only in (False, True):
        with ProjectFile.open(path, read_only=read_only) as found:
            assert [(change.at, change.policy) for change in found.policies] == expected
            assert (found.policy, found.identity, found.oddities) == (OFFLINE, identity, ())


@settings(max_examples=40, deadline=None)
@given(ANY)
def test_any_policy_comes_back_equal(policy: Policy) -> None:
    assert decode(encode(policy), Policy) == policy


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ANY, max_size=5))
def test_any_changes_come_back_equal(tmp_path: Path, given_: list[Policy]) -> None:
    path = tmp_path / "film.adproj"
    with ProjectFile.create(path, SCRIPT) as created:
        for policy in given_:
            created.set_policy(policy)
        expected = created.policies
    with ProjectFile.open(path, read_only=True) as found:
        assert found.policies == expected
        assert found.policy == (given_[-1] if given_ else OFFLINE)


def test_undo_redo_recovery_and_the_last_save_leave_it_alone(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        write(document, "one")
        created.save()
        write(document, "two")
        created.set_policy(HOUSE)
        assert len(document.past) == 2
        assert document.undo()
        assert document.undo()
        assert created.policy == HOUSE
        created.set_policy(CLOUD)
        assert document.redo()
        assert document.redo()
        assert created.policy == CLOUD
    for at in (RestorePoint.LAST_STEP, RestorePoint.LAST_SAVE):
        with ProjectFile.open(path) as found:
            assert found.recoverable
            document = found.document(at, on_failure=fail)
            assert found.policy == CLOUD
            if at is RestorePoint.LAST_SAVE:
                write(document, "three")
                found.discard()
            assert found.policy == CLOUD
    with ProjectFile.open(path) as found:
        assert not found.recoverable
        assert found.policy == CLOUD


def test_it_is_no_change_of_the_document(path: Path) -> None:
    with ProjectFile.create(path, SCRIPT) as created:
        document = created.document(on_failure=fail)
        created.set_policy(HOUSE)
        assert not document.changed
        assert document.past == ()
        assert created.unwritten == 0
    with ProjectFile.open(path) as found:
        assert not found.recoverable


def test_copies_keep_it(path: Path, tmp_path: Path) -> None:
    other, backups = tmp_path / "other.adproj", tmp_path / "backups"
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as created:
        created.set_policy(CLOUD)
        created.document(on_failure=fail)
        ProjectFile.create(other, SCRIPT, like=created).close()
        expected = created.identity, created.policies
    ProjectFile.open(path, backups=backups).close()
    (backup,) = backups.iterdir()
    for each in (other, backup):
        with ProjectFile.open(each, read_only=True) as found:
            assert (found.identity, found.policies) == expected, each
            assert found.oddities == ()


def test_opened_to_read_it_cannot_be_changed(path: Path) -> None:
    ProjectFile.create(path, SCRIPT, policy=HOUSE).close()
    with ProjectFile.open(path, read_only=True) as found:
        with pytest.raises(OutsideFailureError, match="opened read-only: save a copy under another name"):
            found.set_policy(CLOUD)
        assert found.policy == HOUSE


def test_beyond_the_limits_it_is_refused_and_nothing_changes(path: Path) -> None:
    endless = Policy("cloud", (), Consent("g" * 201, frozenset(), ""))
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as created:
        with pytest.raises(BadInputError, match=r"cannot store this policy \(consent / provider"):
            created.set_policy(endless)
        assert created.policy == HOUSE
        created.set_policy(CLOUD)
    with ProjectFile.open(path) as found:
        assert [change.policy for change in found.policies] == [HOUSE, CLOUD]
    with pytest.raises(BadInputError, match="cannot hold"):
        ProjectFile.create(path.with_name("new.adproj"), SCRIPT, policy=endless)
    assert not path.with_name("new.adproj").exists()


def test_on_a_full_disk_it_stays_what_it_was(tiny_disk: Path) -> None:
    path = tiny_disk / "film.adproj"
    with ProjectFile.create(path, SCRIPT) as created:
        fill(tiny_disk)
        with pytest.raises(OutsideFailureError, match="disk is full"):
            created.set_policy(HOUSE)
        assert created.policy == OFFLINE
        (tiny_disk / "filler").unlink()
        created.set_policy(HOUSE)
    with ProjectFile.open(path) as found:
        assert found.policy == HOUSE


def forged(path: Path) -> None:
    """A consent that nobody gave, with a sum of its own but not of the chain."""
    data = encode(CLOUD)
    connection = sqlite3.connect(path)
    total = layout.digest("policy", b"", 3, 5, data)
    connection.execute("INSERT INTO policy VALUES (3, 5, ?, ?, x'')", (data, total))
    connection.commit()
    connection.close()


def chained_but_not_recorded(path: Path) -> None:
    """A consent well chained to the last row, which the identity's row does not know of."""
    connection = sqlite3.connect(path)
    (last,) = connection.execute("SELECT sum FROM policy WHERE seq = 2").fetchone()
    data = encode(CLOUD)
    total = layout.digest("policy", last, 3, 5, data)
    connection.execute("INSERT INTO policy VALUES (3, 5, ?, ?, x'')", (data, total))
    connection.commit()
    connection.close()


def of_another_project(path: Path) -> None:
    """The rows of a project that allows more."""
    other = path.with_name("other.adproj")
    with ProjectFile.create(other, SCRIPT, policy=CLOUD) as created:
        created.set_policy(HOUSE)
    source, target = sqlite3.connect(other), sqlite3.connect(path)
    target.execute("DELETE FROM policy")
    target.executemany("INSERT INTO policy VALUES (?, ?, ?, ?, ?)", source.execute("SELECT * FROM policy").fetchall())
    target.commit()
    source.close()
    target.close()


TAMPERED: dict[str, Callable[[Path], None] | tuple[str, ...]] = {
    "a row changed": ("UPDATE policy SET policy = CAST(replace(CAST(policy AS TEXT), '8000', '8001') AS BLOB)",),
    "its time changed": ("UPDATE policy SET at = at + 1 WHERE seq = 2",),
    "the first removed": ("DELETE FROM policy WHERE seq = 1",),
    "the last removed": ("DELETE FROM policy WHERE seq = 2",),
    "all removed": ("DELETE FROM policy",),
    "moved": (
        "UPDATE policy SET seq = 9 WHERE seq = 1",
        "UPDATE policy SET seq = 1 WHERE seq = 2",
        "UPDATE policy SET seq = 2 WHERE seq = 9",
    ),
    "moved away": ("UPDATE policy SET seq = 3 WHERE seq = 2",),
    "no identity": ("DELETE FROM identity",),
    "another identity": ("UPDATE identity SET identity = randomblob(16)",),
    "a short identity": ("UPDATE identity SET identity = x'00'",),
    "an older last": ("UPDATE identity SET last = 1, last_sum = (SELECT sum FROM policy WHERE seq = 1)",),
    "rubbish": ("UPDATE policy SET policy = x'7b7d' WHERE seq = 2",),
    "an empty row": ("INSERT INTO policy VALUES (3, 0, x'', x'', x'')",),
    "a forged consent": forged,
    "a consent chained to the last": chained_but_not_recorded,
    "of another project": of_another_project,
}


@pytest.mark.parametrize("how", TAMPERED)
def test_rows_that_do_not_add_up_are_offline_and_no_work_is_lost(path: Path, how: str) -> None:
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as created:
        created.set_policy(Policy("on premises", HOUSE.hosts[:1]))
        write(created.document(on_failure=fail), "one")
        done = created._current_document.script if created._current_document else None
    spoil = TAMPERED[how]
    if isinstance(spoil, tuple):
        changed(path, *spoil)
    else:
        spoil(path)
    as_it_was = path.read_bytes()
    for read_only in (True, False):
        with ProjectFile.open(path, read_only=read_only) as found:
            assert (found.policy, found.policies) == (OFFLINE, ())
            assert found.last_script == done
            assert len(bytes.fromhex(found.identity)) == 16
            (oddity,) = found.oddities
            assert "sharing settings are damaged" in oddity.what
            assert "it is offline until they are confirmed again" in oddity.what
    # Opening alone takes no trace away.
    assert path.read_bytes() == as_it_was
    copy = path.with_name("copy.adproj")
    with ProjectFile.open(path) as found:
        ProjectFile.create(copy, found.last_script, like=found).close()
        found.set_policy(OFFLINE)
        identity = found.identity
    for each, policy in ((copy, ()), (path, (OFFLINE,))):
        with ProjectFile.open(each) as found:
            assert tuple(change.policy for change in found.policies) == policy
            assert found.oddities == ()
            assert found.policy == OFFLINE
    with ProjectFile.open(path) as found:
        found.set_policy(HOUSE)
        assert found.identity == identity
    with ProjectFile.open(path) as found:
        assert (found.policy, found.oddities) == (HOUSE, ())


def test_a_row_that_adds_up_but_is_no_policy_is_offline_too(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    connection = sqlite3.connect(path)
    (identity,) = connection.execute("SELECT identity FROM identity").fetchone()
    data = encode(HOUSE).replace(b"on premises", b"everywhere!")
    total = layout.digest("policy", layout.digest("policies", identity), 1, 5, data)
    head = (identity, 1, total)
    connection.execute("INSERT INTO policy VALUES (1, 5, ?, ?, x'')", (data, total))
    connection.execute(
        "UPDATE identity SET last = ?, last_sum = ?, sum = ?", (1, total, layout.digest("identity", *head))
    )
    connection.commit()
    connection.close()
    with ProjectFile.open(path) as found:
        assert found.policy == OFFLINE
        assert "expected one of offline, on premises, cloud" in found.oddities[0].what


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (encode(HOUSE).replace(b"8000", b"0"), "0 is not a port"),
        (encode(HOUSE).replace(b"gpu.house", b""), "not a host name"),
        (encode(HOUSE).replace(b'"consent":null', b'"consent":{}'), "missing"),
        (encode(CLOUD).replace(b'["clips","text"]', b'["text","clips"]'), "consent / sends: expected a sorted list"),
        (encode(CLOUD).replace(b'["clips","text"]', b'["text","text"]'), "a sorted list"),
        (encode(CLOUD).replace(b'["clips","text"]', b'["words"]'), "one of text, pictures, clips"),
        (encode(CLOUD).replace(b'["clips","text"]', b'"text"'), "expected a list"),
        (b"[]", "an object"),
    ],
)
def test_what_is_no_policy(data: bytes, reason: str) -> None:
    with pytest.raises(CodecError, match=reason):
        decode(data, Policy)


def test_a_policy_is_written_plainly() -> None:
    assert encode(CLOUD) == (
        b'{"rule":"cloud","hosts":[{"name":"gpu.house","port":8000,"plain":false},'
        b'{"name":"10.0.0.7","port":80,"plain":true}],'
        b'"consent":{"provider":"gemini","sends":["clips","text"],"at":"2026-11-28T06:00:00Z"},"film":null,"content":"",'
        b'"lapse":null}'
    )
    with pytest.raises(CodecError):
        codec.encode(Consent("x", {"text"}, ""))  # type: ignore[arg-type]


CHILD = """
import ast, sys, time
from pathlib import Path
sys.path[:] = ast.literal_eval(sys.argv[1])
from example_projects import fail, write
from test_policies import CLOUD
from adstudio.store.project import ProjectFile
project = ProjectFile.open(Path(sys.argv[2]))
document = project.document(on_failure=fail)
write(document, "one")
project.set_policy(CLOUD)
document.undo()
print("set", flush=True)
time.sleep(60)
"""


def test_killed_before_closing_it_has_been_stored(path: Path) -> None:
    ProjectFile.create(path, SCRIPT).close()
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, repr([*sys.path, os.fspath(Path(__file__).parent)]), path],
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "set\n"
        child.send_signal(signal.SIGKILL)
    with ProjectFile.open(path) as found:
        assert (found.policy, found.oddities) == (CLOUD, ())
        assert found.last_script == SCRIPT


def test_the_sums_are_of_the_rows_as_they_lie(path: Path) -> None:
    """Worked out by hand, so that a change of the code does not change old files' sums."""
    with ProjectFile.create(path, SCRIPT, policy=HOUSE) as created:
        identity, at = bytes.fromhex(created.identity), created.policies[0].at
    connection = sqlite3.connect(path)
    (row,) = connection.execute("SELECT seq, at, policy, sum FROM policy").fetchall()
    head = connection.execute("SELECT identity, last, last_sum, sum FROM identity").fetchone()
    connection.close()
    start = layout.digest("policies", identity)
    granted_for = encode(HOUSE).replace(b'"film":null', b'"film":"blake2b:00"')
    total = layout.digest("policy", start, 1, at, granted_for)
    assert row == (1, at, granted_for, total)
    assert head == (identity, 1, total, layout.digest("identity", identity, 1, total))
    assert policies.IDENTITY_BYTES == 16
