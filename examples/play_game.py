"""Lay a board, play it by hand and by an agent, and look at it after every move."""

from pinchpoint import Games, get_agent, play_out, sample_boards
from pinchpoint.game.boards import text_rows

games = Games(sample_boards("flow", size=8, p=0.8, seed=5))
agent = get_agent("betweenness")
while not games.done[0]:
    games.play(agent.act(games))
    print("\n".join(text_rows(games.boards[0])), "\n")
print(f"{agent.name} needed {games.move_counts[0]} moves: {games.history(0)}")

many = Games(sample_boards("flow", size=20, p=0.8, count=200, seed=5))
play_out(get_agent("random"), many)
print(f"random moves on 200 boards of 20 × 20: {many.move_counts.mean():.1f} on average")
