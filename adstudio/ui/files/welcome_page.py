"""The welcome page: a new project, an existing one, the sample film, and recent projects. Takes dropped files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDateTime, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFont,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from adstudio.ui.background.jobs import Job
from adstudio.ui.files.covers import cover
from adstudio.ui.files.project_files import ProjectFiles
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.widgets.form import column, row
from adstudio.ui.widgets.formatting import date_in_words
from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT, salience_colour, text_scale

ITS_PATH = Qt.ItemDataRole.UserRole
WIDTH = 160 * UNIT
AROUND = 20 * UNIT
"""Pixels of the page beside the cards: its margins, and the list's scroll bar."""
MOST_WIDTH = 240 * UNIT
CARDS = 3
"""Cards beside each other."""
ROWS = 2
"""Rows of cards that are seen at once where the window is high enough."""
PICTURE = (16, 9)
WAYS = {"file.new": "New project…", "file.open": "Open project…", "file.sample": "Sample film"}
LEAD = "Audio description: drafted, planned to a proven optimum, and finished by you."
HINT = "Or drop a project, a video, subtitles or a screenplay here."
SPEECH = ((0, 22), (62, 78), (81, 96), (133, 150))
"""From where to where somebody speaks, in units."""
SAID = ((24, 40, 30, 0.95), (41, 60, 45, 0.55), (99, 117, 104, 0.75), (118, 131, 121, 0.35), (152, 160, 156, 0.85))
"""From where to where a line is spoken, where its event happens, and its salience."""
TALL, LOW = 4 * UNIT, UNIT


class WelcomePage(QWidget):
    """Three ways to a project, and the recent ones."""

    def __init__(self, context: Context, files: ProjectFiles) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self.setAccessibleName("Welcome")
        self.setAcceptDrops(True)
        self._preferences = context.preferences
        self._theme = context.theme
        self._files = files
        self._title = QLabel("adstudio")
        lead = words(LEAD, quiet=True, wrap=True)
        self.heading = words("Recent projects", quiet=True)
        self.recent = RecentList(context.theme)
        self.recent.wanted.connect(files.open_path)
        self.recent.unwanted.connect(context.preferences.forget)
        self.hint = words(HINT, quiet=True, wrap=True)
        self.frame = QFrame()
        self.frame.setObjectName("dropping")
        layout = column(
            *(WelcomeBanner(context.theme), 6 * UNIT),
            *(self._title, lead, 6 * UNIT),
            *(_ways_in(context), self.hint, SampleProgress(context), 6 * UNIT),
            *(self.heading, self.recent),
            spacing=2 * UNIT,
        )
        layout.setContentsMargins(6 * UNIT, 6 * UNIT, 6 * UNIT, 6 * UNIT)
        self.frame.setLayout(layout)
        page = QVBoxLayout(self)
        page.addStretch(2)
        page.addWidget(self.frame, 0, Qt.AlignmentFlag.AlignHCenter)
        page.addStretch(3)
        context.preferences.changed.connect(lambda name: self.fill() if name == "recent" else None)
        context.session.opened.connect(self.fill)
        context.theme.changed.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        """Another theme, or another size of text."""
        font = QFont()
        font.setPointSizeF(QApplication.font().pointSizeF() * 2.6)
        font.setWeight(font.Weight.Light)
        self._title.setFont(font)
        self.frame.setFixedWidth(_width())
        self._mark_dropping()
        self.fill()

    def fill(self) -> None:
        """Show the recent projects."""
        recent = self._preferences.recent
        self.recent.show_projects(recent)
        self.heading.setVisible(bool(recent))
        self.recent.setVisible(bool(recent))

    def enter(self) -> None:
        """Focus the recent projects, or where there are none the first way to a project."""
        ways = self.frame.findChildren(QPushButton)
        (self.recent if self.recent.count() else ways[0]).setFocus()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a file."""
        if dropped(event) is not None:
            event.acceptProposedAction()
            self._mark_dropping(dropping=True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Stop accepting."""
        del event
        self._mark_dropping()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped project, or set one up from the dropped file."""
        self._mark_dropping()
        path = dropped(event)
        if path is not None:
            event.acceptProposedAction()
            self._files.take(path)

    def _mark_dropping(self, *, dropping: bool = False) -> None:
        tokens = self._theme.tokens
        line, ground = (tokens.accent, tokens.accent_wash) if dropping else ("transparent", "transparent")
        self.frame.setStyleSheet(
            f"QFrame#dropping {{ border: 2px dashed {line}; border-radius: {2 * UNIT}px; background: {ground}; }}"
        )
        self.hint.setText("Drop it here." if dropping else HINT)


def _width() -> int:
    """How wide the page is: wider for larger text."""
    return min(int(WIDTH * text_scale()), MOST_WIDTH)


def _ways_in(context: Context) -> QHBoxLayout:
    """A button for each way to a project."""
    ways = row()
    for name, text in WAYS.items():
        action = context.actions[name]
        way = QPushButton(text)
        way.setMinimumHeight(9 * UNIT)
        way.setToolTip(action.toolTip())
        way.setAccessibleDescription(action.statusTip())
        way.clicked.connect(action.trigger)
        way.setAutoDefault(True)
        way.setDefault(name == "file.new")
        ways.addWidget(way, 1)
    return ways


class WelcomeBanner(QWidget):
    """An ornament of speech, gaps and narration that fits them; screen readers skip it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedHeight(15 * UNIT)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw events above, speech in the middle, and narration below, each tied to its event."""
        del event
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step = self.width() / 160
        middle, below = 5.5 * UNIT, 11 * UNIT

        def bar(start: float, end: float, top: float, height: float, colour: QColor) -> None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(start * step, top, (end - start) * step, height), UNIT / 2, UNIT / 2)

        for start, end, happens, salience in SAID:
            shade = salience_colour(tokens, salience)
            bar(happens - 2, happens + 2, 0, LOW, shade)
            thread = QPainterPath(QPointF(happens * step, LOW))
            foot = QPointF((start + end) / 2 * step, below)
            bend = (LOW + below) / 2
            thread.cubicTo(QPointF(happens * step, bend), QPointF(foot.x(), bend), foot)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(shade, 1))
            painter.drawPath(thread)
            bar(start, end, below, TALL, shade)
        for start, end in SPEECH:
            bar(start, end, middle, 3 * UNIT, QColor(tokens.dialogue))
        painter.end()


class SampleProgress(QWidget):
    """A background job, such as preparing the sample film, with its progress and a way to stop it."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._job: Job | None = None
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(40 * UNIT)
        self.what = words(quiet=True, wrap=True)
        self.stop = QPushButton("Stop")
        self.stop.clicked.connect(self._stop)
        layout = row(self.bar, self.what, self.stop, spacing=3 * UNIT, grows=self.what)
        layout.setContentsMargins(0, UNIT, 0, 0)
        self.setLayout(layout)
        self.hide()
        context.jobs.started.connect(self._started)
        context.jobs.finished.connect(self._finished)

    def _started(self, job: Job) -> None:
        self._job = job
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(f"Progress: {job.title}")
        self.stop.setAccessibleName(f"Stop: {job.title}")
        self.what.setText(job.title)
        job.progressed.connect(self._progressed)
        self.show()

    def _progressed(self, fraction: float, what: str) -> None:
        self.bar.setRange(0, 0 if fraction < 0 else 1000)
        self.bar.setValue(round(max(0.0, fraction) * 1000))
        if self._job is not None:
            self.what.setText(f"{self._job.title}: {what}" if what else self._job.title)

    def _finished(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self.hide()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()


class RecentList(QListWidget):
    """Projects as pictures with their names, the newest first. Return opens one, Delete removes it from the list."""

    wanted = Signal(object)
    """Path: open it."""
    unwanted = Signal(object)
    """Path: remove it from the list; the file itself stays."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName("Recent projects")
        self.setAccessibleDescription("Return opens a project, Delete removes it from the list.")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setMovement(QListWidget.Movement.Static)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setStyleSheet("QListWidget { background: transparent; } QListWidget::item { padding: 0; }")
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.itemActivated.connect(self._open)
        self.itemClicked.connect(self._open)
        self._opening = False

    def show_projects(self, paths: tuple[Path, ...]) -> None:
        """Show these projects."""
        chosen = self.currentRow()
        self.clear()
        size = QSize((_width() - AROUND) // CARDS - 2 * UNIT, 0)
        for path in paths:
            there, when = _looked_up(path)
            item = QListWidgetItem()
            item.setData(ITS_PATH, str(path))
            item.setToolTip(str(path))
            state = f"last changed {when}" if there else "missing"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{path.stem}, in {path.parent}, {state}")
            self.addItem(item)
            card = _Card(path, when if there else "missing", self._theme, width=size.width(), there=there)
            card.removed.connect(lambda path=path: self.unwanted.emit(path))
            size.setHeight(max(size.height(), card.sizeHint().height()))
            self.setItemWidget(item, card)
        for place in range(self.count()):
            self.item(place).setSizeHint(size)
        self.setGridSize(size + QSize(2 * UNIT, 2 * UNIT))
        self.setCurrentRow(min(chosen, self.count() - 1))
        rows = min(-(-self.count() // CARDS), ROWS)
        # With large text a low screen has no room for a whole row.
        self.setMinimumHeight(min(rows, 1) * self.gridSize().height() // 2)
        self.setMaximumHeight(rows * self.gridSize().height() + UNIT)

    def sizeHint(self) -> QSize:
        """All of the rows that are seen at once."""
        return QSize(_width(), self.maximumHeight())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the project from the list on Delete."""
        item = self.currentItem()
        if event.matches(QKeySequence.StandardKey.Delete) and item is not None:
            self.unwanted.emit(Path(str(item.data(ITS_PATH))))
            return
        super().keyPressEvent(event)

    def _open(self, item: QListWidgetItem) -> None:
        # Where the system activates by a single click, a click would open it twice.
        if not self._opening:
            self._opening = True
            try:
                self.wanted.emit(Path(str(item.data(ITS_PATH))))
            finally:
                self._opening = False


class _Card(QWidget):
    """A picture, below it name, folder and the last change, and a button that removes the project from the list."""

    removed = Signal()

    def __init__(self, path: Path, when: str, theme: Theme, *, width: int, there: bool) -> None:
        super().__init__()
        self.setFixedWidth(width)
        picture = _Cover(path, theme, width - 2 * UNIT)
        name = _Elided(path.stem)
        font = name.font()
        font.setBold(there)
        font.setItalic(not there)
        name.setFont(font)
        name.setProperty("quiet", "false" if there else "true")
        folder = _Elided(str(path.parent))
        folder.setProperty("quiet", "true")
        state = _Elided(when)
        state.setProperty("quiet" if there else "warning", "true")
        for label in (name, folder, state):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        remove = QToolButton()
        remove.setText("✕")
        remove.setAutoRaise(True)
        remove.setToolTip("Remove from the list; the file is not deleted")
        remove.setAccessibleName(f"Remove {path.stem} from the list")
        remove.clicked.connect(self.removed)
        about = row(column(name, folder, state, spacing=0), remove, spacing=UNIT)
        about.setStretch(0, 1)
        about.setAlignment(remove, Qt.AlignmentFlag.AlignTop)
        layout = column(picture, about, None, spacing=UNIT)
        layout.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        self.setLayout(layout)


class _Cover(QWidget):
    """The shot that was in view when the project was closed; without one, gaps and narration as on the banner."""

    def __init__(self, project: Path, theme: Theme, width: int) -> None:
        super().__init__()
        self._theme = theme
        self._image = cover(project)
        self.setFixedSize(width, width * PICTURE[1] // PICTURE[0])
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture, cut to the card's shape."""
        del event
        tokens, frame = self._theme.tokens, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        shape = QPainterPath()
        shape.addRoundedRect(frame, UNIT, UNIT)
        painter.setClipPath(shape)
        painter.fillRect(self.rect(), QColor(tokens.lane))
        if self._image is not None:
            size = QSizeF(self._image.size()).scaled(frame.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
            place = QRectF(QPointF(), size)
            place.moveCenter(frame.center())
            painter.drawImage(place, self._image)
        else:
            middle, step = frame.center().y(), self.width() / 60
            for start, end, _, salience in SAID[:2]:
                shade = salience_colour(tokens, salience)
                painter.fillRect(QRectF((start - 12) * step, middle, (end - start) * step, TALL), shade)
            painter.fillRect(QRectF(2 * step, middle - 3 * UNIT, 20 * step, 2 * UNIT), QColor(tokens.dialogue))
        painter.setClipping(False)
        painter.setPen(QColor(tokens.line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, UNIT, UNIT)
        painter.end()


class _Elided(QLabel):
    """A path that is elided in the middle if there is no room for it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._path = text
        self.setAccessibleName(text)
        self.setMinimumWidth(0)

    def minimumSizeHint(self) -> QSize:
        """It may be narrow."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: object) -> None:
        """Elide again."""
        del event
        self.setText(self.fontMetrics().elidedText(self._path, Qt.TextElideMode.ElideMiddle, self.width()))


def _looked_up(path: Path) -> tuple[bool, str]:
    """Whether the project exists, and when it was last changed."""
    try:
        changed = path.stat().st_mtime
    except (OSError, ValueError):
        return False, ""
    moment = QDateTime.fromSecsSinceEpoch(int(changed))
    return True, date_in_words(moment.date())


def dropped(event: QDropEvent) -> Path | None:
    """The first dragged file."""
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return paths[0] if paths else None
