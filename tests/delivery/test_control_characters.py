"""Control characters that came into a project by whatever way are in none of its scripts."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, CueKind, Eventuality, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.delivery.formats import FORMATS

BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]|\\\\u00[01]")
SCRIPT = Script(
    Film("Night\x01 ride", 60_000),
    Settings(),
    cues=(Cue("d1", 20_000, 22_000, "Who\x02 is\x0bthere?", "Ru\x7fth", CueKind.SPEECH),),
    eventualities=(
        Eventuality("e1", (Variant("Rain\x01 falls.\x0bSnow\x9f melts."),), Span(5_000, 7_000), 1, note="s\x03low"),
    ),
)
PLAN = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, 5_000, 7_000),))


@pytest.mark.parametrize("form", ["srt", "vtt", "dapt", "csv", "json", "reframed", "xlsx", "docx"])
def test_no_script_has_control_characters(form: str) -> None:
    data = FORMATS[form](SCRIPT, PLAN)
    if form in ("xlsx", "docx"):
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            data = b"\n".join(package.read(name) for name in package.namelist() if name.endswith(".xml"))
    text = data.decode()
    assert "Rain falls. Snow melts." in text
    assert BAD.findall(text) == []
