"""Widgets that show the canvas: any number at once, each in a window of its own if need be.

They own nothing of mpv: views may be moved to another window, hidden or destroyed at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHideEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtOpenGL import QOpenGLTextureBlitter
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from adstudio.ui.picture.canvas import Canvas, GlCanvas, ImageCanvas, fitted
from adstudio.ui.picture.overlay import Overlay, paint_overlay
from adstudio.ui.picture.player import Player

SURROUND = QColor("#101214")
LEAST = QSize(160, 90)
USUAL_SHAPE = QSize(16, 9)
GL_COLOR_BUFFER_BIT = 0x4000


_Base = QWidget if TYPE_CHECKING else object


class PictureView(_Base):
    """What both kinds share; mixed in before the Qt widget."""

    player: Player
    overlay: Overlay

    def prepare(self, player: Player) -> None:
        """Show a player’s picture."""
        self.player = player
        self.overlay = Overlay()
        self.setMinimumSize(LEAST)
        self.setAccessibleName("Picture")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        if player.canvas is not None:
            player.canvas.drawn.connect(self.update)

    @property
    def canvas(self) -> Canvas | None:
        """The canvas; None once it is closed, or where there never was one."""
        return self.player.canvas

    def show_overlay(self, overlay: Overlay) -> None:
        """Change the text over the picture."""
        if overlay != self.overlay:
            self.overlay = overlay
            self.setAccessibleDescription(" ".join(overlay.subtitles))
            self.update()

    def picture_rect(self) -> QRect:
        """Where the picture is, in device pixels."""
        room = self._pixels()
        canvas = self.canvas
        shape = canvas.shape if canvas is not None and not canvas.shape.isEmpty() else USUAL_SHAPE
        rect = QRect(0, 0, 0, 0)
        rect.setSize(fitted(shape, room))
        rect.moveTo((room.width() - rect.width()) // 2, (room.height() - rect.height()) // 2)
        return rect

    def report_size(self) -> None:
        """Tell the canvas the size that this view needs, or none while it is hidden."""
        if self.canvas is not None:
            self.canvas.wanted(self, self._pixels() if self.isVisible() else None)

    def paint_texts(self, painter: QPainter) -> None:
        """Write over the picture."""
        ratio = self.devicePixelRatioF()
        picture = self.picture_rect()
        paint_overlay(
            painter,
            self.overlay,
            QRectF(picture.x() / ratio, picture.y() / ratio, picture.width() / ratio, picture.height() / ratio),
        )

    @property
    def has_picture(self) -> bool:
        """Whether there is a picture to show."""
        return self.player.state.file is not None and self.canvas is not None and not self.canvas.shape.isEmpty()

    def event(self, event: QEvent) -> bool:
        """Have it drawn sharp on another screen."""
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self.report_size()
        return super().event(event)

    def _pixels(self) -> QSize:
        ratio = self.devicePixelRatioF()
        return QSize(round(self.width() * ratio), round(self.height() * ratio))

    def showEvent(self, event: QShowEvent) -> None:
        """Have it drawn."""
        super().showEvent(event)
        self.report_size()

    def hideEvent(self, event: QHideEvent) -> None:
        """No longer have it drawn."""
        super().hideEvent(event)
        if self.canvas is not None:
            self.canvas.wanted(self, None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click plays or pauses, as in every player."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.player.toggle()
        super().mousePressEvent(event)


class ImageView(PictureView, QWidget):
    """Paints the canvas’s image; where there is no picture, only the text over it."""

    def __init__(self, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.prepare(player)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the picture drawn in this size."""
        super().resizeEvent(event)
        self.report_size()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture and the text over it."""
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), SURROUND)
            canvas = self.canvas
            if isinstance(canvas, ImageCanvas) and self.has_picture:
                ratio = self.devicePixelRatioF()
                rect = self.picture_rect()
                painter.save()
                # In device pixels, so that a picture of the view's own size is not touched.
                painter.scale(1 / ratio, 1 / ratio)
                if canvas.shown.size() != rect.size():
                    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(rect, canvas.shown)
                painter.restore()
            self.paint_texts(painter)


class GlView(PictureView, QOpenGLWidget):
    """Draws the canvas’s texture, in a GL context that the window makes and destroys as it likes."""

    def __init__(self, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._blitter: QOpenGLTextureBlitter | None = None
        self.prepare(player)

    def initializeGL(self) -> None:
        """Prepare a GL context: the first, and another whenever the view moves to another window."""
        self._blitter = QOpenGLTextureBlitter()
        self._blitter.create()
        self.context().aboutToBeDestroyed.connect(self._release)

    def resizeGL(self, width: int, height: int) -> None:
        """Have the picture drawn in this size."""
        del width, height
        self.report_size()

    def paintGL(self) -> None:
        """Draw the picture and the text over it."""
        functions = self.context().functions()
        functions.glClearColor(SURROUND.redF(), SURROUND.greenF(), SURROUND.blueF(), 1.0)
        functions.glClear(GL_COLOR_BUFFER_BIT)
        canvas = self.canvas
        if self._blitter is not None and isinstance(canvas, GlCanvas) and canvas.texture and self.has_picture:
            room = QRect(QPoint(0, 0), self._pixels())
            place = QOpenGLTextureBlitter.targetTransform(QRectF(self.picture_rect()), room)
            self._blitter.bind()
            self._blitter.blit(canvas.texture, place, QOpenGLTextureBlitter.Origin.OriginBottomLeft)
            self._blitter.release()
        with QPainter(self) as painter:
            self.paint_texts(painter)

    def _release(self) -> None:
        blitter, self._blitter = self._blitter, None
        if blitter is not None:
            self.makeCurrent()
            blitter.destroy()
            self.doneCurrent()


def make_view(player: Player, parent: QWidget | None = None) -> ImageView | GlView:
    """A view of the kind that the player’s canvas needs."""
    return GlView(player, parent) if isinstance(player.canvas, GlCanvas) else ImageView(player, parent)
