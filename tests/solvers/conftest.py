"""The slow reference game lies one folder up, beside the tests of the engine."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
