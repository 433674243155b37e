"""Writes a motion of 90 frames that puts every part of an MMD rig to work, for the model yw_test_model.pmx and others with the usual bone names.

    python3 make_yw_vmd.py MODEL.pmx MOTION.vmd

Feet are lifted, moved and turned by IK, also beyond reach; knees and ankles have keys of their own beneath the IK, which is off for the right leg in
frames 40 to 59. Append bones, and all others that a user can move, have keys of their own; every morph gets a weight. The channels of a key have
different interpolation curves. In some keys the bytes of the physics switch lie over the curves, some quaternions have the other sign, and the keys
are not sorted. Twist bones turn about their axis, since programs differ in how they bring other turns to it (when loading, or in each frame).

The same model gives the same bytes. The layout follows the public descriptions of PMX 2.0 and VMD; no code is shared with the crates.
"""

from __future__ import annotations

import argparse
import math
import struct
from dataclasses import dataclass, field
from pathlib import Path

LAST_FRAME = 90
IK_OFF_FRAMES = (40, 60)

ROTATABLE, MOVABLE, OPERABLE, IK, APPEND = 0x0002, 0x0004, 0x0010, 0x0020, 0x0300

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Curve = tuple[int, int, int, int]
"""The two control points (ax, ay), (bx, by), 0 to 127."""

Pose = tuple[int, Vector, Vector]
"""Frame, translation in the model's units, and turns about X, Y and Z in degrees; a twist bone takes the first about its axis."""

STILL: Vector = (0.0, 0.0, 0.0)

CURVES: list[Curve] = [
    (20, 20, 107, 107),
    (64, 0, 64, 127),
    (10, 90, 30, 120),
    (100, 5, 120, 60),
    (127, 0, 0, 127),
    (0, 127, 127, 0),
    (5, 64, 122, 64),
]
"""Straight, slow at both ends, fast first, slow first, and three extreme ones."""

PHYSICS_SWITCH = [None, bytes([0x00, 0x00]), None, bytes([0x63, 0x0F]), None]
"""What lies over bytes 2 and 3 of the curves, in turn: nothing, on or off."""

POSES: dict[str, list[Pose]] = {
    "全ての親": [(0, STILL, STILL), (45, (0.5, 0.0, -1.0), (0, 25, 0)), (90, (-0.5, 0.2, 1.0), (0, -40, 3))],
    "センター": [
        (0, STILL, STILL),
        (15, (0.4, -1.2, 0.3), (0, 8, 0)),
        (33, (-0.6, -3.0, -0.5), (5, -12, 4)),
        (52, (0.3, -0.5, 0.8), (-4, 6, -3)),
        (70, (0.0, 1.5, 0.0), (0, 0, 0)),
        (90, (0.2, -2.0, 0.2), (3, 3, 3)),
    ],
    "グルーブ": [(0, STILL, STILL), (20, (0.0, -0.6, 0.0), (0, 4, 0)), (60, (0.1, 0.3, -0.2), (2, -4, 1)), (90, STILL, STILL)],
    "腰": [(0, STILL, STILL), (30, STILL, (12, -15, 8)), (75, STILL, (-10, 20, -6)), (90, STILL, (4, 2, 0))],
    "上半身": [(0, STILL, (2, 0, 0)), (28, STILL, (18, -20, 6)), (61, STILL, (-12, 30, -9)), (90, STILL, (5, 0, 0))],
    "上半身2": [(0, STILL, STILL), (35, STILL, (8, -14, 10)), (90, STILL, (-6, 18, -4))],
    "下半身": [(0, STILL, STILL), (25, STILL, (-6, 16, 5)), (66, STILL, (8, -22, -4)), (90, STILL, STILL)],
    "首": [(0, STILL, STILL), (40, STILL, (10, 25, -5)), (90, STILL, (-8, -30, 6))],
    "頭": [(0, STILL, STILL), (22, STILL, (-12, -20, 8)), (71, STILL, (15, 35, -10)), (90, STILL, STILL)],
    "両目": [(0, STILL, STILL), (18, STILL, (6, 14, 0)), (55, STILL, (-8, -18, 2)), (90, STILL, (3, 5, 0))],
    "右目": [(0, STILL, STILL), (47, STILL, (5, -9, 3)), (90, STILL, STILL)],
    "右肩P": [(0, STILL, STILL), (50, STILL, (5, -12, 14)), (90, STILL, STILL)],
    "左肩P": [(0, STILL, STILL), (38, STILL, (-6, 10, -16)), (90, STILL, (4, 0, -5))],
    "右肩": [(0, STILL, STILL), (44, STILL, (0, -8, -10)), (90, STILL, STILL)],
    "左肩": [(0, STILL, STILL), (44, STILL, (3, 8, 10)), (90, STILL, STILL)],
    "右腕": [(0, STILL, (0, 0, 35)), (21, STILL, (-30, 20, 10)), (58, STILL, (40, -35, -45)), (90, STILL, (0, 0, 35))],
    "左腕": [(0, STILL, (0, 0, -35)), (27, STILL, (25, -60, 20)), (64, STILL, (-50, 15, 60)), (90, STILL, (0, 0, -35))],
    "右ひじ": [(0, STILL, STILL), (21, STILL, (10, 80, -20)), (58, STILL, (-5, 120, 15)), (90, STILL, (0, 10, 0))],
    "左ひじ": [(0, STILL, STILL), (31, STILL, (0, -95, 30)), (90, STILL, (0, -20, 0))],
    "右腕捩": [(0, STILL, STILL), (24, STILL, (50, 0, 0)), (62, STILL, (-60, 0, 0)), (90, STILL, (10, 0, 0))],
    "左腕捩": [(0, STILL, STILL), (36, STILL, (-45, 0, 0)), (90, STILL, (70, 0, 0))],
    "右手捩": [(0, STILL, STILL), (29, STILL, (-70, 0, 0)), (68, STILL, (40, 0, 0)), (90, STILL, STILL)],
    "左手捩": [(0, STILL, STILL), (41, STILL, (80, 0, 0)), (90, STILL, (-30, 0, 0))],
    "右手首": [(0, STILL, STILL), (26, STILL, (20, -15, 30)), (90, STILL, (-10, 10, -20))],
    "左手首": [(0, STILL, STILL), (49, STILL, (-25, 15, -30)), (90, STILL, STILL)],
    "右足": [(0, STILL, STILL), (39, STILL, (10, 5, -4)), (50, STILL, (55, -10, 8)), (62, STILL, (-15, 4, 0)), (90, STILL, STILL)],
    "右ひざ": [(0, STILL, STILL), (39, STILL, (-20, 0, 0)), (50, STILL, (-85, 3, 0)), (62, STILL, (-10, 0, 0)), (90, STILL, STILL)],
    "左足": [(0, STILL, STILL), (34, STILL, (20, -8, 5)), (90, STILL, STILL)],
    "左ひざ": [(0, STILL, STILL), (34, STILL, (-30, 0, 0)), (90, STILL, STILL)],
    "右足首": [(0, STILL, STILL), (50, STILL, (25, -5, 4)), (90, STILL, STILL)],
    "右足IK親": [(0, STILL, STILL), (72, (-0.3, 0.4, -0.5), (0, 10, 0)), (90, STILL, STILL)],
    "右足ＩＫ": [
        (0, STILL, STILL),
        (12, (-0.3, 2.5, -1.5), (-25, 5, 0)),
        (24, (-0.8, 0.0, -3.0), (0, 12, 0)),
        (36, (-0.5, 4.0, 2.0), (40, -10, 5)),
        (48, (0.2, 1.0, 3.5), (30, 0, 0)),
        (66, (-3.5, 2.0, -6.0), (-10, 30, 0)),
        (80, (0.5, 5.5, -1.0), (20, -25, 10)),
        (90, STILL, STILL),
    ],
    "左足ＩＫ": [
        (0, STILL, STILL),
        (10, (0.5, 0.0, 1.5), (0, -10, 0)),
        (30, (1.0, 3.0, -2.0), (-30, -20, 5)),
        (55, (4.0, 0.5, 8.0), (45, 0, 0)),
        (73, (0.0, -2.0, 0.0), (0, 0, 0)),
        (90, (0.6, 0.0, -1.0), (0, -15, 0)),
    ],
    "右つま先ＩＫ": [(0, STILL, STILL), (20, (0.2, 0.6, 0.1), STILL), (57, (-0.3, -0.4, 0.2), STILL), (90, STILL, STILL)],
    "左つま先ＩＫ": [(0, STILL, STILL), (42, (-0.2, 0.8, 0.3), STILL), (90, (0.3, 0.2, 0.0), STILL)],
    "右足先EX": [(0, STILL, STILL), (46, STILL, (-25, 0, 0)), (90, STILL, STILL)],
}


@dataclass
class Bone:
    name: str
    flags: int
    axis: Vector | None
    """The fixed axis of a twist bone."""


@dataclass
class Model:
    name: str = ""
    bones: list[Bone] = field(default_factory=list)
    morphs: list[str] = field(default_factory=list)


class PmxReader:
    """Walks over a PMX and keeps the names and flags."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0
        if self.data[:4] != b"PMX ":
            raise ValueError("not a PMX file")
        self.skip(4 + 4)
        (self.text_encoding, self.added_uvs, self.vertex_size, self.texture_size, self.material_size, self.bone_size, self.morph_size,
         self.body_size) = self.take(f"{self.take('B')[0]}B")[:8]

    def take(self, layout: str) -> tuple:
        values = struct.unpack_from("<" + layout, self.data, self.offset)
        self.offset += struct.calcsize("<" + layout)
        return values

    def skip(self, count: int) -> None:
        self.offset += count

    def text(self) -> str:
        (length,) = self.take("i")
        raw = self.data[self.offset : self.offset + length]
        self.skip(length)
        return raw.decode("utf-16-le" if self.text_encoding == 0 else "utf-8")

    def count(self) -> int:
        return self.take("i")[0]

    def model(self) -> Model:
        model = Model(name=self.text())
        for _ in range(3):
            self.text()
        self.skip_surface()
        model.bones = [self.bone() for _ in range(self.count())]
        model.morphs = [self.morph() for _ in range(self.count())]
        return model

    def skip_surface(self) -> None:
        bone = self.bone_size
        weight_sizes = {0: bone, 1: 2 * bone + 4, 2: 4 * bone + 16, 3: 2 * bone + 4 + 36, 4: 4 * bone + 16}
        for _ in range(self.count()):
            self.skip(32 + 16 * self.added_uvs)
            self.skip(weight_sizes[self.take("B")[0]] + 4)
        self.skip(self.count() * self.vertex_size)
        for _ in range(self.count()):
            self.text()
        for _ in range(self.count()):
            self.skip_material()

    def skip_material(self) -> None:
        self.text()
        self.text()
        self.skip(4 * 11 + 1 + 4 * 5 + 2 * self.texture_size + 1)
        shared_toon = self.take("B")[0] != 0
        self.skip(1 if shared_toon else self.texture_size)
        self.text()
        self.skip(4)

    def bone(self) -> Bone:
        name = self.text()
        self.text()
        self.skip(12 + self.bone_size + 4)
        (flags,) = self.take("H")
        self.skip(self.bone_size if flags & 0x0001 else 12)
        self.skip(self.bone_size + 4 if flags & APPEND else 0)
        axis = self.take("3f") if flags & 0x0400 else None
        self.skip(24 if flags & 0x0800 else 0)
        self.skip(4 if flags & 0x2000 else 0)
        if flags & IK:
            self.skip(self.bone_size + 4 + 4)
            for _ in range(self.count()):
                self.skip(self.bone_size)
                self.skip(24 if self.take("B")[0] else 0)
        return Bone(name, flags, axis)

    def morph(self) -> str:
        name = self.text()
        self.text()
        _panel, kind, count = self.take("BBi")
        sizes = {0: self.morph_size + 4, 1: self.vertex_size + 12, 2: self.bone_size + 28, 8: self.material_size + 1 + 112,
                 9: self.morph_size + 4, 10: self.body_size + 25}
        self.skip(count * sizes.get(kind, self.vertex_size + 16))
        return name


def quaternion(degrees: Vector) -> Quaternion:
    """Turns about X, then Y, then Z; x, y, z, w."""
    (sx, sy, sz), (cx, cy, cz) = ([f(math.radians(angle) / 2) for angle in degrees] for f in (math.sin, math.cos))
    return (sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz, cx * cy * cz + sx * sy * sz)


def twist(axis: Vector, degrees: float) -> Quaternion:
    half, length = math.radians(degrees) / 2, math.hypot(*axis)
    return (*(math.sin(half) * part / length for part in axis), math.cos(half))


def name_bytes(name: str, size: int) -> bytes:
    """At most 15 bytes count; a name cut within a character is cut there, as MMD does it."""
    return name.encode("cp932", errors="replace")[:15].ljust(size, b"\0")


def interpolation(serial: int) -> bytes:
    """64 bytes: the curves of X, Y, Z and rotation, four times over, each time moved on by a byte; the switch lies over the first row."""
    curves = [CURVES[(serial * step + start) % len(CURVES)] for start, step in ((0, 1), (2, 3), (5, 2), (1, 4))]
    row = bytes(curve[part] for part in range(4) for curve in curves)
    block = bytearray(b"".join(row[shift:] + bytes([1, 0, 0])[:shift] for shift in range(4)))
    switch = PHYSICS_SWITCH[serial % len(PHYSICS_SWITCH)]
    if switch is not None:
        block[2:4] = switch
    return bytes(block)


def bone_key(bone: Bone, pose: Pose, serial: int) -> bytes:
    frame, translation, degrees = pose
    is_named_twist = bone.axis is not None and bone.name in POSES
    sign = -1.0 if serial % 6 == 4 else 1.0
    rotation = [sign * part for part in (twist(bone.axis, degrees[0]) if is_named_twist else quaternion(degrees))]
    return name_bytes(bone.name, 15) + struct.pack("<I3f4f", frame, *translation, *rotation) + interpolation(serial)


def poses_of(bone: Bone, index: int) -> list[Pose]:
    """The poses by name; else moderate ones for all that a user can move, other for each bone."""
    if bone.name in POSES:
        return POSES[bone.name]
    if not bone.flags & OPERABLE:
        return []
    turn = (4.0 + 5 * (index % 7), -3.0 - 4 * (index % 5), 6.0 - 7 * (index % 3)) if bone.flags & ROTATABLE else STILL
    back = (0.0, 2.0, 0.0) if bone.flags & ROTATABLE else STILL
    shift = (0.5, 1.0 - 0.25 * (index % 9), -0.5) if bone.flags & MOVABLE else STILL
    return [(0, STILL, STILL), (20 + index % 50, shift, turn), (LAST_FRAME, STILL, back)]


def bone_keys(model: Model) -> list[bytes]:
    """Even bones forward, odd ones backward, so that a reader has to sort."""
    keys: list[bytes] = []
    for index, bone in enumerate(model.bones):
        made = [bone_key(bone, pose, len(keys) + at) for at, pose in enumerate(poses_of(bone, index))]
        keys += made if index % 2 == 0 else made[::-1]
    return keys


def morph_keys(model: Model) -> list[bytes]:
    keys = []
    for index, name in enumerate(model.morphs):
        for frame, weight in ((0, 0.0), (15 + index % 20, 0.8), (50 + index % 30, 0.25), (LAST_FRAME, 1.0)):
            keys.append(name_bytes(name, 15) + struct.pack("<If", frame, weight))
    return keys


def property_keys(model: Model) -> list[bytes]:
    """All IK on, then those of the right side off for a while, and on again."""
    off, on = IK_OFF_FRAMES
    names = [bone.name for bone in model.bones if bone.flags & IK]
    keys = []
    for frame in (0, off, on):
        states = [name_bytes(name, 20) + bytes([0 if frame == off and name.startswith("右") else 1]) for name in names]
        keys.append(struct.pack("<IBI", frame, 1, len(states)) + b"".join(states))
    return keys


def motion_bytes(model: Model) -> bytes:
    """All sections; cameras, lights and shadows are empty."""
    sections = [bone_keys(model), morph_keys(model), [], [], [], property_keys(model)]
    header = b"Vocaloid Motion Data 0002".ljust(30, b"\0") + name_bytes(model.name, 20)
    return header + b"".join(struct.pack("<I", len(keys)) + b"".join(keys) for keys in sections)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="PMX to read names and flags from")
    parser.add_argument("motion", type=Path, help="VMD to write")
    arguments = parser.parse_args()
    model = PmxReader(arguments.model.read_bytes()).model()
    arguments.motion.write_bytes(motion_bytes(model))
    moved = sum(1 for index, bone in enumerate(model.bones) if poses_of(bone, index))
    print(f"{moved} of {len(model.bones)} bones, {len(model.morphs)} morphs, {sum(1 for bone in model.bones if bone.flags & IK)} IK")


if __name__ == "__main__":
    main()
