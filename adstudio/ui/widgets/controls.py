"""Buttons, check boxes, pickers and text fields as every panel and dialog uses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen, QShowEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
    QWidget,
)

from adstudio.ui.widgets.text import unmarked
from adstudio.ui.widgets.text_field import leaves_undo
from adstudio.ui.widgets.theme import INSET, UNIT

BOX = 13
TICK = ((3.0, 6.5), (5.5, 9.5), (10.0, 3.5))
COMPACT = f"padding: {INSET}px {2 * UNIT}px; min-height: {5 * UNIT}px;"
LINK = f"""
QPushButton {{ text-align: left; background: transparent; border: 1px solid transparent; color: palette(link);
    padding: {UNIT // 2}px {UNIT}px; min-height: {4 * UNIT}px; }}
QPushButton:hover {{ background: palette(button); }}
QPushButton:focus {{ border-color: palette(highlight); }}
"""
TIGHT = f"QToolButton {{ padding: {UNIT // 2}px {UNIT}px; }}"
RETURN = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


def line(name: str, hint: str = "") -> QLineEdit:
    """A field for a line of text."""
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    return field


def button(text: str, name: str, do: Callable[[], object]) -> QPushButton:
    """A button that Return in a field does not press."""
    built = QPushButton(text)
    built.setAccessibleName(name)
    built.setAutoDefault(False)
    built.clicked.connect(lambda _: do())
    return built


class _PressedByReturn(QAbstractButton if TYPE_CHECKING else object):
    """A button that Return presses, as Space does; mixed in before the Qt class."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses it."""
        if event.key() in RETURN and self.isEnabled():
            self.click()
        else:
            super().keyPressEvent(event)


class Button(_PressedByReturn, QPushButton):
    """A small button."""

    def __init__(self, text: str, do: Callable[[], object], tip: str = "", name: str = "") -> None:
        super().__init__(text)
        self.setStyleSheet(COMPACT)
        self.setAccessibleName(name or unmarked(text))
        self.setToolTip(tip)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda *_: do())


class Tool(_PressedByReturn, QToolButton):
    """A frameless button beside another control."""

    def __init__(self, text: str, name: str, do: Callable[[], object], *, checkable: bool = False) -> None:
        super().__init__()
        self.setText(text)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setCheckable(checkable)
        self.setStyleSheet(TIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(lambda *_: do())


class Check(_PressedByReturn, QCheckBox):
    """A check box, drawn here: the style's own can hardly be seen on a dark background."""

    def __init__(self, text: str, do: Callable[[bool], object], tip: str = "") -> None:
        super().__init__(text)
        self.ensurePolished()  # or it is measured before the style applies
        self.setAccessibleName(unmarked(text))
        self.setToolTip(tip)
        self.clicked.connect(do)

    def sizeHint(self) -> QSize:
        """The box and the words."""
        wide = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(self._side() + UNIT + 2 + wide + 2 * UNIT, max(6 * UNIT, self.fontMetrics().height()))

    def _side(self) -> int:
        """The side of the box, as high as a capital letter where that is larger."""
        return max(BOX, self.fontMetrics().capHeight())

    def minimumSizeHint(self) -> QSize:
        """It cannot shrink."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """The text can be clicked as well as the box."""
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, its tick, the text, and a frame while it has the focus."""
        del event
        role, group = QPalette.ColorRole, QPalette.ColorGroup
        state = group.Active if self.isEnabled() else group.Disabled
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self._side()
        box = QRectF(1.5, (self.height() - side) / 2 + 0.5, side, side)
        filled = self.isChecked()
        outline = role.Highlight if filled else role.PlaceholderText if self.isEnabled() else role.Mid
        painter.setPen(self.palette().color(state, outline))
        painter.setBrush(self.palette().color(state, role.Highlight if filled else role.Base))
        painter.drawRoundedRect(box, 3, 3)
        if filled:
            pen = QPen(self.palette().color(state, role.HighlightedText), 1.6)
            painter.setPen(pen)
            at = box.topLeft()
            painter.drawPolyline([at + QPointF(*point) * (side / BOX) for point in TICK])
        words_at = self.rect().adjusted(side + UNIT + 4, 0, 0, 0)
        painter.setPen(self.palette().color(state, role.WindowText))
        painter.drawText(words_at, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextShowMnemonic, self.text())
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self.palette().color(role.Highlight))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5), UNIT, UNIT)
        painter.end()


class Picker(QComboBox):
    """A drop-down list. Its arrow is drawn here: the style draws a button in a button.

    Return and Space open it; in a dialog Return does what the dialog is there for, as in its other fields.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.view().setAccessibleName(name)
        self.setStyleSheet(f"QComboBox::drop-down {{ border: 0; width: {5 * UNIT}px; }}")

    def showEvent(self, event: QShowEvent) -> None:
        """Have a label, hidden where none is to be seen: on Linux nothing else names it to a screen reader."""
        super().showEvent(event)
        parent = self.parentWidget()
        if parent is not None and all(label.buddy() is not self for label in _labels_beside(self)):
            label = QLabel(self.accessibleName(), parent)
            label.hide()
            label.setBuddy(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the panel: it must not choose in passing."""
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Keep Space, which plays the film elsewhere: it opens the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            plain = event.key() == Qt.Key.Key_Space and not event.modifiers()
            if plain:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return and Space open it, unless Return is the dialog's."""
        if event.key() in RETURN and default_button(self.window()) is not None:
            event.ignore()
        elif event.key() in (*RETURN, Qt.Key.Key_Space):
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """With room for the arrow, which is drawn here."""
        return super().sizeHint() + QSize(3 * UNIT, 0)

    def minimumSizeHint(self) -> QSize:
        """With that room too."""
        return super().minimumSizeHint() + QSize(3 * UNIT, 0)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Elide a text that does not fit."""
        super().initStyleOption(option)
        edit = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, edit, self).width()
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room - 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the arrow over the list."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.PlaceholderText), 1.4))
        at = QPointF(self.width() - 3.5 * UNIT, self.height() / 2 - 1.5)
        painter.drawPolyline([at, at + QPointF(UNIT, UNIT), at + QPointF(2 * UNIT, 0)])
        painter.end()


def default_button(window: QWidget) -> QPushButton | None:
    """The button that Return presses in a dialog; None in other windows, and in dialogs without one."""
    buttons = window.findChildren(QPushButton) if isinstance(window, QDialog) else ()
    return next((each for each in buttons if each.isDefault()), None)


def _labels_beside(widget: QWidget) -> list[QLabel]:
    """The labels that Qt looks among for one that names a widget."""
    parent = widget.parentWidget()
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    return [] if parent is None else parent.findChildren(QLabel, options=direct)


class Chooser(Picker):
    """A choice among files or other long names, no wider than there is room."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(20)

    @property
    def path(self) -> Path | None:
        """The chosen file; None if none is."""
        name = self.currentData()
        return Path(name) if isinstance(name, str) and name else None

    def show_files(self, paths: Sequence[Path], chosen: Path | None, none: str | None = None) -> None:
        """Offer files, after `none` if that is a text, without a signal; the first entry is chosen by default."""
        with QSignalBlocker(self):
            self.clear()
            if none is not None:
                self.addItem(none, "")
            for path in paths:
                self.addItem(path.name, str(path))
                self.setItemData(self.count() - 1, str(path), Qt.ItemDataRole.ToolTipRole)
            self.setCurrentIndex(0 if chosen is None else self.findData(str(chosen)))


class Slider(QSlider):
    """A horizontal slider. The wheel scrolls the panel and leaves it as it is."""

    def __init__(self, name: str, most: int, tip: str = "") -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, most)
        self.setPageStep(most // 10)
        self.setAccessibleName(name)
        self.setToolTip(tip)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the panel."""
        event.ignore()


class Link(_PressedByReturn, QPushButton):
    """The name of a line; a click goes to it."""

    def __init__(self, do: Callable[[], object]) -> None:
        super().__init__()
        self.setFlat(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setStyleSheet(LINK)
        self._full_text = ""
        self.clicked.connect(lambda *_: do())

    def show_text(self, text: str, name: str = "") -> None:
        """Show a text, elided where it does not fit."""
        self._full_text = text
        self.setAccessibleName(name or text)
        self._cut()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(20 * UNIT, self.fontMetrics().height() + 2 * UNIT)

    def resizeEvent(self, event: object) -> None:
        """Elide the text again."""
        del event
        self._cut()

    def _cut(self) -> None:
        room = self.width() - 2 * UNIT - 2
        self.setText(self.fontMetrics().elidedText(self._full_text, Qt.TextElideMode.ElideRight, max(room, 0)))


class Option(_PressedByReturn, QPushButton):
    """One of several of which one holds: a radio button that looks like a frameless button.

    A tool button would be a check box to a screen reader.
    """

    def __init__(self, text: str = "", name: str = "", tip: str = "") -> None:
        super().__init__(text)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAutoDefault(False)
        self.setProperty("option", "true")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)


class Choice(QWidget):
    """A few options of which one is chosen. The arrow keys move among them."""

    chosen = Signal(int)

    def __init__(self, name: str, options: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(UNIT)
        for place, (text, tip) in enumerate(options):
            button = Option(text, f"{name}: {text}", tip)
            button.clicked.connect(lambda _=False, place=place: self.chosen.emit(place))
            self.group.addButton(button, place)
            row.addWidget(button)
        row.addStretch(1)
        self.group.setExclusive(True)

    def show_choice(self, place: int | None) -> None:
        """Mark the chosen option; None where the selection is mixed."""
        self.group.setExclusive(False)
        for button in self.group.buttons():
            button.setChecked(self.group.id(button) == place)
        self.group.setExclusive(True)


def of_action(action: QAction, text: str) -> Button:
    """A button that does an action, and can be pressed when the action can be done."""
    button = Button(text, action.trigger, action.toolTip())
    action.enabledChanged.connect(button.setEnabled)
    button.setEnabled(action.isEnabled())
    return button


class NameField(QLineEdit):
    """A field that leaves undo to the script while nothing was typed in it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the script where they would do nothing here."""
        if leaves_undo(event, undo=self.isUndoAvailable(), redo=self.isRedoAvailable()):
            return False
        return super().event(event)
