"""Array types of compiled functions, and helpers to create arrays.

The digit in a type name is the number of dimensions. All arrays are C-contiguous.

Users wait for compilation once, so kernels prefer code that numba compiles quickly: loops over
elements instead of `numpy.full`, `numpy.arange` or slice assignment.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.compilation import compiled

Ints: TypeAlias = Annotated[npt.NDArray[np.int64], 1]
Ints2: TypeAlias = Annotated[npt.NDArray[np.int64], 2]
Ints3: TypeAlias = Annotated[npt.NDArray[np.int64], 3]
Floats: TypeAlias = Annotated[npt.NDArray[np.float64], 1]
Floats2: TypeAlias = Annotated[npt.NDArray[np.float64], 2]
Floats3: TypeAlias = Annotated[npt.NDArray[np.float64], 3]
Bytes2: TypeAlias = Annotated[npt.NDArray[np.int8], 2]
Bools: TypeAlias = Annotated[npt.NDArray[np.bool_], 1]
Bools2: TypeAlias = Annotated[npt.NDArray[np.bool_], 2]
Bools3: TypeAlias = Annotated[npt.NDArray[np.bool_], 3]

FALSE: Bools = np.array([False])
TRUE: Bools = np.array([True])
"""Boolean arguments read from an array: numba would compile another version for each literal."""


BELOW_ONE = float(np.nextafter(1.0, 0.0))
"""The largest probability of what is not certain."""


@compiled(internal=True)
def below_one(chance: float) -> float:
    """The probability of something that is not certain, whatever rounding made of it."""
    return min(chance, BELOW_ONE)


@compiled(internal=True)
def minus_ones(size: int) -> Ints:
    """An array of which every element is -1."""
    out = np.empty(size, np.int64)
    for i in range(size):
        out[i] = -1
    return out
