"""Judges helper bones in MMD: what PMX's following bones take away of what controllers in glTF take away, and what keys in a VMD add.

    compare_mmd_helpers.py --sinew target/release/sinew [--helpers 12] [--poses 60] [--folder FOLDER]

Sinew's human is fitted to Bezier skinning, once as glTF and once as PMX. Random poses of the whole body, chosen here and known to no fit, are played on both;
the truth is `sinew skin --method bezier` on the human without helpers. Vertices of the PMX come from three evaluations: `sinew skin`; bones by the
rules of append written down here, in float64; and bones of babylon-mmd (`mmd_bones.mjs`). Both of the latter are skinned here, in float64. Then the human walks,
with the VMD that `sinew fit --vmd` writes. Last, all bones move and IK is on, where helpers must follow legs that IK has moved.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import pmx_file
from compare_mmd import HERE, LIMIT, METRES_PER_UNIT, babylon, ours
from mmd_skin import product, rotation_of

# Of the error of bones alone that helpers in glTF take away, these shares must be left in MMD.
LEAST_SHARE, LEAST_SHARE_BAKED = 0.6, 0.95
# Metres between evaluations of the same file: rounding to float32 of places some metres from the origin.
SAME = 2e-5
IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])

# Degrees about x (left), y (up) and z (ahead) of the left side; the right is mirrored.
RANGES = {
    "spine": [(-12, 25), (-20, 20), (-15, 15)],
    "chest": [(-12, 25), (-20, 20), (-15, 15)],
    "neck": [(-25, 25), (-35, 35), (-15, 15)],
    "head": [(-20, 25), (-35, 35), (-15, 15)],
    "leftUpperLeg": [(-90, 25), (-25, 25), (-10, 35)],
    "leftLowerLeg": [(0, 120), (-10, 10), (0, 0)],
    "leftFoot": [(-20, 40), (-12, 12), (-12, 12)],
    "leftUpperArm": [(-50, 50), (-80, 25), (-70, 50)],
    "leftLowerArm": [(-40, 40), (-130, 0), (-8, 8)],
    "leftHand": [(-50, 50), (-20, 20), (-55, 55)],
}


def random_motion(random, count):
    """Key frames, a pose a frame."""
    tracks = []
    for bone, ranges in RANGES.items():
        for side in (1, -1) if bone.startswith("left") else (1,):
            angles = np.array([random.uniform(low, high, count) for low, high in ranges]) * np.array([[1], [side], [side]])
            name = bone if side == 1 else bone.replace("left", "right")
            keys = [{"time": frame / 30, "rotate": angles[:, frame].tolist()} for frame in range(count)]
            tracks.append({"bone": name, "keys": keys})
    return {"name": "poses", "track": tracks}


def posed(path, motion, count):
    """World rotations (as quaternions) and places of all bones, frame by frame, by the rules of append; IK has to be off."""
    vertices, bones, appends, has_chains = pmx_file.read_rig(path)
    keys, switches = pmx_file.read_vmd(motion)
    assert not has_chains or not any(switches[0].values()), "IK is off from the first frame on"
    order = sorted(range(len(bones)), key=lambda bone: (bones[bone][3], bone))
    frames = []
    for frame in range(count):
        turns, places, own = {}, {}, {}
        for bone in order:
            name, position, parent, _ = bones[bone]
            shift, turn = keys.get(name, {}).get(frame, (np.zeros(3), IDENTITY))
            if bone in appends:
                source, ratio, flags = appends[bone]
                assert not flags & pmx_file.APPEND_LOCAL and not flags & pmx_file.APPEND_TRANSLATION
                assert source in own, "a bone follows one that comes first"
                taken = own[source] if own[source][3] >= 0 else -own[source]
                turn = product(turn, power(taken, ratio))
            own[bone] = turn
            if parent < 0:
                turns[bone], places[bone] = turn, position + shift
            else:
                assert parent in turns, "a bone comes after its parent"
                turns[bone] = product(turns[parent], turn)
                places[bone] = places[parent] + rotation_of(turns[parent]) @ (position - bones[parent][1] + shift)
        frames.append([(rotation_of(turns[bone]), places[bone]) for bone in range(len(bones))])
    return vertices, bones, frames


def power(turn, ratio):
    """A share of a turn, beyond it and back too."""
    angle = 2 * np.arctan2(np.linalg.norm(turn[:3]), turn[3])
    axis = turn[:3] / max(np.linalg.norm(turn[:3]), 1e-300)
    return np.append(axis * np.sin(ratio * angle / 2), np.cos(ratio * angle / 2))


def skinned(vertices, bones, frame):
    """Linear blending of a frame, in metres and our axes."""
    matrices = np.array([np.column_stack([turn, place - turn @ bone[1]]) for (turn, place), bone in zip(frame, bones)])
    places = np.zeros((len(vertices), 3))
    for index, (position, kind, used, weights, _) in enumerate(vertices):
        assert kind in (0, 1, 2), "linear blending alone"
        for bone, weight in zip(used, weights):
            if weight > 0:
                places[index] += weight * (matrices[bone] @ np.append(position, 1.0))
    return places * [1, 1, -1] * METRES_PER_UNIT


def rms(a, b):
    return float(np.sqrt(((a - b) ** 2).sum(axis=-1).mean()))


class Tally:
    passed = failed = 0

    def check(self, is_good, words):
        self.passed, self.failed = self.passed + is_good, self.failed + (not is_good)
        print(f"{'ok  ' if is_good else 'FAIL'} {words}", flush=True)


def judge(tally, run, folder, moves, vmd, count, least):
    """Errors of all rigs in a motion; `moves`: options that play it on glTF."""

    def skin(model, *options):
        run("skin", model, "--fps", "30", *options, "-o", "out.npy")
        return np.load(folder / "out.npy").astype(float)[:count]

    truth = skin("human.glb", *moves, "--method", "bezier")
    plain = skin("human.glb", *moves, "--method", "lbs")
    helped = skin("rig.glb", *moves)
    by_sinew = skin("rig.pmx", "--motion", vmd)
    vertices, bones, frames = posed(folder / "rig.pmx", folder / vmd, count)
    by_rules = np.array([skinned(vertices, bones, frame) for frame in frames])
    _, world = babylon(folder / "rig.pmx", folder / vmd, range(count))
    by_babylon = np.array([skinned(vertices, bones, [(bone[:3, :3], bone[:3, 3]) for bone in frame]) for frame in world])
    rigs = {"sinew": by_sinew, "babylon-mmd": by_babylon}
    for words, found in rigs.items():
        apart = np.abs(found - by_rules).max()
        tally.check(apart <= SAME, f"{vmd}: {words} and the rules of append are {apart:.1e} m apart")
    before, with_gltf = rms(plain, truth), rms(helped, truth)
    print(f"     {vmd}: bones alone {1e3 * before:.3f} mm RMS, glTF {1e3 * with_gltf:.3f} ({100 * (1 - with_gltf / before):.1f} % removed)")
    for words, found in rigs.items():
        error, largest = rms(found, truth), np.linalg.norm(found - truth, axis=-1).max()
        share = (before - error) / (before - with_gltf)
        told = f"PMX in {words} {1e3 * error:.3f} mm ({100 * (1 - error / before):.1f} % removed), {1e3 * largest:.1f} at most"
        tally.check(share >= least, f"{vmd}: {told}: {100 * share:.1f} % of what glTF removes, {100 * least:.0f} are wanted")


def judge_reaching(tally, sinew, folder):
    """Bones of the rig where all of them move and IK is on."""
    subprocess.run([sys.executable, str(HERE / "make_yw_vmd.py"), "rig.pmx", "all.vmd"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    frames = list(range(0, 91, 9))
    _, theirs = babylon(folder / "rig.pmx", folder / "all.vmd", frames)
    apart = np.abs(ours(sinew, folder / "rig.pmx", folder / "all.vmd", frames, folder) - theirs).max()
    tally.check(apart <= LIMIT, f"all.vmd: bones of sinew and babylon-mmd are {apart:.1e} apart with IK on")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", required=True, help="the binary to judge")
    parser.add_argument("--helpers", type=int, default=12)
    parser.add_argument("--poses", type=int, default=60)
    parser.add_argument("--folder", type=pathlib.Path, help="keep files here, and use those that are there")
    options = parser.parse_args()
    sinew = str(pathlib.Path(options.sinew).resolve())
    tally = Tally()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or pathlib.Path(scratch)
        folder.mkdir(exist_ok=True)

        def run(*arguments):
            subprocess.run([sinew, "--quiet", *map(str, arguments)], check=True, cwd=folder)

        def make(name, *arguments):
            if not (folder / name).exists():
                run(*arguments, "-o", name)

        make("plain.glb", "body", "--tessellation", 4)
        # The clip is in the file, but nothing is fitted to it.
        make("human.glb", "motion", "walk", "--character", "plain.glb", "--seconds", 1.5)
        fit = ["fit", "human.glb", "--from", "bezier", "--helpers", options.helpers]
        make("rig.glb", *fit)
        make("rig.pmx", *fit, "--vmd")
        (folder / "poses.json").write_text(json.dumps(random_motion(np.random.default_rng(5), options.poses)))
        run("motion", "poses.json", "--character", "human.glb", "-o", "poses.vmd")
        judge(tally, run, folder, ["--motion", "poses.json"], "poses.vmd", options.poses, LEAST_SHARE)
        judge(tally, run, folder, ["--clip", "walk"], "rig.vmd", 45, LEAST_SHARE_BAKED)
        judge_reaching(tally, sinew, folder)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
