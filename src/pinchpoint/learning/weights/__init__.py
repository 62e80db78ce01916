"""Trained agents as files: the weights as safetensors, and a JSON card that says what they are.

Cards and names are read without torch; only the weights themselves need it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_origin, get_type_hints

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
        for name, kind in get_type_hints(Card).items():
            value, wanted = getattr(self, name), get_origin(kind) or kind
            if type(value) is not wanted and not (wanted is float and type(value) is int):
                raise InputError(f"`{name}` is {str(value)[:40]!r}, which it cannot be")
        for name in ("curve", "table"):
            if not all(isinstance(row, dict) for row in getattr(self, name)):
                raise InputError(f"the rows of `{name}` must be objects")

    def network(self) -> dict[str, Any]:
        """Return what `make_net` takes: the network, what it sees, its channels, depth and so on.

        Where the card is silent, as those of earlier versions are, the default of a setting holds.
        """
        silent = {"leak": 0.0, "sees": "states", "network_options": []}
        values = {**silent, **self.config}
        shape = {name: values.get(name) for name in ("network", "channels", "depth", "sees")}
        if [type(each) for each in shape.values()] != [str, int, int, str]:
            raise InputError("the card does not say what network it is, its channels and its depth")
        leak, options = values["leak"], values["network_options"]
        if type(leak) not in (int, float) or not 0 <= leak <= 1:
            raise InputError(f"the card has a leak of {leak!r}; it must be between 0 and 1")
        if not (isinstance(options, list | tuple) and all(type(each) is str for each in options)):
            raise InputError("the card has options of its network that are no list of texts")
        return {**shape, "leak": float(leak), "options": tuple(options)}


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


def load_weights(path: Path, network: str | None = None) -> tuple[QNet, Card]:
    """Load a network and its card: a .safetensors file with a .json of the same name beside it.

    The sizes in the file are compared with those that the card promises before a network is made,
    then the checksum, and the values at last. A card does not load code: `network` names a network
    of the user's own, as package.module:Name.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    from pinchpoint.learning.nets import make_net

    card = load_card(path.with_suffix(".json"))
    settings = card.network()
    name = settings["network"]
    if ":" in name:
        if network is None or ":" not in network:
            raise InputError(
                f"{path} is of the network {name!r}, which is not one of ours, and a file alone "
                "does not load code; if you trust it, say so: weights:PATH:package.module:Name"
            )
        settings["network"] = network
    try:
        if not _fits(path, settings):
            raise InputError(
                f"{path} does not hold a {settings['network']} network with "
                f"{settings['channels']} channels and depth {settings['depth']}, as its card says"
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
    net = make_net(**settings)
    net.load_state_dict(tensors)
    return net.eval().requires_grad_(False), card


def _fits(path: Path, settings: dict[str, Any]) -> bool:
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
    # Every layer has tensors; so a wild card costs no time either.
    if settings["depth"] > len(found):
        return False
    with torch.device("meta"):
        wanted = make_net(**settings).state_dict()
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
