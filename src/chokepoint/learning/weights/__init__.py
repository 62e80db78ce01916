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

from chokepoint.errors import InputError
from chokepoint.files import whole_file

if TYPE_CHECKING:
    from chokepoint.learning.nets import QNet


@dataclass(frozen=True)
class Card:
    """What a set of weights is, how it came about and what it can do."""

    mode: str
    options: dict[str, Any]
    config: dict[str, Any]  # the whole TrainConfig, with the seed
    version: str  # of Chokepoint
    updates: int
    games: int  # played in training
    hours: float  # of training
    curve: list[dict[str, Any]] = field(default_factory=list)  # validation through training
    command: str = ""  # what trained it
    table: list[dict[str, Any]] = field(default_factory=list)  # measured play, a row for each p
    sha256: str = ""  # of the weights


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
    """Load a network and its card: a .safetensors file with a .json of the same name beside it."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    from chokepoint.learning.nets import make_net

    card = load_card(path.with_suffix(".json"))
    config = card.config
    try:
        net = make_net(config["network"], config["channels"], config["depth"])
        tensors = load_file(path)
    except KeyError as error:
        raise InputError(
            f"{path.with_suffix('.json')} does not say {error} of the network"
        ) from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except SafetensorError:
        raise InputError(f"{path} is damaged or is no safetensors file") from None
    try:
        net.load_state_dict(tensors)
    except RuntimeError:
        raise InputError(
            f"{path} does not hold a {config['network']} network with {config['channels']} "
            f"channels and depth {config['depth']}, as its card says"
        ) from None
    return net.eval().requires_grad_(False), card


def load_card(path: Path) -> Card:
    """Read the card of an agent."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        known = {f.name for f in fields(Card)}
        return Card(**{key: value for key, value in data.items() if key in known})
    except OSError as error:
        raise InputError(f"cannot read the card {path}: {error.strerror or error}") from None
    except (ValueError, TypeError, AttributeError):
        raise InputError(f"{path} is not the card of an agent") from None


def shipped() -> dict[str, Path]:
    """Return the agents in the box: name -> weights."""
    folder = Path(str(files(__package__)))
    return {path.stem: path for path in sorted(folder.glob("*.safetensors"))}
