"""Run the command line as `python -m pinchpoint.cli`, which torchrun needs."""

import sys

from pinchpoint.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
