"""NumPy archives (.npz), checked before they are unpacked.

A few kilobytes of an archive can unpack to gigabytes, and its entries can be anything. So the table
of contents and the header of each array are looked at first, and only what was asked for is read.
"""

from __future__ import annotations

import math
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import numpy as np
from numpy.lib import format as npy

from pinchpoint.errors import InputError
from pinchpoint.files import check_regular
from pinchpoint.types import Array

MAX_ARRAY = 2**28  # bytes of one array, unpacked
MAX_CONTENTS = 2**16  # bytes of the table of contents: hundreds of entries, where we write a few
MAX_HEADER = 2**12  # bytes of the header of one array
END = struct.Struct("<4s4H2LH")  # the record at the end of an archive: …, size of the table, …
ENCRYPTED = 1  # of the flags of an entry
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}

Kinds = Mapping[str, str]  # by name of an array: the kinds that its dtype may have, such as "iu"


class Unfit(Exception):
    """What is wrong with an archive or an array in it."""


def read_archive(
    path: str | Path, required: Kinds, optional: Kinds | None = None
) -> dict[str, Array]:
    """Return the arrays of these names; raise InputError if the file does not hold them."""
    check_regular(path)
    arrays = {}
    try:
        with open(path, "rb") as file:
            _check_contents(file)
            with zipfile.ZipFile(file) as archive:
                for name, kinds in {**required, **(optional or {})}.items():
                    entries = [e for e in archive.infolist() if e.filename == f"{name}.npy"]
                    if len(entries) == 1:
                        arrays[name] = _read_array(archive, entries[0], kinds)
                    elif name in required or entries:
                        raise Unfit(f"it has {len(entries) or 'no'} array `{name}`")
    except Unfit as unfit:
        raise InputError(f"{path} cannot be used: {unfit}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except Exception:  # of zipfile, zlib and NumPy's parser of headers: no list of them is complete
        raise InputError(f"{path} is damaged or is no .npz file") from None
    return arrays


def _check_contents(file: IO[bytes]) -> None:
    """Refuse a table of contents that would itself fill the memory."""
    file.seek(0, 2)
    size = file.tell()
    file.seek(max(0, size - 2**16 - END.size - 20))
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + END.size:
        raise zipfile.BadZipFile
    contents = END.unpack_from(tail, at)[5]
    larger = tail[max(0, at - 20) : at].startswith(b"PK\6\7")  # its true size stands elsewhere
    if larger or contents > MAX_CONTENTS:
        raise Unfit("it has too many entries")


def _read_array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, kinds: str) -> Array:
    name = entry.filename.removesuffix(".npy")
    if entry.flag_bits & ENCRYPTED or entry.compress_type not in METHODS:
        raise Unfit(f"`{name}` is encrypted or packed in a way that is not read")
    with archive.open(entry) as packed:
        reader = HEADERS.get(npy.read_magic(packed))
        if reader is None:
            raise Unfit(f"`{name}` is in another version of NumPy's format")
        shape, by_columns, dtype = reader(packed, max_header_size=MAX_HEADER)
        if dtype.kind not in kinds or dtype.names is not None:
            raise Unfit(f"`{name}` holds {dtype}, which is of another kind than it should be")
        size = math.prod(shape) * dtype.itemsize
        if size > MAX_ARRAY:
            raise Unfit(f"`{name}` takes {size:,} bytes; {MAX_ARRAY:,} are allowed")
        data = packed.read(size + 1)  # one more, so that all is read and the checksum compared
        if len(data) != size or min(shape, default=0) < 0:
            raise zipfile.BadZipFile
    array = np.frombuffer(data, dtype=dtype).reshape(shape, order="F" if by_columns else "C")
    return array.astype(dtype.newbyteorder("="), order="C")
