"""The shatter solver: the cheapest nodes whose removal leaves small pieces. Start at `solve.py`."""
