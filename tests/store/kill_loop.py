"""Kills an editor in a loop, during edits and saves, and checks what is left in its file.

`python -m pytest -s -m slow tests/store/test_kill_loop.py` kills two hundred times. The child says each thing that was
acknowledged on a pipe; whoever reads it knows what the file must hold: everything that was said, and at most the one
thing more that was in flight. What is left is also opened in other ways: without its journal, and with an earlier copy
put in its place beside that journal. Without its journal it holds the same, and says so if it had to be rebuilt; only a
sharing policy that was being set may not be in force, nor the one before it: it is offline then, and says that.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from example_scripts import SCRIPT

from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError
from adstudio.core.narration import Take
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.steps import Insert, Remove, Replace, Step
from adstudio.store import journal
from adstudio.store.project import ProjectFile
from adstudio.store.sounds import sounds_in_use

BIG = replace(
    SCRIPT,
    eventualities=(
        *SCRIPT.eventualities,
        *(Eventuality(f"b{i}", (Variant(f"She does thing number {i} " * 5),)) for i in range(300)),
    ),
)
CHILD = """
import ast, sys
from pathlib import Path
sys.path[:] = ast.literal_eval(sys.argv[1])
from kill_loop import edit_until_killed
edit_until_killed(Path(sys.argv[2]), int(sys.argv[3]))
"""

ACTS = ("do", "do", "do", "undo", "redo", "withdraw", "save", "rest", "policy", "record", "keep", "rename", "delete")
MOST_VERSIONS = 5
"""Not fewer are left by deleting them."""

Versions = tuple[tuple[str, Script], ...]
"""The names and scripts of the named versions, oldest first."""


@dataclass(frozen=True)
class Run:
    """What a loop of kills found."""

    kills: int
    in_save: int
    steps: int
    saves: int
    in_flight_saved: int
    in_flight_lost: int
    hot_journals: int
    strays: int


def moved(script: Script, number: int) -> Step:
    """The step with this number, fitting the script: comes, changes, goes."""
    if number % 5 == 0:
        return Insert(Eventuality(f"n{number}", (Variant(f"line {number} " * 30),)), "b7")
    if number % 5 == 4 and f"n{number - 4}" in script.eventuality_index:
        return Remove(script.eventuality(f"n{number - 4}"), "b7")
    old = script.eventuality("e1")
    return Replace(old, replace(old, note=str(number)))


def allowing(number: int) -> Policy:
    """The policy with this number."""
    return Policy("on premises", (Host("gpu.house", number % 60_000 + 1),))


def recorded(number: int) -> bytes:
    """The recording with this number: a part of a page, or a few."""
    return random.Random(number).randbytes(20 + number * 7919 % 20_000)


def taken(script: Script, number: int) -> Step:
    """The step that adds the take with this number, in place of the one before."""
    old = script.eventuality("b9")
    take = Take("t1", sha256(recorded(number)).hexdigest(), 800, old.variants[0].text)
    return Replace(old, replace(old, variants=(replace(old.variants[0], takes=(take,), take="t1"),)))


def edit_until_killed(path: Path, seed: int) -> None:
    """The child: edits, undoes and saves for ever, and says what the file has acknowledged."""
    journal.SNAPSHOT_AT_LATEST = 20
    journal.SNAPSHOT_WHEN_IDLE = 5
    chance = random.Random(seed)

    def fail(error: AdstudioError) -> None:
        raise error

    file = ProjectFile.open(path)
    document = file.document(on_failure=fail)
    print("open", flush=True)
    number = 1000 * seed
    while True:
        act = chance.choice(ACTS)
        print(f"begin {act} {number}", flush=True)
        if act == "do":
            document.apply(moved(document.script, number))
            number += 1
        elif act == "undo":
            document.undo()
        elif act == "redo":
            document.redo()
        elif act == "withdraw":
            document.withdraw()
        elif act == "rest":
            file.tidy()
        elif act == "policy":
            file.set_policy(allowing(number))
            number += 1
        elif act == "record":
            file.store_sound(recorded(number))
            document.apply(taken(document.script, number))
            number += 1
        elif act == "keep":
            note = "words " * (number * 7919 % 1500)
            file.versions.keep(document.script, None, name=str(number), note=note)
            number += 1
        elif act == "rename":
            if file.versions.all:
                version = file.versions.all[number % len(file.versions.all)]
                file.versions.relabel(version.number, name=f"renamed {number}", note="")
            number += 1
        elif act == "delete":
            if len(file.versions.all) > MOST_VERSIONS:
                file.versions.delete(file.versions.all[number % len(file.versions.all)].number)
            number += 1
        else:
            file.save()
        print("done", flush=True)


def follow(document: Document, saved: Script, act: str, number: int) -> Script:
    """The same act on the watcher's own document; returns the saved script."""
    if act == "do":
        document.apply(moved(document.script, number))
    elif act == "record":
        document.apply(taken(document.script, number))
    elif act == "undo":
        document.undo()
    elif act == "redo":
        document.redo()
    elif act == "withdraw":
        document.withdraw()
    elif act == "save":
        document.mark_saved()
        return document.script
    return saved


def versions_after(versions: Versions, script: Script, act: str, number: int) -> Versions:
    """The named versions after the same act on this script."""
    chosen = number % len(versions) if versions else 0
    if act == "keep":
        return (*versions, (str(number), script))
    if act == "rename" and versions:
        return (*versions[:chosen], (f"renamed {number}", versions[chosen][1]), *versions[chosen + 1 :])
    if act == "delete" and len(versions) > MOST_VERSIONS:
        return (*versions[:chosen], *versions[chosen + 1 :])
    return versions


def copied(path: Path, folder: Path, content: bytes, *, with_journal: bool) -> Path:
    """A project of this content in a folder of its own, with the journal of the one that was killed."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    copy = folder / path.name
    copy.write_bytes(content)
    journal = Path(f"{path}-journal")
    if with_journal and journal.exists():
        shutil.copy(journal, f"{copy}-journal")
    return copy


def state(path: Path, *, oddities: int) -> tuple[Script, Script, Policy | None, Versions]:
    """What a project holds, with the recordings of its takes; no policy if it says that its policies cannot be trusted.

    At most so many other things may be reported on the way.
    """
    with ProjectFile.open(path) as found:
        others = [each for each in found.oddities if "it is offline until they are confirmed" not in each.what]
        assert len(others) <= oddities, others
        versions = tuple((each.name, found.versions.content(each.number).script) for each in found.versions.all)
        scripts = (found.saved_script, found.last_script, *(script for _, script in versions))
        for key in sounds_in_use(scripts, ()):
            found.sound(key)
        policy = found.policy if len(others) == len(found.oddities) else None
        return found.saved_script, found.last_script, policy, versions


def run(kills: int, folder: Path, seed: int = 1) -> Run:
    """Kill `kills` times; raises AssertionError with the round where a file does not hold what it must."""
    path = folder / "Gün ter – #1 %20.adproj"
    ProjectFile.create(path, BIG).close()
    chance = random.Random(seed)
    saved, policy = BIG, OFFLINE
    versions: Versions = ()
    counts = dict.fromkeys(("in_save", "steps", "saves", "kept", "lost", "hot", "strays"), 0)
    for number in range(1, kills + 1):
        with ProjectFile.open(path) as before:
            document = before.document(on_failure=lambda error: None)
        earlier, state_before = path.read_bytes(), (saved, document.script, policy, versions)
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, repr(sys.path), path, str(number)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n", "the child did not open the project"
        time.sleep(chance.random() * 0.12)
        child.send_signal(signal.SIGKILL)
        lines = child.communicate()[0].splitlines()
        in_flight = None
        for line in lines:
            if line.startswith("begin") and len(line.split()) == 3:
                in_flight = (line.split()[1], int(line.split()[2]))
            elif line == "done" and in_flight:
                versions = versions_after(versions, document.script, *in_flight)
                saved = follow(document, saved, *in_flight)
                policy = allowing(in_flight[1]) if in_flight[0] == "policy" else policy
                counts["saves" if in_flight[0] == "save" else "steps"] += 1
                in_flight = None
        journal = Path(f"{path}-journal")
        counts["hot"] += journal.exists() and any(journal.read_bytes()[:8])
        # What the file may hold: all that was said, or that and the act in flight.
        allowed = [(saved, document.script, policy, versions)]
        if in_flight:
            counts["in_save"] += in_flight[0] == "save"
            versions_then = versions_after(versions, document.script, *in_flight)
            saved_after = follow(document, saved, *in_flight)
            policy = allowing(in_flight[1]) if in_flight[0] == "policy" else policy
            allowed.append((saved_after, document.script, policy, versions_then))
        bare = copied(path, folder / "bare", path.read_bytes(), with_journal=False)
        withheld = [(*allowed[0][:2], None, versions)] if in_flight and in_flight[0] == "policy" else []
        found = state(bare, oddities=1)
        assert found in [*allowed, *withheld], f"round {number}: without its journal the file holds something else"
        restored = copied(path, folder / "restored", earlier, with_journal=True)
        assert state(restored, oddities=1) == state_before, f"round {number}: a copy in its place was changed"
        counts["strays"] += any(restored.parent.glob("*-journal (*)"))
        found = state(path, oddities=0)
        assert found in allowed, f"round {number}: the file holds neither what was said nor one act more"
        if in_flight and allowed[0] != allowed[1]:
            counts["kept" if found == allowed[1] else "lost"] += 1
        saved, policy, versions = found[0], found[2] or OFFLINE, found[3]
    return Run(kills, *counts.values())
