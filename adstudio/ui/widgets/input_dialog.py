"""Questions for a single value, as Qt asks them, but with a field that has a name and that Tab leaves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QInputDialog, QLabel, QLineEdit, QPlainTextEdit, QWidget

from adstudio.ui.widgets.careful_dialog import CarefulDialog
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.text import unmarked


class InputDialog(CarefulDialog, QInputDialog):
    """Qt names no field of its dialogs but the line of text, and Tab is caught in the field of several lines."""

    def __init__(self, parent: QWidget | None, title: str, label: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setLabelText(label)
        take_ctrl_return(self)
        self._at_first = ""
        """What the text was, where a text is asked for."""

    def is_changed(self) -> bool:
        """Whether a text of several lines was written: that takes longer than any other answer."""
        several = self.testOption(QInputDialog.InputDialogOption.UsePlainTextEditForTextInput)
        return several and self.textValue() != self._at_first

    def ask(self) -> bool:
        """Show it until it is answered; whether it was agreed to."""
        self.name_field()
        agreed = bool(self.exec())
        self.deleteLater()
        return agreed

    def name_field(self) -> QWidget | None:
        """Tie the field to its label; None where it has none."""
        self.sizeHint()  # Qt builds label and buttons now
        label = next((each for each in self.findChildren(QLabel) if each.text() == self.labelText()), None)
        kinds = (QComboBox, QDoubleSpinBox, QPlainTextEdit, QLineEdit)
        fields = [each for kind in kinds for each in self.findChildren(kind) if not each.isHidden()]
        if label is None or not fields:
            return None
        field = fields[0]
        label.setBuddy(field)
        for each in (field, *field.findChildren(QLineEdit)):
            each.setAccessibleName(unmarked(self.labelText()).rstrip(":"))
        if isinstance(field, QPlainTextEdit):
            field.setTabChangesFocus(True)
        return field

    @staticmethod
    def ask_text(parent: QWidget, title: str, label: str, text: str = "") -> tuple[str, bool]:
        """A line of text, and whether it was agreed to."""
        dialog = InputDialog(parent, title, label)
        dialog.setTextValue(text)
        agreed = dialog.ask()
        return dialog.textValue(), agreed

    @staticmethod
    def ask_lines(parent: QWidget, title: str, label: str, text: str = "") -> tuple[str, bool]:
        """A text of several lines, and whether it was agreed to."""
        dialog = InputDialog(parent, title, label)
        dialog.setOption(QInputDialog.InputDialogOption.UsePlainTextEditForTextInput)
        dialog.setTextValue(text)
        dialog._at_first = text
        agreed = dialog.ask()
        return dialog.textValue(), agreed

    @staticmethod
    def ask_item(
        parent: QWidget, title: str, label: str, items: Sequence[str], current: int = 0, *, editable: bool = True
    ) -> tuple[str, bool]:
        """One of some texts, where it is `editable` any text, and whether it was agreed to."""
        dialog = InputDialog(parent, title, label)
        dialog.setComboBoxItems(list(items))
        dialog.setComboBoxEditable(editable)
        dialog.setTextValue(items[current] if items else "")
        agreed = dialog.ask()
        return dialog.textValue(), agreed

    @staticmethod
    def ask_number(
        parent: QWidget, title: str, label: str, value: float, least: float, greatest: float, decimals: int
    ) -> tuple[float, bool]:
        """A number, and whether it was agreed to."""
        dialog = InputDialog(parent, title, label)
        dialog.setInputMode(QInputDialog.InputMode.DoubleInput)
        dialog.setDoubleDecimals(decimals)
        dialog.setDoubleRange(least, greatest)
        dialog.setDoubleValue(value)
        agreed = dialog.ask()
        return dialog.doubleValue(), agreed
