"""Two thousand keys under a client of AT-SPI that holds everything and asks everything: no fault, an orderly end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from display import Program, Screen
from seat import SYSTEM_PYTHON, need, session

HERE = Path(__file__).parent
KEYS = int(os.environ.get("ADSTUDIO_KEYS", "2000"))
LONGEST = 3600


@pytest.mark.slow
@pytest.mark.timeout(LONGEST)
def test_two_thousand_keys_under_a_client_that_holds_everything(
    xvfb: str, screen: Screen, on_display: Callable[..., Program], tmp_path: Path, project: Path
):
    need(SYSTEM_PYTHON)
    bindings = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
    if subprocess.run([SYSTEM_PYTHON, "-c", bindings], capture_output=True, check=False).returncode:
        pytest.skip("the bindings of AT-SPI: apt-get install gir1.2-atspi-2.0 python3-gi")
    with session(xvfb, tmp_path / "session") as environment:
        editor = on_display("-m", "adstudio", "edit", project, **environment)
        window = screen.window(project.name, editor)
        client = subprocess.run(
            [SYSTEM_PYTHON, HERE / "holding_client.py", window, str(KEYS), "1"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert editor.process.poll() is None, editor.said()
        found = re.search(r"HELD (\d+) ASKED (\d+) GONE (\d+) EVENTS (\d+)", client.stdout)
        assert found, client.stderr
        held, asked, gone, events = map(int, found.groups())
        print(found.group())
        assert (held > 1_000, asked > 10 * KEYS, gone > 0, events > KEYS) == (True, True, True, True)
        assert "Traceback" not in editor.said()
        editor.process.send_signal(signal.SIGTERM)
        assert editor.wait() == 128 + signal.SIGTERM
