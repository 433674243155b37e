"""Vertices and bones of a PMX file, in MMD's own units and left-handed axes: as much as a reference for skinning needs. Keys of bones of a VMD file."""

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


APPEND_ROTATION, APPEND_TRANSLATION, APPEND_LOCAL, IK, AFTER_PHYSICS = 0x0100, 0x0200, 0x0080, 0x0020, 0x1000


def read(path):
    """Vertices as (position, kind, bones, weights, (c, r0, r1) or None), bones as (name, position, parent, level)."""
    vertices, bones, appends, has_chains = read_rig(path)
    assert not appends and not has_chains, "only plain bones are understood here"
    return vertices, bones


def read_rig(path):
    """The same with bones that follow: { bone: (source, ratio, flags) }, and whether there are IK chains."""
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
    bones, appends, has_chains = [], {}, False
    for _ in range(reader.take("i")):
        name = reader.text().decode("utf-16-le" if encoding == 0 else "utf-8")
        reader.text()
        position = np.array(reader.take("3f"), dtype=float)
        parent, level, flags = reader.index(bone_size), reader.take("i"), reader.take("H")
        reader.index(bone_size) if flags & 1 else reader.take("3f")
        if flags & (APPEND_ROTATION | APPEND_TRANSLATION):
            appends[len(bones)] = (reader.index(bone_size), reader.take("f"), flags)
        assert not flags & 0x2C00, "axes and outer parents are not understood here"
        if flags & IK:
            has_chains = True
            reader.index(bone_size), reader.take("i"), reader.take("f")
            for _ in range(reader.take("i")):
                reader.index(bone_size)
                if reader.take("B"):
                    reader.take("6f")
        bones.append((name, position, parent, level))
    return vertices, bones, appends, has_chains


def read_vmd(path):
    """Keys of bones: { name: { frame: (translation, rotation as x, y, z, w) } }, and the switches of IK: { frame: { name: on } }."""
    reader = Reader(open(path, "rb").read())
    assert reader.take("30s").startswith(b"Vocaloid Motion Data 0002")
    reader.take("20s")
    keys = {}
    for _ in range(reader.take("I")):
        name = reader.take("15s").split(b"\0")[0].decode("cp932")
        frame, values = reader.take("I"), reader.take("7f")
        reader.take("64s")
        keys.setdefault(name, {})[frame] = (np.array(values[:3]), np.array(values[3:]))
    for form in ("15sIf", "I7f24sIB", "I6f", "IBf"):
        for _ in range(reader.take("I")):
            reader.take(form)
    switches = {}
    for _ in range(reader.take("I")):
        frame, _visible = reader.take("I"), reader.take("B")
        for _ in range(reader.take("I")):
            name = reader.take("20s").split(b"\0")[0].decode("cp932")
            switches.setdefault(frame, {})[name] = bool(reader.take("B"))
    return keys, switches
