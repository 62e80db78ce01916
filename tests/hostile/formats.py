"""Every kind of file that we read: how to write a good one, to damage it, and to use it as we do.

`use` reads a file and does with it what the commands do. It may succeed, for much damage leaves a
file that is good in its way; it may refuse the file with an InputError; and nothing else.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import scipy.io
from fuzz import (
    Format,
    mutate_archive,
    mutate_bytes,
    mutate_json,
    mutate_lines,
    mutate_packed,
    mutate_tensors,
)

from pinchpoint.game.boards import read_boards, write_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.record import (
    numbered_records,
    record_of,
    replay,
    with_states,
    write_records,
)
from pinchpoint.game.sampling import sample_boards

# -- boards and games ------------------------------------------------------------------------


def prepare_boards(folder: Path) -> None:
    boards = sample_boards("noodle", (4, 6), 0.8, 3, 1, lattice="triangular", periodic="rows")
    for name in ("boards.txt", "boards.npz"):
        write_boards(folder / name, boards)


def use_boards(name: str) -> Callable[[Path], object]:
    def use(folder: Path) -> None:
        for boards in read_boards(folder / name, "noodle")[:3]:
            Games(boards).play_randomly(seed=1)

    return use


def prepare_records(folder: Path) -> None:
    records = []
    for name in ("network", "flow", "noodle"):
        games = Games(sample_boards(name, 5, 0.8, 2, seed=2), name)
        games.play_randomly(seed=3)
        records += [record_of(games, row, agent="random", seed=2, p=0.8) for row in range(2)]
    records[0] = with_states(records[0])
    write_records(folder / "games.jsonl", records)


def use_records(name: str) -> Callable[[Path], object]:
    def use(folder: Path) -> None:
        for _, record in numbered_records(folder / name):
            replay(record)

    return use


# -- graphs ----------------------------------------------------------------------------------


GRAPHS = ("edges", "adjlist", "graphml", "gml", "net", "mtx", "json")  # by the ending of the file


def prepare_graphs(folder: Path) -> None:
    graph = nx.relabel_nodes(nx.petersen_graph(), str)
    nx.write_edgelist(graph, folder / "graph.edges", data=False)
    nx.write_adjlist(graph, folder / "graph.adjlist")
    nx.write_graphml(graph, folder / "graph.graphml")
    nx.write_gml(graph, folder / "graph.gml")
    nx.write_pajek(graph, folder / "graph.net")
    scipy.io.mmwrite(folder / "graph.mtx", nx.to_scipy_sparse_array(graph))
    for number, node in enumerate(graph.nodes.values()):
        node |= {"x": number / 2, "y": number**2, "price": number + 1}
    (folder / "graph.json").write_text(json.dumps(nx.node_link_data(graph, edges="links")))
    (folder / "graph.costs").write_text("".join(f"{node} {node}.5\n" for node in graph))
    for ending in GRAPHS:
        plain = folder / f"graph.{ending}"
        plain.with_name(f"{plain.name}.gz").write_bytes(gzip.compress(plain.read_bytes(), mtime=0))


def use_graph(name: str, cost: str | None = None) -> Callable[[Path], object]:
    def use(folder: Path) -> None:
        from pinchpoint.graph.readers import read_graph

        costs = str(folder / cost) if cost == "graph.costs" else cost
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of loops and double edges
            topology = read_graph(folder / name, cost=costs)
        if topology.n < 1000:
            Games(np.ones((1, topology.n)), "network", topology).play_randomly(seed=1)

    return use


def graph_formats() -> Iterator[Format]:
    """Yield each format of graphs, plain and compressed, and files of costs."""
    for ending in GRAPHS:
        name = f"graph.{ending}"
        cost = "price" if ending == "json" else None
        mutate = mutate_json if ending == "json" else mutate_bytes
        yield Format(f"graph-{ending}", name, prepare_graphs, mutate, use_graph(name, cost))
        packed = f"{name}.gz"
        yield Format(
            f"graph-{ending}-gz", packed, prepare_graphs, mutate_packed, use_graph(packed, cost)
        )
    costs = "graph.costs"
    yield Format(
        "graph-costs", costs, prepare_graphs, mutate_bytes, use_graph("graph.edges", costs)
    )


# -- results ---------------------------------------------------------------------------------


def evaluation(folder: Path) -> Any:
    from pinchpoint.study.evaluate import Evaluation

    boards = sample_boards("flow", 5, 0.8, 3, seed=1)
    return Evaluation([("random", boards), ("optimal", boards)], folder, 1, 0.5)


def prepare_results(folder: Path) -> None:
    from pinchpoint.study.rows import write_rows

    write_rows(evaluation(folder).run(jobs=1), folder)


def use_store(folder: Path) -> None:
    """Make the rows and records anew from what the store holds."""
    done = evaluation(folder)
    if done.left() == 0:
        done.rows()
        list(done.records())


def use_rows(folder: Path) -> None:
    from pinchpoint.cli.compare import Options, kept_rows
    from pinchpoint.study.summary import compare

    rows = kept_rows(Options("random", "optimal", mode="flow", results=folder))
    compare(rows, "random", "optimal").sentence()


# -- agents and training ---------------------------------------------------------------------


def tiny(updates: int = 4) -> Any:
    from pinchpoint.learning.presets import PRESETS

    paper: Any = PRESETS["paper"]
    return replace(
        paper,
        channels=2,
        depth=1,
        sizes=(3,),
        updates=(updates,),
        batch=4,
        replay=20,
        rollout_every=2,
        rollout_games=2,
        validate_every=100,
        validation_games=1,
        checkpoint_every=2,
        threads=1,
        device="cpu",
        mode="flow",
    )


def prepare_training(folder: Path) -> None:
    from pinchpoint.learning.train import train_agent

    train_agent(tiny(), get_mode("flow"), folder)


def use_agent(folder: Path) -> None:
    from pinchpoint.agents.learned import load_agent

    agent = load_agent(folder / "agent.safetensors")
    agent.act(Games(sample_boards("flow", 4, 1.0), "flow"))


def use_weights(folder: Path) -> None:
    """Let the card know of the damage every other time, or the checksum would find all of it."""
    data = (folder / "agent.safetensors").read_bytes()
    if data[-1:] and sum(data) % 2:
        card = json.loads((folder / "agent.json").read_text())
        card["sha256"] = hashlib.sha256(data).hexdigest()
        (folder / "agent.json").write_text(json.dumps(card))
    use_agent(folder)


def use_checkpoint(folder: Path) -> None:
    """Go on from the newest whole checkpoint: the last one or the one before, as it was saved."""
    from pinchpoint.learning.train import Run

    run = Run(tiny(), get_mode("flow"), folder)
    assert run.resume(), "the checkpoint before the damaged one was not found"
    assert run.step in (2, 4)
    assert run.boards == {2: 2, 4: 4}[run.step], "it goes on from a state that never was"


def use_config(folder: Path) -> None:
    from pinchpoint.learning.train import saved_config

    saved_config(folder)


# -- reproductions ---------------------------------------------------------------------------

MANIFEST = {
    "format": 1,
    "version": "0.1.0",
    "scale": "quick",
    "seed": 1,
    "settings": {"games": 20, "sizes": [5, 10]},
    "weights": {"flow": "ab" * 32},
    "libraries": {"python": "3.11.7", "numpy": "1.26.4"},
    "tables": {"rows": "cd" * 32, "claims": "ef" * 32},
}


def prepare_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text(json.dumps(MANIFEST))


def use_manifest(folder: Path) -> None:
    from pinchpoint.paper.manifest import differences, read_manifest, side_by_side

    theirs = read_manifest(folder)
    told = [*side_by_side(MANIFEST, theirs), *differences(MANIFEST, theirs)]
    assert all(line.isprintable() for line in told), "a line that a terminal would obey"


# -- the database ----------------------------------------------------------------------------


def prepare_database(folder: Path) -> None:
    from pinchpoint.web.games import export_games

    (folder / "games.sqlite3").touch()
    export_games(str(folder / "games.sqlite3"))


def use_database(folder: Path) -> None:
    from pinchpoint.web.games import export_games

    for log in folder.glob("games.sqlite3-*"):
        log.unlink()
    export_games(str(folder / "games.sqlite3"))


FORMATS = {
    each.name: each
    for each in (
        Format("boards-text", "boards.txt", prepare_boards, mutate_bytes, use_boards("boards.txt")),
        Format(
            "boards-npz", "boards.npz", prepare_boards, mutate_archive, use_boards("boards.npz")
        ),
        Format("records", "games.jsonl", prepare_records, mutate_lines, use_records("games.jsonl")),
        *graph_formats(),
        Format("results", "results.sqlite3", prepare_results, mutate_bytes, use_store),
        Format("rows-csv", "rows.csv", prepare_results, mutate_bytes, use_rows),
        Format("card", "agent.json", prepare_training, mutate_json, use_agent),
        Format("weights", "agent.safetensors", prepare_training, mutate_tensors, use_weights),
        Format(
            "checkpoint-json",
            "checkpoint-0-000000004.json",
            prepare_training,
            mutate_json,
            use_checkpoint,
        ),
        Format(
            "checkpoint-tensors",
            "checkpoint-0-000000004.safetensors",
            prepare_training,
            mutate_tensors,
            use_checkpoint,
        ),
        Format("config", "config.json", prepare_training, mutate_json, use_config),
        Format("manifest", "manifest.json", prepare_manifest, mutate_json, use_manifest),
        Format("database", "games.sqlite3", prepare_database, mutate_bytes, use_database),
    )
}
