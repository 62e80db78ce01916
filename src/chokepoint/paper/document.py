"""A document of headings, text, tables and figures, written as Markdown or as HTML."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from chokepoint.study import markdown


@dataclass(frozen=True)
class Block:
    """A title, heading, text, table or figure; a figure's text is its caption."""

    kind: str
    text: str = ""
    name: str = ""  # of a figure's file, without folder and ending
    header: Sequence[str] = ()
    lines: Sequence[Sequence[str]] = ()


def as_markdown(blocks: Iterable[Block]) -> str:
    writers: dict[str, Callable[[Block], str]] = {
        "title": lambda b: f"# {b.text}",
        "heading": lambda b: f"## {b.text}",
        "text": lambda b: b.text,
        "table": lambda b: markdown(b.header, b.lines),
        "figure": lambda b: f"![{b.text or b.name}](figures/{b.name}.png)\n\n{b.text}".rstrip(),
    }
    return "\n\n".join(writers[block.kind](block) for block in blocks) + "\n"


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
       color: #1b1b1f; background: #fff; }
table { border-collapse: collapse; font-size: 0.85rem; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #ddd; padding: 0.3rem 0.6rem; text-align: left;
         vertical-align: top; }
td.holds { background: #dff0e4; }
td.fails { background: #f8dcdc; }
td.undecided { background: #f4efd8; }
img { max-width: 100%; }
figure { margin: 1.5rem 0; }
figcaption { color: #555; }
"""
CELL_CLASS = {"holds": "holds", "does not hold": "fails", "undecided": "undecided"}


def as_html(blocks: Iterable[Block]) -> str:
    blocks = list(blocks)
    writers: dict[str, Callable[[Block], str]] = {
        "title": lambda b: f"<h1>{html.escape(b.text)}</h1>",
        "heading": lambda b: f"<h2>{html.escape(b.text)}</h2>",
        "text": lambda b: f"<p>{html.escape(b.text)}</p>",
        "table": html_table,
        "figure": html_figure,
    }
    title = next((html.escape(block.text) for block in blocks if block.kind == "title"), "")
    body = "\n".join(writers[block.kind](block) for block in blocks)
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def html_figure(block: Block) -> str:
    name, caption = html.escape(block.name), html.escape(block.text)
    image = f'<img src="figures/{name}.png" alt="{caption or name}" loading="lazy">'
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>"


def html_table(block: Block) -> str:
    rows = ["<tr>" + "".join(f"<th>{html.escape(cell)}</th>" for cell in block.header) + "</tr>"]
    for line in block.lines:
        cells = (
            f'<td class="{CELL_CLASS.get(cell, "plain")}">{html.escape(cell)}</td>' for cell in line
        )
        rows.append("<tr>" + "".join(cells) + "</tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>"
