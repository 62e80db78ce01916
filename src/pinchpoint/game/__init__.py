"""The game: boards, modes, and the engine, which is the one place where a game advances.

`Games` holds a batch of running games. Modes say which pieces of a board are active. Boards come
from `sample_boards` and board files; finished games become records, which can be checked and drawn.
Plans are whole games thought through in advance. The Gymnasium environments live in
`pinchpoint.game.environments`, which Gymnasium imports by name.
"""
