"""Checks the scripts that `sinew export controllers` writes for Unity and Godot.

Unity: the scripts of all rigs are compiled together by Mono against stubs of Unity's types, as characters of one project. Each then runs on the poses
of its reference table: bones and morphs must do what the table says, frames must allocate nothing, and a missing bone must be an error that names it.
Godot: parsed by gdtoolkit, then run on the same poses as Python, with stubs of Godot's types (godot_stubs.py).
The first rig is checked twice, the second time with Mixamo's names, which Godot's importer changes.
Neither program itself is at hand. What is not installed is said, and counts as failed with --all.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import godot_stubs as godot
from gltf_file import load

TOLERANCE = 2e-5
"""Unity's transforms are in 32 bits, and so are the stubs'."""


def export(binary: Path, rig: Path, program: str, output: Path) -> Any:
    """Writes a script; the reference table comes back."""
    command = [str(binary), "export", "controllers", str(rig), "--for", program, "-o", str(output)]
    subprocess.run(command, check=True, capture_output=True)
    beside = output if program == "json" else output.with_suffix(".reference.json")
    return json.loads(beside.read_text())


def product(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of quaternions x y z w."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.append(vector, a[3] * b[3] - a[:3] @ b[:3])


MIRROR = np.array([1.0, -1.0, -1.0, 1.0])
"""A rotation seen in a mirror along x."""


def class_of(rig: Path) -> str:
    """A legal name of a class."""
    return "Rig_" + "".join(letter if letter.isalnum() else "_" for letter in rig.stem)


def build_unity(binary: Path, rigs: list[Path], folder: Path, compiler: list[str]) -> Path:
    """All scripts in one program."""
    scripts = [folder / f"{class_of(rig)}.cs" for rig in rigs]
    for rig, script in zip(rigs, scripts, strict=True):
        export(binary, rig, "unity", script)
    program = folder / "check.exe"
    stubs = Path(__file__).with_name("unity_stubs.cs")
    command = [*compiler, "-langversion:7", f"-out:{program}", *map(str, scripts), str(stubs)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        raise RuntimeError(built.stdout + built.stderr)
    return program


def check_unity(rig: Path, folder: Path, sheet: Any, run: list[str]) -> str:
    """Runs a script that was built; the worst difference in words."""
    table = json.loads((folder / f"{class_of(rig)}.reference.json").read_text())
    names = [[entry["name"] for entry in sheet[kind]] for kind in ("drivers", "helpers")]
    morphs = [entry["morph"] for entry in sheet["correctives"]]
    lines = []
    for pose in table:
        turns = [
            MIRROR * product(np.array(driver["rest"]), np.array(turn))
            for driver, turn in zip(sheet["drivers"], pose["rotations"], strict=True)
        ]
        lines.append(" ".join(repr(float(number)) for turn in turns for number in turn))
    command = [*run, class_of(rig), *names[0], "--", *names[1], "--", *morphs]
    ran = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    *shown, allocated = ran.stdout.splitlines()
    worst = 0.0
    for pose, line in zip(table, shown, strict=True):
        expected: list[float] = []
        found = np.array([float(number) for number in line.split(" ")])
        for at, helper in enumerate(pose["helpers"]):
            x, y, z = helper["translation"]
            turned = MIRROR * np.array(helper["rotation"])
            expected += [-x, y, z, *(turned * np.sign(turned @ found[10 * at + 3 : 10 * at + 7])), *helper["scale"]]
        expected += [100.0 * weight for weight in pose["weights"]]
        worst = max(worst, float(np.abs(found - expected).max() / max(1.0, np.abs(expected).max())))
    if not worst <= TOLERANCE:
        raise RuntimeError(f"off by {worst:.1e}, {TOLERANCE:.0e} is allowed")
    if not allocated.startswith("allocated 0 in ") or allocated.endswith("counted 0"):
        raise RuntimeError(f"frames must not allocate: {allocated}")
    check_missing(run, class_of(rig), names, morphs)
    swings = check_swings(sheet, functools.partial(unity_shifts, command, sheet))
    return f"compiled and run on {len(table)} poses, off by {worst:.1e}; 0 bytes a frame{swings}"


def check_missing(run: list[str], name: str, names: list[list[str]], morphs: list[str]) -> None:
    """Without its last driver or its first helper the script must say so and turn itself off."""
    drivers, helpers = names
    for missing, found in ((drivers[-1], [drivers[:-1], helpers]), (helpers[0], [drivers, helpers[1:]])):
        command = [*run, name, *found[0], "--", *found[1], "--", *morphs]
        ran = subprocess.run(command, input="", capture_output=True, text=True, check=False)
        if ran.returncode != 3 or f"error: no bone {missing} below model" not in ran.stderr:
            raise RuntimeError(f"without bone {missing}: exit code {ran.returncode}, {ran.stderr or 'no error'}")


SWING_TOLERANCE = 2e-2
"""Of the largest shift that a swing does. The ordinary differential equation is solved in small steps here, in 32 bits and frames there."""


def rotation_matrix(q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of a quaternion x y z w."""
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def unity_shifts(command: list[str], sheet: Any, places: NDArray[np.float64], turns: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Frames x helpers x 3: where helpers are in what carries them, drivers at rest, frames of the stubs' length."""
    still = " ".join(repr(float(number)) for driver in sheet["drivers"] for number in MIRROR * np.array(driver["rest"]))
    mirrored = [np.concatenate([place * [-1, 1, 1], MIRROR * turn]) for place, turn in zip(places, turns, strict=True)]
    lines = [f"{still} {' '.join(repr(float(number)) for number in row)}".strip() for row in mirrored]
    ran = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    shown = np.array([[float(number) for number in line.split(" ")] for line in ran.stdout.splitlines()[:-1]])
    return shown[:, : 10 * len(sheet["helpers"])].reshape(len(places), -1, 10)[:, :, :3] * [-1, 1, 1]


def godot_shifts(
    program: dict[str, Any], model: godot.Skeleton3D, helpers: list[str], places: NDArray[np.float64], turns: list[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """The same of Godot's script, drivers as they are."""
    model.seconds = SWING_SECONDS
    shown = []
    for place, turn in zip(places, turns, strict=True):
        model.global_transform = godot.Transform3D(godot.Quaternion(*turn), godot.Vector3(*place))
        program["_process_modification"]()
        shown.append([list(model.places[name]) for name in helpers])
    return np.array(shown)


SWING_SECONDS = 1.0 / 60.0


def check_swings(sheet: Any, shifts: Callable[[NDArray[np.float64], list[NDArray[np.float64]]], NDArray[np.float64]]) -> str:
    """Carries all helpers about and compares their shifts with the equation of docs/formats/helper-controllers.md, solved in small steps."""
    if not any("swing" in helper for helper in sheet["helpers"]):
        return ""
    seconds, count, fine = SWING_SECONDS, 90, 400
    times = seconds * np.arange(count)
    places = 0.15 * np.stack([np.sin(7 * times), np.cos(11 * times) - 1, np.sin(4 * times)], axis=1)
    axis = np.array([0.6, 0.0, 0.8])
    turns = [np.append(axis * np.sin(0.5 * a), np.cos(0.5 * a)) for a in 0.8 * np.sin(5 * times)]
    shown = shifts(places, turns)
    worst = 0.0
    for at, helper in enumerate(sheet["helpers"]):
        if "swing" not in helper:
            continue
        swing, rest = helper["swing"], helper["rest"]
        omega, gains = 2 * np.pi * swing["frequency"], np.array(swing["gains"])
        anchors = np.array([place + rotation_matrix(turn) @ rest["translation"] for place, turn in zip(places, turns, strict=True)])
        offset, speed = np.zeros(3), np.zeros(3)
        moved = []
        for frame, (anchor, turn) in enumerate(zip(anchors, turns, strict=True)):
            if frame >= 2:
                speed = speed - (anchor - 2 * anchors[frame - 1] + anchors[frame - 2]) / seconds
            for _ in range(fine if frame > 0 else 0):
                speed = speed + seconds / fine * (-omega * omega * offset - 2 * swing["damping"] * omega * speed)
                offset = offset + seconds / fine * speed
            share = min(1.0, 20 * swing["limit"] / omega**2 / max(float(np.linalg.norm(offset)), 1e-12))
            offset, speed = offset * share, speed * share
            free = omega * omega * offset
            frame_axes = rotation_matrix(product(turn, np.array(rest["rotation"])))
            pull = frame_axes.T @ free / np.sqrt(1 + free @ free / swing["limit"] ** 2)
            moved.append(rotation_matrix(np.array(rest["rotation"])) @ (np.array(rest["scale"]) * (pull @ gains[:, :3])))
        expected = np.array(moved)
        found = shown[:, at] - shown[0, at]
        worst = max(worst, float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-9)))
    if not worst <= SWING_TOLERANCE:
        raise RuntimeError(f"swings off by {worst:.1e} of what they do, {SWING_TOLERANCE:.0e} is allowed")
    return f"; swings off by {worst:.1e} of what they do"


def check_godot(binary: Path, rig: Path, folder: Path, sheet: Any) -> str:
    """Parses the script, and runs it as Python on the reference table; the worst difference in words."""
    from gdtoolkit.parser import parser  # noqa: PLC0415: it need not be installed

    script = folder / "helpers.gd"
    table = export(binary, rig, "godot", script)
    parser.parse(script.read_text())
    names = [re.sub("[:/]", "_", entry["name"]) for kind in ("drivers", "helpers") for entry in sheet[kind]]
    morphs = [entry["morph"] for entry in sheet["correctives"]]
    model = godot.Skeleton3D(names, morphs)
    program = godot.program(script.read_text(), model)
    worst = 0.0
    for pose in table:
        for driver, name, turn in zip(sheet["drivers"], names, pose["rotations"]):  # noqa: B905: names go on with helpers
            model.turns[name] = godot.Quaternion(*product(np.array(driver["rest"]), np.array(turn)))
        program["_process_modification"]()
        found, expected = [model.mesh.weights[morph] for morph in morphs], list(pose["weights"])
        for name, helper in zip(names[len(sheet["drivers"]) :], pose["helpers"], strict=True):
            turn = np.array(list(model.turns[name]))
            found += [*model.places[name], *(turn * np.sign(turn @ helper["rotation"])), *model.sizes[name]]
            expected += [*helper["translation"], *helper["rotation"], *helper["scale"]]
        worst = max(worst, float(np.abs(np.subtract(found, expected)).max() / max(1.0, np.abs(expected).max())))
    if program["errors"] or not worst <= TOLERANCE:
        raise RuntimeError(f"off by {worst:.1e}, {TOLERANCE:.0e} is allowed; errors: {program['errors']}")
    for driver, name in zip(sheet["drivers"], names):  # noqa: B905: names go on with helpers
        model.turns[name] = godot.Quaternion(*driver["rest"])
    fresh = godot.program(script.read_text(), model)
    swings = check_swings(sheet, functools.partial(godot_shifts, fresh, model, names[len(sheet["drivers"]) :]))
    lame = godot.program(script.read_text(), godot.Skeleton3D(names[1:], morphs))
    lame["_process_modification"]()
    if lame["active"] or not any(names[0] in text for text in lame["errors"]):
        raise RuntimeError(f"without bone {names[0]}: errors {lame['errors']}, active {lame['active']}")
    renamed = sum(entry["name"] not in names for kind in ("drivers", "helpers") for entry in sheet[kind])
    return f"parsed, and run as Python on {len(table)} poses, off by {worst:.1e}; {renamed} bones renamed{swings}"


def with_mixamo_names(rig: Path, folder: Path) -> Path:
    """A copy whose nodes are named as those of Mixamo are."""
    document = load(rig)
    for node in document.json["nodes"]:
        node["name"] = f"mixamorig:{node.get('name', '')}"
    document.save(folder / "mixamo.gltf")
    return folder / "mixamo.gltf"


def main() -> int:
    """Runs everything; 1 if anything failed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sinew", type=Path, required=True, help="the binary")
    arguments.add_argument("--all", action="store_true", help="fail where Mono or gdtoolkit is not installed")
    arguments.add_argument("rigs", type=Path, nargs="+", help="rigs with helpers, of different names: .glb")
    options = arguments.parse_args()
    mono = os.environ.get("MONO", shutil.which("mono") or "").split()
    compiler = os.environ.get("MCS", shutil.which("mcs") or "").split()
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder, binary = Path(name), options.sinew.resolve()
        rigs = [*options.rigs, with_mixamo_names(options.rigs[0], folder)]
        program = build_unity(binary, rigs, folder, compiler) if mono and compiler else None
        for rig in rigs:
            sheet = export(binary, rig, "json", folder / "sheet.json")
            for target in ("unity", "godot"):
                try:
                    if target == "godot":
                        said = check_godot(binary, rig, folder, sheet)
                    elif program is None:
                        raise ModuleNotFoundError("mono and mcs")
                    else:
                        said = check_unity(rig, folder, sheet, [*mono, str(program)])
                    passed += 1
                except ModuleNotFoundError as error:
                    said = f"not checked: {error} not installed"
                    failed += int(options.all)
                except Exception as error:  # noqa: BLE001: parsers have their own
                    said = f"FAIL {error}"
                    failed += 1
                print(f"{rig.stem:<18} {target:<8} {said}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
