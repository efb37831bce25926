"""The choices that hold for every project: look, planning engine and its limit."""

from __future__ import annotations

from importlib.util import find_spec

from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QVBoxLayout, QWidget

from adstudio.ui.desk import Desk
from adstudio.ui.preferences import GREATEST_LIMIT, LEAST_LIMIT
from adstudio.ui.theme import UNIT, Look

LOOKS = {Look.SYSTEM: "As the system", Look.LIGHT: "Light", Look.DARK: "Dark"}
ENGINES = {
    "auto": "Automatic: exact, confirmed by CP-SAT",
    "exact": "Exact alone; CP-SAT only where rules need it",
    "cpsat": "CP-SAT for every change",
    "gurobi": "Gurobi, where it is licensed",
}


class PreferencesDialog(QDialog):
    """Shows the choices and remembers them on OK."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self._desk = desk
        preferences = desk.preferences
        self._look = QComboBox()
        self._look.setAccessibleName("Look")
        for look, shown in LOOKS.items():
            self._look.addItem(shown, look.value)
        self._look.setCurrentIndex(self._look.findData(preferences.look.value))
        self._engine = QComboBox()
        self._engine.setAccessibleName("Planning engine")
        for name, shown in ENGINES.items():
            if name != "gurobi" or find_spec("gurobipy") is not None:
                self._engine.addItem(shown, name)
        self._engine.setCurrentIndex(max(0, self._engine.findData(preferences.backend)))
        self._limit = QDoubleSpinBox()
        self._limit.setAccessibleName("Seconds for a scene")
        self._limit.setRange(LEAST_LIMIT, GREATEST_LIMIT)
        self._limit.setDecimals(0)
        self._limit.setSuffix(" s")
        self._limit.setValue(preferences.limit)
        form = QFormLayout()
        form.setHorizontalSpacing(4 * UNIT)
        form.addRow("&Look", self._look)
        form.addRow("Planning &engine", self._engine)
        form.addRow("&At most for a scene", self._limit)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._keep)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addStretch(1)
        layout.addWidget(buttons)

    def _keep(self) -> None:
        preferences = self._desk.preferences
        preferences.store("backend", str(self._engine.currentData()))
        preferences.store("limit", f"{self._limit.value():.0f}")
        self._desk.theme.wear(Look(self._look.currentData()))
        self.accept()
