"""numpy in, numpy out; torch in, torch out; float64 inside.

The numerics of this package are written once, on float64 numpy arrays. This module converts at the border and
validates what the public functions are given. It never imports torch: a tensor is recognised by its methods.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# How far a row's sum may be off 1, by the precision in which it was computed.
_SUM_TOLERANCE = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2, "bfloat16": 1e-2}


def is_tensor(value: Any) -> bool:
    """Whether `value` is a torch tensor (without importing torch)."""
    # While another thread imports torch it is there without its tensors.
    kind = getattr(sys.modules.get("torch"), "Tensor", None)
    return kind is not None and isinstance(value, kind)


def to_numpy(value: Any) -> NDArray[Any]:
    """A numpy array with the values of an array, tensor or nested list; half precisions become float32.

    Raises ValueError where something would be lost without a word: values that are masked, complex, or not there (a meta tensor).
    """
    if is_tensor(value):
        if value.is_meta:
            raise ValueError("a tensor on the device 'meta' has no values: load or compute them first")
        value = value.detach().cpu()  # first off the device: MPS has no float64
        value = value.float().numpy() if value.dtype.itemsize < 4 and value.is_floating_point() else value.numpy()
    elif _is_masked(value):
        raise ValueError("some of its values are masked: say what they are, e.g. with .filled(0)")
    array = np.asarray(value)
    if array.dtype.kind == "c":
        raise ValueError("complex numbers, where real ones are wanted: pass their real part")
    return array


def named_numpy(name: str, value: Any) -> NDArray[Any]:
    """`to_numpy` of an argument; ValueError naming it."""
    try:
        return to_numpy(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is not an array of numbers: {error}") from error


def _is_masked(value: Any) -> bool:
    """Whether an array, or one in a list of arrays, has masked values (without importing numpy.ma)."""
    kind = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)
    if kind is None:
        return False
    arrays = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(array, kind) and np.any(array.mask) for array in arrays)


def like(reference: Any, value: NDArray[Any]) -> Any:
    """`value` as the same kind as `reference`: a tensor on the same device, or the array itself."""
    if not is_tensor(reference):
        return value
    torch = sys.modules["torch"]
    tensor = torch.from_numpy(np.ascontiguousarray(value))
    if reference.device.type == "mps" and tensor.dtype == torch.float64:
        tensor = tensor.float()
    return tensor.to(reference.device)


def setting_of(value: Any) -> float:
    """A number that becomes a setting, as a float; −0 is 0, which it equals, but for its digest and its looks.

    >>> setting_of(-0.0)
    0.0
    """
    return float(value) + 0.0


def precision_of(value: Any) -> str:
    """The name of the element type of an array or tensor, e.g. "float32"; "float64" for plain lists."""
    dtype = getattr(value, "dtype", None)
    return "float64" if dtype is None else str(dtype).removeprefix("torch.")


def checked_laws(name: str, value: Any, columns: int | None = None) -> FloatArray:
    """A (rows, V) array of probability laws as float64, each row divided by its sum where that misses 1 by more than float64's rounding.

    So what was as near to a law as float64 comes stays as it was: a division by 1 − 2⁻⁵³ would move 1/3 off another row's 1/3, and rules that
    compare the two would take another decision.

    Raises ValueError naming the argument, the index and the value: wrong number of dimensions or columns, an entry that
    is negative or not finite, a row whose sum is off by more than its precision allows (float64 1e-9, float32 1e-4, half 1e-2).
    """
    try:
        laws = np.array(to_numpy(value), dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} is not an array of numbers (rows, V): {error}") from error
    if laws.ndim != 2 or laws.shape[1] == 0:
        raise ValueError(f"{name} must have shape (rows, V) with V ≥ 1, got shape {laws.shape}")
    if columns is not None and laws.shape[1] != columns:
        raise ValueError(
            f"{name} has {laws.shape[1]} columns, but the other laws have {columns}: pad both to one vocabulary"
        )
    with np.errstate(over="ignore", invalid="ignore"):  # of what is refused
        sums = np.array([row.sum() for row in laws])
    # NaN is the smallest of any numbers and ∞ shows in a sum: only where something is wrong is every entry looked at.
    if not (all(row.min() >= 0 for row in laws) and np.isfinite(sums).all()):
        _refuse_entries(name, laws)
    tolerance = _SUM_TOLERANCE.get(precision_of(value), 1e-9)
    off = np.abs(sums - 1) > tolerance
    if off.any():
        row = int(np.argmax(off))
        raise ValueError(f"{name}[{row}] sums to {float(sums[row])!r}: it must be 1 within {tolerance:g}")
    rounding = laws.shape[1] * 2.0**-53  # of V numbers and of their sum
    laws /= np.where(np.abs(sums - 1) > rounding, sums, 1.0)[:, None]
    return laws


def _refuse_entries(name: str, laws: FloatArray) -> None:
    """ValueError naming the first entry that is negative or not finite, if any is."""
    bad = ~np.isfinite(laws) | (laws < 0)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{name}[{row}, {column}] is {laws[row, column]}: a probability must be finite and ≥ 0")


def checked_tokens(tokens: Any, draft: FloatArray) -> IntArray:
    """The drafted tokens (γ,) as int64; ValueError where one is out of range or has draft probability 0."""
    array = named_numpy("tokens", tokens)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise ValueError(f"tokens must be a list of γ integers, got shape {array.shape} of {array.dtype}")
    vocab_size = draft.shape[1]
    for i, token in enumerate(array.tolist()):
        if not 0 <= token < vocab_size:
            raise ValueError(f"tokens[{i}] is {token}: it must be in 0 … {vocab_size - 1}")
        if draft[i, token] <= 0:
            raise ValueError(
                f"tokens[{i}] is {token}, to which draft[{i}] gives probability 0: it cannot have been drafted from this law"
            )
    return array.astype(np.int64)


def checked_uniforms(uniforms: Any, count: int) -> FloatArray:
    """The uniforms (count,) as float64; ValueError where one is not in [0, 1)."""
    try:
        array = np.asarray(to_numpy(uniforms), dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"uniforms is not a list of numbers: {error}") from error
    if array.shape != (count,):
        raise ValueError(
            f"uniforms must have shape ({count},): one for each drafted token and one for the next token; got {array.shape}"
        )
    for i, u in enumerate(array.tolist()):
        if not 0 <= u < 1:
            raise ValueError(f"uniforms[{i}] is {u}: it must be in [0, 1)")
    return array
