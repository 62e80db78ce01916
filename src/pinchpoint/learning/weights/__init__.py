"""Trained agents as files: the weights as safetensors, and a JSON card that says what they are.

Cards and names are read without torch; only the weights themselves need it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinchpoint.errors import InputError
from pinchpoint.files import check_regular, read_json, sha256_of, whole_file

if TYPE_CHECKING:
    from pinchpoint.learning.nets import QNet


@dataclass(frozen=True)
class Card:
    """What a set of weights is, how it came about and what it can do."""

    mode: str
    options: dict[str, Any]
    config: dict[str, Any]  # the whole TrainConfig, with the seed
    version: str  # of Pinchpoint
    updates: int
    games: int  # played in training
    hours: float  # of training
    curve: list[dict[str, Any]] = field(default_factory=list)  # validation through training
    command: str = ""  # what trained it
    table: list[dict[str, Any]] = field(default_factory=list)  # measured play, a row for each p
    q_error: dict[str, Any] = field(default_factory=dict)  # against the exact Q, see `study.true_q`
    sha256: str = ""  # of the weights

    def __post_init__(self) -> None:
        for name, kinds in CARD_KINDS.items():
            value = getattr(self, name)
            if not isinstance(value, kinds) or isinstance(value, bool):
                raise InputError(f"`{name}` is {str(value)[:40]!r}, which it cannot be")
        for name in ("curve", "table"):
            if not all(isinstance(row, dict) for row in getattr(self, name)):
                raise InputError(f"the rows of `{name}` must be objects")

    def network(self) -> tuple[str, int, int]:
        """Return which network it is, with its channels and depth."""
        config = self.config
        shape = config.get("network"), config.get("channels"), config.get("depth")
        if not (isinstance(shape[0], str) and all(type(each) is int for each in shape[1:])):
            raise InputError("the card does not say what network it is, its channels and its depth")
        return shape  # type: ignore[return-value]

    def leak(self) -> float:
        """Return the slope of its activations below zero; 0 where the card is silent."""
        leak = self.config.get("leak", 0.0)
        if type(leak) not in (int, float) or not 0 <= leak <= 1:
            raise InputError(f"the card has a leak of {leak!r}; it must be between 0 and 1")
        return float(leak)


CARD_KINDS: dict[str, type | tuple[type, ...]] = {
    "mode": str,
    "options": dict,
    "config": dict,
    "version": str,
    "updates": int,
    "games": int,
    "hours": (int, float),
    "curve": list,
    "command": str,
    "table": list,
    "sha256": str,
}


def save_weights(path: Path, net: QNet, card: Card) -> None:
    """Write weights and card; each appears whole or not at all."""
    from safetensors.torch import save

    tensors = {
        name: tensor.detach().cpu().contiguous() for name, tensor in net.state_dict().items()
    }
    blob = save(tensors)
    with whole_file(path) as file:
        file.write(blob)
    digest = hashlib.sha256(blob).hexdigest()
    with whole_file(path.with_suffix(".json")) as file:
        file.write(json.dumps({**asdict(card), "sha256": digest}, indent=1).encode() + b"\n")


def load_weights(path: Path) -> tuple[QNet, Card]:
    """Load a network and its card: a .safetensors file with a .json of the same name beside it.

    The sizes in the file are compared with those that the card promises before a network is made,
    then the checksum, and the values at last.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    from pinchpoint.learning.nets import make_net

    card = load_card(path.with_suffix(".json"))
    shape = card.network()
    try:
        if not _fits(path, *shape):
            raise InputError(
                f"{path} does not hold a {shape[0]} network with {shape[1]} channels and depth "
                f"{shape[2]}, as its card says"
            )
        if sha256_of(path) != card.sha256:
            raise InputError(f"{path} is not the file that its card is of: the sha256 differs")
        tensors = load_file(path)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except SafetensorError:
        raise InputError(f"{path} is damaged or is no safetensors file") from None
    for name, tensor in tensors.items():
        if not bool(tensor.isfinite().all()):
            raise InputError(f"{path}: the weights {name} are not all finite numbers")
    net = make_net(*shape, card.leak())
    net.load_state_dict(tensors)
    return net.eval().requires_grad_(False), card


def _fits(path: Path, network: str, channels: int, depth: int) -> bool:
    """Return whether a file holds the tensors of such a network; no memory is taken for either."""
    import torch
    from safetensors import safe_open

    from pinchpoint.learning.nets import make_net

    check_regular(path)
    with safe_open(path, framework="pt") as file:
        found = {}
        for name in file.keys():  # noqa: SIM118  (it is no dictionary)
            part = file.get_slice(name)
            found[name] = part.get_dtype(), tuple(part.get_shape())
    if depth > len(found):  # every layer has tensors; so a wild card costs no time either
        return False
    with torch.device("meta"):
        wanted = make_net(network, channels, depth).state_dict()
    return found == {name: ("F32", tuple(tensor.shape)) for name, tensor in wanted.items()}


def load_card(path: Path) -> Card:
    """Read the card of an agent."""
    data = read_json(path, "the card of an agent")
    known = {f.name for f in fields(Card)}
    try:
        return Card(**{key: value for key, value in data.items() if key in known})
    except (TypeError, AttributeError):  # too few fields, or no object at all
        raise InputError(f"{path} is not the card of an agent") from None
    except InputError as error:
        raise InputError(f"{path} is not the card of an agent: {error}") from None


def shipped() -> dict[str, Path]:
    """Return the agents in the box: name -> weights."""
    folder = Path(str(files(__package__)))
    found = {path.stem: path for path in folder.glob("*.safetensors")}
    return dict(sorted(found.items()))
