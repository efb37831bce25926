"""Layouts of labels and fields for panels and dialogs, on a 4-pixel grid."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QListWidget,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT, text_scale

LABELS = "width of labels"
LABEL_WIDTH = 15 * UNIT
LABEL_DROP = 6
"""How far below a field's top its label begins, so that both stand on one line."""


def form(labels: int = 24 * UNIT) -> QFormLayout:
    """Labels and fields in two columns, at our distances; `labels` is how wide the first one is at least."""
    layout = QFormLayout()
    layout.setProperty(LABELS, labels)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(4 * UNIT)
    layout.setVerticalSpacing(2 * UNIT)
    layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    layout.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return layout


def add_row(fields: QFormLayout, text: str, field: QWidget, *more: QWidget) -> None:
    """Add a field with its label, and more widgets beside it; the label's mnemonic leads to the field."""
    label = QLabel(text)
    tie(label, field)
    label.setMinimumWidth(max(int(fields.property(LABELS)), label.sizeHint().width()))
    label.setMinimumHeight(max(min(each.sizeHint().height(), each.maximumHeight()) for each in (field, *more)))
    if more:
        fields.addRow(label, row(field, *more, grows=field))
    else:
        fields.addRow(label, field)


def align(*forms: QFormLayout) -> None:
    """Have the fields of several forms begin at one place, however large their text is."""
    label_role = QFormLayout.ItemRole.LabelRole
    items = (each.itemAt(place, label_role) for each in forms for place in range(each.rowCount()))
    labels = [label for item in items if item is not None and (label := item.widget()) is not None]
    widest = max(label.minimumWidth() for label in labels)
    for label in labels:
        label.setMinimumWidth(widest)


def tie(label: QLabel, field: QWidget) -> None:
    """Have a label name its field: screen readers read the label for the field, so it is named as the field is."""
    label.setBuddy(field)
    if field.accessibleName():
        QLabel.setAccessibleName(label, field.accessibleName())


def scrolled(name: str, page: QWidget) -> QScrollArea:
    """A page of fields that scrolls where the screen is too small for it."""
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(page)
    return area


def on_screen(dialog: QWidget, wanted: QSize) -> QSize:
    """The size that a dialog gets: what it wants, as far as its screen is that large, its frame included."""
    return wanted.boundedTo(dialog.screen().availableSize() - QSize(8 * UNIT, 16 * UNIT))


def in_text_size(dialog: QWidget, usual: QSize, least: int = 0) -> QSize:
    """The size that a dialog gets which is meant to have `usual` with text of the usual size, and is `least` wide."""
    return on_screen(dialog, (usual * text_scale()).expandedTo(QSize(least, 0)))


class Form(QGridLayout):
    """Labels left in quiet colour, fields right."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(2 * UNIT)
        self.setVerticalSpacing(UNIT)
        self.setColumnMinimumWidth(0, LABEL_WIDTH)
        self.setColumnStretch(1, 1)

    def add(self, label: str, *fields: QWidget, stretch: bool = False) -> QLabel:
        """Add a row; with `stretch` the first field takes all the room."""
        name = self.add_layout(label, beside(*fields, stretch=stretch))
        tie(name, fields[0])
        return name

    def add_layout(self, label: str, layout: QLayout) -> QLabel:
        """Add a row of several parts."""
        row = self.rowCount()
        name = words(label, quiet=True)
        name.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        name.setContentsMargins(0, LABEL_DROP, 0, 0)
        self.addWidget(name, row, 0)
        self.addLayout(layout, row, 1)
        return name


def beside(*widgets: QWidget, stretch: bool = False) -> QHBoxLayout:
    """Widgets in a close row; with `stretch` the first one takes all spare room."""
    return row(*widgets, spacing=UNIT, grows=widgets[0]) if stretch else row(*widgets, None, spacing=UNIT)


def column(
    *parts: QWidget | QLayout | int | None, spacing: int = UNIT, grows: QWidget | QLayout | None = None
) -> QVBoxLayout:
    """Parts under one another; a number is that many pixels of space, None takes all spare room, else `grows` does."""
    found = QVBoxLayout()
    _fill(found, parts, spacing, grows)
    return found


def row(
    *parts: QWidget | QLayout | int | None, spacing: int = 2 * UNIT, grows: QWidget | QLayout | None = None
) -> QHBoxLayout:
    """Parts beside one another, as in `column`."""
    found = QHBoxLayout()
    _fill(found, parts, spacing, grows)
    return found


def _fill(
    layout: QBoxLayout,
    parts: Sequence[QWidget | QLayout | int | None],
    spacing: int,
    grows: QWidget | QLayout | None,
) -> None:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for part in parts:
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, int):
            layout.addSpacing(part)
        elif isinstance(part, QWidget):
            layout.addWidget(part, int(part is grows))
        else:
            layout.addLayout(part, int(part is grows))


def rule() -> QFrame:
    """A hairline between sections."""
    line = QFrame()
    line.setStyleSheet("background: palette(mid); border: 0;")
    line.setFixedHeight(1)
    return line


def names_list(name: str) -> QListWidget:
    """A list of names beside the details of the chosen one."""
    built = QListWidget()
    built.ensurePolished()  # or rows are measured before the style applies
    built.setAccessibleName(name)
    built.setFrameShape(QFrame.Shape.StyledPanel)
    built.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
    built.setFixedWidth(44 * UNIT)
    built.setMinimumHeight(20 * UNIT)
    built.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    built.setTextElideMode(Qt.TextElideMode.ElideRight)
    return built
