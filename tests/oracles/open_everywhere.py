"""Writes every kind of model that Sinew writes, and opens each in other people's programs.

    open_everywhere.py --sinew BINARY [--all] [--seeds N] [--blender PYTHON]... [--folder OUT]

Characters are those of SINEW_CORPUS, models of MMD and Sinew's own human: a few, or all with --all. Each goes through convert, rig, skin, motion, fit,
bake, flesh and body, as .glb, .gltf and .vrm, wherever it has what the command needs. Every file must have no errors in the Khronos validator, and open in
three.js, Babylon.js and Blender; there under N values of PYTHONHASHSEED, because its importer joins attributes in the order of a set. What they show at
one key of the first clip must be what `sinew skin --method lbs` says, within TOLERANCE. --blender names the Python of another Blender; may be repeated.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gltf_file import load

HERE = Path(__file__).resolve().parent

TOLERANCE = 1e-5
"""Largest difference of a coordinate, as a share of the diagonal of the shape: far above the rounding of float32, far below what shows."""

FEW = ["gltf/CesiumMan.glb", "gltf/AnimatedMorphCube.glb", "pmx/tube_sdef.pmx"]
"""A skinned human with a clip, morph targets, and a model of MMD. Sinew's human and an FBX that Blender exported come on top; with --all also THROUGH_FBX."""

ALL = [
    *FEW,
    "gltf/Fox.glb",
    "gltf/RiggedFigure.glb",
    "gltf/RiggedSimple.glb",
    "gltf/SimpleMorph.gltf",
    "gltf/SimpleSkin.gltf",
    "characters/mesh2motion-human.glb",
    "characters/quaternius-human-male.glb",
    "pmx/yw_test_model.pmx",
]

THROUGH_FBX = ["gltf/CesiumMan.glb", "gltf/Fox.glb"]
"""Whole characters with clips, one of them in centimetres, that Blender exports as FBX first."""

FIT = ["--helpers", "2", "--poses", "30", "--starts", "2", "--iterations", "3"]
"""A fit that is as quick as can be: it is the file that counts here."""


@dataclass
class Command:
    """A command, what a character needs for it, and the kinds of files that it writes."""

    name: str
    arguments: list[str]
    needs: set[str]
    extensions: list[str]


COMMANDS = [
    Command("convert", ["convert", "IN", "OUT"], set(), ["glb", "gltf"]),
    Command("convert-human", ["convert", "IN", "OUT"], {"human"}, ["vrm"]),
    Command("rig", ["rig", "IN", "--method", "bezier", "-o", "OUT"], {"skin"}, ["glb", "gltf"]),
    Command("skin", ["skin", "IN", "-o", "OUT"], set(), ["glb"]),
    Command("walk", ["motion", "walk", "--seconds", "1", "--character", "IN", "-o", "OUT"], {"human"}, ["glb", "gltf", "vrm"]),
    Command("fit", ["fit", "IN", "--from", "dlb", *FIT, "-o", "OUT"], {"skin"}, ["glb"]),
    Command("bake", ["bake", "IN", "--from", "dlb", "--clip", "0", "--helpers", "2", "-o", "OUT"], {"skin", "clip"}, ["glb"]),
    Command("flesh", ["flesh", "IN", "--clip", "0", "--tets", "500", "--morphs", "4", "-o", "OUT"], {"skin", "clip"}, ["glb"]),
]


class Judge:
    """Counts what passed and says what did not."""

    def __init__(self) -> None:
        self.passed = 0
        self.failures: list[str] = []
        self.worst: dict[str, tuple[float, str]] = {}

    def note(self, what: str, complaint: str | None) -> None:
        if complaint is None:
            self.passed += 1
        else:
            self.failures.append(f"{what}: {complaint}")
            print(f"FAIL {what}: {complaint}", flush=True)


def run(arguments: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, capture_output=True, text=True, **options)  # type: ignore[call-overload]


def traits_of(sinew: str, model: Path) -> set[str]:
    """What a character has, as Sinew sees it."""
    told = json.loads(run([sinew, "inspect", str(model), "--json"], check=True).stdout)
    traits = {"skin"} if told["joints"] > 0 else set()
    if told["clips"]:
        traits.add("clip")
    if not told["humanoid"]["missing"]:
        traits.add("human")
    return traits


def write_all(sinew: str, models: list[Path], folder: Path, judge: Judge) -> list[Path]:
    """Every file of every command; a command that fails is a failure."""
    files = []
    for model in models:
        traits = traits_of(sinew, model)
        for command in COMMANDS:
            if not command.needs <= traits:
                continue
            for extension in command.extensions:
                target = folder / f"{model.stem}-{command.name}" / f"{command.name}.{extension}"
                target.parent.mkdir(parents=True, exist_ok=True)
                places = {"IN": str(model), "OUT": str(target)}
                done = run([sinew, "--quiet", *(places.get(word, word) for word in command.arguments)])
                judge.note(f"{target.relative_to(folder)} written", None if done.returncode == 0 else done.stderr.strip())
                if done.returncode == 0:
                    files.append(target)
    return files


def own_humans(sinew: str, folder: Path, judge: Judge) -> list[Path]:
    """Sinew's own human in all its formats; the first is a character for all other commands."""
    files = []
    for extension in ["glb", "gltf", "vrm"]:
        target = folder / "body" / f"body.{extension}"
        target.parent.mkdir(parents=True, exist_ok=True)
        done = run([sinew, "--quiet", "body", "--tessellation", "4", "-o", str(target)])
        judge.note(f"body.{extension} written", None if done.returncode == 0 else done.stderr.strip())
        files.append(target)
    return files


def by_blender(models: list[Path], folder: Path, judge: Judge) -> list[Path]:
    """The models as FBX, by Blender's exporter."""
    files = []
    for model in models:
        target = folder / f"{model.stem}-by-blender.fbx"
        done = run([sys.executable, str(HERE / "compare_fbx.py"), "--write-fbx", str(model), str(target)])
        judge.note(f"{target.name} written by Blender", None if done.returncode == 0 else done.stderr.strip())
        files.append(target)
    return files


def key_time(path: Path) -> float:
    """The time of the first clip that is a key of the most rotations; of several the one nearest to the middle. Between keys of rotations programs
    interpolate as they like, and Blender by another rule than glTF's."""
    document = load(path)
    clips = document.json.get("animations", [])
    if not clips:
        return 0.0
    samplers = clips[0]["samplers"]
    turning = [channel["sampler"] for channel in clips[0]["channels"] if channel["target"]["path"] == "rotation"]
    keys = [document.accessor(samplers[index]["input"]).reshape(-1) for index in turning or range(len(samplers))]
    times, counts = np.unique(np.concatenate(keys), return_counts=True)
    shared = times[counts == counts.max()]
    return float(shared[np.argmin(np.abs(shared - (times[0] + times[-1]) / 2))])


def validate(files: list[Path], judge: Judge) -> None:
    done = run(["node", str(HERE / "validate.mjs"), *map(str, files)])
    judge.note("gltf-validator", None if done.returncode == 0 else "\n" + done.stdout)
    judge.passed += len(files) - 1


def differences(job: dict, programs: list[str], expected: np.ndarray, judge: Judge) -> None:
    """Compares what each program showed of a file with what Sinew says."""
    diagonal = float(np.linalg.norm(np.ptp(expected, axis=0))) or 1.0
    for program in programs:
        shown = Path(f"{job['out']}.{program}.f32")
        if not shown.exists():
            continue
        found = np.fromfile(shown, np.float32).reshape(-1, 3)
        if found.shape != expected.shape:
            judge.note(f"{job['name']} in {program}", f"{len(found)} vertices, not {len(expected)}")
            continue
        worst = float(np.nanmax(np.abs(found - expected))) / diagonal
        judge.worst[program] = max(judge.worst.get(program, (0.0, "")), (worst, job["name"]))
        judge.note(f"{job['name']} in {program}", None if worst <= TOLERANCE else f"{worst:.1e} of the diagonal off")


def blender_child(jobs_file: str, told_file: str) -> None:
    """In Blender's Python: imports every file as it is, and writes the vertices of those that are to be compared."""
    import bpy

    from blender_positions import positions_at_rest, positions_at_times

    told = []
    for job in json.loads(Path(jobs_file).read_text()):
        error = None
        try:
            bpy.ops.wm.read_factory_settings(use_empty=True)
            bpy.app.debug_value = 2
            bpy.ops.import_scene.gltf(filepath=job["file"])
            if not any(block.type == "MESH" for block in bpy.data.objects):
                error = "no mesh came in"
            if job["compares"]:
                document = load(Path(job["file"]))
                has_clips = bool(document.json.get("animations"))
                shown = positions_at_times(document, 0, [job["time"]]) if has_clips else positions_at_rest(document)
                shown[0].astype(np.float32).tofile(f"{job['out']}.{job['blender']}.f32")
        except Exception as thrown:  # noqa: BLE001: whatever an importer throws is the finding.
            lines = [line for line in str(thrown).splitlines() if line.strip() and not line.startswith("Location:")]
            error = f"{type(thrown).__name__}: {lines[-1].strip() if lines else ''}"
        told.append({"file": job["file"], "error": error})
        Path(told_file).write_text(json.dumps(told))


def blender(python: str, seed: int, jobs: list[dict], folder: Path, judge: Judge) -> str:
    """Opens all files in one Blender under one hash seed; returns the program's name."""
    version = run([python, "-c", "import bpy; print(bpy.app.version_string)"]).stdout.strip().splitlines()
    name = f"blender-{version[-1] if version else 'missing'}"
    asked, told = folder / f"{name}-{seed}.jobs.json", folder / f"{name}-{seed}.told.json"
    asked.write_text(json.dumps([{**job, "compares": seed == 0, "blender": name} for job in jobs]))
    told.unlink(missing_ok=True)
    child = [python, str(Path(__file__).resolve()), "--blender-child", str(asked), str(told)]
    done = run(child, env={**os.environ, "PYTHONHASHSEED": str(seed)})
    results = json.loads(told.read_text()) if told.exists() else []
    for job, result in zip(jobs, results):
        judge.note(f"{job['name']} in {name}, hash seed {seed}", result["error"])
    for job in jobs[len(results) :]:
        judge.note(f"{job['name']} in {name}, hash seed {seed}", f"Blender ended: {done.stderr.strip()[-300:]}")
    return name


def open_all(options: argparse.Namespace, files: list[Path], folder: Path, judge: Judge) -> None:
    jobs = []
    for number, file in enumerate(files):
        out = folder / f"shown-{number}"
        jobs.append({"file": str(file), "name": str(file.relative_to(folder)), "time": key_time(file), "out": str(out)})
    validate(files, judge)
    asked, told = folder / "jobs.json", folder / "told.json"
    asked.write_text(json.dumps(jobs))
    run(["node", str(HERE / "open_everywhere.mjs"), str(asked), str(told)], check=True)
    names = {job["file"]: job["name"] for job in jobs}
    for result in json.loads(told.read_text()):
        judge.note(f"{names[result['file']]} opened by {result['program']}", result["error"])
    programs = ["three", "babylon"]
    for python in options.blender:
        programs += sorted({blender(python, seed, jobs, folder, judge) for seed in range(options.seeds)})
    for job in jobs:
        shown = Path(f"{job['out']}.npy")
        clip = ["--clip", "0", "--time", str(job["time"])] if load(Path(job["file"])).json.get("animations") else []
        run([options.sinew, "--quiet", "skin", job["file"], "--method", "lbs", *clip, "-o", str(shown)], check=True)
        differences(job, programs, np.load(shown).reshape(-1, 3), judge)


def main() -> int:
    if len(sys.argv) > 1 and sys.argv[1] == "--blender-child":
        blender_child(*sys.argv[2:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", required=True, help="the binary")
    parser.add_argument("--all", action="store_true", help="all characters")
    parser.add_argument("--seeds", type=int, default=1, help="values of PYTHONHASHSEED, from 0")
    parser.add_argument("--blender", action="append", default=[], help="a Python with bpy; may be repeated [default: this one]")
    parser.add_argument("--folder", type=Path, default=Path("target/ci-written/everywhere"))
    options = parser.parse_args()
    options.blender = options.blender or [sys.executable]
    corpus = os.environ.get("SINEW_CORPUS")
    if not corpus:
        print("SINEW_CORPUS is not set", file=sys.stderr)
        return 2
    folder, judge, start = options.folder.resolve(), Judge(), time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    own = own_humans(options.sinew, folder, judge)
    models = [Path(corpus).resolve() / name for name in (ALL if options.all else FEW)]
    models.append(HERE.parents[1] / "fuzz/seeds/fbx/arm.fbx")
    if options.all:
        models += by_blender([Path(corpus).resolve() / name for name in THROUGH_FBX], folder, judge)
    files = own + write_all(options.sinew, [*models, own[0]], folder, judge)
    print(f"{len(files)} files of {len(models) + 1} characters written in {time.monotonic() - start:.0f} s", flush=True)
    open_all(options, files, folder, judge)
    for program, (worst, name) in judge.worst.items():
        print(f"{program}: at most {worst:.1e} of the diagonal off ({name})")
    print(f"{judge.passed} passed, {len(judge.failures)} failed")
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
