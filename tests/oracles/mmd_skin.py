"""Compares `sinew skin` on PMX tubes under random poses with the formulas of MMD's viewers in float64.

    mmd_skin.py --sinew target/release/sinew [--poses 40]

SDEF: rotations of the two bones by slerp, `R (v - c) + w0 M0 c0 + w1 M1 c1` with `ck = c + (rk - rw) / 2` and `rw = w0 r0 + w1 r1`. QDEF: dual quaternions.
The files are `pmx/tube_*.pmx` of the folder that SINEW_CORPUS names, in left-handed axes; poses are written right-handed and in metres.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import pmx_file

METRES_PER_UNIT = 0.08
# Of the model's diagonal.
LIMIT = 1e-5


def rotation_of(q):
    x, y, z, w = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def product(a, b):
    return np.append(a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3]), a[3] * b[3] - a[:3] @ b[:3])


def slerp(a, b, t):
    dot = a @ b
    if dot < 0:
        b, dot = -b, -dot
    angle = np.arccos(min(dot, 1.0))
    if angle < 1e-9:
        return a
    return (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / np.sin(angle)


def posed_bones(bones, changes):
    """Of each bone the rotation, as quaternion, and where it takes the origin: the skinning transform v -> R v + t."""
    turns, places = [], []
    for (name, position, parent, _), (shift, turn) in zip(bones, changes):
        offset = position - (bones[parent][1] if parent >= 0 else 0)
        if parent < 0:
            turns.append(turn), places.append(offset + shift)
        else:
            turns.append(product(turns[parent], turn))
            places.append(places[parent] + rotation_of(turns[parent]) @ (offset + shift))
    return [(turn, place - rotation_of(turn) @ bone[1]) for turn, place, bone in zip(turns, places, bones)]


def moved(vertex, skins):
    position, kind, bones, weights, spherical = vertex
    pairs = [(skins[bone], weight) for bone, weight in zip(bones, weights) if bone >= 0 and weight > 0]
    total = sum(weight for _, weight in pairs)
    pairs = [(skin, weight / total) for skin, weight in pairs]
    if kind == 3 and len(pairs) == 2:
        c, r0, r1 = spherical
        ((q0, t0), w0), ((q1, t1), w1) = pairs
        middle = w0 * r0 + w1 * r1
        ends = [(c + (r - middle) / 2) for r in (r0, r1)]
        carried = w0 * (rotation_of(q0) @ ends[0] + t0) + w1 * (rotation_of(q1) @ ends[1] + t1)
        return rotation_of(slerp(q0, q1, w1)) @ (position - c) + carried
    if kind == 4 and len(pairs) > 1:
        heaviest = max(pairs, key=lambda pair: pair[1])[0][0]
        real, dual = np.zeros(4), np.zeros(4)
        for (q, t), weight in pairs:
            sign = -1 if q @ heaviest < 0 else 1
            real += sign * weight * q
            dual += sign * weight * 0.5 * product(np.append(t, 0.0), q)
        length = np.linalg.norm(real)
        real, dual = real / length, dual / length
        conjugate = real * [-1, -1, -1, 1]
        return rotation_of(real) @ position + 2 * product(dual, conjugate)[:3]
    return sum(weight * (rotation_of(q) @ position + t) for (q, t), weight in pairs)


def random_changes(random, bones):
    changes = []
    for _ in bones:
        axis = random.normal(size=3)
        angle = np.radians(random.uniform(-170, 170))
        turn = np.append(axis / np.linalg.norm(axis) * np.sin(angle / 2), np.cos(angle / 2))
        changes.append((random.normal(size=3) * 0.5, turn))
    return changes


def pose_json(bones, changes):
    """The same, right-handed and in metres: z is negated, and so are turns about x and y."""
    entries = {}
    for (name, *_), (shift, turn) in zip(bones, changes):
        entries[name] = {
            "translation": (shift * [1, 1, -1] * METRES_PER_UNIT).tolist(),
            "rotation": (turn * [-1, -1, 1, 1]).tolist(),
        }
    return json.dumps({"bones": entries})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", required=True, help="the binary to judge")
    parser.add_argument("--poses", type=int, default=40)
    options = parser.parse_args()
    folder = pathlib.Path(os.environ.get("SINEW_CORPUS", "")) / "pmx"
    if not folder.is_dir():
        print("SINEW_CORPUS names no folder with pmx models", file=sys.stderr)
        return 2
    failed = passed = 0
    shapes = {}
    with tempfile.TemporaryDirectory() as scratch:
        pose_path, out = pathlib.Path(scratch) / "pose.json", pathlib.Path(scratch) / "out.npy"
        for name in ["tube_sdef", "tube_sdef_swap", "tube_qdef21", "tube_bdef2"]:
            vertices, bones = pmx_file.read(folder / f"{name}.pmx")
            rest = np.array([vertex[0] for vertex in vertices])
            diagonal = np.linalg.norm(rest.max(axis=0) - rest.min(axis=0))
            random = np.random.default_rng(11)
            worst, shapes[name] = 0.0, []
            for _ in range(options.poses):
                changes = random_changes(random, bones)
                pose_path.write_text(pose_json(bones, changes))
                subprocess.run([options.sinew, "--quiet", "skin", str(folder / f"{name}.pmx"), "--pose", str(pose_path), "-o", str(out)], check=True)
                found = np.load(out).astype(float) * [1, 1, -1] / METRES_PER_UNIT
                skins = posed_bones(bones, changes)
                expected = np.array([moved(vertex, skins) for vertex in vertices])
                worst = max(worst, np.abs(found - expected).max() / diagonal)
                shapes[name].append(found)
            is_good = worst <= LIMIT
            passed, failed = passed + is_good, failed + (not is_good)
            print(f"{'ok  ' if is_good else 'FAIL'} {name}: {len(vertices)} vertices, {options.poses} poses, {worst:.2e} of the diagonal")
    swapped = max(np.abs(a - b).max() for a, b in zip(shapes["tube_sdef"], shapes["tube_sdef_swap"])) / diagonal
    is_good = swapped <= LIMIT
    passed, failed = passed + is_good, failed + (not is_good)
    print(f"{'ok  ' if is_good else 'FAIL'} bones swapped: the same shape to {swapped:.2e} of the diagonal")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
