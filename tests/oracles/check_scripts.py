"""Checks the scripts that `sinew export controllers` writes for Unity and Godot.

Unity: compiled by Mono against stubs of Unity's types, then run on the poses of the reference table; what bones and morphs do must be what the table says.
Godot: parsed by gdtoolkit. Neither program itself is at hand. What is not installed is said, and counts as failed with --all.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def check_unity(binary: Path, rig: Path, folder: Path, mono: list[str], compiler: list[str]) -> str:
    """Compiles and runs; the worst difference in words."""
    script = folder / "SinewHelperControllers.cs"
    table = export(binary, rig, "unity", script)
    sheet = export(binary, rig, "json", folder / "sheet.json") and json.loads((folder / "sheet.json").read_text())
    program = folder / "check.exe"
    stubs = Path(__file__).with_name("unity_stubs.cs")
    built = subprocess.run([*compiler, "-langversion:7", f"-out:{program}", str(script), str(stubs)], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        raise RuntimeError(built.stdout + built.stderr)
    names = [[entry["name"] for entry in sheet[kind]] for kind in ("drivers", "helpers")]
    morphs = [entry["morph"] for entry in sheet["correctives"]]
    lines = []
    for pose in table:
        turns = [
            MIRROR * product(np.array(driver["rest"]), np.array(turn))
            for driver, turn in zip(sheet["drivers"], pose["rotations"], strict=True)
        ]
        lines.append(" ".join(repr(float(number)) for turn in turns for number in turn))
    arguments = [*names[0], "--", *names[1], "--", *morphs]
    ran = subprocess.run([*mono, str(program), *arguments], input="\n".join(lines), capture_output=True, text=True, check=True)
    worst = 0.0
    for pose, line in zip(table, ran.stdout.splitlines(), strict=True):
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
    said = f"compiled and run on {len(table)} poses, off by {worst:.1e}"
    if not any("swing" in helper for helper in sheet["helpers"]):
        return said
    off = check_swings([*mono, str(program), *arguments], sheet)
    if not off <= SWING_TOLERANCE:
        raise RuntimeError(f"swings off by {off:.1e} of what they do, {SWING_TOLERANCE:.0e} is allowed")
    return f"{said}; swings off by {off:.1e} of what they do"


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


def check_swings(command: list[str], sheet: Any) -> float:
    """Carries all helpers about and compares their shifts with the equation of docs/formats/helper-controllers.md, solved in small steps."""
    seconds, count, fine = 1.0 / 60.0, 90, 400
    times = seconds * np.arange(count)
    places = 0.15 * np.stack([np.sin(7 * times), np.cos(11 * times) - 1, np.sin(4 * times)], axis=1)
    axis = np.array([0.6, 0.0, 0.8])
    turns = [np.append(axis * np.sin(0.5 * a), np.cos(0.5 * a)) for a in 0.8 * np.sin(5 * times)]
    still = " ".join(repr(float(number)) for driver in sheet["drivers"] for number in MIRROR * np.array(driver["rest"]))
    mirrored = [np.concatenate([place * [-1, 1, 1], MIRROR * turn]) for place, turn in zip(places, turns, strict=True)]
    lines = [f"{still} {' '.join(repr(float(number)) for number in row)}".strip() for row in mirrored]
    ran = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    shown = np.array([[float(number) for number in line.split(" ")] for line in ran.stdout.splitlines()])
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
        found = shown[:, 10 * at : 10 * at + 3] * [-1, 1, 1]
        found = found - found[0]
        worst = max(worst, float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-9)))
    return worst


def check_godot(binary: Path, rig: Path, folder: Path) -> str:
    """Parses."""
    from gdtoolkit.parser import parser  # noqa: PLC0415: it need not be installed

    script = folder / "helpers.gd"
    export(binary, rig, "godot", script)
    parser.parse(script.read_text())
    return "parsed"


def main() -> int:
    """Runs everything; 1 if anything failed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sinew", type=Path, required=True, help="the binary")
    arguments.add_argument("--all", action="store_true", help="fail where Mono or gdtoolkit is not installed")
    arguments.add_argument("rigs", type=Path, nargs="+", help="rigs with helpers: .glb")
    options = arguments.parse_args()
    mono = os.environ.get("MONO", shutil.which("mono") or "").split()
    compiler = os.environ.get("MCS", shutil.which("mcs") or "").split()
    passed, failed = 0, 0
    for rig in options.rigs:
        with tempfile.TemporaryDirectory() as name:
            folder, binary = Path(name), options.sinew.resolve()
            for program in ("unity", "godot"):
                try:
                    if program == "unity" and not (mono and compiler):
                        raise ModuleNotFoundError("mono and mcs")
                    said = check_unity(binary, rig, folder, mono, compiler) if program == "unity" else check_godot(binary, rig, folder)
                    passed += 1
                except ModuleNotFoundError as error:
                    said = f"not checked: {error} not installed"
                    failed += int(options.all)
                except Exception as error:  # noqa: BLE001: parsers have their own
                    said = f"FAIL {error}"
                    failed += 1
                print(f"{rig.stem:<18} {program:<8} {said}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
