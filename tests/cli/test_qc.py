"""`adstudio qc`: a project for every rule, planned as any other, with values worked out by hand."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli_running import Run

sys.path.append(str(Path(__file__).resolve().parents[1] / "quality"))
from quality_scripts import film, line, song, speech, spoken

from adstudio.core.narration import NO_VOICE, Take
from adstudio.core.script import Opening, Origin, Pin, Script, Variant
from adstudio.core.settings import GapSettings
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.presets.library import preset_named
from adstudio.store.project import ProjectFile

TEN = "One two three four five six seven eight nine ten."
DIALOGUE = (speech("c1", 10_000, 12_000),)
AFTER_IT = Pin(selected=True, start=12_400)
IN_GAP = line("a", occurrence=Span(12_000, 13_000), pin=AFTER_IT)


def at(start: int, **changes: object) -> Pin:
    return replace(Pin(selected=True, start=start), **changes)


def with_gaps(script: Script, **changes: object) -> Script:
    return replace(script, settings=replace(script.settings, gaps=GapSettings(**changes)))


def take(ms: int) -> Variant:
    recording = Take("t1", "0" * 64, ms, "Tom waits.")
    return Variant("Tom waits.", duration=1000, takes=(recording,), take="t1")


@pytest.fixture
def checked(run: Run, tmp_path: Path):
    """What `qc` prints of a script, its count left out, and its exit code."""

    def ran(script: Script, *options: str) -> tuple[list[str], int]:
        path = tmp_path / "film.adproj"
        ProjectFile.create(path, script).close()
        done = run("qc", path, *options)
        return done.out.decode().splitlines()[:-1], done.code

    return ran


CASES: dict[str, tuple[Script, tuple[str, ...], list[str], int]] = {
    # The length set by hand is the slot: one second. With 1.1 s the take is a tenth longer.
    "T1": (
        film(line("a", variants=(take(1101),), pin=at(5000))),
        (),
        ["T1 error 00:00:05:00 line 1: The take of “Tom waits” is 0.2 s longer than the 1.0 s it has."],
        1,
    ),
    "T1 at its boundary": (film(line("a", variants=(take(1100),), pin=at(5000))), (), [], 0),
    # Ten words in 2.999 s are 200.07 a minute.
    "T2": (
        film(line("a", variants=(Variant(TEN, duration=2999),), pin=at(5000))),
        ("--preset", "house"),
        [
            (
                "T2 warning 00:00:05:00 line 1: “One two three four five six…” is spoken at 201 words a minute "
                "(in the time set for it); the limit is 200."
            )
        ],
        0,
    ),
    "T2 at its boundary": (
        film(line("a", variants=(Variant(TEN, duration=3000),), pin=at(5000))),
        ("--preset", "house"),
        [],
        0,
    ),
    # Songs are free in the project, and not in the house. Two words take a second at 120 a minute.
    "T3": (
        with_gaps(film(line("a", pin=at(9100)), cues=(song("c1", 10_000, 12_000),)), keep_sung=False),
        ("--preset", "house"),
        ["T3 error 00:00:09:03 line 1: “Line a” overlaps dialogue by 0.1 s."],
        1,
    ),
    "T3 allowed": (
        film(line("a", pin=at(9100, override=True)), cues=DIALOGUE),
        ("--preset", "house"),
        ["T3 note 00:00:09:03 line 1: “Line a” overlaps dialogue by 0.1 s, as allowed."],
        0,
    ),
    "T3 opened": (
        film(line("a", pin=at(9100)), cues=DIALOGUE, openings=(Opening("o1", Span(9000, 10_100)),)),
        ("--preset", "house"),
        ["T3 note 00:00:09:03 line 1: “Line a” overlaps dialogue by 0.1 s, as allowed."],
        0,
    ),
    # No margins in the project: the line may end at 9.7 s, not at 9.701 s.
    "T4": (
        film(line("a", pin=at(8701)), cues=DIALOGUE),
        ("--preset", "house"),
        ["T4 warning 00:00:08:18 line 1: “Line a” ends 0.2 s before dialogue; at least 0.3 s is required."],
        0,
    ),
    "T4 at its boundary": (film(line("a", pin=at(8700)), cues=DIALOGUE), ("--preset", "house"), [], 0),
    "T4 by the project’s own settings": (film(line("a", pin=at(9000)), cues=DIALOGUE), (), [], 0),
    # Locked starts less than a second apart, for lines of a second: no plan has both.
    "T5": (
        film(line("a", pin=at(5000)), line("b", pin=at(5999))),
        (),
        [
            "T5 error 00:00:05:00: “Line a” is not spoken as you locked it: its locks cannot all be met.",
            "T5 error 00:00:06:00: “Line b” is not spoken as you locked it: its locks cannot all be met.",
        ],
        1,
    ),
    "T5 at its boundary": (film(line("a", pin=at(5000)), line("b", pin=at(6000))), (), [], 0),
    # A gap of 1.999 s; in the US 2 s are the least.
    "T6": (
        film(
            line("a", occurrence=Span(12_000, 13_000), pin=at(12_400)), cues=(*DIALOGUE, speech("c2", 13_999, 15_000))
        ),
        ("--preset", "us"),
        ["T6 warning 00:00:12:00 line 1: “Line a” is in a gap of 1.9 s; gaps of less than 2.0 s are not used."],
        0,
    ),
    "T6 at its boundary": (
        film(
            line("a", occurrence=Span(12_000, 13_000), pin=at(12_400)), cues=(*DIALOGUE, speech("c2", 14_000, 15_000))
        ),
        ("--preset", "us"),
        [],
        0,
    ),
    # An hour late, and locked there: taken back they are at 5 and at 59 s.
    "T8": (
        film(line("a", pin=at(3_605_000)), line("b", pin=at(3_659_000))),
        (),
        ["T8 error 01:00:05:00: All 2 lines are late by an hour: moved that much earlier, they are within the film."],
        1,
    ),
    "T8 at its boundary": (
        film(line("a", pin=at(3_599_999)), line("b", pin=at(3_659_000))),
        (),
        [
            "T5 error 01:00:00:00: “Line a” is not spoken as you locked it: its locks cannot all be met.",
            "T5 error 01:00:59:00: “Line b” is not spoken as you locked it: its locks cannot all be met.",
        ],
        1,
    ),
    "T9": (
        film(line("a", pin=at(5000)), voice=NO_VOICE),
        (),
        [
            (
                "T9 warning 00:00:05:00 line 1: No voice is chosen, so lengths are estimated from word counts: choose "
                "one in the project settings before you mix or record."
            )
        ],
        0,
    ),
    "T9 with a length set by hand": (
        film(line("a", variants=(Variant("Line a.", duration=1000),), pin=at(5000)), voice=NO_VOICE),
        (),
        [],
        0,
    ),
    "N1": (
        film(line("a", "Tired, Anna sits.", pin=at(5000)), cues=(speech("c1", 10_000, 12_000, "Sit, Anna.", "ANNA"),)),
        (),
        [
            (
                "N1 warning 00:00:05:00 line 1: “Tired, Anna sits” uses the name Anna before dialogue first says it, "
                "at 00:00:10:00."
            )
        ],
        0,
    ),
    "N1 in Germany": (
        film(line("a", "Tired, Anna sits.", pin=at(5000)), cues=(speech("c1", 10_000, 12_000, "Sit, Anna.", "ANNA"),)),
        ("--preset", "german"),
        [],
        0,
    ),
    "P1": (
        film(line("a", origin=Origin.MACHINE, seen=False, pin=at(5000)), line("b", pin=at(7000))),
        (),
        ["P1 error 00:00:05:00 line 1: 1 of 2 lines was written by a machine, and nobody has looked at it."],
        1,
    ),
    "P1 once it was seen": (film(line("a", origin=Origin.MACHINE, pin=at(5000))), (), [], 0),
    "nothing in it": (film(), (), [], 0),
}


@pytest.mark.parametrize(("script", "options", "lines", "code"), CASES.values(), ids=CASES.keys())
def test_a_project_for_every_rule(checked, script, options, lines, code) -> None:
    assert checked(script, *options) == (lines, code)


def test_the_last_line_counts_and_names_the_house(run: Run, tmp_path: Path) -> None:
    script = film(line("a", origin=Origin.MACHINE, seen=False, pin=at(8701)), cues=DIALOGUE)
    ProjectFile.create(tmp_path / "film.adproj", script).close()
    last = [
        run("qc", tmp_path / "film.adproj", *more).out.decode().splitlines()[-1] for more in ([], ["--preset", "uk"])
    ]
    assert last == [
        "checked by house, with the project’s own gap settings: 1 error",
        "checked by uk: 1 error, 1 warning",
    ]
    ProjectFile.create(tmp_path / "film.adproj", replace(film(), settings=preset_named("us").settings)).close()
    assert run("qc", tmp_path / "film.adproj").out.decode() == "checked by us: nothing found\n"


def test_json_has_rules_sources_values_and_facts(run: Run, tmp_path: Path) -> None:
    script = film(line("a", pin=at(8701)), cues=DIALOGUE)
    ProjectFile.create(tmp_path / "film.adproj", script).close()
    ran = run("qc", tmp_path / "film.adproj", "--preset", "house", "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["format"], report["preset"]) == (0, "adstudio-qc/1", "house")
    assert report["counts"] == {"error": 0, "warning": 1, "note": 0}
    assert report["findings"] == [
        {
            "rule": "T4",
            "level": "warning",
            "lines": ["a"],
            "start": 8.701,
            "end": 9.701,
            "what": "“Line a” ends 0.2 s before dialogue; at least 0.3 s is required.",
            "facts": {"side": "before", "distance": 0.299, "least": 0.3, "cue": "c1", "allowed": False},
        }
    ]
    rules = {rule["id"]: rule for rule in report["rules"]}
    assert rules["T4"]["source"] == "ITC Guidance on Standards for Audio Description, 2000"
    assert rules["T4"]["values"]["collar_before"] == {"value": 0.3, "source": "proposal"}
    assert rules["T6"]["values"]["least_gap"]["value"] == 1.0
    assert rules["T2"]["values"]["most_words_per_minute"]["value"] == 200
    assert rules["N1"]["values"]["names_after_introduction"]["value"] is True


def test_unsaved_steps_are_checked_where_that_is_asked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "film.adproj"
    script = film(line("a", pin=at(8700)), cues=DIALOGUE)
    with ProjectFile.create(path, script) as file:
        document = file.document(on_failure=lambda error: pytest.fail(str(error)))
        document.apply(Replace(script.eventualities[0], replace(script.eventualities[0], pin=at(8701))))
    saved = run("qc", path, "--preset", "house")
    assert saved.out.decode() == "checked by house: nothing found\n"
    assert "--unsaved" in saved.err
    last = run("qc", path, "--preset", "house", "--unsaved")
    assert last.out.decode().startswith("T4 warning 00:00:08:18 line 1: ")


def test_what_cannot_be_checked_is_bad_input(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "film.adproj"
    ProjectFile.create(path, film(), plan=spoken()).close()
    unknown = run("qc", path, "--preset", "moon")
    assert (unknown.code, unknown.out) == (2, b"")
    assert "there is no preset “moon”" in unknown.err
    path.write_bytes(b"no project")
    assert run("qc", path).code == 2
    assert run("qc", tmp_path / "gone.adproj").code in {2, 3}
