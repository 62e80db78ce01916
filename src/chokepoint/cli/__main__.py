"""`python -m chokepoint.cli`, as torchrun needs it."""

import sys

from chokepoint.cli import main

if __name__ == "__main__":
    sys.exit(main())
