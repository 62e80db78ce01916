"""Check the page where npm is at hand: its formatting, its code, its types and its unit tests.

python tests/web/check_page.py           # part of `make check`
python tests/web/check_page.py --write   # format it, and write the types of the API anew
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from machine import HERE, REQUIRED, node_modules

from pinchpoint.web.app import create_app
from pinchpoint.web.context import ServerSettings

TYPES = HERE.parents[1] / "src/pinchpoint/web/static/js/schemas.d.ts"
HEAD = "// The types of the API. They are made by tests/web/check_page.py --write.\n"


def types_of_the_api() -> str:
    """Return the schemas of the API as TypeScript."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ServerSettings(f"{folder}/games.sqlite3", workers=1, warm=False)
        document = create_app(settings).openapi()
        schemas = {"schemas": without_titles(document["components"]["schemas"])}
        path = Path(folder) / "api.json"
        path.write_text(json.dumps({k: document[k] for k in ("openapi", "info")} | {
            "paths": {}, "components": schemas}))  # fmt: skip
        made = run("openapi-typescript", path)
    _, begin, rest = made.partition("export interface components")
    text = HEAD + begin + rest.partition("export type $defs")[0]
    text += 'export type Schemas = components["schemas"];'
    return run(
        "prettier", "--config", HERE / ".prettierrc.json", "--parser", "typescript", given=text
    )


def run(tool: str, *arguments: str | Path, given: str = "") -> str:
    """Run a program from npm and return what it prints."""
    command = [node_modules() / ".bin" / tool, *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return done.stdout


def without_titles(schema: Any) -> Any:
    """Leave out the titles of schemas, which only repeat their names."""
    if isinstance(schema, list):
        return [without_titles(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: without_titles(value)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }


def main(write: bool) -> int:
    if shutil.which("npm") is None:
        print("npm is not on this machine, so the page is not checked")
        return int(REQUIRED)
    node_modules()
    types = types_of_the_api()
    if write:
        TYPES.write_text(types)
    elif TYPES.read_text() != types:
        print(f"{TYPES.name} is not what the API is now; run tests/web/check_page.py --write")
        return 1
    command = ["npm", "run", "--silent", "format" if write else "check"]
    return subprocess.run(command, cwd=HERE, check=False).returncode


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv))
