"""Measures joints on the vertices that `sinew skin` writes, and compares with what `sinew compare --json` says.

    measure_joints.py --sinew target/release/sinew

Tubes: rings are the rows of vertices that this script made, so nothing is cut. A character: the rest surface is cut by planes across the bones,
and the cut points are carried by the written vertices. Kinks are angles between the line of the rings' centroids in its first and last gap and the
same gap in rest, carried by the bone. Nothing is shared with the crates.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import gltf_file
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Bends that the optimization does not use.
OTHER_BENDS_DEG = (90, 120)

METHODS = ["lbs", "sbs", "sdef", "bezier", "dlb", "cor", "delta_mush"]
# Degrees, and shares of rest.
MOST_DEG = 0.3
MOST_SHARE = 0.01

RADIUS_M, SIDES = 0.1, 24


def angle_deg(a: Array, b: Array) -> float:
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))


def rotation_vector(a: Array, b: Array) -> Array:
    across = np.cross(a, b)
    length = np.linalg.norm(across)
    return across * (np.arctan2(length, a @ b) / length) if length > 0 else across


def best_rotation(rest: Array, posed: Array, by: Array) -> Array:
    """Kabsch's, with points weighted by the lengths beside them."""
    lengths = np.linalg.norm(np.roll(by, -1, axis=0) - by, axis=1)
    weights = lengths + np.roll(lengths, 1)
    u, _, vt = np.linalg.svd((rest * weights[:, None]).T @ posed)
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(vt.T @ u.T))])
    return vt.T @ flip @ u.T


def run(sinew: str, *arguments: str | Path) -> str:
    done = subprocess.run([sinew, "--quiet", *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout


def pose_file(folder: Path, bone: str, axis: tuple[float, float, float], degrees: float) -> Path:
    half = np.radians(degrees) / 2
    turn = [*(np.array(axis) / np.linalg.norm(axis) * np.sin(half)), np.cos(half)]
    path = folder / "pose.json"
    path.write_text(json.dumps({"bones": {bone: {"rotation": turn}}}))
    return path


@dataclass
class Kinks:
    """Degrees; the section over rest."""

    begin: float
    end: float
    inside: float
    section_least: float

    def apart(self, said: dict[str, Any]) -> float:
        """The largest difference to a row of Sinew's, as a share of what is allowed."""
        angles = ((self.begin, "kink_r0_deg"), (self.end, "kink_r1_deg"), (self.inside, "turn_deg"))
        degrees = max(abs(own - said[name]) for own, name in angles)
        return max(degrees / MOST_DEG, abs(self.section_least - said["section_least"]) / MOST_SHARE)


def kinks(rest: list[Array], posed: list[Array], parent: Array, child: Array) -> Kinks:
    """Of rings as closed lines of points, with the linear maps of the two bones."""

    def center(ring: Array, by: Array) -> Array:
        lengths = np.linalg.norm(np.roll(by, -1, axis=0) - by, axis=1)
        return lengths @ (0.5 * (ring + np.roll(ring, -1, axis=0))) / lengths.sum()

    def area(ring: Array, middle: Array) -> Array:
        around = ring - middle
        return 0.5 * np.cross(around, np.roll(around, -1, axis=0)).sum(axis=0)

    centers = [np.array([center(ring, by) for ring, by in zip(rings, rest)]) for rings in (rest, posed)]
    gaps = [np.diff(line, axis=0) for line in centers]
    turns = []
    for at in range(1, len(rest) - 1):
        turned = [rotation_vector(line[at - 1], line[at]) for line in gaps]
        rotation = best_rotation(rest[at] - centers[0][at], posed[at] - centers[1][at], rest[at])
        turns.append(float(np.degrees(np.linalg.norm(rotation.T @ turned[1] - turned[0]))))
    sections = []
    for rings, line in zip((rest, posed), centers):
        directions = np.gradient(line, axis=0)
        # At the ends the nearest gap, inside the chord over both.
        areas = [area(ring, middle) @ (d / np.linalg.norm(d)) for ring, middle, d in zip(rings, line, directions)]
        sections.append(np.array(areas))
    least = float((sections[1] / sections[0]).min())
    return Kinks(angle_deg(parent @ gaps[0][0], gaps[1][0]), angle_deg(child @ gaps[0][-1], gaps[1][-1]), max(turns), least)


def write_tube(path: Path, heights: Array, child_weights: Array) -> None:
    """A tube about Y with its joint at the origin, from a bone below it to one above."""
    turn = 2 * np.pi * np.arange(SIDES) / SIDES
    ring = np.stack([RADIUS_M * np.cos(turn), np.zeros(SIDES), -RADIUS_M * np.sin(turn)], axis=1)
    positions = (ring[None] + np.array([0.0, 1.0, 0.0]) * heights[:, None, None]).reshape(-1, 3)
    weights = np.repeat(child_weights, SIDES)
    around = np.arange(SIDES)
    next_around = (around + 1) % SIDES
    faces = []
    for row in range(len(heights) - 1):
        a, b = row * SIDES + around, row * SIDES + next_around
        c, d = b + SIDES, a + SIDES
        faces += [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    document = gltf_file.Document({"asset": {"version": "2.0"}, "buffers": [], "bufferViews": [], "accessors": []}, [])
    low, high = float(heights[0]), float(heights[-1])
    binds = np.tile(np.eye(4), (3, 1, 1))
    for bind, height in zip(binds, (low, 0.0, high)):
        bind[3, 1] = -height
    indices = np.concatenate(faces).reshape(-1).astype("<u4").tobytes()
    document.buffers.append(indices)
    document.json["buffers"].append({"byteLength": len(indices)})
    document.json["bufferViews"].append({"buffer": 0, "byteLength": len(indices)})
    document.json["accessors"].append({"bufferView": 0, "componentType": 5125, "count": len(indices) // 4, "type": "SCALAR"})
    joints = np.tile(np.array([0, 1, 0, 0], "<u2"), (len(positions), 1)).tobytes()
    document.buffers.append(joints)
    document.json["buffers"].append({"byteLength": len(joints)})
    document.json["bufferViews"].append({"buffer": 1, "byteLength": len(joints)})
    document.json["accessors"].append({"bufferView": 1, "componentType": 5123, "count": len(positions), "type": "VEC4"})
    zeros = np.zeros_like(weights)
    attributes = {
        "POSITION": document.add_float_accessor(positions, "VEC3"),
        "JOINTS_0": 1,
        "WEIGHTS_0": document.add_float_accessor(np.stack([1 - weights, weights, zeros, zeros], axis=1), "VEC4"),
    }
    place = document.json["accessors"][attributes["POSITION"]]
    place |= {"min": positions.min(axis=0).tolist(), "max": positions.max(axis=0).tolist()}
    document.json |= {
        "scene": 0,
        "scenes": [{"nodes": [0, 3]}],
        "nodes": [
            {"name": "parent", "translation": [0, low, 0], "children": [1]},
            {"name": "child", "translation": [0, -low, 0], "children": [2]},
            {"name": "tip", "translation": [0, high, 0]},
            {"name": "tube", "mesh": 0, "skin": 0},
        ],
        "skins": [{"joints": [0, 1, 2], "inverseBindMatrices": document.add_float_accessor(binds, "MAT4")}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 0}]}],
    }
    document.save(path)


def compared(sinew: str, model: Path, pose: Path, bone: str, folder: Path) -> dict[str, Any]:
    arguments = ["--pose", pose, "--focus", bone, "--methods", ",".join(METHODS), "--size", "32x32", "--json"]
    return json.loads(run(sinew, "compare", model, *arguments, "-o", folder / "sheet.png"))


def tube(sinew: str, folder: Path, weight: Callable[[Array], Array], degrees: float) -> list[tuple[str, Kinks, dict[str, Any]]]:
    """Rows 1 cm apart; the bones blend from 30 cm before the joint to 60 cm after it."""
    heights = np.arange(-100, 101) / 100.0
    # Rounded: the row at 0.6 m belongs to the child alone.
    share = np.clip((heights + 0.3) / 0.9, 0.0, 1.0).round(9)
    model, out = folder / "tube.gltf", folder / "tube.npy"
    write_tube(model, heights, weight(share))
    pose = pose_file(folder, "child", (0.0, 0.0, 1.0), degrees)
    run(sinew, "skin", model, "-o", out)
    rest = np.load(out).astype(np.float64).reshape(len(heights), SIDES, 3)
    # From the last row that only the parent moves to the first that only the child moves.
    first, last = np.flatnonzero(share == 0.0)[-1], np.flatnonzero(share == 1.0)[0]
    sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    child = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    said = compared(sinew, model, pose, "child", folder)
    rows = []
    for method, row in zip(METHODS, said["methods"]):
        run(sinew, "skin", model, "--pose", pose, "--method", method, "-o", out)
        posed = np.load(out).astype(np.float64).reshape(len(heights), SIDES, 3)
        own = kinks(list(rest[first : last + 1]), list(posed[first : last + 1]), np.eye(3), child)
        rows.append((method, own, row["joints"][0]))
    return rows


@dataclass
class Character:
    """A skinned mesh: rest vertices as written, triangles, and the weights of two bones."""

    rest: Array
    triangles: NDArray[np.int64]
    parent_weight: Array
    child_weight: Array
    heads: Array
    matrices: Array


def read_character(sinew: str, path: Path, parent: str, child: str, tip: str, folder: Path) -> Character:
    document = gltf_file.load(path)
    nodes = document.json["nodes"]
    names = [node.get("name") for node in nodes]
    (mesh_node,) = [node for node in nodes if "mesh" in node]
    (primitive,) = document.json["meshes"][mesh_node["mesh"]]["primitives"]
    joints = document.json["skins"][mesh_node["skin"]]["joints"]
    attributes = primitive["attributes"]
    of_vertex, weights = document.accessor(attributes["JOINTS_0"]), document.accessor(attributes["WEIGHTS_0"])
    weights = weights / weights.sum(axis=1, keepdims=True)
    weight_of = lambda bone: (weights * (of_vertex == joints.index(names.index(bone)))).sum(axis=1)
    triangles = document.accessor(primitive["indices"]).reshape(-1, 3).astype(np.int64)
    out = folder / "rest.npy"
    run(sinew, "skin", path, "--method", "lbs", f"--bones={folder / 'bones.npy'}", "-o", out)
    matrices = np.load(folder / "bones.npy").astype(np.float64)
    order = [bone["name"] for bone in json.loads(run(sinew, "inspect", path, "--json"))["bones"]]
    chosen = matrices[[order.index(name) for name in (parent, child, tip)]]
    return Character(np.load(out).astype(np.float64), triangles, weight_of(parent), weight_of(child), chosen[:, :3, 3], chosen)


def ring_around(model: Character, point: Array, normal: Array) -> list[tuple[int, int, float]] | None:
    """The closed line around an axis point where a plane cuts the surface: edges and shares, in order."""
    heights = (model.rest - point) @ normal
    above = heights >= 0
    crossed = model.triangles[(above[model.triangles].any(axis=1)) & (~above[model.triangles]).any(axis=1)]
    # Vertices at one place are one: textures have seams.
    keys: dict[bytes, int] = {}
    place = lambda vertex: keys.setdefault((model.rest[vertex] + 0.0).tobytes(), vertex)
    follow: dict[tuple[int, int], tuple[int, int]] = {}
    for corners in crossed:
        up = down = (0, 0)
        for a, b in zip(corners, np.roll(corners, -1)):
            a, b = place(a), place(b)
            if not above[a] and above[b]:
                up = (a, b)
            if above[a] and not above[b]:
                down = (b, a)
        follow[up] = down
    while follow:
        start, at = follow.popitem()
        line = [start]
        while at != start and at in follow:
            line.append(at)
            at = follow.pop(at)
        shares = [heights[a] / (heights[a] - heights[b]) for a, b in line]
        ring = [(a, b, share) for (a, b), share in zip(line, shares)]
        points = carried(ring, model.rest) - point
        turn = np.arctan2(np.cross(points, np.roll(points, -1, axis=0)) @ normal, (points * np.roll(points, -1, axis=0)).sum(axis=1))
        weight = carried(ring, (model.parent_weight + model.child_weight)[:, None])[:, 0]
        if at == start and abs(turn.sum()) > 6.0 and weight.mean() > 0.5:
            return ring
    return None


def carried(ring: list[tuple[int, int, float]], values: Array) -> Array:
    a, b, share = (np.array(part) for part in zip(*ring))
    return values[a] + (values[b] - values[a]) * share[:, None]


def character(sinew: str, path: Path, bones: tuple[str, str, str], degrees: float, folder: Path) -> list[tuple[str, Kinks, dict[str, Any]]]:
    parent, child, tip = bones
    model = read_character(sinew, path, parent, child, tip, folder)
    # About the axis across the bone and up, in the bone's own frame.
    across = np.cross(model.heads[2] - model.heads[1], [0.0, 1.0, 0.0])
    axis = np.linalg.inv(model.matrices[1][:3, :3]) @ across
    pose = pose_file(folder, child, tuple(axis), degrees)
    said = compared(sinew, path, pose, child, folder)
    joint = said["joints"][0]
    directions = [model.heads[1] - model.heads[0], model.heads[2] - model.heads[1]]
    directions = [direction / np.linalg.norm(direction) for direction in directions]

    def ring_at(along: float) -> list[tuple[int, int, float]] | None:
        share = np.clip((along + joint["range_back"]) / (joint["range_back"] + joint["range_forth"]), 0, 1)
        normal = (1 - share) * directions[0] + share * directions[1]
        point = model.heads[1] + directions[0 if along < 0 else 1] * along
        return ring_around(model, point, normal / np.linalg.norm(normal))

    # Where the bones end to blend, found anew: outward until a ring has no weight of the other bone.
    gap = (joint["ring_range"][1] - joint["ring_range"][0]) / (joint["ring_count"] - 1)
    length = joint["range_back"] + joint["range_forth"]
    ends = []
    for sign, weight, reach in ((-1, model.child_weight, joint["range_back"]), (1, model.parent_weight, joint["range_forth"])):
        along, limit = 0.0, reach + length
        while abs(along) < limit:
            ring = ring_at(along)
            if ring is None or carried(ring, weight[:, None]).mean() < 1e-6:
                break
            along += sign * gap / 50
        ends.append(along)
    off = max(abs(own - theirs) for own, theirs in zip(ends, joint["ring_range"]))
    print(f"{path.stem} {child}: {joint['ring_count']} rings from {ends[0]:.4f} to {ends[1]:.4f} m; Sinew's ends are {off:.4f} m apart")
    if off > 0.1 * gap:
        raise SystemExit("the ends of the blending differ by more than a tenth of a gap")
    rings = [ring_at(along) for along in np.linspace(*joint["ring_range"], joint["ring_count"])]
    if any(ring is None for ring in rings):
        raise SystemExit("a ring is not closed")
    rest = [carried(ring, model.rest) for ring in rings]
    rows = []
    for method, row in zip(METHODS, said["methods"]):
        out, placed = folder / "posed.npy", folder / "bones.npy"
        run(sinew, "skin", path, "--pose", pose, "--method", method, f"--bones={placed}", "-o", out)
        vertices = np.load(out).astype(np.float64)
        order = [bone["name"] for bone in json.loads(run(sinew, "inspect", path, "--json"))["bones"]]
        moved = np.load(placed).astype(np.float64)[[order.index(name) for name in (parent, child)]]
        maps = [moved[at][:3, :3] @ np.linalg.inv(model.matrices[at][:3, :3]) for at in (0, 1)]
        rows.append((method, kinks(rest, [carried(ring, vertices) for ring in rings], *maps), row["joints"][0]))
    return rows


def optimized(sinew: str, path: Path, joints: list[tuple[str, str, str]], folder: Path) -> tuple[int, int]:
    """What `sinew rig --optimize` wins at bends that it does not use, and that it can be undone; numbers of passed and failed checks."""
    derived, soft, undone = (folder / name for name in ("derived.glb", "soft.glb", "undone.glb"))
    run(sinew, "rig", path, "--method", "sdef", "-o", derived)
    chosen = [part for _, child, _ in joints for part in ("--optimize", child)]
    run(sinew, "rig", path, "--method", "sdef", *chosen, "-o", soft)
    run(sinew, "rig", soft, "--undo", "-o", undone)
    passed = failed = 0
    for bones in joints:
        model = read_character(sinew, derived, *bones, folder)
        directions = [model.heads[1] - model.heads[0], model.heads[2] - model.heads[1]]
        directions = [direction / np.linalg.norm(direction) for direction in directions]
        across = np.cross(*directions) / np.linalg.norm(np.cross(*directions))
        axis = np.linalg.inv(model.matrices[1][:3, :3]) @ across
        for degrees in OTHER_BENDS_DEG:
            pose = pose_file(folder, bones[1], tuple(axis), degrees)
            before, after = (compared(sinew, file, pose, bones[1], folder)["joints"][0] for file in (derived, soft))
            length = before["range_back"] + before["range_forth"]
            gap = (before["ring_range"][1] - before["ring_range"][0]) / (before["ring_count"] - 1)
            # The same rings for both files, over all that blends in either.
            low, high = (pick(before["ring_range"][at], after["ring_range"][at]) for at, pick in ((0, min), (1, max)))
            rings = []
            for along in np.arange(low, high + 0.5 * gap, gap):
                share = np.clip((along + before["range_back"]) / length, 0, 1)
                normal = (1 - share) * directions[0] + share * directions[1]
                point = model.heads[1] + directions[0 if along < 0 else 1] * along
                ring = ring_around(model, point, normal / np.linalg.norm(normal))
                rings += [ring] if ring is not None else []
            rest = [carried(ring, model.rest) for ring in rings]
            half = np.radians(degrees)
            cross = np.cross(np.eye(3), across)
            child = np.eye(3) + np.sin(half) * cross + (1 - np.cos(half)) * cross @ cross
            found = []
            for file in (derived, soft, undone):
                run(sinew, "skin", file, "--pose", pose, "-o", folder / "posed.npy")
                vertices = np.load(folder / "posed.npy").astype(np.float64)
                own = kinks(rest, [carried(ring, vertices) for ring in rings], np.eye(3), child)
                found.append((max(own.begin, own.end, own.inside), 1.0 - own.section_least, vertices))
            (turn, loss, vertices), (turn_after, loss_after, _), (_, _, restored) = found
            # Degrees and percent are read side by side: the larger number is the worse fault.
            worse, worse_after = (turn, turn_after) if turn > 100 * loss else (loss, loss_after)
            other, other_after = (loss, loss_after) if turn > 100 * loss else (turn, turn_after)
            is_undone = np.abs(vertices - restored).max() < 1e-6
            is_good = worse_after <= 0.6 * worse and other_after <= other and is_undone
            print(
                f"{bones[1]} at {degrees}°, {len(rings)} rings: sharpest turn {turn:.1f}° -> {turn_after:.1f}°, lost section "
                f"{loss:.3f} -> {loss_after:.3f}, undone {is_undone}: {'ok' if is_good else 'FAILED'}"
            )
            passed, failed = passed + is_good, failed + (not is_good)
    return passed, failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinew", required=True)
    sinew = str(Path(parser.parse_args().sinew).resolve())
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = [
            ("smoothstep tube", lambda: tube(sinew, folder, lambda x: x * x * (3 - 2 * x), 90.0)),
            ("linear 1:2 tube", lambda: tube(sinew, folder, lambda x: x, 90.0)),
        ]
        corpus = os.environ.get("SINEW_CORPUS")
        if corpus:
            human = Path(corpus).resolve() / "characters/quaternius-human-male.glb"
            elbow = ("upperarm_l", "lowerarm_l", "hand_l")
            cases.append(("elbow", lambda: character(sinew, human, elbow, 90.0, folder)))
        for title, rows in cases:
            for method, own, said in rows():
                share = own.apart(said)
                verdict = "ok" if share <= 1.0 else "FAILED"
                print(
                    f"{title}, {method}: kinks {own.begin:.2f}° / {own.end:.2f}°, sharpest turn {own.inside:.2f}°, least section "
                    f"{own.section_least:.3f}; Sinew {said['kink_r0_deg']:.2f}° / {said['kink_r1_deg']:.2f}°, {said['turn_deg']:.2f}°, "
                    f"{said['section_least']:.3f}: {verdict}"
                )
                passed, failed = passed + (share <= 1.0), failed + (share > 1.0)
        if corpus:
            joints = [elbow, ("thigh_l", "calf_l", "foot_l"), ("clavicle_l", "upperarm_l", "lowerarm_l")]
            more = optimized(sinew, human, joints, folder)
            passed, failed = passed + more[0], failed + more[1]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
