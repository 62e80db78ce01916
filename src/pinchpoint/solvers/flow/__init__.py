"""The flow solver: smallest cuts between terminals. Start reading at `solve.py`."""
