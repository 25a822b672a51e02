"""The minimum of a loss by Adam, on batches drawn anew in each epoch. Used by the fits here.

D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015. The step size decays
to 0 along a cosine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Singles = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

BATCH = 256


def descend(
    parts: Sequence[Singles],
    gradient: Callable[[list[Singles], Ints], Sequence[Singles]],
    rows: int,
    rng: np.random.Generator,
    epochs: int,
    largest_step: float,
    decay: float = 0.0,
) -> list[Singles]:
    """The parts of a network at the end of the descent.

    gradient: that of the loss on some of the rows, by their numbers, for each part. decay:
    decoupled weight decay, the share of a step by which weights shrink in it (I. Loshchilov and
    F. Hutter, "Decoupled Weight Decay Regularization", ICLR 2019).
    """
    found = list(parts)
    first = [np.zeros_like(part) for part in found]
    second = [np.zeros_like(part) for part in found]
    steps, step = epochs * (rows // BATCH), 0
    for _ in range(epochs):
        order = rng.permutation(rows)
        for i in range(0, rows - BATCH + 1, BATCH):
            step += 1
            size = largest_step * (1 + np.cos(np.pi * step / steps)) / 2
            for j, slope in enumerate(gradient(found, order[i : i + BATCH])):
                first[j] = 0.9 * first[j] + 0.1 * slope
                second[j] = 0.999 * second[j] + 0.001 * slope * slope
                change = first[j] / (1 - 0.9**step)
                change = change / (np.sqrt(second[j] / (1 - 0.999**step)) + 1e-8)
                found[j] = (found[j] * (1 - size * decay) - size * change).astype(np.float32)
    return found
