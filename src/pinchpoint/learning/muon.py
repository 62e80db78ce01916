"""Muon: momentum whose steps are made orthogonal, matrix by matrix.

A gradient of a layer is nearly of low rank: a few directions take the whole step, and all others
hardly move. Muon gives every direction of a matrix the same length (Jordan et al., 2024).

What is no matrix of some size (biases, scales, the last layer to a number) is left to Adam.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor
from torch.nn import Parameter

MOMENTUM = 0.95
ADAM_RATE = 0.1  # Adam's step size, as a fraction of that of the matrices
BETAS, EPSILON = (0.9, 0.999), 1e-8
LARGEST = 1.0  # root mean square of a matrix's singular values: steps of one length never settle
SMALLEST = 8  # rows and columns from which on a matrix is worth it

# A polynomial x (a + b x² + c x⁴) that brings every singular value in (0, 1] near to 1 when it is
# applied a few times. It need not converge: between 0.7 and 1.2 is good enough for a step.
COEFFICIENTS, ROUNDS = (3.4445, -4.7750, 2.0315), 5
# Parts of a step that are as good as none. The momentum of a dead channel shrinks for ever, and
# products of numbers that small are so slow that they once took half of the time of a run.
FAINT = 1e-9


class Muon(torch.optim.Optimizer):
    """Muon for matrices and convolutions, Adam for all other parameters."""

    def __init__(self, parameters: Iterable[Parameter], lr: float) -> None:
        super().__init__(parameters, {"lr": lr})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                if is_matrix(parameter):
                    self._orthogonal_step(parameter, parameter.grad, group["lr"])
                else:
                    self._adam_step(parameter, parameter.grad, ADAM_RATE * group["lr"])

    def _orthogonal_step(self, parameter: Parameter, gradient: Tensor, rate: float) -> None:
        state = self.state[parameter]
        if not state:
            state["momentum"] = torch.zeros_like(parameter)
        momentum = state["momentum"].mul_(MOMENTUM).add_(gradient)
        step = orthogonal((gradient + MOMENTUM * momentum).flatten(1))
        tall = max(1.0, step.shape[0] / step.shape[1]) ** 0.5  # equal change of what comes out
        parameter.add_(step.reshape(parameter.shape), alpha=-rate * tall)
        largest = LARGEST * min(step.shape) ** 0.5
        parameter.mul_((largest / (parameter.norm() + 1e-7)).clamp(max=1.0))

    def _adam_step(self, parameter: Parameter, gradient: Tensor, rate: float) -> None:
        state = self.state[parameter]
        if not state:
            state["step"] = torch.zeros(())
            state["mean"], state["square"] = (torch.zeros_like(parameter) for _ in range(2))
        state["step"] += 1
        mean = state["mean"].lerp_(gradient, 1 - BETAS[0])
        square = state["square"].lerp_(gradient.square(), 1 - BETAS[1])
        young = [1 - beta ** float(state["step"]) for beta in BETAS]  # the means began at zero
        scale = (square / young[1]).sqrt_().add_(EPSILON)
        parameter.addcdiv_(mean, scale, value=-rate / young[0])


def is_matrix(parameter: Tensor) -> bool:
    return parameter.ndim >= 2 and min(len(parameter), parameter[0].numel()) >= SMALLEST


def orthogonal(matrix: Tensor) -> Tensor:
    """Return the matrix with all its singular values near to 1."""
    x: Tensor = matrix / (matrix.norm() + 1e-7)
    x = x.where(x.abs() > FAINT, 0.0)
    wide: Tensor = x if len(x) <= x.shape[1] else x.T
    a, b, c = COEFFICIENTS
    for _ in range(ROUNDS):
        product = wide @ wide.T
        wide = a * wide + (b * product + c * product @ product) @ wide
    return wide if len(x) <= x.shape[1] else wide.T
