"""The page: its files, compressed and cached, and index.html for each of its addresses."""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from html import escape
from pathlib import Path
from string import Template

from fastapi import Request, Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from pinchpoint.errors import InputError
from pinchpoint.game.palette import PALETTES
from pinchpoint.web.puzzles import Catalogue, Puzzle, daily_puzzle, parse_day

STATIC = Path(__file__).parent / "static"
STYLES = ("base.css", "board.css", "views.css")  # one file for the browser, with the palettes
AT_ROOT = ("icon.svg", "manifest.webmanifest", "offline.html", "sw.js")
# What the first view needs, so that the browser asks for all of it at once.
FIRST = ("vendor/preact.js", *(f"js/{name}.js" for name in (
    "main", "state", "api", "kinds", "words", "parts", "board", "goal", "play", "views/home"
)))  # fmt: skip
VIEWS = (
    "", "board", "campaign", "class", "daily", "game", "laboratory", "lesson", "new", "privacy",
    "race", "stats",
)  # fmt: skip
SAME_ALWAYS = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"  # the browser keeps it, and asks whether it is still the same
SMALLEST_ZIPPED = 500  # bytes
TITLE = "Pinchpoint"
ABOUT = "Cut the board apart with as few attacks as you can: find the choke point."


@dataclass(frozen=True)
class File:
    """A file of the page."""

    body: bytes
    kind: str

    @cached_property
    def tag(self) -> str:
        return f'"{blake2b(self.body, digest_size=8).hexdigest()}"'

    @cached_property
    def zipped(self) -> bytes | None:
        """The compressed body, None if that saves nothing."""
        if len(self.body) < SMALLEST_ZIPPED or not self.kind.startswith(("text/", "application/")):
            return None
        return gzip.compress(self.body, 9, mtime=0)

    def answer(self, request: Request, cache: str, status: int = 200) -> Response:
        """Return the file, compressed if the browser takes that; nothing if it has it already."""
        headers = {"cache-control": cache, "etag": self.tag, "vary": "accept-encoding"}
        known = request.headers.get("if-none-match", "")
        if status == 200 and self.tag in (
            tag.strip().removeprefix("W/") for tag in known.split(",")
        ):
            return Response(status_code=304, headers=headers)
        body = self.body
        if self.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = self.zipped
            headers["content-encoding"] = "gzip"
        return Response(body, status, headers, self.kind)


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
        self._files = {
            path.relative_to(STATIC).as_posix(): File(path.read_bytes(), kind_of(path))
            for path in sorted(STATIC.rglob("*"))
            if path.is_file() and path.suffix in (".css", ".html", ".js", ".svg", ".webmanifest")
        }
        styles = [palette_css(), *((STATIC / "css" / name).read_text() for name in STYLES)]
        self._files["page.css"] = File("\n".join(styles).encode(), "text/css; charset=utf-8")
        digest = blake2b(digest_size=6)
        for name, file in self._files.items():
            digest.update(name.encode() + file.body)
        self.version = digest.hexdigest()
        self._index = Template(self._files.pop("index.html").body.decode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        path = request.url.path.removeprefix("/")
        if path.startswith("api/"):
            raise HTTPException(404, "there is no such address")
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, "the page can only be read", {"Allow": "GET, HEAD"})
        await self._answer(request, path)(scope, receive, send)

    def _answer(self, request: Request, path: str) -> Response:
        if path.startswith("v/"):
            _, version, name = (*path.split("/", 2), "", "")[:3]
            if name not in self._files:
                raise HTTPException(404, "there is no such file")
            # A page that was loaded before the server was renewed gets the files of today.
            cache = SAME_ALWAYS if version == self.version else ASK_AGAIN
            return self._files[name].answer(request, cache)
        if path in AT_ROOT:
            return self._files[path].answer(request, ASK_AGAIN)
        known = path.split("/")[0] in VIEWS
        preview = self._preview(path) if known else Preview()
        html = self._html(request, preview)
        return html.answer(request, ASK_AGAIN, 200 if known else 404)

    def _html(self, request: Request, preview: Preview) -> File:
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
        text = self._index.substitute(
            version=self.version,
            title=escape(preview.title),
            about=escape(preview.about),
            head="\n    ".join(lines + first),
        )
        return File(text.encode(), "text/html; charset=utf-8")

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


def kind_of(path: Path) -> str:
    """Return the content type of a file of the page."""
    known = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
    kind = known.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
    return f"{kind}; charset=utf-8" if kind.startswith(("text/", "application/")) else kind


def palette_css() -> str:
    """Return the colours of the boards as variables, the same as in pictures."""
    blocks = []
    for name, palette in PALETTES.items():
        colours = {
            "active": palette.active,
            "inactive": palette.inactive,
            "attacked": palette.attacked,
            "blocked": palette.blocked,
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
