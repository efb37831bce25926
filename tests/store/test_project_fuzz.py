"""Cut and flipped project files: refused with a sentence, or opened with the right content; never wrong in silence."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import PLAN, fail, write
from example_scripts import SCRIPT

from adstudio.core.errors import BadInputError
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.store.project import ProjectFile

LARGER = replace(
    SCRIPT,
    eventualities=(*SCRIPT.eventualities, *(Eventuality(f"b{i}", (Variant(f"Line {i} " * 9),)) for i in range(60))),
)


POLICY = Policy("on premises", (Host("gpu.house", 8000),))


class Fuzzed:
    """A sound file, and what may come out of a damaged copy of it."""

    def __init__(self, path: Path) -> None:
        with ProjectFile.create(path, LARGER, policy=POLICY) as created:
            document = created.document(on_failure=fail)
            created.versions.keep(LARGER, PLAN, name="First")
            write(document, "one", "two " * 900)
            document.keep_plan(document.revision, PLAN)
            created.save()
            self.saved = document.script
            write(document, "three")
            self.between = document.script
            write(document, "four " * 900)
            self.last = document.script
        self.content = path.read_bytes()
        self.path = path
        self.refused = self.right = self.last_save_only = self.rescued = 0

    def open(self, damaged: bytes, *, read_only: bool) -> None:
        for left in self.path.parent.iterdir():
            left.unlink()
        self.path.write_bytes(damaged)
        try:
            found = ProjectFile.open(self.path, read_only=read_only)
        except BadInputError as error:
            reported = str(error)
        else:
            self.check(found)
            return
        assert str(self.path) in reported
        assert self.path.read_bytes() == damaged
        self.refused += 1

    def check(self, found: ProjectFile) -> None:
        with found:
            assert found.saved_script == self.saved
            assert found.saved_plan in (PLAN, None)
            reported = any("it is offline until" in oddity.what for oddity in found.oddities)
            assert found.policy == (OFFLINE if reported else POLICY)
            versions = [found.versions.content(version.number).script for version in found.versions.all]
            lost = any("kept versions" in each.what or "were recovered" in each.what for each in found.oddities)
            assert versions == [LARGER] or (lost and not versions)
            if any("last save was opened" in oddity.what for oddity in found.oddities):
                self.last_save_only += 1
                expected: tuple[Script, ...] = (self.saved,)
            elif any("were recovered" in oddity.what for oddity in found.oddities):
                self.rescued += 1
                expected = (self.saved, self.between, self.last)
            else:
                self.right += 1
                expected = (self.last,)
            assert found.last_script in expected


def flipped(content: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
    return bytes(damaged)


def overwritten(content: bytes, chance: random.Random) -> bytes:
    """A block of zeros, as after a power cut, or of another part of the file."""
    start = chance.randrange(0, len(content), 512)
    length = chance.choice([512, 4096, 8192])
    other = chance.randrange(0, len(content), 512)
    block = bytes(length) if chance.random() < 0.5 else content[other : other + length]
    return (content[:start] + block + content[start + len(block) :])[: len(content)]


def cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


@pytest.mark.parametrize("spoil", [cut, flipped, overwritten])
@pytest.mark.parametrize("tries", [pytest.param(60, id="60"), pytest.param(3000, id="3000", marks=pytest.mark.slow)])
def test_damaged_files(path: Path, spoil, tries: int) -> None:
    fuzzed = Fuzzed(path)
    chance = random.Random(tries)
    for number in range(tries):
        damaged = spoil(fuzzed.content, chance)
        fuzzed.open(damaged, read_only=number % 2 == 0)
    print(
        f"{spoil.__name__}: {fuzzed.refused} refused, {fuzzed.right} right, {fuzzed.rescued} rescued, "
        f"{fuzzed.last_save_only} last save only"
    )
    assert fuzzed.refused


def test_every_byte_of_the_header(path: Path) -> None:
    fuzzed = Fuzzed(path)
    for place in range(100):
        damaged = bytearray(fuzzed.content)
        damaged[place] ^= 0xFF
        fuzzed.open(bytes(damaged), read_only=place % 2 == 0)
