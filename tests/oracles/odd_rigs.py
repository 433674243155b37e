"""Two rigs with odd proportions and a clip each, made of tubes: a troll with arms to the ground, and a beast with a long neck and a tail.

Both are symmetric about x = 0, and nothing of them comes from any model. A tube follows a chain of bones; two neighbors of the chain blend by a smooth
step about the joint between them.
"""

from __future__ import annotations

from pathlib import Path

import gltf_file
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Place = tuple[float, float, float]

SIDES = 16
# Rows of a tube for each meter, and the share of the shorter neighbor over which two bones blend, on each side of their joint.
ROWS_PER_M, SOFT = 40, 0.45

# Name, parent, head.
TROLL: list[tuple[str, str | None, Place]] = [
    ("Hips", None, (0, 0.62, 0)),
    ("Spine", "Hips", (0, 0.78, 0)),
    ("Chest", "Spine", (0, 1.06, 0)),
    ("Neck", "Chest", (0, 1.46, 0.05)),
    ("Head", "Neck", (0, 1.54, 0.08)),
    ("LeftUpperArm", "Chest", (0.34, 1.38, 0)),
    ("LeftLowerArm", "LeftUpperArm", (1.02, 1.36, -0.02)),
    ("LeftHand", "LeftLowerArm", (1.62, 1.36, 0.02)),
    ("LeftUpperLeg", "Hips", (0.16, 0.56, 0)),
    ("LeftLowerLeg", "LeftUpperLeg", (0.18, 0.33, 0.02)),
    ("LeftFoot", "LeftLowerLeg", (0.18, 0.09, -0.01)),
]
# Points with their radii, and the bone of each stretch between two of them.
TROLL_TUBES: list[tuple[list[tuple[Place, float]], list[str]]] = [
    (
        [((0, 0.5, 0), 0.2), ((0, 0.78, 0), 0.3), ((0, 1.06, 0), 0.34), ((0, 1.46, 0.05), 0.22), ((0, 1.54, 0.08), 0.17), ((0, 1.95, 0.1), 0.22)],
        ["Hips", "Spine", "Chest", "Neck", "Head"],
    ),
    (
        [((0.12, 1.38, 0), 0.1), ((0.34, 1.38, 0), 0.12), ((1.02, 1.36, -0.02), 0.08), ((1.62, 1.36, 0.02), 0.1), ((1.95, 1.36, 0.02), 0.13)],
        ["Chest", "LeftUpperArm", "LeftLowerArm", "LeftHand"],
    ),
    (
        [((0.14, 0.7, 0), 0.13), ((0.16, 0.56, 0), 0.15), ((0.18, 0.33, 0.02), 0.11), ((0.18, 0.09, -0.01), 0.09), ((0.19, 0.04, 0.24), 0.07)],
        ["Hips", "LeftUpperLeg", "LeftLowerLeg", "LeftFoot"],
    ),
]

BEAST: list[tuple[str, str | None, Place]] = [
    ("body", None, (0, 1.0, -0.2)),
    ("neck a", "body", (0, 1.1, 0.5)),
    ("neck b", "neck a", (0, 1.6, 0.75)),
    ("neck c", "neck b", (0, 2.2, 0.9)),
    ("skull", "neck c", (0, 2.75, 1.0)),
    ("tail a", "body", (0, 1.05, -0.8)),
    ("tail b", "tail a", (0, 1.0, -1.3)),
    ("tail c", "tail b", (0, 0.9, -1.9)),
    *[
        entry
        for end, z in (("fore", 0.4), ("hind", -0.7))
        for entry in (
            (f"Left {end} a", "body", (0.22, 0.85, z)),
            (f"Left {end} b", f"Left {end} a", (0.24, 0.5, z - 0.05)),
            (f"Left {end} c", f"Left {end} b", (0.24, 0.15, z + 0.03)),
        )
    ],
]
BEAST_TUBES: list[tuple[list[tuple[Place, float]], list[str]]] = [
    (
        [((0, 0.9, -2.4), 0.02), ((0, 0.9, -1.9), 0.05), ((0, 1.0, -1.3), 0.09), ((0, 1.05, -0.8), 0.16), ((0, 1.1, 0.5), 0.24), ((0, 1.6, 0.75), 0.12)]
        + [((0, 2.2, 0.9), 0.1), ((0, 2.75, 1.0), 0.09), ((0, 2.8, 1.4), 0.1)],
        ["tail c", "tail b", "tail a", "body", "neck a", "neck b", "neck c", "skull"],
    ),
    *[
        (
            [((0.2, 1.0, z), 0.1), ((0.22, 0.85, z), 0.11), ((0.24, 0.5, z - 0.05), 0.07), ((0.24, 0.15, z + 0.03), 0.05), ((0.24, 0.02, z + 0.06), 0.06)],
            ["body", f"Left {end} a", f"Left {end} b", f"Left {end} c"],
        )
        for end, z in (("fore", 0.4), ("hind", -0.7))
    ],
]


def other_side(name: str) -> str:
    return name.replace("Left", "Right")


def both_sides(bones: list[tuple[str, str | None, Place]]) -> list[tuple[str, str | None, Place]]:
    """The right side is the image of the left."""
    right = [(other_side(name), parent and other_side(parent), (-x, y, z)) for name, parent, (x, y, z) in bones if "Left" in name]
    return bones + right


def smooth(share: Array) -> Array:
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3 - 2 * share)


def tube(points: list[tuple[Place, float]], chain: list[str], names: list[str]) -> tuple[Array, NDArray[np.int64], Array]:
    """Positions, triangles, and a weight a bone, of a closed tube."""
    places, radii = np.array([place for place, _ in points]), np.array([radius for _, radius in points])
    lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
    ends = np.concatenate([[0.0], np.cumsum(lengths)])
    count = int(ends[-1] * ROWS_PER_M) + 2
    along = np.linspace(0.0, ends[-1], count)
    middles = np.stack([np.interp(along, ends, places[:, axis]) for axis in range(3)], axis=1)
    # Rounded corners, so that rows near a joint do not cross.
    for _ in range(3):
        middles[1:-1] = (middles[:-2] + 2 * middles[1:-1] + middles[2:]) / 4
    ahead = np.gradient(middles, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    # Across all chains that lie in the middle plane, so that these tubes are their own images.
    side = np.array([1.0, 0.0, 0.0]) if not np.any(places[:, 0]) else np.array([0.0, 0.0, 1.0])
    if abs(ahead @ side).max() > 0.9:
        side = np.array([0.0, 1.0, 0.0])
    first = side - ahead * (ahead @ side)[:, None]
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(ahead, first)
    turn = 2 * np.pi * np.arange(SIDES) / SIDES
    # Ends are rounded off.
    near_end = np.minimum(along, ends[-1] - along)
    radius = np.interp(along, ends, radii) * np.sqrt(np.clip(0.15 + near_end / 0.1, 0.0, 1.0))
    rings = first[:, None] * np.cos(turn)[None, :, None] + second[:, None] * np.sin(turn)[None, :, None]
    positions = (middles[:, None] + rings * radius[:, None, None]).reshape(-1, 3)
    weights = np.zeros((count, len(names)))
    shares = [np.ones(count)]
    for joint in range(1, len(chain)):
        reach = SOFT * min(lengths[joint - 1], lengths[joint])
        shares.append(smooth((along - ends[joint] + reach) / (2 * reach)))
    shares.append(np.zeros(count))
    for index, name in enumerate(chain):
        weights[:, names.index(name)] += shares[index] - shares[index + 1]
    around, next_around = np.arange(SIDES), (np.arange(SIDES) + 1) % SIDES
    faces = [np.stack(corners, axis=1) for row in range(count - 1) for corners in quads(row * SIDES, around, next_around)]
    faces += [np.array([[base, base + a, base + a + 1][:: 1 if base else -1] for a in range(1, SIDES - 1)]) for base in (0, (count - 1) * SIDES)]
    return positions, np.concatenate(faces), np.repeat(weights, SIDES, axis=0)


def quads(base: int, around: NDArray[np.int64], next_around: NDArray[np.int64]) -> list[list[NDArray[np.int64]]]:
    a, b = base + around, base + next_around
    return [[a, b, b + SIDES], [a, b + SIDES, a + SIDES]]


def write(path: Path, bones: list[tuple[str, str | None, Place]], tubes: list[tuple[list[tuple[Place, float]], list[str]]], turns: dict[str, Array]) -> None:
    """`turns`: quaternions of a clip of a second, a row a frame, for bones by name."""
    bones = both_sides(bones)
    names = [name for name, _, _ in bones]
    heads = {name: np.array(head, float) for name, _, head in bones}
    positions, faces, weights = [], [], []
    first = 0
    for points, chain in tubes:
        place, triangles, weight = tube(points, chain, names)
        images = [(place, triangles, weight)]
        if any("Left" in name for name in chain):
            swapped = [names.index(other_side(name) if "Left" in name else name.replace("Right", "Left")) for name in names]
            images.append((place * [-1, 1, 1], triangles[:, ::-1], weight[:, swapped]))
        for place, triangles, weight in images:
            positions.append(place)
            faces.append(triangles + first)
            weights.append(weight)
            first += len(place)
    all_positions, all_weights = np.concatenate(positions), np.concatenate(weights)
    order = np.argsort(-all_weights, axis=1, kind="stable")[:, :4]
    document = gltf_file.Document({"asset": {"version": "2.0"}, "buffers": [], "bufferViews": [], "accessors": []}, [])

    def add_integers(values: NDArray[np.int64], dtype: str, component: int, kind: str) -> int:
        data = np.ascontiguousarray(values.astype(dtype)).tobytes()
        document.buffers.append(data)
        document.json["buffers"].append({"byteLength": len(data)})
        document.json["bufferViews"].append({"buffer": len(document.buffers) - 1, "byteLength": len(data)})
        count = values.size if kind == "SCALAR" else len(values)
        document.json["accessors"].append({"bufferView": len(document.buffers) - 1, "componentType": component, "count": count, "type": kind})
        return len(document.json["accessors"]) - 1

    indices = add_integers(np.concatenate(faces).reshape(-1), "<u4", 5125, "SCALAR")
    attributes = {
        "POSITION": document.add_float_accessor(all_positions, "VEC3"),
        "JOINTS_0": add_integers(order, "<u2", 5123, "VEC4"),
        "WEIGHTS_0": document.add_float_accessor(np.take_along_axis(all_weights, order, axis=1), "VEC4"),
    }
    place = document.json["accessors"][attributes["POSITION"]]
    place |= {"min": all_positions.min(axis=0).tolist(), "max": all_positions.max(axis=0).tolist()}
    binds = np.tile(np.eye(4), (len(bones), 1, 1))
    for bind, name in zip(binds, names):
        bind[3, :3] = -heads[name]
    nodes = []
    for name, parent, _ in bones:
        children = [index for index, (_, other, _) in enumerate(bones) if other == name]
        offset = heads[name] - (heads[parent] if parent else 0.0)
        nodes.append({"name": name, "translation": offset.tolist()} | ({"children": children} if children else {}))
    document.json |= {
        "scene": 0,
        "scenes": [{"nodes": [0, len(nodes)]}],
        "nodes": [*nodes, {"name": "skin", "mesh": 0, "skin": 0}],
        "skins": [{"joints": list(range(len(bones))), "inverseBindMatrices": document.add_float_accessor(binds, "MAT4")}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}],
    }
    if turns:
        frames = len(next(iter(turns.values())))
        times = document.add_float_accessor(np.linspace(0.0, 1.0, frames)[:, None], "SCALAR")
        samplers = [{"input": times, "output": document.add_float_accessor(rows, "VEC4")} for rows in turns.values()]
        targets = [{"sampler": at, "target": {"node": names.index(name), "path": "rotation"}} for at, name in enumerate(turns)]
        document.json["animations"] = [{"name": "walk", "samplers": samplers, "channels": targets}]
    document.save(path)


def about(axis: Place, degrees: Array) -> Array:
    half = np.radians(degrees)[:, None] / 2
    return np.concatenate([np.sin(half) * np.array(axis), np.cos(half)], axis=1)


def beast_walk() -> dict[str, Array]:
    """Legs swing in turn, the neck nods and the tail sways."""
    phase = 2 * np.pi * np.arange(25) / 24
    turns = {}
    for at, (leg, begin) in enumerate((("Left fore", 0.0), ("Right fore", 0.5), ("Left hind", 0.75), ("Right hind", 0.25))):
        swing = phase + 2 * np.pi * begin
        turns[f"{leg} a"] = about((1, 0, 0), 28 * np.sin(swing))
        turns[f"{leg} b"] = about((1, 0, 0), (22 if at < 2 else -18) * (1 + np.cos(swing)))
        turns[f"{leg} c"] = about((1, 0, 0), 15 * np.sin(swing + 1))
    for part, size in (("neck a", 9), ("neck b", 11), ("neck c", 12)):
        turns[part] = about((1, 0, 0), size * np.sin(2 * phase))
    for index, part in enumerate(("tail a", "tail b", "tail c")):
        turns[part] = about((0, 1, 0), 16 * np.sin(phase - 0.7 * index))
    return turns


def write_troll(path: Path) -> None:
    """Without a clip: whoever walks gives it one."""
    write(path, TROLL, TROLL_TUBES, {})


def write_beast(path: Path) -> None:
    write(path, BEAST, BEAST_TUBES, beast_walk())
