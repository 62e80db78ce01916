"""Random play: the baseline of the paper, and the standard percolation process."""

from dataclasses import dataclass

from pinchpoint.game.engine import Games
from pinchpoint.rng import check_seed
from pinchpoint.types import Squares


@dataclass(frozen=True)
class RandomAgent:
    """Attacks a uniformly random active square; the same for any batch, by each game's name."""

    seed: int = 0
    name: str = "random"

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def act(self, games: Games) -> Squares:
        return games.random_squares(self.seed)


def make(argument: str, seed: int) -> RandomAgent:
    return RandomAgent(seed)
