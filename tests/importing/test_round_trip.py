"""Export, import: the same lines, texts and times, to each format's precision; random scripts, all formats."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Origin, Pin, Scene, Script, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.delivery.export import export_of, plan_to_export
from adstudio.delivery.lines import ScriptLine, script_lines
from adstudio.delivery.options import ExportOptions, Separator
from adstudio.importing.comparing import Change, ImportChoices
from adstudio.importing.messages import diff_messages
from adstudio.importing.service import Import, ImportRequest, prepare_import

END = 600_000
WORDS = ("She", "waits.", "“Où?”", "naïve", "ß", "Ünal’s", "(door)", "50 %", "x,y;z", "日本", "e-mail", "1.", "…and")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


@st.composite
def films(draw: st.DrawFn) -> Script:
    """A film with dialogue, and lines locked anywhere, at a speed at which they can be spoken."""
    rate = RATES[draw(st.sampled_from(sorted(RATES)))]
    start = draw(st.sampled_from(["", "10:00:00:00", "01:00:00:00"]))
    start = start[:-3] + ";00" if rate.drop and start else start
    at, lines = 0, list[Eventuality]()
    for number in range(draw(st.integers(1, 8))):
        text = draw(TEXTS)
        at += draw(st.integers(0, 20_000))
        length = 200 + 300 * len(text.split()) + draw(st.integers(0, 3_000))
        line = Eventuality(
            f"e{number}",
            (Variant(text, duration=length),),
            Span(at, at + length),
            500_000,
            pin=Pin(selected=True, start=at, override=True),
            origin=Origin.HUMAN,
            note=draw(st.sampled_from(["", "low", "two\nlines"])),
        )
        lines.append(line)
        at += length
    return Script(
        Film("Film", END, frame_rate=rate, start_timecode=start),
        scenes=(Scene("s1", Span(0, END)),),
        cues=(Cue("c1", 30_000, 33_000, "Who is there?"), Cue("c2", 70_000, 74_000, "Me.")),
        eventualities=tuple(lines),
    )


def spoken(script: Script) -> tuple[ScriptLine, ...]:
    return script_lines(script, plan_to_export(script, None))


def imported(script: Script, form: str, options: ExportOptions, path: Path) -> Import:
    """What a new project of the same film gets of an export."""
    file = path / f"script.{form}"
    file.write_bytes(export_of(form, script, plan_to_export(script, None), options).content)
    empty = script.with_changes(eventualities=())
    return prepare_import(ImportRequest(file), empty, None, path / "p.adproj")


FORMS = [
    ("json", ExportOptions(), 0),
    ("reframed", ExportOptions(), 0),
    ("srt", ExportOptions(), 0),
    ("srt", ExportOptions(from_timecode=True), 0),
    ("vtt", ExportOptions(), 0),
    ("vtt", ExportOptions(from_timecode=True), 0),
    ("csv", ExportOptions(), 0),
    ("csv", ExportOptions(separator=Separator.TAB), 0),
    ("csv", ExportOptions(separator=Separator.SEMICOLON, columns=("text", "out", "in")), 42),
    ("csv", ExportOptions(columns=("in", "text", "duration s", "notes")), 84),
    ("xlsx", ExportOptions(), 42),
    ("docx", ExportOptions(), 42),
    ("dapt", ExportOptions(), 0),
]


@pytest.mark.parametrize(("form", "options", "precision"), FORMS)
@given(script=films())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_exported_comes_back(
    form: str, options: ExportOptions, precision: int, script: Script, tmp_path: Path
) -> None:
    before = spoken(script)
    found = imported(script, form, options, tmp_path)
    after = spoken(found.after)
    texts = [" ".join(line.text.split()) for line in before]
    assert [" ".join(line.text.split()) for line in after] == texts
    for old, new in zip(before, after, strict=True):
        # 42 ms are a frame of 24 a second.
        assert abs(old.span.start - new.span.start) <= precision
        assert abs(old.span.end - new.span.end) <= 2 * precision
    assert all(line.origin is Origin.HUMAN and line.pinned for line in after)
    if (options.columns is None or "notes" in options.columns) and form in ("csv", "json", "xlsx", "dapt"):
        assert [line.notes for line in after] == [line.notes for line in before]


@pytest.mark.parametrize(("form", "options", "precision"), FORMS)
@given(script=films())
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_export_changes_nothing_in_its_own_project(
    form: str, options: ExportOptions, precision: int, script: Script, tmp_path: Path
) -> None:
    del precision
    plan = plan_to_export(script, None)
    file = tmp_path / f"script.{form}"
    file.write_bytes(export_of(form, script, plan, options).content)
    found = prepare_import(ImportRequest(file), script, plan, tmp_path / "p.adproj")
    assert {change.change for change in found.diff.changes} == {Change.SAME}
    assert found.diff.lacking == ()
    assert (found.step, found.after) == (None, script)


STATES = [(Origin.MACHINE, False, False), (Origin.HUMAN, True, False), (Origin.HUMAN, True, True)]


@pytest.mark.parametrize("form", ["json", "csv", "xlsx", "docx"])
@given(script=films(), states=st.lists(st.sampled_from(STATES), min_size=8, max_size=8))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_how_far_lines_have_come_comes_back(
    form: str, script: Script, states: list[tuple[Origin, bool, bool]], tmp_path: Path
) -> None:
    lines = tuple(
        replace(line, origin=origin, seen=seen, accepted=accepted)
        for line, (origin, seen, accepted) in zip(script.eventualities, states, strict=False)
    )
    script = script.with_changes(eventualities=lines)
    found = imported(script, form, ExportOptions(), tmp_path)
    after = spoken(found.after)
    assert [line.status for line in after] == [line.status for line in spoken(script)]
    origins = [line.origin for line in spoken(script)] if form == "json" else [Origin.HUMAN] * len(after)
    assert [line.origin for line in after] == origins


@pytest.mark.parametrize("title", ["Rain: a film", "", "Audio description script"])
@pytest.mark.parametrize("form", ["xlsx", "docx"])
def test_the_title_of_our_documents_is_theirs(form: str, title: str, tmp_path: Path) -> None:
    line = Eventuality(
        "e1", (Variant("Rain.", duration=2_000),), Span(5_000, 7_000), 500_000, pin=Pin(True, None, 5_000)
    )
    script = Script(Film(title, END), scenes=(Scene("s1", Span(0, END)),), eventualities=(line,))
    found = imported(script, form, ExportOptions(), tmp_path)
    assert (found.finished.title, found.oddities) == (title, ())


def test_a_revised_line_is_as_far_as_the_file_says(tmp_path: Path) -> None:
    """One whose text was changed in the file, and one that was accepted there: neither can be less than it was."""
    texts = ("Rain.", "Snow.", "Night.")
    lines = tuple(
        Eventuality(
            f"e{n}", (Variant(text),), Span(n * 9_000, n * 9_000 + 2_000), 500_000, seen=n == 2, accepted=n == 2
        )
        for n, text in enumerate(texts)
    )
    script = Script(Film("Film", END), scenes=(Scene("s1", Span(0, END)),), eventualities=lines)
    plan = plan_to_export(script, None)
    content = export_of("csv", script, plan).content.decode("utf-8")
    revised = content.replace("Rain.", "Rain falls.").replace("accepted\r\n", "draft\r\n").splitlines(keepends=True)
    revised[2] = revised[2].replace("draft", "accepted")
    (tmp_path / "script.csv").write_text("".join(revised), "utf-8", newline="")
    found = prepare_import(ImportRequest(tmp_path / "script.csv"), script, plan, tmp_path / "p.adproj")
    assert [(line.seen, line.accepted, line.origin) for line in found.after.eventualities] == [
        (False, False, Origin.HUMAN),
        (True, True, Origin.MACHINE),
        (True, True, Origin.MACHINE),
    ]
    assert [line.pin.held for line in found.after.eventualities] == [True, False, False]
    said = list(diff_messages(found, script, locked_out=False))
    assert said[1].startswith("same: 00:00:09:21 “Snow.” (accepted)")
    assert len(said) == 2


@given(script=films(), other=films(), unlocked=st.booleans(), only=st.booleans())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_import_is_one_step_that_can_be_undone(
    script: Script, other: Script, unlocked: bool, only: bool, tmp_path: Path
) -> None:
    """Another script into a project: nothing of it is lost, and undo brings back the very same script."""
    file = tmp_path / "other.json"
    file.write_bytes(export_of("json", other, plan_to_export(other, None)).content)
    choices = ImportChoices(unlocked=unlocked, only=only)
    found = prepare_import(ImportRequest(file, choices=choices), script, None, tmp_path / "p.adproj")
    if found.step is None:
        return
    assert found.step.apply(script) == found.after
    assert found.step.inverse().apply(found.after) == script
    assert found.step.inverse().inverse().apply(script) == found.after
    texts = [variant.text for line in found.after.eventualities for variant in line.variants]
    for line in spoken(other):
        assert line.text in texts
    ids = [line.id for line in found.after.eventualities]
    assert set(ids) >= {line.id for line in script.eventualities}
    assert len(ids) == len(set(ids))
    if only and not unlocked:
        said = {delivery.element for delivery in found.plan.deliveries}
        assert said.isdisjoint(found.diff.lacking)
