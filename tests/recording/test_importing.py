"""Importing a folder: which line a file is of, by its name, and what becomes of each file."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from recording_inputs import silence, tone, wav

sys.path.append(str(Path(__file__).resolve().parents[1] / "editing"))
from editing_scripts import SCRIPT, with_pin
from editing_scripts import changed as changed_fields

from adstudio.core.errors import BadInputError
from adstudio.core.script import Pin, Script
from adstudio.core.timebase import Span
from adstudio.delivery.export import plan_to_export
from adstudio.editing.takes import NewTake, add_takes
from adstudio.recording.file_numbers import FileNumber, file_number, natural_key, shared_beginning
from adstudio.recording.import_messages import effect_messages, file_message, line_named, numbers_message, summary
from adstudio.recording.importing import (
    ImportedFile,
    ImportEffect,
    LinePlace,
    import_effect,
    known_recordings,
    matched_files,
    new_takes,
    numbered_lines,
    read_takes,
    renumbered_takes,
)
from adstudio.recording.messages import NotImported


@pytest.mark.parametrize(
    ("stem", "line", "take"),
    [
        ("0001", 1, None),
        ("12", 12, None),
        (" 12", 12, None),
        ("12 – Anna", 12, None),
        ("12 – Anna 2", 12, None),
        ("12-3", 12, None),
        ("012_take2", 12, 2),
        ("0012-line-7", 12, None),
        ("ad_012_take2", 12, 2),
        ("AD12 TK 3", 12, 3),
        ("Zeile 7", 7, None),
        ("line7_v2", 7, 2),
        ("Anna_0007_t10", 7, 10),
        ("scene 3 line 12", 12, None),
        ("scene3_line12_take4", 12, 4),
        ("take 5", None, 5),
        ("Anna", None, None),
        ("", None, None),
        ("٣", 3, None),  # Arabic-Indic digits are digits
        ("1" * 400, None, None),
        ("0" * 400 + "7", 7, None),
    ],
)
def test_the_number_of_a_line_in_a_name(stem: str, line: int | None, take: int | None) -> None:
    found = file_number(stem)
    assert (found.line, found.take, found.several) == (line, take, False)


@pytest.mark.parametrize("stem", ["reel 2 bar 7", "Film 24 – 12", "a1b2c3"])
def test_of_several_numbers_none_is_guessed(stem: str) -> None:
    assert file_number(stem) == FileNumber(None, None, several=True)


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (["Film 24 – 12", "Film 24 – 13", "Film 24 – 2"], [12, 13, 2]),
        (["ad_012_take1", "ad_012_take2"], [12, 12]),
        (["Film24 bar 12 take1", "Film24 bar 12 take2"], [12, 12]),
        (["R2_0100", "R2_0101"], [100, 101]),
        (["2026-11-29 0012", "2026-11-29 0013"], [2026, 2026]),  # begins with a number: told, not guessed
        (["12-1", "12-2"], [12, 12]),
        (["1", "12"], [1, 12]),
    ],
)
def test_what_all_names_begin_with_is_ignored_where_it_is_in_the_way(names: list[str], lines: list[int]) -> None:
    beginning = shared_beginning(names)
    assert [file_number(name, beginning).line for name in names] == lines


def test_names_are_sorted_as_people_do() -> None:
    assert sorted(["t10", "T2", "t1", "10", "9", "a"], key=natural_key) == ["9", "10", "a", "t1", "T2", "t10"]


def folder_of(path: Path, **files: bytes) -> Path:
    path.mkdir()
    for name, data in files.items():
        (path / name.replace("__", ".")).write_bytes(data)
    return path


SPOKEN = wav(np.concatenate((silence(500), tone(1000), silence(500))))


def planned(script: Script = SCRIPT):
    return numbered_lines(script, plan_to_export(script, None))


def test_lines_have_the_numbers_of_the_exported_script_and_extended_ones_follow() -> None:
    found = planned()
    assert [(place.number, place.line) for place in found] == [(1, "e1"), (2, "e2"), (3, "e4")]
    held = replace(SCRIPT.eventuality("e1"), extended=True)
    script = SCRIPT.with_eventuality(0, held)
    assert [(place.number, place.line) for place in planned(script)] == [(1, "e2"), (2, "e4"), (3, "e1")]


def test_every_file_is_a_take_or_says_why_not(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path / "takes",
        **{
            "1__wav": SPOKEN,
            "2_take1__WAV": wav(tone(400)),
            "2_take2__wav": wav(tone(500)),
            "2_take3__wav": b"RIFF and no more",
            "3__wav": wav(silence(1000)),
            "3b__wav": wav(tone(200)),
            "9__wav": SPOKEN,
            "Anna__wav": SPOKEN,
            "reel 2 bar 7__wav": SPOKEN,
            "list__txt": b"0001",
            "__hidden": b"",
        },
    )
    (folder / "0004.wav").mkdir()
    stored: list[bytes] = []
    found = read_takes(SCRIPT, matched_files(folder, SCRIPT, planned()), lambda data: stored.append(data) or "")
    outcome = {file.path.name: (file.take and file.take.line, file.why) for file in found}
    assert outcome == {
        "1.wav": ("e1", None),
        "2_take1.WAV": ("e2", None),
        "2_take2.wav": ("e2", None),
        "2_take3.wav": (None, NotImported.UNREADABLE),
        "3.wav": (None, NotImported.SILENT),
        "3b.wav": (None, NotImported.SHORT),
        "9.wav": (None, NotImported.NO_SUCH_LINE),
        "Anna.wav": (None, NotImported.NO_NUMBER),
        "reel 2 bar 7.wav": (None, NotImported.SEVERAL_NUMBERS),
        "list.txt": (None, NotImported.NO_SOUND_FILE),
        "0004.wav": (None, NotImported.FOLDER),
    }
    assert [sha256(data).hexdigest() for data in stored] == [take.sound for take in new_takes(found)]
    first, second, third = new_takes(found)
    # Silence is trimmed, not cut; a little of it stays.
    assert (first.length, 440 <= first.start <= 500, 1500 <= (first.end or 0) <= 1600) == (2000, True, True)
    assert [take.name for take in (first, second, third)] == ["1", "2_take1", "2_take2"]
    step = add_takes(SCRIPT, new_takes(found))
    assert step is not None
    script = step.apply(SCRIPT)
    assert script.duration(script.eventuality("e2").variants[0]) == 500
    assert summary(found) == "3 takes of 2 lines imported, 8 files not imported"
    messages = [file_message(file) for file in found]
    assert messages[1] == "2_take1.WAV: line 2, “Tom waits.”, 0.4 s"
    assert "2_take3.wav: not imported: it is damaged" in messages[3]
    assert messages[6] == "9.wav: not imported: there is no line 9 in the plan"
    assert all(each.endswith(("s", "e", "V", "n", "t", "d", "g")) for each in messages)


def test_a_dry_run_reads_everything_and_stores_nothing(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "takes", **{"1__wav": SPOKEN, "2__wav": b"no sound"})
    found = read_takes(SCRIPT, matched_files(folder, SCRIPT, planned()), None)
    assert summary(found, dry_run=True) == "1 take of 1 line to import, 1 file not imported"


def test_what_was_imported_before_is_known(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "takes", **{"1__wav": SPOKEN})
    first = read_takes(SCRIPT, matched_files(folder, SCRIPT, planned()), None)
    step = add_takes(SCRIPT, new_takes(first))
    assert step is not None
    script = step.apply(SCRIPT)
    (again,) = read_takes(script, matched_files(folder, script, planned(script)), None)
    assert (again.take, again.why) == (None, NotImported.KNOWN)


def test_linked_lines_share_a_number_and_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    lines = list(SCRIPT.eventualities)
    lines[0] = replace(lines[0], occurrence=Span(4000, 5000))
    lines[1] = replace(lines[1], joined=True)
    script = replace(SCRIPT, eventualities=tuple(lines))
    places = planned(script)
    assert [(place.number, place.line) for place in places][:2] == [(1, "e1"), (1, "e2")]
    folder = folder_of(tmp_path / "takes", **{"0001-e1__wav": SPOKEN, "0001-e2__wav": SPOKEN, "0001__wav": SPOKEN})
    found = {
        file.path.stem: (file.place and file.place.line, file.why) for file in matched_files(folder, script, places)
    }
    assert found == {"0001-e1": ("e1", None), "0001-e2": ("e2", None), "0001": (None, NotImported.LINKED)}


def test_a_line_without_words_and_a_file_that_ends_early_are_told(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "takes", **{"1__wav": SPOKEN[: len(SPOKEN) * 2 // 3]})
    (found,) = read_takes(SCRIPT, matched_files(folder, SCRIPT, planned()), None)
    assert found.cut_off
    assert "its end may be missing" in file_message(found)
    places = [replace(place, text=" ") for place in planned()]
    (wordless,) = matched_files(folder, SCRIPT, places)
    assert wordless.why is NotImported.NO_WORDS


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none", Path(__file__)):
        with pytest.raises(BadInputError, match="is not a folder"):
            matched_files(path, SCRIPT, planned())
    assert matched_files(tmp_path, SCRIPT, planned()) == ()
    assert summary(()) == "no sound files"


@pytest.mark.parametrize("why", list(NotImported))
def test_each_reason_has_a_sentence(why: NotImported) -> None:
    message = file_message(ImportedFile(Path("x.wav"), 3, why=why, detail="it is damaged"))
    assert message.startswith("x.wav: not imported: ")
    assert "{" not in message


def test_the_id_in_a_name_that_the_mix_gave_counts_more_than_its_number(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "takes", **{"0001-e4__wav": SPOKEN, "0002-e3__wav": SPOKEN, "0003-Anna__wav": SPOKEN})
    found = {
        file.path.stem: (file.number, file.place and file.place.line, file.why)
        for file in matched_files(folder, SCRIPT, planned())
    }
    assert found == {
        "0001-e4": (3, "e4", None),
        "0002-e3": (2, None, NotImported.NOT_SPOKEN),
        "0003-Anna": (3, "e4", None),
    }


def test_lines_that_an_import_drops_and_brings_in_are_told() -> None:
    one, two, three = planned()
    assert import_effect((one, two), (one, two)) == ImportEffect()
    after = (replace(two, number=1), replace(three, number=2))
    effect = import_effect((one, two), after)
    assert effect == ImportEffect((one,), after[1:], renumbered=True)
    take = ImportedFile(Path("1.wav"), 1, place=one, take=NewTake("e1", 0, "0" * 64, 9000, 500, 8000))
    assert effect_messages(effect, [take]) == (
        "no longer spoken: line 1, “She parks her motorbike. She pulls off h…”, with its take of 7.5 s",
        "now spoken: line 2, “A train leaves.”",
    )


def imported(script: Script, folder: Path, *, again: bool = False):
    places = planned(script)
    known = None if again else known_recordings(script, places)
    return read_takes(script, matched_files(folder, script, places), None, known=known)


def with_takes(script: Script, files) -> Script:
    step = add_takes(script, new_takes(files))
    assert step is not None
    return step.apply(script)


def test_a_recording_is_a_take_of_one_line_whatever_number_its_file_has_later(tmp_path: Path) -> None:
    first = folder_of(tmp_path / "first", **{"2 – Anna__wav": SPOKEN})
    script = with_takes(SCRIPT, imported(SCRIPT, first))
    # The first line is spoken no longer: what was line 2 is line 1, and 2 is another.
    script = with_pin("e1", Pin(selected=False), script)
    assert [(place.number, place.line) for place in planned(script)][:2] == [(1, "e2"), (2, "e4")]
    names = ("2 – Anna", "ad_002_take1", "9", "Anna", "0002-e4")
    for number, name in enumerate(names):
        (again,) = imported(script, folder_of(tmp_path / f"again{number}", **{f"{name}__wav": SPOKEN}))
        assert (again.take, again.why, again.known and again.known.line) == (None, NotImported.KNOWN, "e2")
        assert file_message(again) == f"{name}.wav: not imported: it is already a take of line 1, “Tom waits.”"
    (wanted,) = imported(script, first, again=True)
    assert wanted.take is not None
    assert wanted.take.line == "e4"
    assert renumbered_takes(SCRIPT, planned()) == ()
    changed = renumbered_takes(script, planned(script))
    assert changed == (("2 – Anna", planned(script)[0]),)
    assert "“2 – Anna” is of line 1 now" in numbers_message(changed)
    # Not spoken at all, and in other words than it was read in.
    hidden = with_pin("e2", Pin(selected=False), script)
    (again,) = imported(hidden, first)
    assert "a line that is not spoken, “Tom waits.”" in file_message(again)
    reworded = changed_fields(script, "e2", variants=(replace(script.eventuality("e2").variants[0], text="Tom sits."),))
    (again,) = imported(reworded, folder_of(tmp_path / "words", **{"1__wav": SPOKEN}))
    assert again.why is NotImported.KNOWN


def test_a_recording_that_is_in_the_folder_twice_is_a_take_of_one_line(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "takes", **{"1__wav": SPOKEN, "2 – copy__wav": SPOKEN, "3__wav": wav(tone(900))})
    assert [take.line for take in new_takes(imported(SCRIPT, folder))] == ["e1", "e4"]
    assert [take.line for take in new_takes(imported(SCRIPT, folder, again=True))] == ["e1", "e2", "e4"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
def test_what_is_no_regular_file_is_listed_with_the_reason(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "takes", **{"1__wav": SPOKEN})
    (folder / "2.wav").mkdir()
    (folder / "reel 2").mkdir()
    (folder / "3.wav").symlink_to(tmp_path / "gone.wav")
    (folder / "4.wav").symlink_to(folder / "4.wav")
    (folder / "5.wav").symlink_to(folder / "1.wav")
    os.mkfifo(folder / "6.wav")
    found = {file.path.name: file.why for file in matched_files(folder, SCRIPT, planned())}
    assert found == {
        "1.wav": None,
        "2.wav": NotImported.FOLDER,
        "reel 2": NotImported.FOLDER,
        "3.wav": NotImported.BROKEN_LINK,
        "4.wav": NotImported.BROKEN_LINK,
        "5.wav": NotImported.NO_SUCH_LINE,
        "6.wav": NotImported.NO_FILE,
    }


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"line 1: she parks", "not a sound file, whatever its name"),
        ("Größe\n".encode() * 400, "not a sound file, whatever its name"),
        (b"", "it is empty"),
        (b"RIFF and no more", "it is damaged"),
        (SPOKEN[:30], "it is damaged"),
    ],
)
def test_what_is_no_sound_is_told_from_what_is_damaged(tmp_path: Path, data: bytes, said: str) -> None:
    (found,) = imported(SCRIPT, folder_of(tmp_path / "takes", **{"1__wav": data}))
    assert said in file_message(found)


def test_a_line_is_named_by_its_number_and_words() -> None:
    assert line_named(LinePlace(3, "e3", 0, "Rain.")) == "line 3, “Rain.”"
    assert line_named(LinePlace(0, "e3", 0, "Rain.")) == "a line that is not spoken, “Rain.”"


def test_that_nothing_was_imported_is_the_result(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "takes", Anna__wav=SPOKEN, list__txt=b"")
    assert summary(imported(SCRIPT, folder)) == "nothing imported from 2 files"
    (folder / "Anna.wav").unlink()
    assert summary(imported(SCRIPT, folder), dry_run=True) == "no sound files, 1 other"
