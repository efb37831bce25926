"""In the booth a fused line is read as it is spoken; with its take it is a line of the describer's own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_editor import script_of

from adstudio.core.plan import Delivery
from adstudio.core.script import Eventuality, Fusion, Script, Variant
from adstudio.core.timebase import Span
from adstudio.ui.booth.take_recorder import Phase

pytest.importorskip("mpv", exc_type=(ImportError, OSError))
LIMIT = 30_000


def fused_script() -> Script:
    """Into the gap of 2 s (1–3 s) both lines of 1.2 s only fit as the fusion of 1.6 s."""
    lines = (
        Eventuality("e1", (Variant("She turns.", duration=1_200),), Span(1_000, 1_600), 500_000),
        Eventuality("e2", (Variant("She leaves.", duration=1_200),), Span(1_800, 2_400), 500_000),
    )
    fusion = Fusion(
        "f", ("e1", "e2"), (Variant("She turns and leaves.", duration=1_600),), ("She turns.", "She leaves.")
    )
    return replace(script_of(None, lines=lines), fusions=(fusion,))


@pytest.mark.parametrize("selected", ["e1", "e2"])
def test_a_fused_line_is_recorded_as_it_is_spoken_whichever_of_its_rows_is_current(booth, qtbot, selected: str) -> None:
    found = booth(fused_script())
    session = found.editor.session
    assert session.plan.deliveries == (Delivery("f", 0, 1_000, 2_600, members=("e1", "e2")),)
    session.cursor.select_line(selected)
    assert found.text.text() == "She turns and leaves."
    qtbot.waitUntil(lambda: found.recorder.is_open, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: found.recorder.phase is Phase.RECORDING, timeout=LIMIT)
    cue = found.recorder._target.cue
    qtbot.waitUntil(lambda: found.editor.player.state.time >= cue + 600, timeout=LIMIT)
    found.record()
    qtbot.waitUntil(lambda: len(session.script.eventualities) == 1, timeout=LIMIT)
    (own,) = session.script.eventualities
    assert (own.id, own.variants[0].text) == ("e1", "She turns and leaves.")
    (take,) = own.variants[0].takes
    assert own.variants[0].chosen_take is take
    assert take.text == "She turns and leaves."
    (spoken,) = session.plan.deliveries
    assert (spoken.element, spoken.members, spoken.end - spoken.start) == ("e1", (), take.duration)
    assert session.cursor.line == own
    assert session.undo()
    assert [line.id for line in session.script.eventualities] == ["e1", "e2"]


def test_a_take_of_other_words_than_the_fused_ones_leaves_the_fused_line_as_it_is(booth, qtbot) -> None:
    """It was read when the lines were spoken apart: it is kept with its line, and not used."""
    from adstudio.recording.messages import Recorded

    found = booth(fused_script())
    session, folder = found.editor.session, found.files.folder
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / "raw.wav", folder / "take.flac"]
    for path in paths:
        path.write_bytes(b"fLaC" + b"0" * 100)
    recorded = Recorded(recording=paths[0], take=paths[1], length=1_000, start=0, end=1_000, peak=0)
    assert found.files.add(recorded, "e1", 0, "She turns.")
    assert [line.id for line in session.script.eventualities] == ["e1", "e2"]
    assert [take.text for take in session.script.eventuality("e1").variants[0].takes] == ["She turns."]
