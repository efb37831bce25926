"""References of every form, brought to the film as import brings them, and the process that reads them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from worker_process import running

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.delivery.formats import FORMATS, deliver
from adstudio.evaluation.gap_rows import spoken_lines
from adstudio.evaluation.material import Description
from adstudio.evaluation.reference_events import (
    PROTOCOL,
    ColumnsUnclear,
    Event,
    ReadReference,
    ReadVersion,
    ReferenceRead,
    Request,
    TimesDoubtful,
    VersionRead,
    film_of,
)
from adstudio.evaluation.reference_reading import read_reference
from adstudio.importing.findings import ScriptTimesError, TimeFault
from adstudio.importing.script_times import ScriptTimes, mended
from adstudio.script_files.columns import Column
from adstudio.store.project import ProjectFile
from adstudio.system.worker import Failed

FILM = Script(
    Film("Film", 60_000, frame_rate=RATES["25"]),
    cues=(Cue("c1", 10_000, 14_000, "Who is there?"), Cue("c2", 18_000, 22_000, "It is me.")),
)
SRT = """1
00:00:02,000 --> 00:00:04,500
A man waits.

2
00:00:15,000 --> 00:00:16,500
He opens
the door.
"""
VTT = "WEBVTT\n\n00:02.000 --> 00:04.500\nA man waits.\n\n00:15.000 --> 00:16.500\nHe opens the door.\n"
CSV = "in,out,text\n00:00:02:00,00:00:04:12,A man waits.\n00:00:15:00,00:00:16:12,He opens the door.\n"
LINES = [(Span(2_000, 4_500), "A man waits."), (Span(15_000, 16_500), "He opens the door.")]


def read(folder: Path, text: str, name: str = "reference.srt", times: ScriptTimes | None = None, script: Script = FILM):
    path = folder / name
    path.write_text(text, "utf-8")
    return read_reference(path, script, times or ScriptTimes())


@pytest.mark.parametrize(("name", "text"), [("r.srt", SRT), ("r.vtt", VTT), ("r.csv", CSV)])
def test_a_reference_is_read_from_each_form(tmp_path: Path, name: str, text: str):
    found = read(tmp_path, text, name)
    # Frames of 25 a second: 12 of them are 480 ms.
    ends = (4_480, 16_480) if name.endswith("csv") else (4_500, 16_500)
    assert [(line.description.span, line.description.text) for line in found.lines] == [
        (Span(2_000, ends[0]), "A man waits."),
        (Span(15_000, ends[1]), "He opens the door."),
    ]
    assert (found.notes, found.oddities) == ((), ())


@pytest.mark.parametrize("form", ["srt", "vtt", "csv", "json", "dapt", "xlsx", "docx"])
def test_what_adstudio_exports_is_read_back_as_a_reference(tmp_path: Path, form: str):
    lines = (Eventuality("a", (Variant("A man waits.", duration=2_000),), Span(2_000, 4_000)),)
    script = FILM.with_changes(eventualities=lines)
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("a", 0, 2_000, 4_000),))
    path = tmp_path / f"script{FORMATS[form].ending}"
    deliver(path, form, script, plan, tmp_path / "p.adproj")
    (found,) = read_reference(path, film_of(script), ScriptTimes()).lines
    assert (found.description.text, found.description.span) == ("A man waits.", Span(2_000, 4_000))


def test_lines_without_an_end_last_as_long_as_their_text_at_most_until_the_next(tmp_path: Path):
    text = "in,text\n00:00:02:00,A man waits.\n00:00:02:10,He opens the door.\n00:00:30:00,Night falls here.\n"
    rate = FILM.settings.rate_for("en")
    found = read(tmp_path, text, "r.csv")
    assert [line.duration for line in found.lines] == [400, -(-4 * 60_000 // rate), -(-3 * 60_000 // rate)]


def test_what_is_not_compared_is_named(tmp_path: Path):
    text = "in,out,text\n" + "".join(f"00:00:{second:02d}:00,00:00:{second + 1:02d}:00,Rain.\n" for second in range(40))
    text += "00:05:00:00,00:05:02:00,After the end.\n,,Without a time.\n"
    found = read(tmp_path, text, "r.csv")
    assert len(found.lines) == 40
    assert found.notes == ("1 line is outside the film and not compared", "1 line is without a time and not compared")


def test_a_reference_in_another_language_is_told(tmp_path: Path):
    text = VTT.replace("WEBVTT\n", "WEBVTT\nLanguage: de\n")
    (note,) = read(tmp_path, text, "r.vtt").notes
    assert "(de)" in note
    assert "(en)" in note
    assert read(tmp_path, VTT.replace("WEBVTT\n", "WEBVTT\nLanguage: en-GB\n"), "r.vtt").notes == ()


def test_another_language_is_told_by_the_words_too(tmp_path: Path):
    text = "".join(
        f"{n}\n00:00:{n:02d},000 --> 00:00:{n:02d},900\nDer Mann geht durch die Tür und sieht nicht, was da ist.\n\n"
        for n in range(1, 8)
    )
    (note,) = read(tmp_path, text).notes
    assert note == "it is in another language (de) than the project (en)"


def test_a_reference_that_is_late_all_through_is_told(tmp_path: Path):
    names = ("Amber", "Lisbon", "violin", "lantern", "harbour", "captain", "barrels", "hinges", "umbrella", "ledger")
    script = FILM.with_changes(film=replace(FILM.film, end=600_000), cues=())
    plan = [
        Description(Span(30_000 * n, 30_000 * n + 2_000), f"We see the {name} there.") for n, name in enumerate(names)
    ]
    text = "in,out,text\n" + "".join(f"{30 * n + 20},{30 * n + 22},The {name} again.\n" for n, name in enumerate(names))
    (tmp_path / "r.csv").write_text(text.replace("in,out", "start s,end s"), "utf-8")
    (note,) = read_reference(tmp_path / "r.csv", script, ScriptTimes(), plan=plan).notes
    assert note.startswith("its times are 20.0 s later than the plan’s throughout (10 of ")
    assert read_reference(tmp_path / "r.csv", script, ScriptTimes()).notes == ()


def test_times_an_hour_off_are_mended_as_import_mends_them(tmp_path: Path):
    text = SRT.replace("00:00:", "01:00:")
    with pytest.raises(ScriptTimesError) as refused:
        read(tmp_path, text)
    fix = refused.value.fix
    assert (fix.fault, fix.value) == (TimeFault.START, "01:00:00:00")
    found = read(tmp_path, text, times=mended(ScriptTimes(), fix))
    assert [line.description.span.start for line in found.lines] == [2_000, 15_000]


def ask(request: Request) -> Event:
    with running(PROTOCOL, request) as process:
        return process.event()


def test_the_process_answers_with_lines_a_mending_a_question_or_a_reason(tmp_path: Path):
    path = tmp_path / "référence.srt"
    path.write_text(SRT, "utf-8")
    answer = ask(ReadReference(path, film_of(FILM), ScriptTimes()))
    assert isinstance(answer, ReferenceRead)
    assert [(line.description.span, line.description.text) for line in answer.reference.lines] == LINES
    path.write_text(SRT.replace("00:00:", "01:00:"), "utf-8")
    assert isinstance(ask(ReadReference(path, film_of(FILM), ScriptTimes())), TimesDoubtful)
    table = tmp_path / "table.csv"
    table.write_text("A,B,C\n0:02,A man waits here.,He opens the door.\n", "utf-8")
    unclear = ask(ReadReference(table, film_of(FILM), ScriptTimes()))
    assert isinstance(unclear, ColumnsUnclear)
    chosen = ((1, Column.IN), (2, None), (3, Column.TEXT))
    answer = ask(ReadReference(table, film_of(FILM), ScriptTimes(), chosen))
    assert isinstance(answer, ReferenceRead)
    assert {line.description.text for line in answer.reference.lines} == {"He opens the door."}
    missing = ask(ReadReference(tmp_path / "missing.srt", film_of(FILM), ScriptTimes()))
    assert isinstance(missing, Failed)
    assert "missing.srt" in missing.message


def test_the_process_reads_the_lines_of_a_version(tmp_path: Path):
    lines = (Eventuality("a", (Variant("A man waits.", duration=2_000),), Span(2_000, 4_000)),)
    script = FILM.with_changes(eventualities=lines)
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("a", 0, 2_000, 4_000),))
    with ProjectFile.create(tmp_path / "p.adproj", script) as project:
        number = project.versions.keep(script, plan, name="First").number
        answer = ask(ReadVersion("First", project.versions.packed(number)))
        with pytest.raises(BadInputError, match="no such version"):
            project.versions.packed(number + 1)
    assert answer == VersionRead(spoken_lines(script, plan))
    assert [line.id for line in answer.lines] == ["a"]
    damaged = ask(ReadVersion("First", b"\x00"))
    assert isinstance(damaged, Failed)
    assert "“First” is damaged" in damaged.message
