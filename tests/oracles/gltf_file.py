"""Reading and writing of glTF documents, as little as the oracles need.

The oracles must not share code with the crates they judge, so the container, the buffers and the accessors are decoded here with nothing but the
standard library and numpy.
"""

from __future__ import annotations

import base64
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

Json = dict[str, Any]

GLB_MAGIC = 0x46546C67
CHUNK_JSON = 0x4E4F534A
CHUNK_BIN = 0x004E4942

COMPONENT_DTYPES: dict[int, str] = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
ELEMENT_SIZES: dict[str, int] = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
FLOAT_COMPONENT = 5126


@dataclass
class Document:
    """A glTF file in memory: its JSON, and one byte string a buffer."""

    json: Json
    buffers: list[bytes]
    decoded: dict[int, NDArray[Any]] = field(default_factory=dict)

    def accessor(self, index: int) -> NDArray[Any]:
        """Elements of an accessor, one row each; normalized integers become floats as the specification says."""
        if index not in self.decoded:
            self.decoded[index] = self._decode(self.json["accessors"][index])
        return self.decoded[index]

    def _decode(self, accessor: Json) -> NDArray[Any]:
        width = ELEMENT_SIZES[accessor["type"]]
        dtype = np.dtype(COMPONENT_DTYPES[accessor["componentType"]])
        if "bufferView" in accessor:
            values = self._rows(accessor["bufferView"], accessor.get("byteOffset", 0), accessor["count"], width, dtype)
        else:
            values = np.zeros((accessor["count"], width), dtype)
        if "sparse" in accessor:
            self._overwrite_sparse(values, accessor["sparse"], dtype)
        return _denormalize(values) if accessor.get("normalized") else values

    def _rows(self, view_index: int, offset: int, count: int, width: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        view = self.json["bufferViews"][view_index]
        row_size = width * dtype.itemsize
        stride = view.get("byteStride", row_size)
        start = view.get("byteOffset", 0) + offset
        data = self.buffers[view["buffer"]][start : start + (count - 1) * stride + row_size]
        rows: NDArray[Any] = np.ndarray((count, width), dtype, data, strides=(stride, dtype.itemsize))
        return rows.copy()

    def _overwrite_sparse(self, values: NDArray[Any], sparse: Json, dtype: np.dtype[Any]) -> None:
        where, what = sparse["indices"], sparse["values"]
        index_dtype = np.dtype(COMPONENT_DTYPES[where["componentType"]])
        rows = self._rows(where["bufferView"], where.get("byteOffset", 0), sparse["count"], 1, index_dtype)
        values[rows[:, 0]] = self._rows(what["bufferView"], what.get("byteOffset", 0), sparse["count"], values.shape[1], dtype)

    def add_float_accessor(self, values: NDArray[Any], kind: str) -> int:
        """Appends float data in a buffer of its own and returns the new accessor's index."""
        data = np.ascontiguousarray(values, "<f4").tobytes()
        self.buffers.append(data)
        self.json["buffers"].append({"byteLength": len(data)})
        self.json["bufferViews"].append({"buffer": len(self.buffers) - 1, "byteLength": len(data)})
        accessor: Json = {
            "bufferView": len(self.json["bufferViews"]) - 1,
            "componentType": FLOAT_COMPONENT,
            "count": len(data) // 4 // ELEMENT_SIZES[kind],
            "type": kind,
        }
        if kind == "SCALAR":
            # The times of an animation must state their range.
            accessor |= {"min": [float(np.min(values))], "max": [float(np.max(values))]}
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def save(self, path: Path) -> None:
        """Writes a self-contained `.gltf` whose buffers are data URIs."""
        for entry, data in zip(self.json["buffers"], self.buffers, strict=True):
            entry["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")
        path.write_text(json.dumps(self.json), encoding="utf-8")


def load(path: Path) -> Document:
    """Reads a `.glb` or `.gltf`; buffers may be embedded, data URIs or files beside it."""
    data = path.read_bytes()
    binary = b""
    if len(data) >= 12 and struct.unpack_from("<I", data)[0] == GLB_MAGIC:
        chunks = _glb_chunks(data)
        document, binary = json.loads(chunks[CHUNK_JSON]), chunks.get(CHUNK_BIN, b"")
    else:
        document = json.loads(data)
    buffers = [_buffer_bytes(entry, binary, path.parent) for entry in document.get("buffers", [])]
    return Document(document, buffers)


def _glb_chunks(data: bytes) -> dict[int, bytes]:
    chunks: dict[int, bytes] = {}
    offset = 12
    while offset < len(data):
        length, kind = struct.unpack_from("<II", data, offset)
        chunks.setdefault(kind, data[offset + 8 : offset + 8 + length])
        offset += 8 + length
    return chunks


def _buffer_bytes(entry: Json, binary: bytes, folder: Path) -> bytes:
    uri: str | None = entry.get("uri")
    if uri is None:
        return binary
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2])
    return (folder / unquote(uri)).read_bytes()


def _denormalize(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.maximum(values.astype(np.float64) / np.iinfo(values.dtype).max, -1.0)
