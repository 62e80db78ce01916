"""Networks for lattices in which what is known travels as far as the board is wide.

Sizes of pieces and ways across the board need as many steps as they are long, where a stack of
convolutions has as many as it has layers. `LoopNet` takes more steps on larger boards. In
`LinesNet` a step goes along a whole row, column or piece.
"""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pinchpoint.compiled import kernel
from pinchpoint.game.state import ACTIVE, INACTIVE
from pinchpoint.learning.nets import RegretNet, pooled
from pinchpoint.types import Bytes, Ints

HEADS = 4  # of attention, where they divide the channels
FIRST_REACH = 4.0  # squares: how far a fresh head looks, twice as far as the one before it


class LoopNet(RegretNet):
    """A few blocks in turn, again and again: as many steps as the board has rows or columns.

    Each step sees the board itself beside what is known so far, so that it is not forgotten on the
    way ("recall", Bansal et al., arXiv 2202.05826). `depth` counts the blocks.
    """

    def __init__(self, sees: str, channels: int, depth: int, leak: float) -> None:
        super().__init__(sees, channels, leak)
        self.blocks = nn.ModuleList(GatedBlock(channels, leak) for _ in range(depth))

    def embed(self, boards: Tensor) -> Tensor:
        start: Tensor = self.stem(boards)
        x, recalled = start, [block.recall(start) for block in self.blocks]  # type: ignore[operator]
        for step in range(max(boards.shape[2:])):
            k = step % len(self.blocks)
            x = self.blocks[k](x, recalled[k])
        return x


class GatedBlock(nn.Module):
    """A step: a gate decides how much of the news each square takes on."""

    def __init__(self, channels: int, leak: float) -> None:
        super().__init__()
        self.leak = leak
        self.recall = nn.Conv2d(channels, 2 * channels, 3, padding=1)
        self.near = nn.Conv2d(channels, 2 * channels, 3, padding=1, bias=False)
        self.whole = nn.Linear(2 * channels, 2 * channels, bias=False)

    def forward(self, x: Tensor, recalled: Tensor) -> Tensor:
        board = self.whole(pooled(x))[:, :, None, None]
        news, gate = (self.near(x) + recalled + board).chunk(2, 1)
        return torch.lerp(x, torch.tanh(news), torch.sigmoid(gate))  # bounded, after any number


class LinesNet(RegretNet):
    """Residual blocks with messages along rows and columns, and within pieces."""

    def __init__(self, sees: str, channels: int, depth: int, leak: float) -> None:
        super().__init__(sees, channels, leak)
        self.blocks = nn.ModuleList(LinesBlock(channels, leak) for _ in range(depth))

    def embed(self, boards: Tensor) -> Tensor:
        pieces = Pieces(boards)
        x: Tensor = self.stem(boards)
        for block in self.blocks:
            x = block(x, pieces)
        return x


class LinesBlock(nn.Module):
    """A residual block: a convolution, messages from far, and another convolution."""

    def __init__(self, channels: int, leak: float) -> None:
        super().__init__()
        self.leak = leak
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.rows, self.columns = LineAttention(channels), LineAttention(channels)
        self.piece = nn.Linear(2 * channels + 1, channels)
        self.whole = nn.Linear(2 * channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.scale = nn.Parameter(torch.full((), 0.3))

    def forward(self, x: Tensor, pieces: Pieces) -> Tensor:
        y = self.first(F.leaky_relu(x, self.leak))
        along = self.rows(y) + self.columns(y.transpose(2, 3)).transpose(2, 3)
        y = y + along + pieces.spread(self.piece(pieces.pooled(y)), y)
        y = y + self.whole(pooled(y))[:, :, None, None]
        branch: Tensor = self.second(F.leaky_relu(y, self.leak))
        return x + self.scale * branch


class LineAttention(nn.Module):
    """Attention of the squares of a row to each other (axial: Ho et al., arXiv 1912.12180).

    Squares far away count less, by a rate that each head learns; so rows of any length will do.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.heads = HEADS if channels % HEADS == 0 else 1
        self.ask = nn.Conv2d(channels, 3 * channels, 1)
        self.answer = nn.Conv2d(channels, channels, 1)
        reach = FIRST_REACH * 2.0 ** torch.arange(self.heads)
        self.log_rate = nn.Parameter(-reach.log())

    def forward(self, x: Tensor) -> Tensor:  # [B, C, h, w]
        count, channels, height, width = x.shape
        lines = self.ask(x).permute(0, 2, 3, 1)  # [B, h, w, 3 C]
        lines = lines.reshape(count * height, width, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        place = torch.arange(width, device=x.device)
        distance = (place[:, None] - place).abs()
        fading = -self.log_rate.exp()[:, None, None] * distance
        found = F.scaled_dot_product_attention(lines[0], lines[1], lines[2], attn_mask=fading)
        found = found.transpose(1, 2).reshape(count, height, width, channels)
        answer: Tensor = self.answer(found.permute(0, 3, 1, 2))
        return answer


class Pieces:
    """The pieces of open squares on some boards, numbered through."""

    def __init__(self, boards: Tensor) -> None:  # [B, C, h, w], the states first
        opened = (boards[:, ACTIVE] + boards[:, INACTIVE] > 0).cpu().numpy().astype(np.uint8)
        piece = np.empty(opened.shape, dtype=np.int32)
        self.count = number_pieces(opened, np.empty(opened[0].size, dtype=np.int32), piece)
        self.piece = torch.from_numpy(piece.ravel().astype(np.int64)).to(boards.device)  # [B h w]
        ones = torch.ones(len(self.piece), 1, device=boards.device)
        self.size = self._empty(ones).index_add(0, self.piece, ones)

    def _empty(self, values: Tensor) -> Tensor:
        # The last row takes the closed squares, which are of no piece.
        return values.new_zeros(self.count + 1, values.shape[1])

    def pooled(self, x: Tensor) -> Tensor:  # [B, C, h, w] -> [P + 1, 2 C + 1]
        """Return each channel's maximum and mean over every piece, and the log of its size."""
        values = x.permute(0, 2, 3, 1).reshape(-1, x.shape[1])
        index = self.piece[:, None].expand_as(values)
        empty = self._empty(values)
        most = empty.scatter_reduce(0, index, values, "amax", include_self=False)
        mean = empty.index_add(0, self.piece, values) / self.size.clamp(min=1)
        return torch.cat([most, mean, self.size.log1p().to(values.dtype)], 1)

    def spread(self, values: Tensor, like: Tensor) -> Tensor:  # [P + 1, C] -> [B, C, h, w]
        """Return for every square the values of its piece, 0 where it is closed."""
        given = values * (torch.arange(len(values), device=values.device) < self.count)[:, None]
        count, _, height, width = like.shape
        squares = given.index_select(0, self.piece)
        return squares.reshape(count, height, width, -1).permute(0, 3, 1, 2)


@kernel
def number_pieces(opened: Bytes, stack: Ints, piece: Ints) -> int:  # [B, h, w], [h w], [B, h, w]
    """Number the pieces of all boards from 0, and return how many there are.

    Closed squares get that number, one more than that of the last piece.
    """
    count, height, width = 0, opened.shape[1], opened.shape[2]
    piece[:] = -1
    for b in range(len(opened)):
        for root in range(height * width):
            if opened[b, root // width, root % width] == 0:
                continue
            if piece[b, root // width, root % width] >= 0:
                continue
            piece[b, root // width, root % width] = count
            stack[0], top = root, 1
            while top > 0:
                top -= 1
                y, x = stack[top] // width, stack[top] % width
                for side in range(4):
                    v = y + (side == 0) - (side == 1)
                    u = x + (side == 2) - (side == 3)
                    if not (0 <= v < height and 0 <= u < width):
                        continue
                    if opened[b, v, u] != 0 and piece[b, v, u] < 0:
                        piece[b, v, u] = count
                        stack[top] = v * width + u
                        top += 1
            count += 1
    for b in range(len(opened)):
        for y in range(height):
            for x in range(width):
                if piece[b, y, x] < 0:
                    piece[b, y, x] = count
    return count
