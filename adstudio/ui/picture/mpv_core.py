"""One libmpv player, made safe: nothing here blocks the window, and nothing raises once mpv is gone.

Observers and events run on mpv's own threads. They are rounded and compared there, then posted to the window's thread;
they never wait for it, since a callback that waits for the thread that ends mpv would hang the program.
"""

from __future__ import annotations

import ctypes
import locale
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

from adstudio.core.errors import OutsideFailureError
from adstudio.media.opening import FORMATS
from adstudio.ui.background.thread_bridge import ThreadBridge

log = logging.getLogger(__name__)


class EndReason(Enum):
    """Why a file is played no more."""

    END = "end"
    STOPPED = "stopped"
    ERROR = "error"


_FORMATS = ",".join(FORMATS)
OPTIONS: Mapping[str, str] = {
    "vo": "libmpv",
    "audio_fallback_to_null": "yes",
    "keep_open": "yes",
    "hr_seek": "yes",
    "pause": "yes",
    "idle": "yes",
    "input_default_bindings": "no",
    "input_vo_keyboard": "no",
    "osc": "no",
    "osd_level": "0",
    "ytdl": "no",
    "load_scripts": "no",
    "sub_auto": "no",
    "sid": "no",
    "audio_file_auto": "no",
    "autoload_files": "no",
    "audio_display": "no",
    "audio_client_name": "adstudio",
    "video_timing_offset": "0",  # pictures are shown when they are due, since drawing does not wait
    "gpu_hwdec_interop": "no",  # looks for drivers that are not there, aloud
    "keepaspect": "no",  # the canvas has the film's own shape
    # A film is one file: no lists, no references to others, nothing from the network.
    "demuxer": "lavf",
    "demuxer_lavf_o": f"protocol_whitelist=file,format_whitelist=%{len(_FORMATS)}%{_FORMATS}",
    "access_references": "no",
    "ordered_chapters": "no",
    "cache": "no",
}

Handler = Callable[[Any], object]
DEVICES = Path("/dev/snd")
NO_SOUND = "There is no sound device: the film and the narration run in silence."


class NoMpvError(OutsideFailureError):
    """libmpv is not there, or cannot be used."""


class SoftwareSize(ctypes.Structure):
    """The size of a picture drawn in memory (mpv's render.h, MPV_RENDER_PARAM_SW_SIZE)."""

    _fields_ = (("width", ctypes.c_int), ("height", ctypes.c_int))


class SoftwareStride(ctypes.Structure):
    """The bytes of one of its lines (MPV_RENDER_PARAM_SW_STRIDE)."""

    _fields_ = (("bytes", ctypes.c_size_t),)


def has_sound() -> bool:
    """Whether a sound device or a sound server is there. On Linux the libraries that look for one fill the terminal."""
    if not sys.platform.startswith("linux"):
        return True
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    servers = ("pulse/native", "pipewire-0", "jack")
    return (
        "PULSE_SERVER" in os.environ or any((runtime / name).exists() for name in servers) or any(DEVICES.glob("pcm*p"))
    )


def load_mpv() -> Any:  # noqa: ANN401 - a module without types
    """The module of python-mpv, with the software renderer's parameters that it does not know.

    Raises:
        NoMpvError: where libmpv is not installed.
    """
    try:
        import mpv
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        log.info("no libmpv: %s", error)
        raise NoMpvError("The picture cannot be shown: libmpv is not installed") from error
    mpv.MpvRenderParam.TYPES |= {
        "sw_size": (17, SoftwareSize),
        "sw_format": (18, str),
        "sw_stride": (19, SoftwareStride),
        "sw_pointer": (20, ctypes.c_void_p),
    }
    return mpv


class MpvCore:
    """An mpv player that takes commands and reports events without ever blocking, and ends in time."""

    def __init__(self, marshal: ThreadBridge, **options: str) -> None:
        """Start mpv, idle and paused.

        Raises:
            NoMpvError: where libmpv is not installed or does not start.
        """
        module = load_mpv()
        # mpv's check would end the whole program.
        if locale.localeconv()["decimal_point"] != ".":
            locale.setlocale(locale.LC_NUMERIC, "C")
        self._marshal = marshal
        self.module = module
        try:
            silent = {} if has_sound() else {"ao": "null"}
            self._mpv: Any = module.MPV(**{**OPTIONS, **silent, **options})
        except Exception as error:  # python-mpv raises what it likes
            raise NoMpvError("The picture cannot be shown: libmpv does not start") from error

    def send(self, *command: object, reply: Callable[[bool], object] | None = None) -> None:
        """Send a command without waiting; `reply` is called on the window's thread with whether it succeeded."""

        def replied(error: Exception | None, _result: object) -> None:
            if error is not None:
                log.debug("mpv: %s: %s", command[0], error)
            if reply is not None:
                self._marshal.post(partial(reply, error is None))

        self._command([_text(part) for part in command], replied)

    def ask(self, template: str, reply: Callable[[str, float], object]) -> None:
        """Have mpv fill in properties (`${=time-pos}`) without waiting; `reply` gets the text and its time (ms)."""

        def replied(error: Exception | None, result: object) -> None:
            at = time.monotonic() * 1000
            if error is None and isinstance(result, str):
                self._marshal.post(partial(reply, result, at))

        self._command(["expand-text", template], replied)

    def _command(self, texts: Sequence[str | bytes], replied: Callable[[Exception | None, Any], None]) -> None:
        if self._mpv is not None:
            try:
                self._mpv.command_async(*texts, callback=replied)
            except Exception as error:  # noqa: BLE001 - mpv is ending, or refuses: the film does not move
                log.debug("mpv: %s: %s", texts, error)

    def set(self, name: str, value: object) -> None:
        """Set a property without waiting."""
        self.send("set", name, value)

    def observe(self, name: str, shape: Callable[[Any], Any], handler: Handler) -> None:
        """Report a property's changes, shaped (rounded) on mpv's thread; equal and outdated ones are dropped."""
        latest: list[Any] = [None, False]  # the value, and whether it has yet to reach the window

        def report() -> None:
            latest[1] = False
            handler(latest[0])

        def changed(_name: str, value: Any) -> None:  # noqa: ANN401
            shaped = None if value is None else shape(value)
            if shaped != latest[0]:
                latest[0] = shaped
                if not latest[1]:
                    latest[1] = True
                    self._marshal.post(report)

        self._mpv.observe_property(name, changed)

    def on_event(self, handler: Callable[[str, EndReason | None], object], *names: str) -> None:
        """Report events: the name, and the reason of `end-file`."""
        by_number = {self.module.MpvEventID.from_str(name): name for name in names}

        def post_event(event: Any) -> None:  # noqa: ANN401
            name = by_number.get(event.event_id.value)
            if name is not None:
                why = _reason(self.module, event) if name == "end-file" else None
                self._marshal.post(lambda: handler(name, why))

        self._mpv.register_event_callback(post_event)

    def render_context(self, kind: str, **parameters: Any) -> Any:  # noqa: ANN401 - python-mpv's
        """A render context of this player; at most one at a time."""
        return self.module.MpvRenderContext(self._mpv, kind, **parameters)

    def close(self) -> None:
        """End mpv and wait for its threads; its render context must have been freed."""
        mpv, self._mpv = self._mpv, None
        if mpv is not None:
            mpv.terminate()


def _text(part: object) -> str | bytes:
    if isinstance(part, bytes | str):
        return part
    return f"{part:.6f}" if isinstance(part, float) else str(part)


def _reason(module: Any, event: Any) -> EndReason:  # noqa: ANN401
    reasons = {module.MpvEventEndFile.ERROR: EndReason.ERROR, module.MpvEventEndFile.EOF: EndReason.END}
    return reasons.get(event.data.reason, EndReason.STOPPED)
