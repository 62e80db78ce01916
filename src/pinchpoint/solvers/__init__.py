"""The solvers: par of a position, which is the fewest moves that end the game.

Where the fewest are not known, a solver returns the best plan that it found, with a lower bound. A
`Solution` carries a certificate, and `check_solution` goes over it without any code of the solvers.
`SOLVERS` says which solver takes which mode; each has a folder, which a reader enters at
`solve.py`.
"""
