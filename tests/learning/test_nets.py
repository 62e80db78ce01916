"""The networks: shapes and sizes as in the paper, and what their output depends on."""

import numpy as np
import pytest
import torch
from scipy.ndimage import label

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.sampling import sample_boards
from pinchpoint.game.state import ACTIVE, INACTIVE
from pinchpoint.graph.lattices import lattice
from pinchpoint.graph.topology import moved_squares, transform
from pinchpoint.learning.long_range import LineAttention, Pieces
from pinchpoint.learning.nets import (
    BOUND,
    NETS,
    PaperNet,
    QNet,
    make_net,
    threads_for,
)
from pinchpoint.learning.observation import OBSERVATIONS, observe
from pinchpoint.learning.pooling import plain_pools, pool_board

# Every network for lattices with everything that it can see, and the one for graphs.
CONVOLUTIONS = [f"{name} {sees}" for name in NETS if name != "messages" for sees in OBSERVATIONS]
ALL = [*CONVOLUTIONS, "messages graph"]


def boards(height: int, width: int, count: int = 6, seed: int = 3) -> Games:
    """Games in progress, so that all four states occur."""
    games = Games(sample_boards("network", (height, width), 0.75, count, seed), "network")
    for step in range(3):
        games.play(np.where(games.done, -1, games.random_squares(seed + step)))
    return games


def shown(net: QNet, games: Games) -> torch.Tensor:
    return net.observe(games, 0, len(games))


def fresh(name: str) -> QNet:
    torch.manual_seed(0)
    network, sees = name.split()
    net = make_net(network, channels=8, depth=3, sees=sees)
    for parameter in net.parameters():  # residual branches start at zero; tests need them to speak
        if not parameter.any():
            torch.nn.init.normal_(parameter, std=0.1)
    return net


def test_the_papers_network_has_the_papers_parameters() -> None:
    m, d, net = 64, 10, PaperNet("states", 64, 10)
    convolutions = (4 * m * 9 + m) + (d - 1) * (m * m * 9 + m)
    assert sum(p.numel() for p in net.parameters()) == convolutions + 5 * m + (4 * m) ** 2 + m * m
    assert net.w1.weight.numel() == 5 * m
    assert net.w2.weight.shape == (4 * m, 4 * m)
    assert net.w3.weight.shape[:2] == (m, m)


def test_the_papers_formula_square_by_square() -> None:
    net = PaperNet("states", 5, 2)
    planes = shown(net, boards(4, 6))
    q = net(planes).q
    x = net.embed(planes)
    for b in range(len(x)):
        flat = x[b].flatten(1)
        v = torch.cat([flat.amin(1), flat.amax(1), flat.sum(1), flat.mean(1)])
        for s in range(24):
            if planes[b, 1].flatten()[s]:
                inner = torch.cat([net.w2.weight @ v, net.w3.weight[:, :, 0, 0] @ flat[:, s]])
                expected = net.w1.weight[0] @ torch.relu(inner)
                torch.testing.assert_close(q[b, s], expected)


@pytest.mark.parametrize("levels", [2, 1000])
def test_pools_send_back_the_gradients_that_pytorch_does(levels: int) -> None:
    """Also where many squares share a minimum or maximum."""
    torch.manual_seed(1)
    values = torch.randint(levels, (3, 5, 4, 6)).to(torch.float32)
    weights = torch.randn(3, 3, 5)
    gradients = []
    for pools in (pool_board, plain_pools):
        x = values.to(memory_format=torch.channels_last).requires_grad_()
        torch.autograd.backward(pools(x), list(weights))
        gradients.append(x.grad)
    assert torch.equal(*gradients)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 7), (10, 10), (20, 5)])
def test_any_rectangle_and_minus_infinity_where_illegal(name: str, height: int, width: int) -> None:
    games, net = boards(height, width), fresh(name)
    output = net(shown(net, games))
    assert output.q.shape == (len(games), height * width)
    assert np.array_equal(torch.isfinite(output.q).numpy(), games.legal)
    going = ~games.done
    best = output.q.amax(1)[going]
    torch.testing.assert_close(best, output.value[going])
    assert torch.equal(output.q.argmax(1)[going], output.logits.argmax(1)[going])


@pytest.mark.parametrize("name", ALL)
def test_a_board_is_judged_by_itself(name: str) -> None:
    net, games = fresh(name), boards(9, 9)
    together = net(shown(net, games)).q
    for b in range(len(games)):
        alone = net(shown(net, games.take([b]))).q[0]
        torch.testing.assert_close(alone, together[b], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_every_square_hears_of_every_other(name: str) -> None:
    """Pooling carries a change in one corner to the other, far beyond the convolutions' reach."""
    net, board = fresh(name), np.ones((1, 900), dtype=np.uint8)
    changed = board.copy()
    changed[0, :60] = 0
    before, after = (net(observe(net.sees, b, lattice(30, 30))).q[0, -1] for b in (board, changed))
    assert before != after


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_no_symmetry_is_built_in(name: str) -> None:
    """Flow is not the same sideways: a network must be able to tell."""
    net, games = fresh(name), boards(7, 7)
    q = net(shown(net, games)).q
    for k in range(1, 8):
        turned = transform(games.boards, k).reshape(len(games), 49)
        moved = net(observe(net.sees, turned, games.topology)).q[:, moved_squares(7, 7, k)]
        assert torch.equal(torch.isinf(moved), torch.isinf(q))
        legal = ~torch.isinf(q)
        assert not torch.allclose(moved[legal], q[legal], atol=1e-6)


@pytest.mark.parametrize("name", [name for name in ALL if not name.startswith("plain")])
def test_regret_is_bounded(name: str) -> None:
    net = fresh(name)
    output = net(shown(net, boards(9, 9)))
    regret = output.value[:, None] - output.q
    legal = torch.isfinite(output.q)
    assert (regret[legal] >= -1e-5).all()
    assert (regret[legal] <= BOUND + 1e-5).all()


@pytest.mark.parametrize("name", [name for name in ALL if name.endswith("states")])
def test_raw_networks_see_the_four_states_and_nothing_else(name: str) -> None:
    net, games = fresh(name), boards(9, 9)
    seen: list[torch.Tensor] = []
    first = next(m for m in net.modules() if isinstance(m, torch.nn.Conv2d) and m.in_channels == 4)
    first.register_forward_hook(lambda module, inputs, output: seen.append(inputs[0]))
    net.evaluate(games)
    (planes,) = seen
    one_hot = np.stack([games.boards == state for state in range(4)], axis=1)
    assert np.array_equal(planes.numpy(), one_hot.astype(np.float32))


@pytest.mark.parametrize("name", [name for name in CONVOLUTIONS if not name.startswith("loop")])
def test_with_a_leak_no_channel_dies(name: str) -> None:
    """However far below zero all activations are, the first layer hears of every error."""
    for leak in (0.0, 0.1):
        torch.manual_seed(1)
        network, sees = name.split()
        net = make_net(network, 8, 2, leak, sees)
        for parameter in net.parameters():
            if parameter.ndim == 1:
                torch.nn.init.constant_(parameter, -5.0)
        output = net(shown(net, boards(5, 5)))
        output.value.sum().backward()
        first = next(p for p in net.parameters() if p.shape[2:] == (3, 3))
        assert first.grad is not None
        assert bool(first.grad.flatten(1).any(1).all()) == (leak > 0)


@pytest.mark.parametrize("shape", [(1, 1), (3, 8), (9, 9)])
def test_pieces_are_numbered_and_pooled_as_scipy_and_a_loop_do(shape: tuple[int, int]) -> None:
    status = np.random.default_rng(3).integers(0, 4, (5, *shape)).astype(np.uint8)
    boards = observe("states", status.reshape(5, -1), lattice(*shape))
    pieces, x = Pieces(boards), torch.randn(5, 3, *shape)
    given = pieces.spread(pieces.pooled(x), x)  # each square gets what its piece has
    found = 0
    for b in range(5):
        labels, count = label((status[b] == ACTIVE) | (status[b] == INACTIVE))
        found += count
        for k in range(1, count + 1):
            values = x[b][:, torch.from_numpy(labels == k)]
            size = torch.tensor([float(values.shape[1])])
            expected = torch.cat([values.amax(1), values.mean(1), size.log1p()])
            here = given[b][:, torch.from_numpy(labels == k)]
            torch.testing.assert_close(here, expected[:, None].expand_as(here))
        assert not given[b][:, torch.from_numpy(labels == 0)].any()
    assert pieces.count == found


def test_attention_along_rows_square_by_square() -> None:
    torch.manual_seed(2)
    layer, x = LineAttention(8), torch.randn(2, 8, 3, 5)
    got = layer(x)
    for b, y in np.ndindex(2, 3):
        ask, key, value = layer.ask(x)[b, :, y].reshape(3, layer.heads, 2, 5)
        out = torch.zeros(layer.heads, 2, 5)
        for head in range(layer.heads):
            for here in range(5):
                weights = [
                    ask[head, :, here] @ key[head, :, there] / 2**0.5
                    - layer.log_rate[head].exp() * abs(here - there)
                    for there in range(5)
                ]
                out[head, :, here] = value[head] @ torch.stack(weights).softmax(0)
        expected = layer.answer(out.reshape(8, 1, 5))[:, 0]
        torch.testing.assert_close(got[b, :, y], expected, rtol=1e-4, atol=1e-5)


def test_a_loop_takes_as_many_steps_as_the_board_is_wide() -> None:
    net, steps = make_net("loop", 4, 3), 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    for block in net.blocks:
        block.register_forward_hook(count)
    for size in (4, 11):
        steps = 0
        net(shown(net, boards(3, size)))
        assert steps == size


def test_bad_networks() -> None:
    with pytest.raises(InputError, match="choose from plain, residual"):
        make_net("transformer", 8, 3)
    with pytest.raises(InputError, match="cannot see 'graph'"):
        make_net("plain", 8, 3, sees="graph")
    with pytest.raises(InputError, match="cannot see 'states'"):
        make_net("messages", 8, 3)
    with pytest.raises(InputError, match="out of range"):
        make_net("paper", 0, 3)


def test_few_squares_take_one_thread() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        for squares, threads in ((100, 1), (10**6, 2)):
            with threads_for(squares):
                assert torch.get_num_threads() == threads
            assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
