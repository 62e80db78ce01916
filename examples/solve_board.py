"""Par of a board: the fewest moves that anyone can need, and which first moves are right."""

from pinchpoint import Games, sample_boards, solve
from pinchpoint.game.boards import text_rows
from pinchpoint.solvers.dispatch import optimal_squares

games = Games(sample_boards("flow", size=12, p=0.8, seed=11))
[solution] = solve(games)
print("\n".join(text_rows(games.boards[0])))
print(f"par {solution.value}, proven: {solution.proven}; one way: {list(solution.moves)}")

best = optimal_squares(games)[0]
print(f"{best.sum()} of {games.legal[0].sum()} first moves are optimal")

for square in solution.moves:
    games.play(square)
print("over:", bool(games.done[0]))
