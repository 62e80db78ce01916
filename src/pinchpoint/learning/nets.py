"""Q-networks: a board in, a value for every square out.

Those for lattices are fully convolutional: one set of weights plays any rectangle. The one for
graphs (`graph_net.py`) passes messages along edges and plays any graph. A network takes the
observation that it names in `sees`, and gives Q [B, N]: an estimate of the reward still to come if
that square is attacked next, which is minus the number of moves to the end, this one included (or
minus their costs). Squares that may not be attacked get minus infinity.

A network of your own is a subclass of QNet. It is made as `Name(sees, channels, depth, leak)`, with
the options of `--network-options` as further keywords.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import parse_options
from pinchpoint.game.state import ACTIVE
from pinchpoint.learning.config import NETWORK_ALIASES
from pinchpoint.learning.observation import OBSERVATIONS, observe
from pinchpoint.learning.pooling import pool_board
from pinchpoint.learning.spread import Spread
from pinchpoint.plugins import load_object

CHUNK = 64  # boards a forward pass: what a core has in its cache; more only costs memory
FEW = 8192  # squares or nodes for which one thread is as good as several


class Output(NamedTuple):
    q: Tensor  # [B, N]  -inf where the square may not be attacked
    value: Tensor  # [B]  of the board: max q
    logits: Tensor  # [B, N]  preference among squares, higher is better; -inf as for q


class QNet(nn.Module):
    """The interface of every Q-network."""

    def __init__(self, sees: str) -> None:
        super().__init__()
        self.sees = sees  # what it is shown: a key of OBSERVATIONS, or "graph"

    def observe(self, games: Games, first: int, last: int) -> Any:
        """Return what it is shown of the games from row `first` up to `last`."""
        return observe(self.sees, games.status[first:last], games.topology)

    def forward(self, boards: Any) -> Output:  # [B, C, h, w], the states first; or a GraphBatch
        raise NotImplementedError

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return next(self.parameters()).device

    def evaluate(self, games: Games) -> Output:
        """Return its opinion of these games, without gradients, on the CPU."""
        parts, device = [], self.device
        with torch.inference_mode():
            for first in range(0, len(games), CHUNK):
                last = min(first + CHUNK, len(games))
                with threads_for((last - first) * games.topology.n):
                    boards = self.observe(games, first, last)
                    output = self(boards.to(device, non_blocking=True))
                    parts.append([part.float().cpu() for part in output])
        return Output(*(torch.cat(column) for column in zip(*parts, strict=True)))

    def q_values(self, games: Games) -> npt.NDArray[np.float32]:  # [B, N]
        return self.evaluate(games).q.numpy()

    def values(self, games: Games) -> npt.NDArray[np.float32]:  # [B]
        return self.evaluate(games).value.numpy()


def rectifier(leak: float) -> nn.Module:
    """Return ReLU, or with a slope below zero; in place, which saves a pass over memory."""
    return nn.LeakyReLU(leak, inplace=True) if leak else nn.ReLU(inplace=True)


class PaperNet(QNet):
    """The network of the paper: d convolutions 3 × 3, four poolings, two linear maps and a sum."""

    def __init__(
        self, sees: str = "states", channels: int = 64, depth: int = 10, leak: float = 0.0
    ) -> None:
        super().__init__(sees)
        self.rectify = rectifier(leak)
        layers: list[nn.Module] = []
        inputs = OBSERVATIONS[sees].channels
        for i in range(depth):
            layers.append(nn.Conv2d(inputs if i == 0 else channels, channels, 3, padding=1))
            layers.append(rectifier(leak))
        self.embed = nn.Sequential(*layers)
        self.w1 = nn.Linear(5 * channels, 1, bias=False)
        self.w2 = nn.Linear(4 * channels, 4 * channels, bias=False)
        self.w3 = nn.Conv2d(channels, channels, 1, bias=False)  # w3 x_ij for every square at once
        self.channels = channels

    def forward(self, boards: Tensor) -> Output:
        x = self.embed(boards)
        low, high, total = pool_board(x)
        globally = [low, high, total, total / (x.shape[2] * x.shape[3])]
        # w1 meets [w2 v, w3 x_ij] in two parts: the first is the same for every square.
        of_board, of_square = torch.split(self.w1.weight[0], [4 * self.channels, self.channels])
        board = self.rectify(self.w2(torch.cat(globally, 1))) @ of_board
        local = self.rectify(self.w3(x))
        square = torch.einsum("bchw,c->bhw", local, of_square).flatten(1)
        q = mask_illegal(board[:, None] + square, boards)
        return Output(q, q.amax(1), q)


class Block(nn.Module):
    """A residual block; a `far` one also pools each square's row, column and board."""

    def __init__(self, channels: int, far: bool, leak: float) -> None:
        super().__init__()
        self.far, self.leak, reach = far, leak, 2 if far else 1
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=reach, dilation=reach)
        if far:
            self.rows = nn.Linear(2 * channels, channels)
            self.cols = nn.Linear(2 * channels, channels, bias=False)
            self.whole = nn.Linear(2 * channels, channels, bias=False)
        self.scale = nn.Parameter(torch.zeros(()))  # starts as the identity: trains at any depth

    def forward(self, x: Tensor) -> Tensor:
        y = self.first(F.leaky_relu(x, self.leak))
        if self.far:
            y = self.pool_lines(y)
        branch: Tensor = self.second(F.leaky_relu(y, self.leak))
        return x + self.scale * branch

    def pool_lines(self, y: Tensor) -> Tensor:
        """Add what is known of each square's row, column and board."""
        row_max, row_mean = y.amax(3), y.mean(3)  # [B, C, h]
        col_max, col_mean = y.amax(2), y.mean(2)  # [B, C, w]
        rows: Tensor = self.rows(torch.cat([row_max, row_mean], 1).transpose(1, 2)).transpose(1, 2)
        cols: Tensor = self.cols(torch.cat([col_max, col_mean], 1).transpose(1, 2)).transpose(1, 2)
        whole: Tensor = self.whole(torch.cat([row_max.amax(2), row_mean.mean(2)], 1))
        return y + (rows + whole[:, :, None])[:, :, :, None] + cols[:, :, None, :]


class CoarseBlock(nn.Module):
    """A residual block of a coarse scale, which pools the whole board."""

    def __init__(self, channels: int, leak: float) -> None:
        super().__init__()
        self.leak = leak
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.whole = nn.Linear(2 * channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.zeros_(self.second.weight)  # starts as the identity
        nn.init.zeros_(self.second.bias)  # type: ignore[arg-type]

    def forward(self, x: Tensor) -> Tensor:
        y = self.first(F.leaky_relu(x, self.leak))
        y = y + self.whole(pooled(y))[:, :, None, None]
        branch: Tensor = self.second(F.leaky_relu(y, self.leak))
        return x + branch


class SpreadBlock(nn.Module):
    """A residual block that pools the whole board; a `far` one also follows cheapest ways."""

    def __init__(self, channels: int, far: bool, leak: float) -> None:
        super().__init__()
        self.leak = leak
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.spread = Spread(channels, max(1, channels // 2), leak) if far else nn.Identity()
        self.whole = nn.Linear(2 * channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.scale = nn.Parameter(torch.full((), 0.3))

    def forward(self, x: Tensor) -> Tensor:
        y = self.spread(self.first(F.leaky_relu(x, self.leak)))
        y = y + self.whole(pooled(y))[:, :, None, None]
        branch: Tensor = self.second(F.leaky_relu(y, self.leak))
        return x + self.scale * branch


class Hourglass(nn.Module):
    """Down to blocks of 2 × 2 and 4 × 4 squares and up again, added to what came in.

    What cuts a network is decided by paths across the whole board. On the coarse scales, as in
    real-space renormalisation of percolation, a few convolutions reach from side to side.
    """

    def __init__(self, channels: int, coarse_blocks: int, leak: float) -> None:
        super().__init__()
        self.leak = leak
        middle, coarse = 2 * channels, 3 * channels
        self.to_middle = nn.Conv2d(channels, middle, 2, stride=2)
        self.middle_in = nn.Sequential(CoarseBlock(middle, leak))
        self.to_coarse = nn.Conv2d(middle, coarse, 2, stride=2)
        self.coarse = nn.Sequential(*(CoarseBlock(coarse, leak) for _ in range(coarse_blocks)))
        self.from_coarse = nn.ConvTranspose2d(coarse, middle, 2, stride=2)
        self.middle_out = CoarseBlock(middle, leak)
        self.from_middle = nn.ConvTranspose2d(middle, channels, 2, stride=2)
        nn.init.zeros_(self.from_middle.weight)  # starts as the identity
        nn.init.zeros_(self.from_middle.bias)  # type: ignore[arg-type]

    def forward(self, x: Tensor) -> Tensor:
        height, width = x.shape[2:]
        to_whole_blocks = 0, -width % 4, 0, -height % 4
        padded = F.pad(F.leaky_relu(x, self.leak), to_whole_blocks)
        padded = padded.contiguous(memory_format=torch.channels_last)
        middle = self.middle_in(self.to_middle(padded))
        coarse = self.coarse(self.to_coarse(F.leaky_relu(middle, self.leak)))
        middle = self.middle_out(middle + self.from_coarse(F.leaky_relu(coarse, self.leak)))
        branch: Tensor = self.from_middle(F.leaky_relu(middle, self.leak))
        return x + branch[:, :, :height, :width]


BOUND = 2.0  # the largest regret, in moves


def minus_regret(moves: Tensor, logits: Tensor) -> Output:  # [B], [B, N]
    """Return Q: the value of the board minus a bounded regret for each square.

    A wasted move costs about one move in these games, so once the value of the board is known,
    what is left to learn is which squares are no waste. Squares that may not be attacked have a
    preference of minus infinity.
    """
    q = -moves[:, None] - BOUND * torch.sigmoid(-logits)
    q = q.masked_fill(logits.isneginf(), -torch.inf)
    return Output(q, q.amax(1), logits)


class RegretNet(QNet):
    """A network for lattices that gives a value of the board and a preference among squares."""

    def __init__(self, sees: str, channels: int, leak: float) -> None:
        super().__init__(sees)
        self.leak = leak
        self.local_value = nn.Conv2d(channels, 1, 1)
        # Begin with too many moves: returns that are known then lift Q at once.
        nn.init.constant_(self.local_value.bias, 0.2)  # type: ignore[arg-type]
        self.board_value = nn.Sequential(
            nn.Linear(2 * channels, 2 * channels), nn.LeakyReLU(leak), nn.Linear(2 * channels, 1)
        )
        self.policy = nn.Sequential(
            nn.Conv2d(channels, channels, 1), nn.LeakyReLU(leak), nn.Conv2d(channels, 1, 1)
        )
        self.stem = nn.Conv2d(OBSERVATIONS[sees].channels, channels, 3, padding=1)

    def embed(self, boards: Tensor) -> Tensor:  # [B, C, h, w] -> [B, channels, h, w]
        raise NotImplementedError

    def forward(self, boards: Tensor) -> Output:
        x = F.leaky_relu(self.embed(boards), self.leak)
        active = boards[:, ACTIVE]
        moves = (self.local_value(x)[:, 0] * active).sum((1, 2)) + self.board_value(pooled(x))[:, 0]
        logits = mask_illegal(self.policy(x).flatten(1), boards)
        return minus_regret(moves, logits)


class ResidualNet(RegretNet):
    """A stack of residual blocks, every second one a `far` one, with an hourglass half-way."""

    block: ClassVar[type[Block | SpreadBlock]] = Block

    def __init__(self, sees: str, channels: int, depth: int, leak: float) -> None:
        super().__init__(sees, channels, leak)
        # Where cheapest ways are followed or shown, one coarse block is sufficient.
        coarse_blocks = 1 if self.block is SpreadBlock or sees == "curves" else 2
        self.blocks = nn.ModuleList(self.block(channels, i % 2 == 1, leak) for i in range(depth))
        self.hourglass = Hourglass(channels, coarse_blocks, leak)

    def embed(self, boards: Tensor) -> Tensor:
        x: Tensor = self.stem(boards)
        for i, block in enumerate(self.blocks):
            if i == len(self.blocks) // 2:
                x = self.hourglass(x)
            x = block(x)
        return x


class PathsNet(ResidualNet):
    """The same with blocks that follow cheapest ways across the board."""

    block = SpreadBlock


def pooled(x: Tensor) -> Tensor:  # [B, C, h, w] -> [B, 2C]
    """Return each channel's maximum and mean over the board."""
    return torch.cat([x.amax((2, 3)), x.mean((2, 3))], 1)


def mask_illegal(values: Tensor, boards: Tensor) -> Tensor:
    """Put minus infinity on every square that is not active."""
    return values.masked_fill(boards[:, ACTIVE].flatten(1) == 0, -torch.inf)


# Name -> class, imported when needed.
NETS = {
    "plain": "pinchpoint.learning.nets:PaperNet",
    "residual": "pinchpoint.learning.nets:ResidualNet",
    "paths": "pinchpoint.learning.nets:PathsNet",
    "loop": "pinchpoint.learning.long_range:LoopNet",
    "lines": "pinchpoint.learning.long_range:LinesNet",
    "messages": "pinchpoint.learning.graph_net:GraphNet",
}


def make_net(
    network: str,
    channels: int,
    depth: int,
    leak: float = 0.0,
    sees: str = "states",
    options: Iterable[str] = (),
) -> QNet:
    """Make a fresh network by name (see `NETS` and `NETWORK_ALIASES`), or one of the user's own.

    Depth counts convolutions, or residual blocks. `leak` is the slope of its activations below
    zero. Without any, a long step can leave a channel that is never above zero again and so never
    changes. `options` such as steps=3 go to a network of the user's own.
    """
    network, sees = NETWORK_ALIASES.get(network, (network, sees))
    if network not in NETS and ":" not in network:
        known = ", ".join([*NETS, *NETWORK_ALIASES])
        raise InputError(f"there is no network {network!r}; choose from {known}")
    views = ("graph",) if network == "messages" else tuple(OBSERVATIONS)
    if sees not in views and not (":" in network and sees == "graph"):
        raise InputError(f"network {network} cannot see {sees!r}; choose from {', '.join(views)}")
    if not (1 <= channels <= 1024 and 1 <= depth <= 1000):
        raise InputError(f"{channels} channels and depth {depth} are out of range (1 to 1000)")
    if network in NETS and options:
        raise InputError(f"network {network} takes no options of its own")
    kind = load_object(NETS.get(network, network))
    if not (isinstance(kind, type) and issubclass(kind, QNet)):
        raise InputError(f"{network} is no network: it must be a subclass of QNet")
    try:
        net = cast(Any, kind)(sees, channels, depth, leak, **parse_options(options, "steps=3"))
    except TypeError as error:
        raise InputError(f"{network} cannot be made: {error}") from None
    # channels_last is 1.5 times as fast for these small boards on a CPU.
    return cast(QNet, net.to(memory_format=torch.channels_last))


@contextmanager
def threads_for(squares: int) -> Iterator[None]:
    """Let PyTorch use one thread for a few squares.

    There, more threads gain little; and where another process is busy, they wait for each other
    longer than they work.
    """
    before = torch.get_num_threads()
    if squares <= FEW:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
