"""A script whose times are of another start, rate or speed: found, with the option that mends it."""

from __future__ import annotations

from pathlib import Path

import pytest
from import_scripts import CUES, film, prepared, srt

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.delivery.formats import FORMATS
from adstudio.importing.findings import ScriptTimesError, TimeFault
from adstudio.importing.script_times import ScriptTimes
from adstudio.importing.service import ImportRequest, prepare_import

# In the middle of every gap: 20 seconds after each cue starts.
STARTS = [cue.start + 20_000 for cue in CUES]


def labels(*written: str) -> str:
    return "in,text\n" + "".join(f"{label},Ruth turns.\n" for label in written)


def at(ms: int, rate: int) -> str:
    seconds = ms // 1000
    frames = round(ms % 1000 * rate / 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}:{frames:02d}"


def starts(text: str, folder: Path, times: ScriptTimes | None = None, **more: object) -> list[int]:
    script = film(**more)  # type: ignore[arg-type]
    found = prepared(text, script, folder, "script.csv", times=times or ScriptTimes())
    return [each.occurrence.start for each in found.after.eventualities if each.occurrence]


def test_one_hour_off_is_found_and_mended(tmp_path: Path) -> None:
    text = labels(*(at(3_600_000 + each, 25) for each in STARTS))
    with pytest.raises(ScriptTimesError) as refused:
        starts(text, tmp_path)
    assert (refused.value.fix.fault, refused.value.option) == (TimeFault.START, "--start 01:00:00:00")
    assert "by which the first line would be at 00:00:20" in str(refused.value)
    assert starts(text, tmp_path, ScriptTimes(start="01:00:00:00")) == STARTS


def test_clock_times_one_hour_off_too(tmp_path: Path) -> None:
    text = srt(*((36_000_000 + each, 36_000_000 + each + 2_000, "Ruth turns.") for each in STARTS))
    with pytest.raises(ScriptTimesError) as refused:
        prepared(text, film(), tmp_path)
    assert refused.value.option == "--start 10:00:00:00"
    found = prepared(text, film(), tmp_path, times=ScriptTimes(start="10:00:00:00"))
    assert [each.pin.start for each in found.after.eventualities] == STARTS


def test_the_films_own_start_timecode_is_subtracted_where_it_fits(tmp_path: Path) -> None:
    text = labels(*(at(3_600_000 + each, 25) for each in STARTS))
    assert starts(text, tmp_path, start="01:00:00:00") == STARTS
    # Times that count from the first frame stay as they are.
    assert starts(labels(*(at(each, 25) for each in STARTS)), tmp_path, start="01:00:00:00") == STARTS


@pytest.mark.parametrize("form", ["dapt", "vtt", "srt", "csv", "json"])
def test_times_of_the_film_stay_although_its_start_timecode_could_be_subtracted(form: str, tmp_path: Path) -> None:
    """A start such as 00:01:00:00 is within the film, so that the lines are in it either way."""
    script = film(start="00:01:00:00")
    empty = script.with_changes(eventualities=())
    line = Eventuality("e1", (Variant("Ruth turns."),), Span(STARTS[4], STARTS[4] + 2_000), 1)
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, STARTS[4], STARTS[4] + 2_000),))
    data = FORMATS[form](script.with_changes(eventualities=(line,)), plan)
    (tmp_path / f"script.{form}").write_bytes(data)
    found = prepare_import(ImportRequest(tmp_path / f"script.{form}"), empty, None, tmp_path / "p.adproj")
    assert [each.start for each in found.finished.lines] == [STARTS[4]]


def test_timecode_of_another_rate(tmp_path: Path) -> None:
    """Frame 24 does not exist at 24 frames a second; at 25 each label is where it was meant."""
    text = labels(*(at(each + 960, 25) for each in STARTS))
    with pytest.raises(ScriptTimesError) as refused:
        starts(text, tmp_path, rate=RATES["24"])
    assert (refused.value.fix.fault, refused.value.option) == (TimeFault.RATE, "--rate 25")
    assert "there is no 00:00:20:24 (line 2)" in str(refused.value)
    assert starts(text, tmp_path, ScriptTimes(rate=RATES["25"]), rate=RATES["24"]) == [each + 960 for each in STARTS]


def test_drop_frame_labels_that_do_not_exist(tmp_path: Path) -> None:
    text = labels("00:01:00:00", "00:02:00:01", "00:04:20:00")
    with pytest.raises(ScriptTimesError) as refused:
        starts(text, tmp_path, rate=RATES["29.97 DF"])
    assert refused.value.option == "--rate 29.97ndf"
    # Non-drop labels are slower than the clock by a thousandth.
    expected = [round(each * 1.001) for each in (60_000, 120_000 + 33, 260_000)]
    found = starts(text, tmp_path, ScriptTimes(rate=RATES["29.97 NDF"]), rate=RATES["29.97 DF"])
    assert all(abs(a - b) <= 1 for a, b in zip(found, expected, strict=True))


def test_semicolons_mean_drop_frame(tmp_path: Path) -> None:
    text = labels("00:00:20;00", "00:04:20;00")
    with pytest.raises(ScriptTimesError) as refused:
        starts(text, tmp_path, rate=RATES["29.97 NDF"])
    assert refused.value.option == "--rate 29.97df"
    assert starts(text, tmp_path, ScriptTimes(rate=RATES["29.97 DF"]), rate=RATES["29.97 NDF"])[1] == 259_993
    # Where the rate has none, some write it all the same.
    assert starts(text, tmp_path) == [20_000, 260_000]


def test_a_single_label_that_drop_frame_skips_is_no_slip(tmp_path: Path) -> None:
    text = labels(*(at(each + 100, 30) for each in STARTS), *(at(each + 500, 30) for each in STARTS), "00:19:00:00")
    with pytest.raises(ScriptTimesError):
        starts(text.replace("00:19:00:00", "00:19:00:01"), tmp_path, rate=RATES["29.97 DF"])


def test_one_wrong_frame_is_a_slip(tmp_path: Path) -> None:
    text = labels(*(at(each, 24) for each in STARTS), *(at(each + 5_000, 24) for each in STARTS), "00:19:58:30")
    found = prepared(text, film(rate=RATES["24"]), tmp_path, "script.csv")
    assert "00:19:58:30 is no timecode of this rate: the nearest frame is taken" in [odd.what for odd in found.oddities]
    assert found.after.eventualities[-1].pin.start == 1_198_958


@pytest.mark.parametrize(
    ("label", "ms"),
    [("00:00:61:00", 61_000), ("00:00:75:12", 75_480), ("00:12:60:00", 780_000), ("00:01:99:24", 159_960)],
)
def test_more_than_59_seconds_are_of_no_rate(label: str, ms: int, tmp_path: Path) -> None:
    found = prepared(labels("00:00:20:00", label), film(), tmp_path, "script.csv")
    assert [(odd.what.split(" (")[0], odd.line) for odd in found.oddities if label in odd.what] == [
        (f"{label} is no timecode of any rate", 3)
    ]
    assert [line.start for line in found.finished.lines] == [20_000, ms]


def test_hours_beyond_a_day_are_of_no_rate(tmp_path: Path) -> None:
    found = prepared(labels("00:00:20:00", "00:00:25:00", "25:00:00:00"), film(), tmp_path, "script.csv")
    assert any("25:00:00:00 is no timecode of any rate" in odd.what for odd in found.oddities)


def test_another_rate_is_suspected_all_the_same(tmp_path: Path) -> None:
    with pytest.raises(ScriptTimesError, match="there is no 00:00:30:24"):
        prepared(labels("00:00:61:00", "00:00:30:24"), film(rate=RATES["24"]), tmp_path, "script.csv")


@pytest.mark.parametrize(("rate", "speed", "factor"), [("25", "24", 24 / 25), ("24", "25", 25 / 24)])
def test_a_version_at_another_speed(tmp_path: Path, rate: str, speed: str, factor: float) -> None:
    """Frame n is at n / 24 s of one version, and at n / 25 s of the other."""
    there = [(round(each / factor), round((each + 2_000) / factor), "Ruth turns.") for each in STARTS]
    script = film(rate=RATES[rate])
    with pytest.raises(ScriptTimesError) as refused:
        prepared(srt(*there), script, tmp_path)
    assert (refused.value.fix.fault, refused.value.option) == (TimeFault.SPEED, f"--speed {speed}")
    found = prepared(srt(*there), script, tmp_path, times=ScriptTimes(speed=RATES[speed]))
    moved = [each.pin.start or 0 for each in found.after.eventualities]
    assert all(abs(a - b) <= 1 for a, b in zip(moved, STARTS, strict=True))


def test_an_ordinary_script_is_of_the_film(tmp_path: Path) -> None:
    """A few lines over dialogue are no other speed, and half an hour of silence is no other start."""
    cues = [(each - 3_000, each - 1_000, "Ruth turns.") for each in STARTS] + [(1_000, 3_000, "Titles.")]
    found = prepared(srt(*sorted(cues)), film(), tmp_path)
    assert found.diff.count() == 0
    assert len(found.after.eventualities) == len(cues)
