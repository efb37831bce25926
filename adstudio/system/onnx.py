"""Models in ONNX format, run on this machine without telemetry."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
"""Read by onnxruntime when it is loaded; without it, newer versions report each session to their vendor."""


def onnx_session(model: bytes | str) -> Any:  # noqa: ANN401 - onnxruntime comes without types
    """An onnxruntime session for a model, given as bytes or a path.

    It uses one thread and one order of summation, so results are reproducible.

    Raises:
        ImportError: if onnxruntime is not installed.
        Exception: whatever onnxruntime raises for a damaged model; its exceptions share no other base.
    """
    os.environ[NO_TELEMETRY] = "1"
    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
