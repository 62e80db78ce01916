"""The noodle solver: minimum decycling of a graph. Start reading at `solve.py`."""
