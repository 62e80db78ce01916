"""The checker: an independent check of solutions.

It shares nothing with the engine and the solvers on purpose, not even where both write down the
same thing: a mistake in one of them must not hide in the other. Start reading at `checker.py`.
"""
