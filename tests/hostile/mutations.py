"""Ways to damage a file: its bytes, the values in its JSON, the entries of an archive, tensors."""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import zipfile
from copy import deepcopy
from typing import Any

NUMBERS = (
    0,
    1,
    2,
    127,
    128,
    255,
    256,
    2**15,
    2**16 - 1,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**63,
    2**64 - 1,
)
WORDS = (
    b"NaN",
    b"Infinity",
    b"1e999",
    b"-1",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b'""',
    b"\x00",
    b"\xff\xfe",
    b"PK\x05\x06",
    b"\n",
    b"\r\n",
    b",",
    b'"',
    b"#o.x*",
    b"lattice",
    b"os:system",
    b"9" * 400,
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    0.5,
    1e308,
    10**30,
    -(2**63),
    2**64 - 1,
    "",
    "x",
    "x" * 5000,
    "os:system",
    "a.b:c",
    [],
    {},
    [[]],
    [None],
    {"a": 1},
    [0] * 2000,
    [[0, 0]] * 500,
    "\u0000",
    "－＝",
    ["#"],
    ["o" * 1001],
)


def mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with a few of them changed, lost, doubled or put elsewhere."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(out) + 1)
        length = rng.choice((1, 2, 4, 8, 64, 512))
        match rng.randrange(8):
            case 0 if out:
                out[at % len(out)] ^= 1 << rng.randrange(8)
            case 1 if out:
                out[at % len(out)] = rng.randrange(256)
            case 2:
                del out[at : at + length]
            case 3:
                out[at:at] = out[at : at + length] * rng.choice((1, 2, 50))
            case 4:
                out[at:at] = rng.choice(WORDS)
            case 5:
                size, form = rng.choice(((1, "<B"), (2, "<H"), (4, "<I"), (8, "<Q")))
                out[at : at + size] = struct.pack(form, rng.choice(NUMBERS) % 256**size)
            case 6:
                out[at:at] = rng.randbytes(length)
            case _ if rng.random() < 0.3:
                del out[at:]
    return bytes(out)


def mutate_json(value: Any, rng: random.Random) -> bytes:
    """Return the text of a JSON value in which something is left out, replaced or put elsewhere."""
    value = json.loads(json.dumps(value))
    for _ in range(rng.choice((1, 1, 2, 3))):
        holder, key = rng.choice(list(places(value)) or [(None, None)])
        match rng.randrange(5):
            case 0 if holder is not None:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[str(rng.choice(VALUES))[:50]] = holder.pop(key)
            case 2 if holder is not None and isinstance(holder[key], list):
                holder[key] = (holder[key] * 3)[: rng.randrange(200)]
            case 3 if rng.random() < 0.1 or holder is None:
                value = deepcopy(rng.choice(VALUES))
            case _ if holder is not None:
                holder[key] = deepcopy(rng.choice(VALUES))
    text = json.dumps(value).encode()
    match rng.randrange(12):
        case 0:
            return mutate_bytes(text, rng)
        case 1:  # numbers that are none
            return text.replace(rng.choice((b"0", b"1", b"2")), rng.choice(WORDS[:4]), 1)
        case 2:
            return b"[" * rng.choice((10, 100_000)) + text
    return text


def places(value: Any) -> Any:
    """Yield (holder, key) of everything inside a JSON value."""
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in list(inside):
        yield value, key
        yield from places(item)


def mutate_lines(data: bytes, rng: random.Random) -> bytes:
    """Return a file of JSON lines with some of them damaged."""
    if rng.random() < 0.3:
        return mutate_bytes(data, rng)
    lines = data.splitlines()
    at = rng.randrange(len(lines))
    lines[at] = mutate_json(json.loads(lines[at]), rng)
    rng.shuffle(lines)
    return b"\n".join(lines[: rng.randrange(1, len(lines) + 1)]) + b"\n" * rng.randrange(2)


def mutate_archive(data: bytes, rng: random.Random) -> bytes:
    """Return an archive with damaged bytes, or a good one with damaged entries."""
    if rng.random() < 0.4:
        return mutate_bytes(data, rng)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(
        out, "w", rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA))
    ) as archive:
        for name, content in entries.items():
            if rng.random() < 0.7:
                content = mutate_array(content, rng)
            if rng.random() < 0.1:
                name = rng.choice(("boards", "../boards.npy", "x" * 300 + ".npy", "boards.npy"))
            if rng.random() < 0.9:
                archive.writestr(name, content)
    return out.getvalue() if rng.random() < 0.8 else mutate_bytes(out.getvalue(), rng)


def mutate_array(content: bytes, rng: random.Random) -> bytes:
    """Return the bytes of an array, most often with another header."""
    if rng.random() < 0.4:
        return mutate_bytes(content, rng)
    length = struct.unpack("<H", content[8:10])[0]
    dtype = rng.choice(
        (
            "|u1",
            "|O",
            "<f8",
            "<i8",
            ">i4",
            "<U9999999",
            "|V8",
            "<M8[s]",
            "|b1",
            "<c16",
            "[('a', '<i4')]",
        )
    )
    shape = rng.choice(
        (
            "()",
            "(0,)",
            "(2,)",
            "(10**9, 10**9)",
            "(3, 4, 6)",
            "(-1,)",
            "(2, 1001, 3)",
            "(99999999999,)",
            "'x'",
        )
    )
    kind = dtype if dtype.startswith("[") else repr(dtype)
    header = (
        f"{{'descr': {kind}, 'fortran_order': {rng.choice((True, False, 7))}, 'shape': {shape}, }}"
    )
    packed = header.encode().ljust(length - 1)[: 2**16 - 2] + b"\n"
    return content[:8] + struct.pack("<H", len(packed)) + packed + content[10 + length :]


def mutate_tensors(data: bytes, rng: random.Random) -> bytes:
    """Return a file of safetensors with another header, other values or damaged bytes."""
    if rng.random() < 0.4:
        return mutate_bytes(data, rng)
    length = struct.unpack("<Q", data[:8])[0]
    header, values = data[8 : 8 + length], data[8 + length :]
    if rng.random() < 0.5:
        header = mutate_json(json.loads(header), rng)
    else:
        at = 4 * rng.randrange(len(values) // 4)
        wild = struct.pack("<f", rng.choice((float("nan"), float("inf"), -float("inf"), 1e38)))
        values = values[:at] + wild + values[at + 4 :]
    return struct.pack("<Q", len(header)) + header + values


def mutate_packed(data: bytes, rng: random.Random) -> bytes:
    """Return a compressed file with damaged bytes, or a good one with damaged contents."""
    if rng.random() < 0.4:
        return mutate_bytes(data, rng)
    packed = gzip.compress(mutate_bytes(gzip.decompress(data), rng), mtime=0)
    return packed if rng.random() < 0.8 else mutate_bytes(packed, rng)
