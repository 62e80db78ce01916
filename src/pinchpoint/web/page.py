"""The page: its files, compressed and cached, and index.html for each of its addresses."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from hashlib import blake2b
from html import escape
from pathlib import Path
from string import Template

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from pinchpoint.errors import InputError
from pinchpoint.game.palette import PALETTES
from pinchpoint.web.puzzles import Catalogue, Puzzle, daily_puzzle, parse_day

mimetypes.add_type("text/javascript", ".js")  # some systems have other ideas, or none
mimetypes.add_type("application/manifest+json", ".webmanifest")
STATIC = Path(__file__).parent / "static"
STYLES = ("base.css", "board.css", "views.css")  # one file for the browser, with the palettes
AT_ROOT = ("icon.svg", "manifest.webmanifest", "offline.html", "sw.js")
# What the first view needs, so that the browser asks for all of it at once.
FIRST = ("vendor/preact.js", *(f"js/{name}.js" for name in (
    "main", "state", "api", "kinds", "words", "parts", "board", "goal", "session", "views/home"
)))  # fmt: skip
VIEWS = (
    "", "board", "campaign", "class", "daily", "game", "laboratory", "lesson", "new", "privacy",
    "race", "stats",
)  # fmt: skip
SAME_ALWAYS = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"  # the browser keeps it, and asks whether it is still the same
TITLE = "Pinchpoint"
ABOUT = "Cut the board apart with as few attacks as you can: find the choke point."


@dataclass(frozen=True)
class Preview:
    """What a link to an address shows in other programs."""

    title: str = TITLE
    about: str = ABOUT
    picture: str | None = None  # its address


class Page:
    """Answers every request that no route of the API takes."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._static = StaticFiles(directory=STATIC)
        styles = [palette_css(), *((STATIC / "css" / name).read_text() for name in STYLES)]
        self._css = "\n".join(styles)
        digest = blake2b(self._css.encode(), digest_size=6)
        for path in sorted(STATIC.rglob("*.*")):
            digest.update(path.name.encode() + path.read_bytes())
        self.version = digest.hexdigest()
        self._index = Template((STATIC / "index.html").read_text())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix("/")
        if path.startswith("api/"):
            raise HTTPException(404, "there is no such address")
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, "the page can only be read", {"Allow": "GET, HEAD"})
        response = await self._response(path, scope)
        await response(scope, receive, send)

    async def _response(self, path: str, scope: Scope) -> Response:
        if path.startswith("v/"):
            _, version, name = (*path.split("/", 2), "", "")[:3]
            # A page that was loaded before the server was renewed gets the files of today.
            cache = SAME_ALWAYS if version == self.version else ASK_AGAIN
            if name == "page.css":
                return Response(self._css, 200, {"cache-control": cache}, "text/css")
            return await self._file(name, cache, scope)
        if path in AT_ROOT:
            return await self._file(path, ASK_AGAIN, scope)
        known = path.split("/")[0] in VIEWS
        preview = self._preview(path) if known else Preview()
        html = self._html(Request(scope), preview)
        return HTMLResponse(html, 200 if known else 404, {"cache-control": ASK_AGAIN})

    async def _file(self, name: str, cache: str, scope: Scope) -> Response:
        response = await self._static.get_response(name, scope)
        response.headers["cache-control"] = cache
        return response

    def _html(self, request: Request, preview: Preview) -> str:
        base = str(request.base_url).rstrip("/")
        picture = f"{base}{preview.picture or '/icon.svg'}"
        tags = {
            "og:site_name": TITLE,
            "og:type": "website",
            "og:title": preview.title,
            "og:description": preview.about,
            "og:url": f"{base}{request.url.path}",
            "og:image": picture,
            "twitter:card": "summary_large_image" if preview.picture else "summary",
        }
        lines = [f'<meta property="{k}" content="{escape(v)}">' for k, v in tags.items()]
        first = [f'<link rel="modulepreload" href="/v/{self.version}/{name}">' for name in FIRST]
        return self._index.substitute(
            version=self.version,
            title=escape(preview.title),
            about=escape(preview.about),
            head="\n    ".join(lines + first),
        )

    def _preview(self, path: str) -> Preview:
        """Return what a link to a board or to a daily board shows."""
        match path.split("/"):
            case ["board", code]:
                try:
                    puzzle = Puzzle.from_code(code, self._catalogue)
                except InputError:
                    return Preview()
                size = f"{puzzle.height} × {puzzle.width}"
                title = f"{TITLE}: {puzzle.mode.name}, {size}"
                return Preview(title, puzzle.mode.description, f"/api/links/{code}/picture.png")
            case ["daily", day, mode]:
                try:
                    puzzle = daily_puzzle(parse_day(day), self._catalogue.make(mode, {}))
                except InputError:
                    return Preview()
                title = f"{TITLE}: {mode} of {day}"
                picture = f"/api/daily/{day}/{mode}/picture.png"
                return Preview(title, puzzle.mode.description, picture)
        return Preview()


def mix(colour: str, other: str, share: float) -> str:
    """Return the colour with a share of another one in it."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + share * (b - a)) for a, b in pairs).hex()


def palette_css() -> str:
    """Return the colours of the boards as variables, the same as in pictures."""
    blocks = []
    for name, palette in PALETTES.items():
        colours = {
            "active": palette.active,
            "inactive": palette.inactive,
            "attacked": palette.attacked,
            "blocked": palette.blocked,
            # Mixed here: Chromium shows black while it fades to a colour that CSS mixes.
            "active-bright": mix(palette.active, "#ffffff", 0.22),
            "attacked-bright": mix(palette.attacked, "#ffffff", 0.45),
            "doomed": mix(palette.inactive, palette.active, 0.28),
            "inactive-1": mix(palette.inactive, palette.blocked, 0.35),
            "inactive-2": mix(palette.inactive, palette.attacked, 0.35),
            "plate": palette.ground,
            "on-inactive": palette.on_inactive,
            "on-attacked": palette.on_attacked,
        }
        lines = "".join(f" --{key}: {value};" for key, value in colours.items())
        night = f"--blocked: {palette.night_blocked}; --plate: {palette.night_ground};"
        root = f':root[data-palette="{name}"]'
        auto = f'{root}[data-theme="auto"] {{ {night} }}'
        blocks += [
            f"{root} {{{lines} }}",
            f'{root}[data-theme="dark"] {{ {night} }}',
            f"@media (prefers-color-scheme: dark) {{ {auto} }}",
        ]
    return "\n".join(blocks)
