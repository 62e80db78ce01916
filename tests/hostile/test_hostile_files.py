"""Files that somebody else may have made: damaged ones, bombs, and those that name code."""

from __future__ import annotations

import io
import json
import os
import resource
import sqlite3
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from formats import FORMATS, prepare_training, tiny
from fuzz import CASES, fuzz, peak_memory
from safetensors.torch import load_file, save_file

from pinchpoint import files
from pinchpoint.archives import read_archive
from pinchpoint.cli.main import main
from pinchpoint.errors import InputError, PinchpointWarning
from pinchpoint.game.boards import read_boards, write_boards
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import get_mode
from pinchpoint.game.record import (
    parse_record,
    record_of,
    to_json,
    write_records,
)
from pinchpoint.game.sampling import sample_boards
from pinchpoint.learning.learners.table import config_from_json
from pinchpoint.learning.train import Run, saved_config, train_agent
from pinchpoint.learning.weights import load_weights
from pinchpoint.study.store import NAME, Played, Store
from pinchpoint.web.puzzles import Catalogue

QUICK = 100  # damaged files of each kind in the ordinary run


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files_are_refused_with_one_sentence(name: str, tmp_path: Path) -> None:
    report = fuzz(FORMATS[name], QUICK, seed=0, folder=tmp_path / "fuzz")
    assert not report.faults, "\n".join(report.faults[:3])
    assert report.accepted + report.refused == QUICK


@pytest.mark.full
@pytest.mark.parametrize("name", FORMATS)
def test_ten_thousand_damaged_files(name: str, tmp_path: Path) -> None:
    report = fuzz(FORMATS[name], CASES, seed=1, folder=tmp_path / "fuzz")
    print(report.line(name))
    assert not report.faults, "\n".join(report.faults[:3])


# -- bounds ----------------------------------------------------------------------------------


def bomb(path: Path, unpacked: int) -> None:
    """Write an archive whose array of zeros unpacks to so many bytes."""
    header = io.BytesIO()
    shape = (unpacked // 10_000, 100, 100)
    about = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, about)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("boards.npy", "w", force_zip64=True) as entry,
    ):
        entry.write(header.getvalue())
        for _ in range(unpacked // 10**6):
            entry.write(bytes(10**6))


def test_an_archive_that_unpacks_to_too_much_takes_no_memory(tmp_path: Path) -> None:
    bomb(tmp_path / "bomb.npz", 400 * 10**6)
    assert (tmp_path / "bomb.npz").stat().st_size < 10**6
    before = peak_memory()
    with pytest.raises(InputError):
        read_boards(tmp_path / "bomb.npz")
    assert peak_memory() - before < 50


def liar(path: Path) -> None:
    """Write an archive whose array claims less than it holds."""
    write_boards(path, np.ones((2, 3, 3)))
    with zipfile.ZipFile(path) as archive:
        content = archive.read("boards.npy")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("boards.npy", content + bytes(1000))


def crowd(path: Path) -> None:
    """Write an archive with a long table of contents."""
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(2000):
            archive.writestr(f"{number}.npy", b"")


def twice(path: Path) -> None:
    """Write an archive that holds its array twice."""
    write_boards(path, np.ones((2, 3, 3)))
    with (
        zipfile.ZipFile(path, "a") as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr("boards.npy", archive.read("boards.npy"))


@pytest.mark.parametrize(
    ("write", "problem"), [(liar, "damaged"), (crowd, "too many entries"), (twice, "2 array")]
)
def test_an_archive_that_is_not_what_it_seems(
    write: Callable[[Path], None], problem: str, tmp_path: Path
) -> None:
    write(tmp_path / "boards.npz")
    with pytest.raises(InputError, match=problem):
        read_boards(tmp_path / "boards.npz")


def test_an_endless_file_is_read_to_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinchpoint.game.boards.MAX_FILE", 10**6)
    with pytest.raises(InputError):
        read_boards("/dev/zero")
    with pytest.raises(InputError):
        list(files.read_lines("/dev/zero", limit=10**6))
    for path in ("/dev/zero.npz", "/dev/zero"):
        with pytest.raises(InputError):
            read_archive(path, {"boards": "u"})


def test_nobody_waits_for_ever_for_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    with pytest.raises(InputError):
        read_boards(tmp_path / "pipe")


def test_boards_come_through_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("oo\no#\n",))
    writer.start()
    [board] = read_boards(tmp_path / "pipe")
    writer.join()
    assert board.squares.tolist() == [[[1, 1], [1, 0]]]


def test_lines_are_those_of_python_whatever_the_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"a\n\nbcd\n" + b"x" * 100 + b"\nlast"
    (tmp_path / "lines").write_bytes(text)
    for chunk in (1, 3, 10**6):
        monkeypatch.setattr(files, "CHUNK", chunk)
        assert list(files.read_lines(tmp_path / "lines")) == text.split(b"\n")


@pytest.mark.parametrize("text", ["NaN", "Infinity", "1e999", "[-1e999]", "[" * 100_000, "{", "1,"])
def test_json_holds_finite_numbers_and_nothing_else(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        files.parse_json(text)


def test_json_of_countless_lists_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BRACKETS", 1000)
    assert len(files.parse_json("[" + "[]," * 998 + "[]]")) == 999
    with pytest.raises(ValueError, match="too large"):
        files.parse_json("[" + "[]," * 1000 + "[]]")


def test_a_number_out_of_range_never_gets_in(capsys: Any) -> None:
    games = Games(sample_boards("noodle", 3, 1.0), "noodle")
    games.play_randomly(seed=1)
    line = to_json(record_of(games, p=0.5))
    assert parse_record(line).boards.p == 0.5
    with pytest.raises(InputError):
        parse_record(line.replace('"p": 0.5', '"p": 1e999'))
    for wild in ("1e999", "NaN", "-Infinity"):
        assert main(["play", "random", "--mode", "noodle", "--rule", f"K={wild}"]) == 2
    assert "must be a number" in capsys.readouterr().err


# -- files that name code --------------------------------------------------------------------


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module that leaves a mark when it is imported, and files that name it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path not in ("", str(tmp_path))])
    (tmp_path / "evilmod.py").write_text(
        "open('mark', 'w').close()\ndef f(component): return component.size > 2\n"
    )
    record = {"mode": "evilmod:f", "options": {}, "laid": ["ooo"], "moves": [[0, 1]]}
    (tmp_path / "game.jsonl").write_text(json.dumps(record) + "\n")
    prepare_training(tmp_path / "run")
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    (tmp_path / "run" / "config.json").write_text(json.dumps(config | {"mode": "evilmod:f"}))
    yield tmp_path
    from pinchpoint.game.modes.table import MODES

    MODES.pop("evilmod:f", None)
    sys.modules.pop("evilmod", None)


@pytest.mark.parametrize(
    "words",
    [
        "replay game.jsonl",
        "render game.jsonl --out game.svg",
        "evaluate --boards game.jsonl --modes network --agents random --out results --jobs 1",
        "play human:game.jsonl --mode network",
        "train --out run --resume",
    ],
)
def test_a_file_never_makes_us_import_code(words: str, evil: Path, capsys: Any) -> None:
    assert main(words.split()) == 2
    error = capsys.readouterr().err
    assert "does not load code" in error
    assert "--mode evilmod:f" in error
    assert not (evil / "mark").exists()


def test_what_else_a_file_names_is_looked_up_in_tables(evil: Path, capsys: Any) -> None:
    card = json.loads((evil / "run" / "agent.json").read_text())
    for name in ("mode", "network", "learner"):
        changed = card | {"config": card["config"] | {name: "evilmod:f"}}
        (evil / "run" / "agent.json").write_text(json.dumps(changed))
        main(["play", "weights:run/agent.safetensors", "--mode", "flow", "--size", "3"])
    with pytest.raises(InputError):
        Catalogue().from_reference("evilmod:f", {})  # as a row of the database names a mode
    assert not (evil / "mark").exists()


@pytest.mark.parametrize("command", ["replay game.jsonl", "render game.jsonl --out game.svg"])
def test_a_user_may_name_the_code(command: str, evil: Path, capsys: Any) -> None:
    assert main([*command.split(), "--mode", "evilmod:f"]) == 0
    assert (evil / "mark").exists()


def test_the_current_folder_is_on_the_path_for_named_code_only(evil: Path) -> None:
    from pinchpoint.agents.registry import get_agent

    get_agent("random")
    get_agent("greedy")
    assert "" not in sys.path
    get_mode("evilmod:f")
    assert sys.path[-1] == "", "a file there could take the place of a library"


# -- weights and checkpoints -----------------------------------------------------------------


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    prepare_training(folder)
    return folder


@contextmanager
def changed_agent(trained: Path, folder: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the tensors and the card of an agent to change; then write them with a checksum."""
    tensors = load_file(trained / "agent.safetensors")
    card = json.loads((trained / "agent.json").read_text())
    yield tensors, card
    save_file(tensors, folder / "agent.safetensors")
    card.setdefault("sha256", files.sha256_of(folder / "agent.safetensors"))
    (folder / "agent.json").write_text(json.dumps(card))


def first_weight(value: float) -> Callable[[torch.Tensor], torch.Tensor]:
    def changed(weights: torch.Tensor) -> torch.Tensor:
        weights[0, 0] = value
        return weights

    return changed


WEIGHTS: dict[str, tuple[Callable[[torch.Tensor], torch.Tensor], bool, str]] = {
    "nan": (first_weight(float("nan")), True, "not all finite"),
    "inf": (first_weight(float("inf")), True, "not all finite"),
    "int8": (lambda weights: weights.to(torch.int8), True, "as its card says"),
    "float16": (lambda weights: weights.to(torch.float16), True, "as its card says"),
    "float64": (lambda weights: weights.to(torch.float64), True, "as its card says"),
    "not those of the card": (first_weight(1.0), False, "sha256"),
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_wrong_weights_are_refused(name: str, trained: Path, tmp_path: Path) -> None:
    change, card_knows, problem = WEIGHTS[name]
    with changed_agent(trained, tmp_path) as (tensors, card):
        tensors["w2.weight"] = change(tensors["w2.weight"])
        if card_knows:
            del card["sha256"]
    with pytest.raises(InputError, match=problem):
        load_weights(tmp_path / "agent.safetensors")


def test_a_card_that_promises_too_much_takes_no_memory(trained: Path, tmp_path: Path) -> None:
    for network in ("paper", "told", "raw-spread"):
        with changed_agent(trained, tmp_path) as (_, card):
            card["config"] |= {"channels": 1024, "depth": 1000, "network": network}
        before = peak_memory()
        with pytest.raises(InputError):
            load_weights(tmp_path / "agent.safetensors")
        with changed_agent(trained, tmp_path) as (tensors, card):
            card["config"] |= {"channels": 1024, "depth": 100, "network": network}
            tensors |= {f"padding.{number}": torch.zeros(1) for number in range(100)}
        with pytest.raises(InputError):
            load_weights(tmp_path / "agent.safetensors")
        assert peak_memory() - before < 100


@pytest.mark.parametrize("damage", ["[]", "{}", "null", "", "number", "key", "history"])
def test_a_checkpoint_with_a_damaged_json_gives_way_to_the_one_before(
    damage: str, tmp_path: Path
) -> None:
    prepare_training(tmp_path)
    newest = tmp_path / "checkpoint-0-000000004.json"
    about = json.loads(newest.read_text())
    if damage == "number":
        about["numbers"]["boards"] += 1
    elif damage == "key":
        del about["numbers"]["rng"]
    elif damage == "history":
        about["numbers"]["history"] = [{"validation": 7}]
    newest.write_text(json.dumps(about) if len(damage) > 4 or damage == "key" else damage)
    run = Run(tiny(), get_mode("flow"), tmp_path)
    with pytest.warns(PinchpointWarning, match="damaged"):
        assert run.resume()
    assert run.step == 2


def test_a_checkpoint_of_the_first_format_is_still_read(tmp_path: Path) -> None:
    prepare_training(tmp_path)
    newest = tmp_path / "checkpoint-0-000000004.json"
    about = json.loads(newest.read_text()) | {"format": 1}
    del about["checksum"]
    newest.write_text(json.dumps(about))
    run = Run(tiny(), get_mode("flow"), tmp_path)
    assert run.resume()
    assert run.step == 4


def test_a_checkpoint_of_another_network_is_one_sentence(tmp_path: Path, capsys: Any) -> None:
    prepare_training(tmp_path)
    assert main(["train", "--out", str(tmp_path), "--resume", "--channels", "3"]) == 2
    assert "does not fit these settings" in capsys.readouterr().err


# -- settings --------------------------------------------------------------------------------

FLOATS = [name for name, value in tiny().to_json().items() if type(value) is float]


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("wild", [float("nan"), float("inf"), "1", None, True])
def test_every_setting_is_a_finite_number(name: str, wild: Any) -> None:
    with pytest.raises(InputError, match=name):
        config_from_json(tiny().to_json() | {name: wild})


@pytest.mark.parametrize("name", tiny().to_json())
def test_every_setting_is_of_its_kind(name: str) -> None:
    for wild in ({}, [[]], [{}], [None]):
        with pytest.raises(InputError, match=name):
            config_from_json(tiny().to_json() | {name: wild})


def test_nan_on_the_command_line(tmp_path: Path, capsys: Any) -> None:
    for name in FLOATS:
        option = "--" + name.replace("_", "-")
        assert main(["train", "--out", str(tmp_path / "run"), option, "nan"]) == 2
        assert "finite number" in capsys.readouterr().err


# -- results, tables and databases -----------------------------------------------------------


def test_wrong_columns_are_one_sentence(tmp_path: Path, capsys: Any) -> None:
    words = ["compare", "a", "b", "--mode", "flow", "--results", str(tmp_path)]
    good = "agent,mode,options,size,p,board,steps,seconds\na,flow,{},5x5,0.8,1,3,0.1\n"
    for text, problem in (
        ("steps\n1\n", "no column agent"),
        (good.replace(",3,", ",three,"), "the column steps"),
        (good.replace(",3,", ",,"), "the column steps has gaps"),
        (good.replace(",1,", ",1.5,"), "the column board"),
        (good + good.splitlines()[1], "holds a game twice"),
        ("", "is damaged"),
        ('a,b\n"', "is damaged"),
    ):
        (tmp_path / "rows.csv").write_text(text)
        assert main(words) == 2
        assert problem in capsys.readouterr().err
    (tmp_path / "rows.csv").write_text(good + good.splitlines()[1].replace("a,flow", "b,flow"))
    assert main(words) == 0


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "games.sqlite3").write_text("this is no database, " * 100)
    assert main(["games", "stats", "--database", str(tmp_path / "games.sqlite3")]) == 2
    assert "cannot open the database" in capsys.readouterr().err
    assert main(["games", "stats", "--database", "/dev/null/games.sqlite3"]) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW alembic_version AS WITH RECURSIVE endless(n) AS "
        "(SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT n AS version_num FROM endless",
        "CREATE TABLE games (id); CREATE TRIGGER t AFTER INSERT ON games BEGIN SELECT 1; END",
    ],
)
def test_a_database_brings_no_statements_of_its_own(
    statement: str, tmp_path: Path, capsys: Any
) -> None:
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
        connection.executescript(statement)
    assert main(["games", "stats", "--database", str(tmp_path / "games.sqlite3")]) == 2
    assert "it has a view or a trigger" in capsys.readouterr().err


# -- a full disk -----------------------------------------------------------------------------


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, which fails as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def listing(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("what", ["records", "boards.txt", "boards.npz", "results", "weights"])
def test_a_full_disk_leaves_what_was_there(what: str, tmp_path: Path) -> None:
    games = Games(sample_boards("flow", 10, 0.8, 50, seed=1), "flow")
    games.play_randomly(seed=1)
    store, keys = Store(tmp_path / "results"), [f"board {n}" for n in range(500)]
    run = Run(tiny(), get_mode("flow"), tmp_path)

    def write() -> None:
        if what == "records":
            write_records(tmp_path / "games", [record_of(games, row) for row in range(50)])
        elif what == "results":
            store.add_games(str(run.step), keys, range(500), [Played((1, 2), 3, 0.5)] * 500)
        elif what == "weights":
            run.save()
        else:
            boards = np.random.default_rng(0).integers(0, 2, (50, 30, 30))
            write_boards(tmp_path / what, boards)

    write()
    before = listing(tmp_path)
    run.step += 1
    rooms = [500]
    if what == "results":  # the database grows in place: fill the disk at several points of that
        rooms += [(tmp_path / "results" / NAME).stat().st_size + more for more in (0, 5000, 20000)]
    for room in rooms:
        with full_disk(room), pytest.raises(InputError):
            write()
        assert listing(tmp_path) == before


def test_a_training_run_that_fills_the_disk_can_go_on(tmp_path: Path, capsys: Any) -> None:
    expected = train_agent(tiny(8), get_mode("flow"), tmp_path / "whole").net.state_dict()
    out = tmp_path / "full"
    train_agent(tiny(4), get_mode("flow"), out)
    config = saved_config(out).to_json() | {"updates": [8]}
    (out / "config.json").write_text(json.dumps(config))
    with full_disk(100):
        assert main(["train", "--out", str(out), "--resume"]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert main(["train", "--out", str(out), "--resume"]) == 0
    for name, tensor in load_file(out / "agent.safetensors").items():
        assert torch.equal(tensor, expected[name]), name
