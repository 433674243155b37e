"""Vertices and bones of a PMX file, in MMD's own units and left-handed axes: as much as a reference for skinning needs."""

import struct

import numpy as np


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def text(self):
        length = self.take("i")
        self.at += length
        return self.data[self.at - length : self.at]

    def index(self, size):
        return self.take({1: "b", 2: "h", 4: "i"}[size])


def read(path):
    """Vertices as (position, kind, bones, weights, (c, r0, r1) or None), bones as (name, position, parent, level)."""
    reader = Reader(open(path, "rb").read())
    magic, _version, count = reader.take("4s"), reader.take("f"), reader.take("B")
    assert magic == b"PMX ", magic
    globals_ = reader.take(f"{count}B")
    encoding, uv_count, vertex_size, texture_size, _, bone_size = globals_[:6]
    for _ in range(4):
        reader.text()
    vertices = []
    for _ in range(reader.take("i")):
        position = np.array(reader.take("3f"), dtype=float)
        reader.take("5f")
        for _ in range(uv_count):
            reader.take("4f")
        kind = reader.take("B")
        spherical = None
        if kind == 0:
            bones, weights = [reader.index(bone_size)], [1.0]
        elif kind in (1, 3):
            bones = [reader.index(bone_size) for _ in range(2)]
            weight = reader.take("f")
            weights = [weight, 1.0 - weight]
            if kind == 3:
                spherical = np.array(reader.take("9f"), dtype=float).reshape(3, 3)
        else:
            bones, weights = [reader.index(bone_size) for _ in range(4)], list(reader.take("4f"))
        reader.take("f")
        vertices.append((position, kind, bones, weights, spherical))
    index_count = reader.take("i")
    reader.at += index_count * vertex_size
    for _ in range(reader.take("i")):
        reader.text()
    for _ in range(reader.take("i")):
        reader.text(), reader.text()
        reader.take("11f"), reader.take("B"), reader.take("5f")
        reader.index(texture_size), reader.index(texture_size), reader.take("B")
        if reader.take("B"):
            reader.take("B")
        else:
            reader.index(texture_size)
        reader.text(), reader.take("i")
    bones = []
    for _ in range(reader.take("i")):
        name = reader.text().decode("utf-16-le" if encoding == 0 else "utf-8")
        reader.text()
        position = np.array(reader.take("3f"), dtype=float)
        parent, level, flags = reader.index(bone_size), reader.take("i"), reader.take("H")
        reader.index(bone_size) if flags & 1 else reader.take("3f")
        assert not flags & 0x2f20, "only plain bones are understood here"
        bones.append((name, position, parent, level))
    return vertices, bones
