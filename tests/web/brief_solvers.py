"""Run `pinchpoint serve` with solvers that give up after two short tries.

What the page shows does not depend on the third. It would keep a worker busy for 20 seconds with
each board that takes long, and whatever a test asks for next would wait.
"""

import sys
from functools import partial

import pinchpoint.web.context
from pinchpoint.cli.main import main
from pinchpoint.web.context import ServerSettings

SECONDS = (0.5, 2.0)

if __name__ == "__main__":
    pinchpoint.web.context.ServerSettings = partial(ServerSettings, solve_seconds=SECONDS)
    sys.exit(main(["serve", *sys.argv[1:]]))
