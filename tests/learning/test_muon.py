"""Muon: its steps against the singular value decomposition, its small parameters against Adam."""

from __future__ import annotations

import pytest
import torch
from torch.nn import Parameter

from pinchpoint.learning.muon import ADAM_RATE, Muon, is_matrix, orthogonal


@pytest.mark.parametrize("shape", [(32, 32), (32, 288), (96, 24)])
def test_a_step_has_the_gradients_directions_and_equal_lengths(shape: tuple[int, int]) -> None:
    gradient = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    left, _, right = torch.linalg.svd(gradient, full_matrices=False)
    in_its_axes = left.T @ orthogonal(gradient) @ right.T
    lengths = in_its_axes.diagonal()
    assert lengths.min() > 0.6
    assert lengths.max() < 1.3
    assert torch.allclose(in_its_axes - lengths.diag(), torch.zeros(()), atol=1e-4)


def test_rows_that_are_as_good_as_zero_stay_and_change_nothing() -> None:
    """As those of dead channels, whose momentum shrinks for ever."""
    gradient = torch.randn(32, 288, generator=torch.Generator().manual_seed(2))
    faint = torch.logspace(-10, -44, 8)[:, None]
    whole = torch.cat([gradient[:24], faint * gradient[24:]])
    step = orthogonal(whole)
    assert not step[24:].any()
    assert torch.allclose(step[:24], orthogonal(gradient[:24]), atol=1e-5)


def test_convolutions_are_matrices_and_small_layers_are_not() -> None:
    assert is_matrix(torch.zeros(32, 4, 3, 3))
    assert not is_matrix(torch.zeros(1, 32, 1, 1))  # a layer that gives one number
    assert not is_matrix(torch.zeros(64))


def test_what_is_no_matrix_moves_as_with_adam() -> None:
    ours, theirs = Parameter(torch.ones(5)), Parameter(torch.ones(5))
    muon = Muon([ours], lr=0.02)
    adam = torch.optim.Adam([theirs], lr=0.02 * ADAM_RATE)
    source = torch.Generator().manual_seed(2)
    for _ in range(20):
        gradient = torch.randn(5, generator=source)
        ours.grad, theirs.grad = gradient.clone(), gradient.clone()
        muon.step()
        adam.step()
    assert torch.allclose(ours, theirs, atol=1e-6)


def test_it_finds_the_least_squares() -> None:
    wanted = 0.2 * torch.randn(16, 16, generator=torch.Generator().manual_seed(3))
    found = Parameter(torch.zeros(16, 16))
    muon = Muon([found], lr=0.1)
    for k in range(300):
        muon.param_groups[0]["lr"] = 0.1 * (1 - k / 300)
        muon.zero_grad()
        (found - wanted).square().sum().backward()
        muon.step()
    assert (found - wanted).abs().max() < 0.01
