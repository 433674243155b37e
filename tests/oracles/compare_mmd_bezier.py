"""Bézier skinning in PMX files: what viewers make of C, R0 and R1, against `sinew skin` with its own Bézier.

    compare_mmd_bezier.py --sinew target/release/sinew

`sinew rig --method bezier` writes each model as .glb, which keeps the method, and as .pmx, which holds it as SDEF. In 8 random poses the vertices of the first, by
`sinew skin`, are compared with those of the second: by `sinew skin`, by the formula of viewers in float64, and by babylon-mmd's own shader in headless Chromium
(`mmd_shader.mjs`). The same with nlerp, by the formula. Models: tubes of the folder that SINEW_CORPUS names, its human of Quaternius, and
Sinew's, whose spine is at x = 0, where babylon-mmd takes a careless SDEF for BDEF.
Vertices of more than two bones, or of two without a common joint, are not exact in a PMX; they are counted and left out.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import mmd_skin
import pmx_file

HERE = pathlib.Path(__file__).parent
POSES = 8
# Of the model's diagonal.
LIMIT = 1e-5
# The same for the shader with acos and sin of the browser's software driver, which are off by 1e-4.
AS_IT_IS, DRIVER_LIMIT = "babylon-mmd as it is", 3e-4
# Of the diagonal: SBS+ must be farther away than this on some model, or nothing is judged.
LEAST_DIFFERENCE = 1e-3


def nlerp(a, b, t):
    blend = (1 - t) * a + t * (b if a @ b >= 0 else -b)
    return blend / np.linalg.norm(blend)


def by_formula(vertices, skins, blend):
    """The vertices in one pose, with rotations of SDEF blended by `blend`."""
    known, mmd_skin.slerp = mmd_skin.slerp, blend
    try:
        return np.array([mmd_skin.moved(vertex, skins) for vertex in vertices])
    finally:
        mmd_skin.slerp = known


def turned(random, bones):
    """Random turns: Bézier is exact where a child turns about its head, so that only roots are shifted."""
    changes = mmd_skin.random_changes(random, bones)
    return [(shift if bone[2] < 0 else np.zeros(3), turn) for bone, (shift, turn) in zip(bones, changes)]


def by_shader(model, skins, folder, *options):
    """The vertices in all poses by babylon-mmd's shader."""
    matrices = np.zeros((len(skins), len(skins[0]), 4, 4))
    for pose, frames in enumerate(skins):
        for bone, (turn, shift) in enumerate(frames):
            matrices[pose, bone, :3, :3], matrices[pose, bone, :3, 3], matrices[pose, bone, 3, 3] = mmd_skin.rotation_of(turn), shift, 1
    given, out = folder / "matrices.f32", folder / "posed.f32"
    given.write_bytes(matrices.transpose(0, 1, 3, 2).astype("<f4").tobytes())
    subprocess.run(["node", str(HERE / "mmd_shader.mjs"), *options, str(model), str(given), str(len(skins)), str(out)], check=True)
    return np.frombuffer(out.read_bytes(), "<f4").reshape(len(skins), -1, 3).astype(float)


def is_exact(vertex, bones):
    """Whether a vertex of the plain file has one bone, or two of which one is the other's parent."""
    used = [bone for bone, weight in zip(vertex[2], vertex[3]) if weight > 0]
    return len(used) == 1 or (len(used) == 2 and (bones[used[0]][2] == used[1] or bones[used[1]][2] == used[0]))


def judged(sinew, plain, folder):
    """The largest distance of each rendition from Sinew's own Bézier, of the diagonal; and how many vertices were judged."""
    own, pmx, pose, out = (folder / name for name in ["own.glb", "bezier.pmx", "pose.json", "out.npy"])

    def run(*arguments):
        subprocess.run([sinew, "--quiet", *map(str, arguments)], check=True)

    def skinned(model, *arguments):
        run("skin", model, "--pose", pose, "-o", out, *arguments)
        return np.load(out).astype(float) * [1, 1, -1] / mmd_skin.METRES_PER_UNIT

    for output in [own, pmx]:
        run("rig", plain, "--method", "bezier", "-o", output)
    before, _ = pmx_file.read(plain)
    vertices, bones = pmx_file.read(pmx)
    exact = np.array([is_exact(vertex, bones) for vertex in before])
    rest = np.array([vertex[0] for vertex in vertices])
    diagonal = np.linalg.norm(rest.max(axis=0) - rest.min(axis=0))
    random = np.random.default_rng(23)
    changes = [turned(random, bones) for _ in range(POSES)]
    skins = [mmd_skin.posed_bones(bones, change) for change in changes]
    shader = zip(by_shader(pmx, skins, folder), by_shader(pmx, skins, folder, "--exact-functions"))
    worst = {}
    for change, frames, (drawn, drawn_exactly) in zip(changes, skins, shader):
        pose.write_text(mmd_skin.pose_json(bones, change))
        bezier, by_nlerp = skinned(own), skinned(own, "--method", "bezier:rotation=nlerp")
        renditions = {
            "sinew": (skinned(pmx), bezier),
            "float64": (by_formula(vertices, frames, mmd_skin.slerp), bezier),
            "babylon-mmd, exact acos and sin": (drawn_exactly, bezier),
            AS_IT_IS: (drawn, bezier),
            "float64, nlerp": (by_formula(vertices, frames, nlerp), by_nlerp),
            "sbs+": (skinned(own, "--method", "sdef"), bezier),
        }
        for name, (found, expected) in renditions.items():
            distance = np.abs(found - expected)[exact].max() / diagonal
            worst[name] = max(worst.get(name, 0.0), distance)
    spherical = sum(vertex[1] == 3 and fits for vertex, fits in zip(vertices, exact))
    return worst, len(vertices), int(exact.sum()), spherical


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", required=True, help="the binary to judge")
    options = parser.parse_args()
    corpus = pathlib.Path(os.environ.get("SINEW_CORPUS", ""))
    if not (corpus / "pmx").is_dir():
        print("SINEW_CORPUS names no folder with pmx models", file=sys.stderr)
        return 2
    passed = failed = 0
    differences = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        made = folder / "sinew-human.glb"
        subprocess.run([options.sinew, "--quiet", "body", "--tessellation", "4", "-o", str(made)], check=True)
        models = [corpus / "pmx" / "tube_bdef2.pmx", corpus / "pmx" / "tube_sdef.pmx"]
        for source in [corpus / "characters" / "quaternius-human-male.glb", made]:
            # Names are kept, and no IK is added: turns are all that moves.
            models.append(folder / f"{source.stem}.pmx")
            subprocess.run([options.sinew, "--quiet", "convert", "--keep-names", str(source), str(models[-1])], check=True)
        for plain in models:
            worst, count, exact, spherical = judged(options.sinew, plain, folder)
            differences.append(worst.pop("sbs+"))
            print(f"{plain.stem}: {count} vertices, {exact} judged, {spherical} of them SDEF; SBS+ is {differences[-1]:.1e} away")
            for name, distance in worst.items():
                is_good = distance <= (DRIVER_LIMIT if name == AS_IT_IS else LIMIT)
                passed, failed = passed + is_good, failed + (not is_good)
                print(f"{'ok  ' if is_good else 'FAIL'} {plain.stem}, {name}: {distance:.2e} of the diagonal in {POSES} poses")
    is_good = max(differences) >= LEAST_DIFFERENCE
    passed, failed = passed + is_good, failed + (not is_good)
    print(f"{'ok  ' if is_good else 'FAIL'} Bézier and SBS+ differ by {max(differences):.1e} of the diagonal")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
