"""Where mpv draws: in a texture of our own GL context, or in an image in memory.

The render context belongs to neither a widget nor a window, so any number of views may show the picture, and be made,
hidden, moved to another window and destroyed at will.
"""

from __future__ import annotations

import ctypes
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QGuiApplication, QImage, QOffscreenSurface, QOpenGLContext
from PySide6.QtOpenGL import QOpenGLFramebufferObject

if TYPE_CHECKING:
    from adstudio.ui.background.thread_bridge import ThreadBridge
    from adstudio.ui.picture.mpv_core import MpvCore

log = logging.getLogger(__name__)

GL_RENDERER = 0x1F01
GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_TEXTURE_MIN_FILTER, GL_LINEAR = 0x0DE1, 0x2800, 0x2801, 0x2601
SOFTWARE_GL = ("llvmpipe", "softpipe", "swrast", "swiftshader", "microsoft basic render")
LARGEST = 8192


class NoGlError(Exception):
    """There is no OpenGL to draw with, or none that is worth it."""


class Canvas(QObject):
    """The film's picture, drawn as large as the largest view needs it, in the film's own shape.

    `shape` is the film's size in its own pixels, stretched to square ones; empty where there is no picture.
    """

    drawn = Signal()
    """There is a new picture to be shown."""

    def __init__(self, marshal: ThreadBridge) -> None:
        super().__init__()
        self._marshal = marshal
        self._context: Any = None
        self._awake = False
        self._views: dict[int, QSize] = {}
        self.shape = QSize()

    def attach(self, core: MpvCore) -> None:
        """Have an mpv draw here, before it plays anything.

        Raises:
            NoGlError: where it cannot.
        """
        self._context = self._make_context(core)
        core.observe("video-out-params", _shape_of, self._shape_is)
        self._listen()

    @property
    def size(self) -> QSize:
        """How large it is drawn, in device pixels; empty while no view shows it."""
        if self.shape.isEmpty() or not self._views:
            return QSize()
        return max((fitted(self.shape, room) for room in self._views.values()), key=lambda size: size.width())

    def wanted(self, view: object, pixels: QSize | None) -> None:
        """A view's size in device pixels, or None where it shows nothing."""
        before = self.size
        if pixels is None or pixels.isEmpty():
            self._views.pop(id(view), None)
        else:
            self._views[id(view)] = QSize(pixels)
        if self.size != before:
            self.draw()

    def draw(self) -> None:
        """Have mpv draw its present picture; it waits for each to be taken, even if no view shows it."""
        if self._context is not None:
            size = self.size
            self._draw(size)
            if not size.isEmpty():
                self.drawn.emit()

    def close(self) -> None:
        """Free the render context, before mpv itself ends."""
        context, self._context = self._context, None
        if context is not None:
            context.free()

    def _draw(self, size: QSize) -> None:
        raise NotImplementedError

    def _make_context(self, core: MpvCore) -> Any:  # noqa: ANN401 - python-mpv's
        raise NotImplementedError

    def _listen(self) -> None:
        # Called by mpv's thread, which must not wait: it only notes that there is something to do.
        def wake() -> None:
            if not self._awake:
                self._awake = True
                self._marshal.post(self._refresh)

        self._context.update_cb = wake

    def _refresh(self) -> None:
        self._awake = False
        if self._context is not None and self._context.update():
            self.draw()

    def _shape_is(self, shape: tuple[int, int] | None) -> None:
        self.shape = QSize(*shape) if shape else QSize()
        self.draw()
        self.drawn.emit()


class GlCanvas(Canvas):
    """Drawn by the graphics card into a texture that all views share."""

    def __init__(self, marshal: ThreadBridge, *, software: bool = False) -> None:
        """Create a GL context.

        Raises:
            NoGlError: where GL does not work, or is done by the processor and `software` is not asked for.
        """
        share = QOpenGLContext.globalShareContext()
        if share is None:
            raise NoGlError("the application shares no GL contexts")
        self._gl = QOpenGLContext()
        self._gl.setShareContext(share)
        self._gl.setFormat(share.format())
        self._surface = QOffscreenSurface()
        if not self._gl.create():
            raise NoGlError("no context")
        self._surface.setFormat(self._gl.format())
        self._surface.create()
        if not self._surface.isValid() or not self._gl.makeCurrent(self._surface):
            raise NoGlError("no surface")
        renderer = str(self._gl.functions().glGetString(GL_RENDERER))
        log.info("OpenGL: %s", renderer)
        try:
            if not software and any(name in renderer.lower() for name in SOFTWARE_GL):
                raise NoGlError(f"{renderer} is done by the processor")
        finally:
            self._gl.doneCurrent()
        super().__init__(marshal)
        self._buffer: QOpenGLFramebufferObject | None = None
        self._address: object = None

    def _make_context(self, core: MpvCore) -> Any:  # noqa: ANN401 - python-mpv's
        # mpv calls it while it draws: it must outlive the render context.
        self._address = core.module.MpvGlGetProcAddressFn(lambda _, name: self._gl.getProcAddress(name) or 0)
        if not self._gl.makeCurrent(self._surface):
            raise NoGlError("the context is lost")
        try:
            return core.render_context("opengl", opengl_init_params={"get_proc_address": self._address})
        except Exception as error:
            raise NoGlError(f"mpv cannot use it: {error}") from error
        finally:
            self._gl.doneCurrent()

    @property
    def texture(self) -> int:
        """The GL name of the texture; 0 where nothing has been drawn."""
        return self._buffer.texture() if self._buffer is not None else 0

    def _draw(self, size: QSize) -> None:
        if not self._gl.makeCurrent(self._surface):
            return
        if size.isEmpty():
            _render(self._context, opengl_fbo={"fbo": 0, "w": 1, "h": 1}, skip_rendering=True)
        else:
            if self._buffer is None or self._buffer.size() != size:
                self._buffer = self._new_buffer(size)
            target = {"fbo": self._buffer.handle(), "w": size.width(), "h": size.height()}
            _render(self._context, opengl_fbo=target, flip_y=True)
            # The views' contexts see what is flushed.
            self._gl.functions().glFlush()
        self._gl.doneCurrent()

    def _new_buffer(self, size: QSize) -> QOpenGLFramebufferObject:
        buffer = QOpenGLFramebufferObject(size)
        functions = self._gl.functions()
        functions.glBindTexture(GL_TEXTURE_2D, buffer.texture())
        for which in (GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER):  # for views of another size
            functions.glTexParameteri(GL_TEXTURE_2D, which, GL_LINEAR)
        functions.glBindTexture(GL_TEXTURE_2D, 0)
        return buffer

    def close(self) -> None:
        """Free the render context with its GL context current, as mpv's render.h asks."""
        current = self._gl.makeCurrent(self._surface)
        super().close()
        self._buffer = None
        if current:
            self._gl.doneCurrent()
        self._surface.destroy()


class ImageCanvas(Canvas):
    """Drawn by the processor into an image, `shown`, to be painted at once: the next picture is drawn into it."""

    def __init__(self, marshal: ThreadBridge) -> None:
        super().__init__(marshal)
        self.shown = QImage()

    def _make_context(self, core: MpvCore) -> Any:  # noqa: ANN401 - python-mpv's
        return core.render_context("sw")

    def _draw(self, size: QSize) -> None:
        if not size.isEmpty() and self.shown.size() != size:
            self.shown = QImage(size, QImage.Format.Format_RGB32)
        image = QImage(16, 16, QImage.Format.Format_RGB32) if size.isEmpty() else self.shown
        pixels = ctypes.c_char.from_buffer(image.bits())
        _render(
            self._context,
            sw_size={"width": image.width(), "height": image.height()},
            sw_format="bgr0",
            sw_stride={"bytes": image.bytesPerLine()},
            sw_pointer=ctypes.addressof(pixels),
            skip_rendering=size.isEmpty(),
        )


def make_canvas(marshal: ThreadBridge, renderer: str = "auto") -> Canvas:
    """A GL canvas where there is a graphics card, else an image.

    GL done by the processor is slower than drawing the picture at once, and would make the whole window a GL one.
    `renderer` is auto, opengl (even by the processor) or software.
    """
    tried = renderer == "opengl" or (renderer != "software" and has_graphics_card())
    if tried and QGuiApplication.platformName() not in {"offscreen", "minimal", "vnc"}:
        try:
            return GlCanvas(marshal, software=renderer == "opengl")
        except NoGlError as error:
            log.info("no OpenGL for the picture: %s", error)
    return ImageCanvas(marshal)


def has_graphics_card() -> bool:
    """Whether GL may be done by a card: on Linux by its device, without loading 60 MB of a GL that is not wanted."""
    if not sys.platform.startswith("linux"):
        return True
    return any(Path("/dev").glob("dri/render*")) or any(Path("/dev").glob("nvidia[0-9]*"))


def fitted(shape: QSize, room: QSize) -> QSize:
    """The largest size of a shape inside a room, at least one pixel."""
    width = min(room.width(), room.height() * shape.width() // max(1, shape.height()))
    height = min(room.height(), width * shape.height() // max(1, shape.width()))
    return QSize(max(1, min(LARGEST, width)), max(1, min(LARGEST, height)))


def _render(context: Any, **parameters: Any) -> None:  # noqa: ANN401 - python-mpv's
    try:
        context.render(block_for_target_time=False, **parameters)
    except Exception as error:  # noqa: BLE001 - python-mpv raises what it likes; the picture stays as it is
        log.warning("mpv did not draw: %s", error)


def _shape_of(parameters: Any) -> tuple[int, int] | None:  # noqa: ANN401 - mpv's node
    if not isinstance(parameters, dict):
        return None
    width, height = parameters.get("dw"), parameters.get("dh")
    if parameters.get("rotate") in {90, 270}:
        width, height = height, width
    return (int(width), int(height)) if width and height else None
