"""Small pieces that the dialogs of projects are put together from."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

from adstudio.ui.widgets.form import Picker
from adstudio.ui.widgets.label import Label
from adstudio.ui.widgets.theme import UNIT

LABELS = "width of labels"


def heading(text: str) -> QLabel:
    """The heading of a group of fields."""
    label = QLabel(text)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    return label


def note(name: str) -> QLabel:
    """A quiet line of text; `name` is what a screen reader calls it."""
    label = Label()
    label.setAccessibleName(name)
    label.setProperty("quiet", "true")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def warning(name: str) -> QLabel:
    """A line of text that says what is wrong; it is not there while nothing is."""
    label = Label()
    label.setAccessibleName(name)
    label.setProperty("warning", "true")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.hide()
    return label


def say_in(label: QLabel, text: str) -> None:
    """Put a sentence into a line of text, which is there only while it says something."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))


def form(labels: int = 24 * UNIT) -> QFormLayout:
    """Labels and fields in two columns, at our distances; `labels` is how wide the first one is at least."""
    made = QFormLayout()
    made.setProperty(LABELS, labels)
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(4 * UNIT)
    made.setVerticalSpacing(2 * UNIT)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    made.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return made


def line(name: str, hint: str = "") -> QLineEdit:
    """A field for a line of text."""
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    return made


def button(text: str, name: str, do: Callable[[], object]) -> QPushButton:
    """A button that Return in a field does not press."""
    made = QPushButton(text)
    made.setAccessibleName(name)
    made.setAutoDefault(False)
    made.clicked.connect(lambda _: do())
    return made


def chooser(name: str) -> Picker:
    """A choice among files, no wider than there is room."""
    made = Picker(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(20)
    return made


def add_row(fields: QFormLayout, text: str, field: QWidget, *more: QWidget) -> None:
    """A field with its label, and what stands beside it; the label's key leads to the field."""
    label = QLabel(text)
    label.setBuddy(field)
    label.setMinimumWidth(int(fields.property(LABELS)))
    label.setMinimumHeight(max(min(each.sizeHint().height(), each.maximumHeight()) for each in (field, *more)))
    if not more:
        fields.addRow(label, field)
        return
    beside = QHBoxLayout()
    beside.setSpacing(2 * UNIT)
    beside.addWidget(field, 1)
    for each in more:
        beside.addWidget(each)
    fields.addRow(label, beside)


def scrolled(name: str, page: QWidget) -> QScrollArea:
    """A page of fields that scrolls where the screen is too small for it."""
    made = QScrollArea()
    made.setAccessibleName(name)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setWidgetResizable(True)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setWidget(page)
    return made


def on_screen(dialog: QWidget, wanted: QSize) -> QSize:
    """The size that a dialog gets: what it wants, as far as its screen is that large, its frame included."""
    return wanted.boundedTo(dialog.screen().availableSize() - QSize(8 * UNIT, 16 * UNIT))
