"""Draw the pictures of README.md and docs/rules.md with Pinchpoint's own renderer.

python docs/make_images.py                  # the agent in README.md is the shipped network agent
python docs/make_images.py --agent optimal
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro

from pinchpoint import Games, get_agent, play_out, sample_boards
from pinchpoint.game.render import write_gif, write_picture

IMAGES = Path(__file__).parent / "images"
PALETTE = "classic"  # as the game in the browser


@dataclass(frozen=True)
class Options:
    agent: str = "network"
    """Who plays the game at the top of README.md."""
    seed: int = 4
    """Of its board."""


def main(options: Options) -> None:
    IMAGES.mkdir(exist_ok=True)
    animation(options)
    for mode, p in (("network", 0.85), ("flow", 0.85), ("noodle", 0.75), ("shatter", 0.75)):
        rules_pictures(mode, p)


def animation(options: Options) -> None:
    """A game of network mode, move by move."""
    games = Games(sample_boards("network", size=20, p=0.75, seed=options.seed))
    agent = get_agent(options.agent)
    frames: list[tuple[np.ndarray, int | None]] = [(games.boards[0].copy(), None)]
    while not games.done[0]:
        [square] = agent.act(games)
        games.play(square)
        frames.append((games.boards[0].copy(), int(square)))
    with (IMAGES / "game.gif").open("wb") as file:
        write_gif(file, frames, len(frames), PALETTE, cell=18, seconds=0.7)
    print(f"game.gif: {options.agent} needs {len(frames) - 1} moves")


def rules_pictures(mode: str, p: float) -> None:
    """A small board when laid, and at the end of a perfect game with the moves numbered."""
    games = Games(sample_boards(mode, size=8, p=p, seed=3))
    write_picture(IMAGES / f"{mode}-laid.svg", games.boards[0], PALETTE)
    play_out(get_agent("optimal"), games)
    numbers = np.zeros((8, 8), dtype=np.int32)
    for number, square in enumerate(games.history(0), 1):
        numbers.flat[square] = number
    write_picture(IMAGES / f"{mode}-end.svg", games.boards[0], PALETTE, numbers=numbers)


if __name__ == "__main__":
    main(tyro.cli(Options))
