"""Measures what helper bones take away on six rigs: Sinew's human, Quaternius' human, CesiumMan, Fox, and two with odd proportions.

    measure_helpers.py --sinew target/release/sinew [--only RIG] [--from bezier] [--folder FOLDER]

Each is fitted with 12 helpers to Bezier skinning and to dual quaternions, with symmetry left to the fit and off. Judged are 200 poses that no fit has seen, joint
by joint, and a walk that no fit has seen: on the vertices that `sinew skin` writes of the rig with helpers, of the model by the method, and of the model by
bones alone. At rest no vertex may move, and what is symmetric must stay it: places and weights of helpers, and the skin in a pose and in its mirror image.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import gltf_file
import numpy as np
import odd_rigs
from numpy.typing import NDArray

Array = NDArray[np.float64]

METHODS = ("bezier", "dlb")
HELPERS = 12
# Shares that must be removed on poses and on the walk.
LEAST = {"human": 0.55, "quaternius": 0.5, "cesium": 0.2, "fox": 0.2, "troll": 0.2, "beast": 0.2}
# Of the model's size: what may move at rest, how far the sides may differ, and what cannot be seen on a joint that a walk hardly bends.
MOST_AT_REST, MOST_UNEVEN, SEEN = 1e-6, 1e-5, 1e-4
FPS = 15
# Mirror images of vertices are this near to each other, as a share of the size.
PARTNER = 1e-4


class Tally:
    passed = failed = 0

    def check(self, is_good: bool, words: str) -> None:
        self.passed, self.failed = self.passed + is_good, self.failed + (not is_good)
        if not is_good:
            print(f"FAIL {words}", flush=True)


def run(sinew: str, *arguments: str | pathlib.Path) -> str:
    done = subprocess.run([sinew, "--quiet", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"sinew {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def make_models(sinew: str, folder: pathlib.Path, names: list[str]) -> dict[str, tuple[pathlib.Path, str]]:
    """Models with the name of the clip that is walked."""
    corpus = pathlib.Path(os.environ["SINEW_CORPUS"])
    models = {}
    for name in names:
        path = folder / f"{name}.glb"
        if name == "human":
            run(sinew, "body", "-o", folder / "body.glb")
            run(sinew, "motion", "walk", "--seconds", "2", "--character", folder / "body.glb", "-o", path)
        elif name == "quaternius":
            model = corpus / "characters/quaternius-human-male.glb"
            run(sinew, "motion", "walk", "--seconds", "2", "--character", model, "-o", path)
        elif name == "troll":
            odd_rigs.write_troll(folder / "still.gltf")
            run(sinew, "motion", "walk", "--seconds", "2", "--character", folder / "still.gltf", "-o", path)
        elif name == "beast":
            path = folder / "beast.gltf"
            odd_rigs.write_beast(path)
        else:
            path = corpus / "gltf" / {"cesium": "CesiumMan.glb", "fox": "Fox.glb"}[name]
        clips = [clip.get("name", "") for clip in gltf_file.load(path).json["animations"]]
        models[name] = path, "Walk" if "Walk" in clips else "0"
    return models


def rms(a: Array, b: Array) -> float:
    return float(np.sqrt(((a - b) ** 2).sum(axis=-1).mean()))


class Skins:
    """Vertices of a file, and the whole clip of it."""

    def __init__(self, sinew: str, folder: pathlib.Path) -> None:
        self.sinew, self.folder = sinew, folder

    def of(self, path: pathlib.Path, *options: str | pathlib.Path) -> Array:
        out = self.folder / "out.npy"
        run(self.sinew, "skin", path, *options, "-o", out)
        return np.load(out).astype(np.float64)


def rest_frames(sinew: str, path: pathlib.Path, folder: pathlib.Path) -> tuple[list[str], Array]:
    run(sinew, "skin", path, f"--bones={folder / 'bones.npy'}", "-o", folder / "out.npy")
    names = [bone["name"] for bone in json.loads(run(sinew, "inspect", path, "--json"))["bones"]]
    return names, np.load(folder / "bones.npy").astype(np.float64)


FLIP = np.diag([-1.0, 1.0, 1.0])


def quaternion(matrix: Array) -> list[float]:
    """Of a turn by less than half a round."""
    w = np.sqrt(max(1.0 + np.trace(matrix), 0.0)) / 2
    skew = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    return [*(skew / (4 * w)), w]


def turn_of(vector: Array) -> Array:
    angle = np.linalg.norm(vector)
    x, y, z = vector / max(angle, 1e-12)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def partners_of(places: Array, size: float) -> NDArray[np.int64]:
    """The one bone at each bone's mirrored place; -1 where there is none, or several."""
    gaps = np.linalg.norm(places[:, None] * [-1, 1, 1] - places[None], axis=2)
    near = gaps < PARTNER * size
    return np.where(near.sum(axis=1) == 1, near.argmax(axis=1), -1)


def mirrored_poses(frames: Array, size: float, folder: pathlib.Path) -> list[pathlib.Path]:
    """A random pose and its mirror image."""
    random = np.random.default_rng(18)
    partners = partners_of(frames[:, :3, 3], size)
    axes = [frame[:3, :3] / np.cbrt(np.linalg.det(frame[:3, :3])) for frame in frames]
    poses: list[dict[str, Any]] = [{}, {}]
    for bone, partner in enumerate(partners):
        if partner < 0:
            continue
        turn = turn_of(random.uniform(-0.35, 0.35, 3))
        for pose, place, turned in ((poses[0], bone, turn), (poses[1], partner, FLIP @ turn @ FLIP)):
            pose[f"#{place}"] = {"rotation": quaternion(axes[place].T @ turned @ axes[place])}
    files = [folder / "pose.json", folder / "image.json"]
    for file, pose in zip(files, poses):
        file.write_text(json.dumps({"bones": pose}))
    return files


def unevenness(sinew: str, model: pathlib.Path, rig: pathlib.Path, size: float, folder: pathlib.Path) -> tuple[float, float]:
    """How far helpers are from being each other's mirror images, at rest or in a pose, and how far the model's own bones are; shares of the size."""
    before, _ = rest_frames(sinew, model, folder)
    names, frames = rest_frames(sinew, rig, folder)
    is_helper = np.array([name not in before for name in names])
    rest_gaps = mirror_gaps(frames[:, :3, 3], frames[:, :3, 3])
    # The helpers turn with the bones of the file, so that only those are posed.
    posed = []
    for pose in mirrored_poses(frames[~is_helper], size, folder):
        run(sinew, "skin", rig, "--pose", pose, f"--bones={folder / 'bones.npy'}", "-o", folder / "out.npy")
        posed.append(np.load(folder / "bones.npy").astype(np.float64)[:, :3, 3])
    gaps = mirror_gaps(posed[0], posed[1])
    apart = np.linalg.norm(posed[0] - frames[:, :3, 3], axis=1)
    assert apart[is_helper].max() > 0.01 * size, "helpers move with the pose"
    has_partner = ~is_helper & (rest_gaps < PARTNER * size)
    both = np.maximum(rest_gaps, gaps) / size
    return float(both[is_helper].max()), float(both[has_partner].max())


def mirror_gaps(a: Array, b: Array) -> Array:
    return np.linalg.norm(a[:, None] * [-1, 1, 1] - b[None], axis=2).min(axis=1)


def judge(tally: Tally, sinew: str, name: str, model: tuple[pathlib.Path, str], method: str, symmetric: str, folder: pathlib.Path) -> None:
    path, clip = model
    rig = folder / f"{name}-{method}-{symmetric}.glb"
    options = ["--from", method, "--helpers", HELPERS, f"--symmetric={symmetric}", "--held-out-clip", clip, "--json"]
    said = json.loads(run(sinew, "fit", path, *options, "-o", rig))
    skins = Skins(sinew, folder)
    rest, at_rest = skins.of(path, "--method", "lbs"), skins.of(rig)
    size = float(np.linalg.norm(np.ptp(rest, axis=0)))
    moved = float(np.linalg.norm(at_rest - rest, axis=1).max()) / size
    walk = ["--clip", clip, "--fps", FPS]
    truth, plain, with_helpers = (skins.of(file, "--method", how, *walk) for file, how in ((path, method), (path, "lbs"), (rig, "lbs")))
    removed, in_walk = said["removed"], 1.0 - rms(with_helpers, truth) / rms(plain, truth)
    (sequence,) = said["sequences"]
    told = 1.0 - sequence["rms_controllers"] / sequence["rms_plain"]
    about = f"{name}, {method}, symmetric {symmetric}"
    worse = [(joint["joint"], joint["held_out"]) for joint in said["regions"] if joint["held_out"]["rms"] > joint["held_out"]["rms_plain"] * (1 + 1e-9)]
    worse_in_walk = [joint for joint in sequence["joints"] if joint["rms"] > joint["rms_plain"] + SEEN * size]
    uneven, own = unevenness(sinew, path, rig, size, folder) if said["is_symmetric"] else (0.0, 0.0)
    print(
        f"{about:36} {said['helpers']:2} helpers, poses {100 * removed:5.1f} %, walk {100 * in_walk:5.1f} %, largest share of a joint"
        f" {max(joint['held_out']['rms'] / max(joint['held_out']['rms_plain'], 1e-300) for joint in said['regions']):.3f},"
        f" rest {moved:.1e}, {'sides ' + format(uneven, '.1e') if said['is_symmetric'] else 'each side alone'}, {said['seconds']:.0f} s",
        flush=True,
    )
    tally.check(removed >= LEAST[name], f"{about}: {removed:.3f} removed on poses, asked {LEAST[name]}")
    tally.check(in_walk >= LEAST[name], f"{about}: {in_walk:.3f} removed in the walk, asked {LEAST[name]}")
    tally.check(abs(in_walk - told) < 0.03, f"{about}: the fit says {told:.3f} of the walk, the files {in_walk:.3f}")
    tally.check(not worse and not worse_in_walk, f"{about}: joints worse than with bones alone: {worse} {worse_in_walk}")
    tally.check(moved < MOST_AT_REST, f"{about}: {moved} of the size moves at rest")
    tally.check(uneven < MOST_UNEVEN + 2 * own, f"{about}: helpers are {uneven} of the size from being mirror images, bones {own}")
    tally.check(symmetric == "auto" or not said["is_symmetric"], f"{about}: symmetric though it is off")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", required=True)
    parser.add_argument("--only", action="append", choices=list(LEAST))
    parser.add_argument("--from", dest="methods", action="append", choices=METHODS)
    parser.add_argument("--symmetric", action="append", choices=("auto", "off"))
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    if "SINEW_CORPUS" not in os.environ:
        sys.exit("SINEW_CORPUS is not set")
    tally = Tally()
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or pathlib.Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        models = make_models(options.sinew, folder, options.only or list(LEAST))
        for name, model in models.items():
            for method in options.methods or METHODS:
                for symmetric in options.symmetric or ("auto", "off"):
                    judge(tally, options.sinew, name, model, method, symmetric, folder)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
