"""Run the command line as `python -m chokepoint.cli`, which torchrun needs."""

import sys

from chokepoint.cli import main

if __name__ == "__main__":
    sys.exit(main())
