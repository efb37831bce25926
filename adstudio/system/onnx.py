"""Models in ONNX form, run on this machine and told to nobody."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
"""Read by onnxruntime as it is loaded: without it, its newer versions report each session to their makers."""


def onnx_session(model: bytes | str) -> Any:  # noqa: ANN401 - onnxruntime comes without types
    """A session of onnxruntime for a model's bytes or path.

    It has no threads of its own and sums in one order: the same numbers every time, on one core.

    Raises:
        ImportError: where onnxruntime is not installed.
        Exception: whatever it raises for a damaged model; its exceptions have no common type but this.
    """
    os.environ[NO_TELEMETRY] = "1"
    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
