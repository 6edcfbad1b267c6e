"""One weight matrix, made ready once for products with a few rows: where a forward pass of a small model on a CPU spends its time.

Two ways, and PyTorch's own product where neither applies. `Half`: weights that float16 holds exactly are kept in float16 and multiplied
in float32 (FBGEMM): half the memory to read, and a layout made for few rows. `Blocks`: oneDNN's blocked layout, as torch.compile uses it.
The choice follows from the weights, the build of PyTorch and the processor, never from a measurement, so that every process of a machine
gets the same numbers; and both give a row the same bits however many rows it comes with. Figures: docs/benchmarks.md, "Engine".
"""

from __future__ import annotations

import functools
import logging
import platform
import warnings
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.nn import functional

log = logging.getLogger(__name__)

# The largest number of float16.
_HALF_LIMIT = 65504.0
# From this many weights on, a second thread saves more than the operator that can use it costs: 11 µs a call, and as much to wake it.
_WORTH_THREADS = 800_000
# oneDNN lays the weights out for the number of rows it is told; from 4 on the layout is the same, and faster than that for 1.
_BLOCK_ROWS = 4


class Product(Protocol):
    """A weight matrix (out, in) that never changes. Called with rows (n, in) it gives (n, out); reads `weight_bytes` for each weight."""

    @property
    def weight_bytes(self) -> int: ...

    def __call__(self, rows: Tensor) -> Tensor: ...

    def dense(self) -> Tensor:
        """The matrix itself, (out, in), exactly, in fresh memory where it is packed."""


class Plain:
    """PyTorch's own product, on the weights as they lie in memory."""

    def __init__(self, weight: Tensor) -> None:
        self._weight = weight
        self.weight_bytes = weight.element_size()

    def __call__(self, rows: Tensor) -> Tensor:
        return functional.linear(rows, self._weight)

    def dense(self) -> Tensor:
        """See Product."""
        return self._weight


class _Packed:
    def __deepcopy__(self, memo: Any) -> _Packed:
        return self  # it never changes


class Half(_Packed):
    """float16 weights, float32 rows and sums; the thread that calls does all the work."""

    weight_bytes = 2

    def __init__(self, weight: Tensor) -> None:
        self._columns = weight.shape[1]
        self._packed = torch.fbgemm_pack_gemm_matrix_fp16(weight.contiguous())
        self._bias = None if _bias_is_optional() else torch.zeros(weight.shape[0])

    def __call__(self, rows: Tensor) -> Tensor:
        # Deprecated since 2022 and still PyTorch's quickest: its successor, below, costs 10 µs more a call.
        return torch.fbgemm_linear_fp16_weight_fp32_activation(rows, self._packed, self._bias)

    def dense(self) -> Tensor:
        """See Product."""
        return self(torch.eye(self._columns)).t().contiguous()  # 1 · w + 0 · … is w


@functools.cache
def _bias_is_optional() -> bool:
    """Older versions of PyTorch insist on a bias."""
    schema = torch.ops.aten.fbgemm_linear_fp16_weight_fp32_activation.default._schema
    return str(schema.arguments[2].type).startswith("Optional")


class ThreadedHalf(_Packed):
    """The same numbers as `Half`, to the bit, by all of PyTorch's threads."""

    weight_bytes = 2

    def __init__(self, weight: Tensor) -> None:
        self._packed = torch.ops.quantized.linear_prepack_fp16(weight.contiguous(), None)
        self._product = torch.ops.quantized.linear_dynamic_fp16.default

    def __call__(self, rows: Tensor) -> Tensor:
        return self._product(rows, self._packed)

    def dense(self) -> Tensor:
        """See Product."""
        weight: Tensor = torch.ops.quantized.linear_unpack_fp16(self._packed)[0]
        return weight


class Blocks(_Packed):
    """oneDNN's blocked layout, in the weights' own type (float32 or bfloat16)."""

    def __init__(self, weight: Tensor) -> None:
        self.weight_bytes = weight.element_size()
        self._packed = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), _BLOCK_ROWS)
        self._product = torch.ops.mkldnn._linear_pointwise.default

    def __call__(self, rows: Tensor) -> Tensor:
        return self._product(rows, self._packed, None, "none", [], "")

    def dense(self) -> Tensor:
        """See Product."""
        weight: Tensor = self._packed.to_dense()
        return weight


@torch.no_grad()
def packed(weight: Tensor, *, rows: int = 5, threads: int = 1) -> Product | None:
    """The weights (out, in) packed, or None where PyTorch's own product is the best that is known.

    `rows`: how many come at once as a rule, 1 for a draft; `threads`: how many PyTorch will use.
    """
    if weight.device.type != "cpu" or weight.dtype not in (torch.float32, torch.bfloat16):
        return None
    if weight.dtype == torch.float32 and exact_in_half(weight):
        threaded = threads > 1 and weight.numel() >= _WORTH_THREADS
        for kind in (ThreadedHalf, Half) if threaded else (Half, ThreadedHalf):
            if works(kind, torch.float32):
                return kind(weight)
    # A single row of float32 is quicker by PyTorch's own product, if the matrix lies the right way round (see weights.py).
    if (rows > 1 or weight.dtype == torch.bfloat16) and works(Blocks, weight.dtype):
        return Blocks(weight)
    return None


def exact_in_half(weight: Tensor) -> bool:
    """Whether float16 holds every weight exactly, as after loading a float16 file; so do most weights of a bfloat16 file."""
    # Looked at in pieces: the whole matrix in another type would be two more copies of it.
    return all(
        bool((piece.half().float() == piece).all()) and float(piece.abs().max()) <= _HALF_LIMIT
        for piece in weight.split(max(1, (1 << 20) // max(1, weight.shape[1])))
    )


@functools.cache
def works(kind: type[Half | ThreadedHalf | Blocks], dtype: torch.dtype) -> bool:
    """Whether this build of PyTorch and this processor multiply so, tried once: none of these operators is promised to stay."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False  # never measured elsewhere
    weight, rows = _trial(dtype)
    within = 1e-5 if dtype == torch.float32 else 2e-2
    reason = "its results are wrong"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a deprecation, said once
            product = kind(weight)
            results = [(product(some), functional.linear(some, weight)) for some in (rows[:1], rows)]
            right = bool((product.dense() == weight).all())
    except (AttributeError, RuntimeError, TypeError, NotImplementedError) as error:
        right, reason = False, str(error).splitlines()[0] if str(error) else type(error).__name__
        results = []
    if right and all(torch.allclose(one, other, rtol=within, atol=within) for one, other in results):
        return True
    log.info("products by %s (%s) are not used: %s", kind.__name__, dtype, reason)
    return False


def _trial(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """A matrix of odd sizes, with the smallest and the largest numbers of float16 in it, and rows to multiply."""
    weight = torch.linspace(-3.0, 4.0, 75 * 37).sin().view(75, 37).bfloat16().float()
    weight[0, :4] = torch.tensor([2.0**-24, -(2.0**-17), 65280.0, 0.0])
    rows = torch.linspace(-2.0, 2.0, 5 * 37).cos().view(5, 37)
    rows[:, 2] *= 2.0**-16
    return weight.to(dtype), rows.to(dtype)
