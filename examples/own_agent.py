"""An agent of your own: anything with a name and a method `act`.

cd examples
python own_agent.py
pinchpoint compare own_agent:MiddleFirst random --mode network --games 50
"""

import numpy as np

from pinchpoint import Games, play_out, sample_boards


class MiddleFirst:
    """Attacks the active square nearest to the middle of the board."""

    name = "middle-first"

    def act(self, games: Games) -> np.ndarray:  # [B]  a legal square each, -1 where it is over
        height, width = games.topology.lattice_shape()
        rows, cols = np.divmod(np.arange(games.topology.n), width)
        distance = np.hypot(rows - (height - 1) / 2, cols - (width - 1) / 2)
        squares = np.where(games.legal, distance, np.inf).argmin(axis=1)
        return np.where(games.done, -1, squares)


if __name__ == "__main__":
    games = Games(sample_boards("network", size=20, p=0.8, count=100, seed=1))
    play_out(MiddleFirst(), games)
    print(f"middle-first needs {games.move_counts.mean():.1f} moves on average")
