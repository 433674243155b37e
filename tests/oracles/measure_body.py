"""Measures bodies on their exported mesh and compares with what `sinew body --json` reads on its patches.

Slices triangles of the .glb and takes extents, in float64 with numpy; shares no code with the crates. Joints are the heads of the
file's bones. Taken from the report are only the planes in which tapes lie, not the lengths; heights of chest, buttocks and crotch, and
extents of head and foot are found anew. Both sides use the definitions of docs/formats/design.md: the crotch is the lowest place of the
seam in the middle plane, chest and buttocks are where the trunk stands out within a millimeter, a hand is all that the knuckles'
plane cuts but the thumb. Measures that are read in another pose (flexed arms, hanging arms) are not compared.

    python tests/oracles/measure_body.py --sinew target/release/sinew
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from gltf_file import load

LIMIT_M = 2e-3
# Measures that say how high something stands out, with its side, and by how much two levels may differ that both count, m.
FLAT, FLAT_M = {"chest_height": 1.0, "buttock_height": -1.0}, 5e-4
# What calipers that press to the bone read of the skin's extent.
PRESSED = {"chest_breadth": 0.82, "hip_breadth": 0.885, "buttock_depth": 0.907}
DENSITY = 1010.0
BODIES = {
    "man": [],
    "woman": ["--sex", "female"],
    "lanky man": ["--preset", "lanky"],
    "heavy woman": ["--sex", "female", "--preset", "heavy"],
    "inseam and foot": ["--set", "inseam=0.82", "--set", "foot=0.26", "--set", "waist=0.85"],
    "child of 4": ["--age", "4"],
    "girl of 12": ["--sex", "female", "--age", "12"],
    "woman of 110 kg": ["--sex", "female", "--fat", "1", "--weight", "110", "--stature", "1.65"],
    "man of 80": ["--age", "80"],
    "bodybuilder": ["--muscle", "1", "--stature", "1.78"],
    "random person 7": ["--random", "7"],
    "random person 12": ["--random", "12"],
}


def hull_length(points):
    """Length of the convex hull of points in the plane, by gift wrapping's cheaper cousin, the monotone chain."""
    points = np.unique(points, axis=0)
    if len(points) < 3:
        return 0.0

    def half(points):
        hull = []
        for p in points:
            while len(hull) > 1:
                a, b = hull[-1] - hull[-2], p - hull[-1]
                if a[0] * b[1] - a[1] * b[0] > 0:
                    break
                hull.pop()
            hull.append(p)
        return np.array(hull)

    sides = [half(points), half(points[::-1])]
    return sum(np.linalg.norm(np.diff(side, axis=0), axis=1).sum() for side in sides)


class Mesh:
    def __init__(self, positions, triangles, joints):
        keys = np.round(positions * 1e6).astype(np.int64)
        _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        self.points = positions[first]
        self.triangles = inverse.reshape(-1)[triangles]
        self.joints = joints
        self.ground = self.points[:, 1].min()

    def loops(self, point, normal):
        """Points of each connected part of a slice."""
        point, normal = np.asarray(point, float), np.asarray(normal, float)
        distance = (self.points - point) @ normal
        distance[distance == 0.0] = 1e-15
        side = distance > 0
        cut = self.triangles[side[self.triangles].any(1) & ~side[self.triangles].all(1)]
        parent, place = {}, {}

        def root(edge):
            while parent[edge] != edge:
                parent[edge] = parent[parent[edge]]
                edge = parent[edge]
            return edge

        for triangle in cut:
            ends = []
            for a, b in zip(triangle, np.roll(triangle, -1)):
                if side[a] != side[b]:
                    edge = (min(a, b), max(a, b))
                    if edge not in parent:
                        parent[edge] = edge
                        t = distance[edge[0]] / (distance[edge[0]] - distance[edge[1]])
                        place[edge] = self.points[edge[0]] * (1 - t) + self.points[edge[1]] * t
                    ends.append(edge)
            if len(ends) == 2:
                parent[root(ends[0])] = root(ends[1])
        parts = {}
        for edge in parent:
            parts.setdefault(root(edge), []).append(place[edge])
        return [np.array(part) for part in parts.values()]

    def middle(self):
        """Ends of edges that lie in the middle plane. Single vertices of thick thighs may lie there too, but no edge."""
        is_middle = np.abs(self.points[:, 0]) < 1e-5
        edges = np.concatenate([self.triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
        return self.points[np.unique(edges[is_middle[edges].all(1)])]

    def nearest_loop(self, point, normal):
        return min(self.loops(point, normal), key=lambda loop: np.linalg.norm(loop.mean(0) - point))

    def trunk(self, line):
        """The parts of a level cut that are neither arms nor hands, limited in breadth like the report's tape."""
        loops = [loop for loop in self.loops(line["point"], line["normal"]) if abs(loop[:, 0].mean()) < 0.3]
        if line["name"] in ("chest_girth", "chest_breadth", "chest_depth", "waist_girth", "waist_breadth", "waist_depth"):
            loops = [max(loops, key=lambda loop: np.ptp(loop[:, 0]))]
        points = np.concatenate(loops)
        if line["within_m"] is not None:
            points[:, 0] = np.clip(points[:, 0], -line["within_m"], line["within_m"])
        return points

    def standing_out(self, low, high, sign):
        """Mean of the levels at which the trunk reaches farthest forward or back, within a millimeter, the nearer the more."""
        heights = np.linspace(low, high, 61)
        reached = np.array([self.reach(height, sign) for height in heights])
        return np.average(heights, weights=np.maximum(1e-3 - (reached.max() - reached), 0.0))

    def reach(self, height, sign):
        """How far the trunk reaches forward or back at a level."""
        loops = self.loops([0, height, 0], [0, 1, 0])
        trunk = [loop for loop in loops if abs(loop[:, 0].mean()) < 0.2]
        return max((sign * loop[:, 2]).max() for loop in trunk)

    def height_over(self, place):
        """Height of the highest triangle over a point of the ground."""
        a, b, c = (self.points[self.triangles[:, k]] for k in range(3))
        flat = [0, 2]
        ab, ac, ap = (b - a)[:, flat], (c - a)[:, flat], (place - a)[:, flat]
        cross = lambda p, q: p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            v, w = cross(ap, ac) / cross(ab, ac), cross(ab, ap) / cross(ab, ac)
        hit = (v >= 0) & (w >= 0) & (v + w <= 1)
        return (a[hit, 1] + v[hit] * (b - a)[hit, 1] + w[hit] * (c - a)[hit, 1]).max()

    def volume(self):
        a, b, c = (self.points[self.triangles[:, k]] for k in range(3))
        return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


def flat_hull(points, normal):
    normal = np.asarray(normal, float)
    right = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.9 else [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    return hull_length(np.stack([points @ right, points @ np.cross(normal, right)], axis=1))


def unit(vector):
    return vector / np.linalg.norm(vector)


def measured(mesh, line):
    """The measure on the mesh, or None if it is not compared."""
    name, p = line["name"], mesh.points
    joint = lambda bone: mesh.joints[bone] if bone in mesh.joints else mesh.joints[bone + ".left"]
    height = lambda bone: joint(bone)[1] - mesh.ground
    chain = lambda *places: sum(np.linalg.norm(a - b) for a, b in zip(places, places[1:]))
    stature = p[:, 1].max() - mesh.ground
    crotch = mesh.middle()[:, 1].min() - mesh.ground
    if line["pose"] is not None:
        return None
    if name == "stature":
        return stature
    if name == "weight":
        return DENSITY * mesh.volume()
    if name in ("chest_girth", "waist_girth", "buttock_girth"):
        return hull_length(mesh.trunk(line)[:, [0, 2]])
    if name in ("chest_breadth", "waist_breadth", "hip_breadth"):
        return PRESSED.get(name, 1.0) * np.ptp(mesh.trunk(line)[:, 0])
    if name in ("chest_depth", "waist_depth", "buttock_depth"):
        return PRESSED.get(name, 1.0) * np.ptp(mesh.trunk(line)[:, 2])
    if name in ("hand_girth", "hand_breadth"):
        # Where fingers part before the knuckles' plane, the hand is cut in several loops.
        near = [loop for loop in mesh.loops(line["point"], line["normal"]) if np.linalg.norm(loop.mean(0) - line["point"]) < 0.12]
        loop = np.concatenate(near)
        index, little, normal = joint("index_proximal"), joint("little_proximal"), np.array(line["normal"])
        across = unit((index - little) - ((index - little) @ normal) * normal)
        loop = loop[(loop - index) @ across < 0.018]
        return flat_hull(loop, normal) if name == "hand_girth" else np.ptp(loop @ across)
    if name == "head_girth":
        near = [loop for loop in mesh.loops(line["point"], line["normal"]) if np.linalg.norm(loop.mean(0) - line["point"]) < 0.15]
        return flat_hull(np.concatenate(near), line["normal"])
    if line["how"] == "tape":
        return flat_hull(mesh.nearest_loop(line["point"], line["normal"]), line["normal"])
    if name == "crotch_height":
        return crotch
    if name == "chest_height":
        low, neck = joint("chest")[1], joint("neck")[1]
        return mesh.standing_out(low, low + 0.45 * (neck - low), 1.0) - mesh.ground
    if name == "buttock_height":
        hip = joint("thigh")[1]
        return mesh.standing_out(0.86 * hip, 1.06 * hip, -1.0) - mesh.ground
    if name == "axilla_height":
        # The report's place must lie on the mesh.
        nearest = p[np.linalg.norm(p - line["point"], axis=1).argmin()]
        return nearest[1] - mesh.ground
    if name == "acromial_height":
        return mesh.height_over(joint("upper_arm")) - mesh.ground
    if name == "head_breadth":
        return np.ptp(p[p[:, 1] > line["point"][1]][:, 0])
    if name == "head_length":
        # The brow is 0.1 of the way from the eyes to the top, the back of the head at most 0.3 of it below the eyes.
        brow = line["point"][1]
        high = (p[:, 1].max() - brow) / 0.9
        return p[p[:, 1] > brow][:, 2].max() - p[p[:, 1] > brow - 0.4 * high][:, 2].min()
    if name == "face_breadth":
        cut = np.concatenate(mesh.loops(line["point"], line["normal"]))
        return np.ptp(cut[cut[:, 2] > line["point"][2]][:, 0])
    if name == "tragion_to_crown":
        return (p[:, 1].max() - line["point"][1]) * 0.1311 / 0.1271
    if name == "face_length":
        skull = joint("head")
        rise = p[:, 1].max() - skull[1]
        front = p[(np.abs(p[:, 0]) < 1e-5) & (p[:, 2] > skull[2]) & (p[:, 1] > skull[1] - 0.06)]
        nose = max(front[front[:, 1] < skull[1] + 0.6 * rise], key=lambda q: q[2])
        root = min(front[(front[:, 1] >= nose[1]) & (front[:, 1] < nose[1] + 0.28 * rise)], key=lambda q: q[2])
        low = front[(front[:, 1] < nose[1]) & (front[:, 2] > skull[2] + 0.66 * (nose[2] - skull[2]))]
        chin = max(low, key=lambda q: 0.5 * q[2] - q[1])
        return np.linalg.norm(root - chin)
    if name in ("foot_length", "foot_breadth", "heel_breadth", "ball_length"):
        ankle, ball = joint("foot"), joint("toes")
        along = unit((ball - ankle) * [1, 0, 1])
        across = np.cross(along, [0, 1, 0])
        foot = p[(p[:, 0] > 0.02) & (p[:, 1] < 1.05 * ankle[1])]
        heel, tip = (foot @ along).min(), (foot @ along).max()
        if name == "foot_length":
            return tip - heel
        if name == "ball_length":
            return 1.10 * (ball @ along - heel)
        if name == "heel_breadth":
            foot = foot[(foot @ along - heel < 0.22 * (tip - heel)) & (foot[:, 1] < 0.6 * ankle[1])]
        return np.ptp(foot @ across)
    finger = [joint(bone) for bone in ("hand", "middle_proximal", "middle_middle", "middle_distal")]
    near = p[np.linalg.norm(p - finger[3], axis=1) < 0.05]
    way = unit(finger[3] - finger[2])
    side = np.abs(np.linalg.norm(np.cross(near - finger[3], way), axis=1)) < 0.015
    finger.append(max(near[side], key=lambda q: np.linalg.norm(q - finger[3]) * ((q - finger[3]) @ way > 0)))
    upper, fore = chain(joint("upper_arm"), joint("forearm")), chain(joint("forearm"), joint("hand"))
    between = lambda a, b, share: height(a) + share * (height(b) - height(a))
    by_joints = {
        "suprasternale_height": lambda: height("clavicle") * 1.4386 / 1.4348,
        "trochanterion_height": lambda: height("thigh") * 0.9009 / 0.9291,
        "kneecap_height": lambda: height("shank") * 0.4884 / 0.5136,
        "knee_height": lambda: height("shank") * 0.4917 / 0.5136,
        "malleolus_height": lambda: height("foot") * 0.0729 / 0.0726,
        "waist_height": lambda: height("abdomen"),
        "iliocristale_height": lambda: between("abdomen", "chest", 0.0286),
        "tenth_rib_height": lambda: between("abdomen", "chest", 0.3597),
        "cervicale_height": lambda: between("neck", "head", 0.5256),
        "upper_arm_length": lambda: upper * 0.3352 / 0.2560,
        "forearm_length": lambda: fore * 0.2679 / 0.2715,
        "hand_length": lambda: chain(*finger) * 0.1933 / 0.2121,
        "palm_length": lambda: chain(*finger[:2]) * 0.1165 / 0.1142,
        "biacromial_breadth": lambda: joint("upper_arm")[0] * 2 * 0.4157 / 0.3818,
        "span": lambda: (joint("upper_arm")[0] + upper + fore + chain(*finger)) * 1.8142 / 0.9305,
        "sitting_height": lambda: (stature - crotch) * 0.9183 / 0.9316,
    }
    return by_joints[name]()


def turned(quaternion, vector):
    axis, real = np.array(quaternion[:3]), quaternion[3]
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + real * vector)


def opened(path):
    """Positions, triangles, and the places of the bones by name."""
    document = load(path)
    nodes, joints = document.json["nodes"], {}

    def place(index, shift, turns):
        node = nodes[index]
        at = np.array(node.get("translation", [0, 0, 0]), float)
        for turn in turns:
            at = turned(turn, at)
        at = shift + at
        joints[node.get("name", str(index))] = at
        for child in node.get("children", []):
            place(child, at, [node.get("rotation", [0, 0, 0, 1]), *turns])

    children = {child for node in nodes for child in node.get("children", [])}
    for index in range(len(nodes)):
        if index not in children:
            place(index, np.zeros(3), [])
    primitive = document.json["meshes"][0]["primitives"][0]
    positions = document.accessor(primitive["attributes"]["POSITION"]).astype(float)
    triangles = document.accessor(primitive["indices"]).reshape(-1, 3).astype(np.int64)
    return positions, triangles, joints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinew", type=Path, required=True)
    options = parser.parse_args()
    worst, failed = ("", "", 0.0), 0
    with tempfile.TemporaryDirectory() as folder:
        for title, arguments in BODIES.items():
            out = Path(folder) / "body.glb"
            command = [options.sinew, "body", *arguments, "--tessellation", "16", "--json", "-o", out]
            report = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
            mesh = Mesh(*opened(out))
            compared = 0
            for line in report["measures"]:
                if line["measured"] is None:
                    continue
                value = measured(mesh, line)
                if value is None:
                    continue
                compared += 1
                off = abs(value - line["measured"])
                share = off / 100.0 if line["unit"] == "kg" else off
                # Where a chest is flat, its farthest place is anywhere there: both levels must reach as far.
                sign = FLAT.get(line["name"])
                if share > LIMIT_M and sign is not None:
                    reached = [mesh.reach(height + mesh.ground, sign) for height in (value, line["measured"])]
                    share = abs(reached[0] - reached[1]) * LIMIT_M / FLAT_M
                if share > worst[2]:
                    worst = (title, line["name"], share)
                if share > LIMIT_M:
                    failed += 1
                    print(f"{title}: {line['name']} {line['measured']:.4f}, on the mesh {value:.4f}")
            print(f"{title}: {compared} measures compared")
    print(f"worst: {worst[0]}, {worst[1]}, {1e3 * worst[2]:.2f} mm")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
