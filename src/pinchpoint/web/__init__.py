"""The game in the browser: a server that owns rules and state, a database, and the page.

`app` puts the server together from the routes in `routes/`. A puzzle is a board with its mode;
`games` stores games as logs of events in the database (`db/`); `solving` finds par and `advisers`
give hints, both in the processes of `workers`. `static/` is the page. Other rooms start a server
export stored games and delete old ones. No module is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pinchpoint.errors import InputError
from pinchpoint.lazy import lazy_attribute

if TYPE_CHECKING:
    from pinchpoint.web.app import create_app, listen, serve
    from pinchpoint.web.context import ServerSettings
    from pinchpoint.web.games import export_games
    from pinchpoint.web.storage import clean_database

_HOMES = {
    "ServerSettings": "context",
    "clean_database": "storage",
    "create_app": "app",
    "export_games": "games",
    "listen": "app",
    "serve": "app",
}

__all__ = ["ServerSettings", "clean_database", "create_app", "export_games", "listen", "serve"]


def __getattr__(name: str) -> Any:
    try:
        return lazy_attribute(__name__, _HOMES, name)
    except ModuleNotFoundError as error:
        raise InputError(
            f"the web game needs {error.name}; install it with pip install 'pinchpoint[web]'"
        ) from error
