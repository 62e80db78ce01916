"""Array types that several rooms share. Each alias is defined here and nowhere else."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
Squares = npt.NDArray[np.int64]  # numbers of nodes; -1 for none
Rows = npt.NDArray[np.intp]  # places in an array: rows of a batch, nodes of a graph
