"""Setting up a project: what is found, counted, refused and made."""

import json
import os
import signal
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QWidget
from small_films import SRT, make_clip
from unclear_layout import unclear_screenplay

from adstudio.core.timebase import RATES
from adstudio.drafting.events import PROTOCOL
from adstudio.store.project import ProjectFile
from adstudio.ui.files.draft_source_fields import KINDS, SourceKind
from adstudio.ui.files.encoding_field import AS_FOUND
from adstudio.ui.files.new_project import STOPPED, NewProjectDialog
from adstudio.ui.files.subtitle_fields import NONE

sys.path.append(str(Path(__file__).resolve().parents[2] / "media"))
from media_clips import make_tracks

CANDIDATES = [
    {
        "text": "Günter hebt den Kopf",
        "audio_description": "Günter hebt langsam den Kopf.",
        "start_time": 1.0,
        "end_time": 3.0,
        "salience": 0.9,
    }
]


SPOKEN = """1
00:00:04,000 --> 00:00:07,000
Who left the window open all night long?

2
00:00:13,000 --> 00:00:16,000
It was closed when I went to bed.
"""
FOUNTAIN = """INT. HALL - NIGHT

Anna opens the heavy door and steps into the dark hall.

ANNA
Who left the window open all night long?

She shuts the window.

TOM
It was closed when I went to bed.

EXT. GARDEN - DAY

Tom kneels beside the roses.
"""


@pytest.fixture
def assistant(context, qtbot):
    made = NewProjectDialog(context)
    qtbot.addWidget(made)
    made.show()
    yield made
    if made.project is not None:
        made.project.close()
    made.reject()
    qtbot.waitUntil(lambda: not context.jobs.running)


def made(assistant, qtbot) -> ProjectFile:
    assert assistant.make.isEnabled(), assistant.problem
    qtbot.mouseClick(assistant.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: assistant.result() or assistant.wrong.isVisible())
    assert assistant.project is not None, assistant.wrong.text()
    return assistant.project


def looked_at(assistant, qtbot) -> None:
    qtbot.waitUntil(lambda: not assistant.sources.looking)


def test_a_film_with_subtitles_beside_it(assistant, qtbot, clip, srt):
    assistant.sources.take_video(clip)
    assert assistant.sources.subtitles.path == srt
    assert not assistant.make.isEnabled()  # its length is not known yet
    looked_at(assistant, qtbot)
    assert assistant.film.title == "#1 %20 &"
    assert assistant.film.language == "de"
    assert assistant.film.rate == RATES["23.976"]
    assert assistant.place.path == clip.with_suffix(".adproj")
    opened = made(assistant, qtbot)
    film = opened.saved_script.film
    assert (film.title, film.language, film.frame_rate) == ("#1 %20 &", "de", RATES["23.976"])
    assert film.end == 2002  # 48 frames of 1001/24000 s
    assert film.media is not None
    assert (film.media.path, film.media.relative_path, film.media.rate) == (
        str(clip),
        clip.name,
        Fraction(24000, 1001),
    )
    assert [cue.text for cue in opened.saved_script.cues] == ["Wer ist da?", "Günter. Ich bin’s.", "[door creaks]"] or [
        cue.text for cue in opened.saved_script.cues
    ][1] == "Günter. Ich bin’s."
    assert opened.saved_script.eventualities == ()


def test_a_new_project_opens_with_the_characters_of_its_sources(assistant, qtbot, folder, monkeypatch):
    labelled, listed = folder / "labelled.srt", folder / "people.csv"
    labelled.write_text(SPOKEN.replace("Who left", "ANNA: Who left").replace("It was", "TOM: It was"), "utf-8")
    listed.write_text("name,description\nIda Stone,the cook\n", "utf-8")
    fields = assistant.sources.text
    assert fields.cast_list is None
    monkeypatch.setattr("adstudio.ui.files.draft_source_fields.ask_open", lambda *_: listed)
    (choose,) = (each for each in fields.findChildren(QPushButton) if each.accessibleName() == "Choose the cast list")
    choose.click()
    assert fields.cast_list == listed
    assistant.sources.subtitles.take(labelled)
    assistant.sources.length_field.setText("30")
    assistant.place.field.setText(str(folder / "people"))
    opened = made(assistant, qtbot)
    people = [(person.name, person.described_as) for person in opened.saved_script.people]
    assert sorted(people) == [("Anna", ""), ("Ida Stone", "the cook"), ("Tom", "")]
    assert sorted(assistant.report.characters) == ["Anna", "Ida Stone", "Tom"]


def test_a_length_and_nothing_else(assistant, qtbot, folder):
    assistant.sources.length_field.setText("1:30")
    assert assistant.free.text() == "1 gap · 90.0 s free of 90.0 s"
    assistant.place.field.setText(str(folder / "silent"))
    assert made(assistant, qtbot).path == folder / "silent.adproj"


def test_the_count_follows_every_field(assistant, srt):
    # Dialogue at 10–14 and 18–22 s; the door at 24–25 s may be spoken over. The house keeps 0.3 s free on each side.
    assistant.sources.subtitles.take(srt)
    assistant.sources.length_field.setText("30")
    assert assistant.free.text() == "3 gaps · 20.8 s free of 30.0 s"
    assistant.plan.after.setValue(0)
    assistant.plan.before.setValue(0)
    assert assistant.free.text() == "3 gaps · 22.0 s free of 30.0 s"
    assistant.plan.before.setValue(1)
    assert assistant.free.text() == "3 gaps · 20.0 s free of 30.0 s"
    assistant.plan.least.setValue(3.5)
    assert assistant.free.text() == "2 gaps · 17.0 s free of 30.0 s"
    assistant.plan.sound.setChecked(False)
    assert assistant.free.text() == "2 gaps · 14.0 s free of 30.0 s"
    assistant.sources.length_field.setText("60,5")
    assert assistant.free.text() == "2 gaps · 44.5 s free of 60.5 s"
    assistant.sources.subtitles.field.setCurrentIndex(0)
    assert assistant.sources.subtitles.field.currentText() == NONE
    assert assistant.free.text() == "1 gap · 60.5 s free of 60.5 s"


def test_the_encoding_is_guessed_and_can_be_changed(assistant, srt):
    subtitles = assistant.sources.subtitles
    assert subtitles.encoding_field.itemText(0) == AS_FOUND
    subtitles.take(srt)
    assert subtitles.encoding_field.currentText() == "windows-1252, a guess"
    assert "Günter" in subtitles.preview.toPlainText()
    assert any("was guessed" in text for text in assistant.sources.oddities)
    subtitles.encoding_field.setCurrentIndex(subtitles.encoding_field.findData("windows-1251"))
    assert "Gьnter" in subtitles.preview.toPlainText()
    assert subtitles.encoding == "windows-1251"


def test_there_is_no_list_of_issues_where_there_are_none(assistant):
    assistant.show()
    assert not assistant.odd.isVisible()
    assert not assistant.odd_count.isVisible()


def test_oddities_are_listed_with_their_line(assistant, odd):
    path = odd(".srt")
    path.write_text("1\n00:00:05,000 --> 00:00:04,000\nBackwards\n", "utf-8")
    assistant.sources.subtitles.take(path)
    assert assistant.odd.isVisible()
    assert assistant.odd.item(0).text().startswith(f"{path.name}, line 2: the cue ends")


def test_candidates_beside_the_video_are_taken(assistant, qtbot, clip, odd):
    path = odd(".candidates.json")
    path.write_text(json.dumps(CANDIDATES), "utf-8")
    assistant.sources.take_video(clip)
    assert assistant.sources.text.of(SourceKind.CANDIDATES) == path
    looked_at(assistant, qtbot)
    script = made(assistant, qtbot).saved_script
    assert [each.variants[0].text for each in script.eventualities] == ["Günter hebt langsam den Kopf."]


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("candidates.json", "screenplay.fountain", "description.txt"), SourceKind.SCREENPLAY),
        (("{}.candidates.json", "{}.fountain"), SourceKind.SCREENPLAY),
        (("Candidates.json", "{}.ad.txt"), SourceKind.DESCRIPTION),
        (("candidates.json", "{}.srt"), SourceKind.CANDIDATES),
        (("{}.json",), SourceKind.NOTHING),
    ],
)
def test_what_people_wrote_is_proposed_before_prepared_lines(assistant, tmp_path, names, kind):
    (tmp_path / "film.mp4").touch()
    for name in names:
        (tmp_path / name.format("film")).touch()
    text = assistant.sources.text
    text.offer(tmp_path / "film.mp4")
    assert text.kind is kind
    assert text.path is None if kind is SourceKind.NOTHING else text.path is not None


def test_candidates_that_cannot_be_read_are_told_at_once(assistant, odd):
    path = odd(".json")
    path.write_text("nothing", "utf-8")
    assistant.sources.length_field.setText("30")
    assistant.sources.text.take(path)
    assert path.name in assistant.wrong.text()
    assert not assistant.make.isEnabled()
    assistant.sources.text.kind_field.setCurrentIndex(KINDS.index(SourceKind.NOTHING))
    assert assistant.sources.text.kind_field.currentText() == "Blank script"
    assert assistant.make.isEnabled()


@pytest.mark.parametrize("content", [b"", b"no film at all", b"\0" * 5000])
def test_what_is_no_film_is_told(assistant, qtbot, odd, content: bytes):
    path = odd(".mp4")
    path.write_bytes(content)
    assistant.sources.take_video(path)
    looked_at(assistant, qtbot)
    assert path.name in assistant.wrong.text()
    assert not assistant.make.isEnabled()


def test_a_project_that_is_there_is_never_written_over(assistant, qtbot, folder, clip):
    there = clip.with_suffix(".adproj")
    there.write_bytes(b"mine")
    assistant.sources.take_video(clip)
    assert assistant.place.path.name == "#1 %20 & 2.adproj"
    looked_at(assistant, qtbot)
    assistant.place.field.setText(str(there))
    assert "already exists" in assistant.wrong.text()
    assert not assistant.make.isEnabled()
    # It appears only after the look: the drafting process refuses too.
    late = folder / "late.adproj"
    assistant.place.field.setText(str(late))
    late_check = assistant.make.isEnabled()
    assert late_check
    assistant.make.click()
    late.write_bytes(b"mine")
    qtbot.waitUntil(lambda: not desk_jobs(assistant))
    assert late.read_bytes() == b"mine" or assistant.project is not None
    assert there.read_bytes() == b"mine"


def shown(widget: QWidget, name: str) -> str:
    (label,) = (label for label in widget.findChildren(QLabel) if getattr(label, "topic", "") == name)
    return label.text() if label.isVisible() else ""


def desk_jobs(assistant):
    return assistant._context.jobs.running


def test_the_title_typed_stays(assistant, qtbot, clip):
    qtbot.keyClicks(assistant.film.title_field, "Mein Film")
    assistant.sources.take_video(clip)
    assert assistant.film.title == "Mein Film"
    looked_at(assistant, qtbot)


def test_a_start_timecode_with_colons_counts_every_frame(assistant, qtbot, odd):
    assistant.film.show_rate(RATES["29.97 DF"])
    assistant.film.start_field.setText("10:00:00:00")
    assert assistant.film.problem == "" or "colon" not in assistant.film.problem
    assistant.film.rate_field.setEditText("29.97")
    assert assistant.film.rate == RATES["29.97 NDF"]
    assistant.film.start_field.setText("10:00:00;00")
    assert assistant.film.rate == RATES["29.97 DF"]
    assistant.film.start_field.setText("10:01:00;00")
    assert "does not exist" in assistant.film.problem


@pytest.mark.parametrize("rate", ["23.976", "24", "25", "29.97 DF", "29.97 NDF", "30", "50", "59.94 DF", "59.94 NDF"])
def test_every_rate_of_the_trade_can_be_chosen(assistant, rate: str):
    assistant.film.rate_field.setCurrentIndex(assistant.film.rate_field.findText(rate))
    assert assistant.film.rate == RATES[rate]


@pytest.mark.parametrize(("field", "text"), [("language_field", "not a tag"), ("rate_field", "many")])
def test_what_makes_no_sense_is_told_below_the_field(assistant, field: str, text: str):
    assistant.sources.length_field.setText("30")
    assert assistant.make.isEnabled()
    getattr(assistant.film, field).setEditText(text)
    assert text in assistant.film.problem
    assert not assistant.make.isEnabled()


def test_stop_leaves_everything_as_it_was(assistant, qtbot, folder):
    assistant.sources.length_field.setText("30")
    assistant.place.field.setText(str(folder / "stopped.adproj"))
    assistant.activateWindow()
    assistant.make.setFocus()
    QTest.mouseClick(assistant.make, Qt.MouseButton.LeftButton)
    assert assistant.stop.isVisible()
    # Nothing else is proposed meanwhile, and what is being done stands on one line.
    assert not any(button.isDefault() and button.isEnabled() for button in assistant.findChildren(QPushButton))
    assert not assistant.doing.wordWrap()
    assistant.stop.click()
    qtbot.waitUntil(lambda: not assistant.stop.isVisible() or assistant.result())
    if assistant.project is None:
        assert not (folder / "stopped.adproj").exists()
        assert assistant.make.isEnabled()


def test_leaving_while_the_video_is_looked_at(context, qtbot, clip):
    assistant = NewProjectDialog(context, None, clip)
    qtbot.addWidget(assistant)
    assistant.show()
    assert assistant.sources.looking
    assistant.reject()
    qtbot.waitUntil(lambda: not context.jobs.running)
    assert assistant.project is None


@pytest.mark.parametrize("ending", [".srt", ".json", ".fdx", ".fountain", ".pdf", ".txt", ".md", ".mp4", ".xyz"])
def test_a_dropped_file_goes_where_it_belongs(context, qtbot, odd, ending: str):
    path = odd(ending)
    path.write_text(SRT, "utf-8")
    assistant = NewProjectDialog(context, None, path)
    qtbot.addWidget(assistant)
    sources = assistant.sources
    text = sources.text
    taken = {
        ".srt": sources.subtitles.path,
        ".json": text.of(SourceKind.CANDIDATES),
        ".md": text.of(SourceKind.DESCRIPTION),
    }
    taken |= dict.fromkeys((".fdx", ".fountain", ".pdf", ".txt"), text.of(SourceKind.SCREENPLAY))
    taken = taken.get(ending, sources.video)
    assert taken == path
    assistant.reject()
    qtbot.waitUntil(lambda: not context.jobs.running)


def test_every_control_has_a_name(assistant):
    for kind in (QLineEdit, QComboBox, QPushButton):
        for widget in assistant.findChildren(kind):
            if isinstance(widget.parent(), QComboBox) or widget.objectName().startswith("qt_"):
                continue
            assert widget.accessibleName() or (isinstance(widget, QPushButton) and widget.text()), widget


def test_the_keys_reach_everything(assistant, qtbot):
    """Tab goes through every field and comes back to the first."""
    reached: set[QWidget] = set()
    widget = assistant.sources.video_field
    while widget not in reached:
        reached.add(widget)
        widget = widget.nextInFocusChain()
    wanted = [assistant.sources.video_field, assistant.sources.subtitles.field, assistant.film.title_field]
    wanted += [assistant.plan.before, assistant.plan.scope, assistant.place.field, assistant.make]
    assert set(wanted) <= reached
    for each in wanted:
        assert each.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_a_german_describer_types_a_comma(assistant, qtbot, folder):
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    try:
        assistant.sources.length_field.setText("30,5")
        assistant.plan.before.selectAll()
        qtbot.keyClicks(assistant.plan.before, "1,5")
        assert assistant.plan.settings.gaps.margin_before == 1500
        assert assistant.free.text() == "1 gap · 30,5 s free of 30,5 s"
        assistant.place.field.setText(str(folder / "komma.adproj"))
        assert made(assistant, qtbot).saved_script.settings.gaps.margin_before == 1500
    finally:
        QLocale.setDefault(before)


def test_a_longer_clip_replaces_the_first_one(assistant, qtbot, clip, odd):
    longer = make_clip(odd(" lang.mp4"), 96)
    assistant.sources.take_video(clip)
    assistant.sources.take_video(longer)
    looked_at(assistant, qtbot)
    assert assistant.sources.end == 4004


def test_a_screenplay_that_only_the_subtitles_make_clear_is_read_with_them(assistant, qtbot, odd):
    """The window judges a screenplay as the draft will, in whatever order the files are chosen."""
    text, spoken = unclear_screenplay()
    screenplay, subtitles = odd(".txt"), odd(".srt")
    screenplay.write_text(text, "utf-8")
    cues = (
        f"{at}\n00:{at // 12:02d}:{at % 12 * 5:02d},000 --> 00:{at // 12:02d}:{at % 12 * 5 + 3:02d},000\n{said}\n"
        for at, said in enumerate(spoken, 1)
    )
    subtitles.write_text("\n".join(cues), "utf-8")
    assistant.sources.text.take(screenplay)
    assert "may be speech or action" in assistant.sources.text.problem
    assistant.sources.subtitles.take(subtitles)
    assert assistant.sources.text.problem == ""
    assert "8 scenes" in shown(assistant.sources.text, "Contents of the source file")
    assistant.sources.text.take(screenplay)
    assert assistant.sources.text.problem == ""


def test_the_kinds_of_text_beside_the_video(assistant, qtbot, clip, odd):
    text = assistant.sources.text
    assert text.kind is SourceKind.NOTHING
    assert not text.file_field.isEnabled()
    screenplay, prose = odd(".fountain"), odd(".description.txt")
    screenplay.write_text(FOUNTAIN, "utf-8")
    prose.write_text("[00:01] A door.\n", "utf-8")
    assistant.sources.take_video(clip)
    looked_at(assistant, qtbot)
    # A screenplay tells more than prose does.
    assert (text.kind, text.path) == (SourceKind.SCREENPLAY, screenplay)
    assert shown(text, "Contents of the source file") == "2 scenes · 3 paragraphs of action · 2 speeches"
    assert text.rules.isVisible()
    assert not text.rules.isChecked()
    assert not text.anyway.isVisible()
    text.kind_field.setCurrentIndex(KINDS.index(SourceKind.DESCRIPTION))
    assert text.path == prose
    assert shown(text, "Contents of the source file") == "1 paragraph, with times"
    text.kind_field.setCurrentIndex(KINDS.index(SourceKind.CANDIDATES))
    assert text.path is None
    assert assistant.problem == "Choose the prepared lines, or start with a blank script."
    assert not assistant.make.isEnabled()
    text.kind_field.setCurrentIndex(KINDS.index(SourceKind.NOTHING))
    assert assistant.make.isEnabled()
    assert not text.rules.isVisible()


def test_a_text_that_was_chosen_stays_whatever_lies_beside_the_video(assistant, qtbot, clip, odd, folder):
    mine, beside = folder / "mine.fountain", odd(".candidates.json")
    mine.write_text(FOUNTAIN, "utf-8")
    beside.write_text(json.dumps(CANDIDATES), "utf-8")
    text = assistant.sources.text
    text.take(mine)
    assistant.sources.take_video(clip)
    assert (text.kind, text.path) == (SourceKind.SCREENPLAY, mine)
    # What lies beside is one choice away.
    text.kind_field.setCurrentIndex(KINDS.index(SourceKind.CANDIDATES))
    assert text.path == beside
    looked_at(assistant, qtbot)


@pytest.mark.parametrize("kind", [SourceKind.SCREENPLAY, SourceKind.DESCRIPTION])
def test_a_text_that_cannot_be_read_is_told_at_once(assistant, odd, kind: SourceKind):
    assistant.sources.length_field.setText("30")
    path = odd(".fountain" if kind is SourceKind.SCREENPLAY else ".txt")
    path.write_bytes(b"")
    assistant.sources.text.take(path, kind)
    assert path.name in assistant.wrong.text()
    assert not assistant.make.isEnabled()
    assistant.sources.text.take(path.with_name("gone.txt"), kind)
    assert "gone.txt" in assistant.wrong.text()


def test_without_subtitles_the_speech_that_is_heard_may_be_taken(assistant, qtbot, clip, odd):
    subtitles = assistant.sources.subtitles
    assistant.sources.length_field.setText("30")
    assert not subtitles.detection_field.isVisible()
    subtitles.set_sound(sound=True)
    assert subtitles.detection_field.isVisible()
    assert subtitles.listening
    assert assistant.free.text() == "The gaps will be known once speech has been detected."
    assert assistant._given.listening
    subtitles.detection_field.setChecked(False)
    assert not assistant._given.listening
    assert shown(subtitles, "Contents of the subtitles") == "There is no dialogue, so the whole film is one gap."
    assert assistant.free.text() == "1 gap · 30.0 s free of 30.0 s"
    subtitles.detection_field.setChecked(True)
    path = odd(".srt")
    path.write_text(SRT, "utf-8")
    subtitles.take(path)
    assert not subtitles.detection_field.isVisible()
    assert not assistant._given.listening
    # A film without sound cannot be listened to.
    assistant.sources.take_video(clip)
    looked_at(assistant, qtbot)
    subtitles.field.setCurrentIndex(0)
    assert not subtitles.listening


@pytest.fixture
def texts(odd, monkeypatch, tmp_path):
    """A short film's subtitles and its screenplay; what the stages keep lies in a folder of its own."""
    pytest.importorskip("spacy")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    subtitles, screenplay = odd(".srt"), odd(".fountain")
    subtitles.write_text(SPOKEN, "utf-8")
    screenplay.write_text(FOUNTAIN, "utf-8")
    return subtitles, screenplay


def fill(assistant, folder, subtitles, text) -> None:
    assistant.sources.length_field.setText("24")
    assistant.sources.subtitles.take(subtitles)
    assistant.sources.text.take(text)
    assistant.place.field.setText(str(folder / "drafted.adproj"))


def test_a_screenplay_is_drafted_stage_by_stage(assistant, qtbot, folder, texts):
    fill(assistant, folder, *texts)
    seen: list[list[str]] = []
    assistant._drafter.progressed.connect(lambda: seen.append(assistant.stages.lines))
    assistant.make.click()
    assert assistant.stages.isVisible()
    assert assistant.stop.hasFocus()
    assert assistant.stages.accessibleName() == "Draft stages"
    assert "○  Shortening · to come" in assistant.stages.lines
    qtbot.waitUntil(lambda: assistant.result() or assistant.wrong.isVisible())
    assert assistant.project is not None, assistant.wrong.text()
    assert any("▸  Shortening · 50 %" in lines for lines in seen)
    assert "✓  Shortening · done" in seen[-1]
    assert seen[-1][-1] == "▸  Writing the project · now"
    assert assistant.report is not None
    assert assistant.report.lines == len(assistant.project.saved_script.eventualities) >= 3
    assert assistant.report.speakers == 2
    assert not assistant.project.saved_script.rules


def test_another_films_screenplay_is_used_only_on_demand(assistant, qtbot, folder, texts, odd):
    subtitles, _ = texts
    other = odd(" other.fountain")
    speech = "\n\n".join(f"BOB\nBananas {word} purple umbrellas nowhere." for word in ("eat", "paint", "sell", "sing"))
    other.write_text(f"INT. ZOO - DAY\n\nA parrot paints.\n\n{speech}\n", "utf-8")
    fill(assistant, folder, subtitles, other)
    text = assistant.sources.text
    assert not text.anyway.isVisible()
    assistant.make.click()
    qtbot.waitUntil(assistant.wrong.isVisible)
    assert "does not seem to be this film’s screenplay" in assistant.wrong.text()
    assert text.anyway.isVisible()
    assert not text.anyway.isChecked()
    assert not (folder / "drafted.adproj").exists()
    # The choice belongs to this screenplay alone.
    text.take(texts[1])
    assert not text.anyway.isVisible()
    text.take(other)
    assert text.anyway.isVisible()
    text.anyway.setChecked(True)
    opened = made(assistant, qtbot)
    assert opened.saved_script.film.screenplay.path == str(other)


@pytest.mark.attack(14)
@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("none.srt", "", "it contains no cues"),
        ("blank.vtt", "WEBVTT\n\n00:01.000 --> 00:03.000\n\nWho is there?\n", "none of its cues has text (1 cue)"),
        ("labels.srt", "1\n00:00:01,000 --> 00:00:03,000\n[rain]\n", "only sound labels and music (1 cue)"),
    ],
)
def test_subtitles_without_dialogue_are_planned_over_only_with_a_yes(assistant, qtbot, folder, name, text, why):
    silent, spoken = folder / name, folder / "spoken.srt"
    silent.write_text(text, "utf-8")
    spoken.write_text(SPOKEN, "utf-8")
    subtitles = assistant.sources.subtitles
    assistant.sources.length_field.setText("1:30")
    subtitles.take(spoken)
    assert not subtitles.without_field.isVisible()
    subtitles.take(silent)
    assert why in assistant.problem
    assert why in assistant.wrong.text()
    assert not assistant.make.isEnabled()
    # The yes belongs to this file alone.
    subtitles.without_field.setChecked(True)
    assert assistant.make.isEnabled()
    subtitles.take(spoken)
    subtitles.take(silent)
    assert not subtitles.without_field.isChecked()
    subtitles.without_field.setChecked(True)
    listed = "the file is empty" if name == "none.srt" else why
    assert any(listed in assistant.odd.item(row).text() for row in range(assistant.odd.count()))
    film = made(assistant, qtbot).saved_script.film
    assert film.subtitles is not None
    assert film.subtitles.path == str(silent)


HANGING = """
import sys, time
from adstudio.drafting import draft, worker
draft.plan_film = lambda *_: time.sleep(120)
sys.exit(worker.main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills as POSIX does")
def test_a_draft_that_is_killed_leaves_nothing_and_goes_on_where_it_was(
    assistant, qtbot, folder, texts, tmp_path, monkeypatch
):
    fill(assistant, folder, *texts)
    before = set(folder.iterdir())
    # It has made everything but the plan when it is killed.
    with monkeypatch.context() as patch:
        patch.setattr(PROTOCOL, "command", lambda: [sys.executable, "-c", HANGING])
        assistant.make.click()
    qtbot.waitUntil(lambda: "▸  Planning · now" in assistant.stages.lines)
    os.kill(assistant._drafter._job._process.processId(), signal.SIGKILL)
    qtbot.waitUntil(assistant.wrong.isVisible)
    assert "start again to continue" in assistant.wrong.text()
    assert set(folder.iterdir()) == before
    kept = {path: path.stat().st_ino for path in (tmp_path / "cache").rglob("*.json")}
    assert len(kept) >= 4
    assert assistant.make.isEnabled()
    assistant.make.click()
    assert assistant.doing.text() == "Continuing…"
    qtbot.waitUntil(lambda: assistant.result() or assistant.wrong.isVisible())
    assert assistant.project is not None, assistant.wrong.text()
    # Nothing that was finished was made again.
    assert {path: path.stat().st_ino for path in (tmp_path / "cache").rglob("*.json")} == kept


def test_a_stopped_draft_says_that_it_can_go_on(assistant, qtbot, folder, texts, monkeypatch):
    fill(assistant, folder, *texts)
    before = set(folder.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(PROTOCOL, "command", lambda: [sys.executable, "-c", HANGING])
        assistant.make.click()
    qtbot.waitUntil(lambda: "Starting" not in assistant.doing.text())
    assistant.stop.click()
    qtbot.waitUntil(lambda: not assistant.stop.isVisible())
    assert assistant.missing.text() == STOPPED
    assert assistant.make.hasFocus()
    assert set(folder.iterdir()) == before
    assistant.make.click()
    assert assistant.doing.text() == "Continuing…"


@pytest.fixture
def from_ten(folder):
    """Subtitles that count from 10:00:00, with words at 5 s and at 20 s of the film."""
    path = folder / "ten.srt"
    path.write_text("1\n10:00:05,000 --> 10:00:07,000\nHello.\n\n2\n10:00:20,000 --> 10:00:22,000\nWho is it?\n")
    return path


def test_dialogue_that_counts_from_a_full_hour_is_guessed_and_counted_from_there(assistant, qtbot, from_ten, folder):
    assistant.plan.before.setValue(0)
    assistant.plan.after.setValue(0)
    assistant.sources.subtitles.take(from_ten)
    assistant.sources.length_field.setText("60")
    assert not assistant.make.isEnabled()
    assert [part for part in ("a guess", "10:00:00", "00:00:05") if part not in assistant.wrong.text()] == []
    assert assistant.use_guess.isVisible()
    assert assistant.free.text() == ""
    assert assistant.use_guess.text() == "Start at 10:00:00:00"
    qtbot.mouseClick(assistant.use_guess, Qt.MouseButton.LeftButton)
    assert assistant.film.start == "10:00:00:00"
    assert not assistant.use_guess.isVisible()
    # 5 s, 13 s and 38 s are free.
    assert assistant.free.text() == "3 gaps · 56.0 s free of 60.0 s"
    assert "start timecode (10:00:00:00), which was subtracted" in assistant.odd.item(0).text()
    assistant.place.field.setText(str(folder / "ten"))
    script = made(assistant, qtbot).saved_script
    assert [cue.start for cue in script.cues] == [5_000, 20_000]
    assert script.film.start_timecode == "10:00:00:00"


def test_the_length_of_dialogue_that_counts_from_a_timecode(assistant, qtbot, from_ten, folder):
    assistant.sources.subtitles.take(from_ten)
    assert "a guess" in assistant.odd.item(0).text()
    assistant.film.start_field.setText("10:00:00:00")
    assert assistant.free.text().endswith("of 22.0 s")
    assistant.place.field.setText(str(folder / "ten"))
    assert made(assistant, qtbot).saved_script.film.end == 22_000


def test_the_sound_track_that_is_listened_to_is_told_and_can_be_chosen(assistant, qtbot, folder):
    tracks = [({"title": "Audio description"}, 1, None), ({"title": "Main"}, 0, None)]
    video = make_tracks(folder / "two.mkv", tracks, seconds=1)
    field = assistant.sources.track_field
    assert not field.isVisible()
    assistant.sources.take_video(video)
    looked_at(assistant, qtbot)
    assert field.isVisible()
    assert [field.itemText(place) for place in range(field.count())] == ["1 “Audio description”", "2 “Main”"]
    assert (field.currentText(), assistant.sources.sound_track) == ("2 “Main”", None)
    assert "sound track 2 “Main” of 2 is used" in assistant.odd.item(0).text()
    field.setCurrentIndex(0)
    assert assistant.sources.sound_track == 1
    assert "sound track 1 “Audio description” of 2 is used" in assistant.odd.item(0).text()
    assistant.sources.subtitles.detection_field.setChecked(False)
    assert made(assistant, qtbot).saved_script.film.media.sound_track == 1


def test_a_film_with_one_sound_track_has_none_to_choose(assistant, qtbot, clip):
    assistant.sources.take_video(clip)
    looked_at(assistant, qtbot)
    assert not assistant.sources.track_field.isVisible()
    assert assistant.sources.sound_track is None
