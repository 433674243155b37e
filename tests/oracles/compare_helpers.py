"""Compares rigs with helper bones in `sinew` with other programs: their baked clips in Blender and three.js, and their controllers in Blender.

A rig is a .glb with the extension SINEW_helper_controllers. Its clips are baked, so that Blender and three.js must show them as they are. Then the
tracks of helpers and correctives are taken out: `sinew skin` evaluates the controllers of the file, and Blender the drivers that the script of
`sinew export controllers --for blender` makes: as they are made, and from a saved file opened with scripts off. All numbers are the largest
difference of a coordinate as a share of the bounding-box diagonal. With --timed, an update with the drivers of twelve helpers is timed.
"""

from __future__ import annotations

import argparse
import copy
import json
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

import blender_positions as blender
from compare_blender import Clip, Tally, binary_candidate, clips, print_row, with_rotation_keys
from gltf_file import Document
from reference import Array

TOLERANCE = 1e-4
"""Share of the diagonal, as the project promises. Seen: baked clips 5e-7."""

DRIVER_TOLERANCE = 1e-5
"""Share of the diagonal. Blender hands drivers rotations in 32 bits, and drivers hand each other numbers in 32 bits."""

TIMED_HELPERS = 12

UPDATE_PROMISE_SECS = 3e-3
"""Of an update with the drivers of TIMED_HELPERS."""

UPDATE_LIMIT_SECS = 1e-2
"""Beyond it the test fails: machines that run tests are busy."""

EXTENSION = "SINEW_helper_controllers"

TIMES = 7


FRAMES_PER_SECOND = 30.0
"""Of baked clips."""


def times_of(document: Document, clip: int) -> tuple[Array, Array]:
    """Times on frames that were baked, and times between frames, all over the clip; in float32, so that no program rounds them."""
    samplers = document.json["animations"][clip]["samplers"]
    end = max(float(document.accessor(sampler["input"])[:, 0].max()) for sampler in samplers)
    frames = np.unique(np.floor(np.linspace(0.0, end * FRAMES_PER_SECOND, TIMES)))
    between = np.linspace(0.003, 0.997, TIMES) * end
    return in_float32(frames / FRAMES_PER_SECOND), in_float32(between)


def in_float32(times: Array) -> Array:
    """Rounded as files are."""
    return times.astype(np.float32).astype(np.float64)


def splines(document: Document, clip: int) -> int:
    """Tracks of nodes with tangents, which Blender does not read."""
    animation = document.json["animations"][clip]
    channels = (channel for channel in animation["channels"] if channel["target"]["path"] != "weights")
    return sum(animation["samplers"][channel["sampler"]].get("interpolation") == "CUBICSPLINE" for channel in channels)


def without_baked(document: Document) -> Document:
    """A copy whose clips have no tracks of helpers and morphs."""
    changed = Document(copy.deepcopy(document.json), list(document.buffers))
    helpers = {helper["node"] for helper in document.json["extensions"][EXTENSION]["helpers"]}
    for animation in changed.json["animations"]:
        animation["channels"] = [
            channel
            for channel in animation["channels"]
            if channel["target"]["node"] not in helpers and channel["target"]["path"] != "weights"
        ]
    return changed


def by_three(path: Path, clip: int, times: Array) -> Array:
    """T x V x 3 positions that three.js shows."""
    script = Path(__file__).with_name("three_positions.mjs")
    command = ["node", str(script), str(path), str(clip), *(repr(float(time)) for time in times)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return np.array(json.loads(done.stdout), np.float64).reshape(len(times), -1, 3)


def with_drivers(document: Document, clip: int, script: Path) -> None:
    """Blender's scene with the clip, whose bones and shape keys have the drivers that the script makes."""
    with tempfile.TemporaryDirectory() as folder:
        blender.import_document(blender.isolated(document, clip), Path(folder))
    blender.play_imported_action()
    # Twice: the second run replaces what the first made.
    for _ in range(2):
        runpy.run_path(str(script), run_name="__main__")
    helpers = len(document.json["extensions"][EXTENSION]["helpers"])
    curves = [curve for block in bpy.data.objects if block.animation_data for curve in block.animation_data.drivers]
    if len({(curve.data_path, curve.array_index) for curve in curves}) != len(curves) or len(curves) < 7 * helpers:
        raise RuntimeError(f"{len(curves)} drivers for {helpers} helpers")
    if not all(curve.driver.is_simple_expression and curve.driver.is_valid for curve in curves):
        raise RuntimeError("a driver is not a simple expression")


def by_drivers(document: Document, clip: int, times: Array, script: Path) -> tuple[Array, Array]:
    """T x V x 3 positions by drivers; and from the saved file, opened with scripts off."""
    with_drivers(document, clip, script)
    made = at_times(document, times)
    with tempfile.TemporaryDirectory() as folder:
        saved = str(Path(folder) / "drivers.blend")
        bpy.ops.wm.save_as_mainfile(filepath=saved)
        bpy.ops.wm.open_mainfile(filepath=saved, use_scripts=False)
    return made, at_times(document, times)


def at_times(document: Document, times: Array) -> Array:
    """T x V x 3 positions of the scene as it is."""
    frames = []
    for time_secs in times:
        blender.set_time(time_secs)
        frames.append(blender.scene_positions(document))
    return np.stack(frames)


def time_updates(document: Document, clip: int, script: Path) -> dict[str, float]:
    """Median seconds of an update after a driver was turned, and of a frame, without helpers' drivers and with those of TIMED_HELPERS."""
    with tempfile.TemporaryDirectory() as folder:
        blender.import_document(blender.isolated(document, clip), Path(folder))
    blender.play_imported_action()
    scope = {"__name__": "timed"}
    exec(compile(script.read_text(), str(script), "exec"), scope)  # noqa: S102: our own script
    del scope["DATA"]["helpers"][TIMED_HELPERS:]
    armature = scope["find_armature"]()
    seconds = {}
    for name in ("without", "with"):
        if name == "with":
            scope["Rig"](armature).install()
        turned = armature.pose.bones[scope["DATA"]["drivers"][0]["name"]]

        def turn(step: int, bone: Any = turned) -> None:
            bone.rotation_quaternion = (1.0, 0.002 * step, 0.0, 0.0)
            bpy.context.view_layer.update()

        seconds[f"{name}, pose"] = median_secs(turn)
        seconds[f"{name}, frame"] = median_secs(lambda step: blender.set_time(0.01 + 0.005 * step))
    return seconds


def median_secs(work: Callable[[int], None]) -> float:
    """Of a hundred runs, after a few that warm up."""
    taken = []
    for step in range(105):
        begin = time.perf_counter()
        work(step)
        taken.append(time.perf_counter() - begin)
    return float(np.median(taken[5:]))


def check_time(path: Path, document: Document, clip: int, script: Path, tally: Tally) -> None:
    """Times updates, and says whether they keep the promise."""
    seconds = time_updates(document, clip, script)
    worst = max(seconds["with, pose"], seconds["with, frame"])
    failed = worst > UPDATE_LIMIT_SECS
    tally.failed += int(failed)
    tally.passed += int(not failed)
    verdict = "FAIL" if failed else "ok" if worst <= UPDATE_PROMISE_SECS else "slow"
    told = "; ".join(f"{name} {1e3 * value:.2f} ms" for name, value in seconds.items())
    print_row(path.stem, clip, f"Blender, update, {TIMED_HELPERS} helpers", f"{1e3 * worst:.2f}ms", f"{1e3 * UPDATE_PROMISE_SECS:.0f}ms", verdict, told)


def compare_rig(path: Path, is_as_it_is: bool, is_timed: bool, binary: Path, folder: Path, tally: Tally) -> None:
    """All comparisons of one rig; as it is, or with keys of rotations added for Blender; timed or not."""
    script = folder / "rig.py"
    command = [str(binary), "export", "controllers", str(path), "--for", "blender", "-o", str(script)]
    subprocess.run(command, check=True, capture_output=True)
    candidate = binary_candidate(binary, folder, "lbs")
    for clip in clips(path, candidate, tally):
        document, index = clip.document, clip.index
        if splines(document, index):
            raise RuntimeError(f"{path}: clip {index} has splines; baked clips have lines, which every program shows alike")
        frames, times = times_of(document, index)
        # Blender has no slerp between the keys that a model came with; see README.md.
        added = "" if is_as_it_is else ", keys added"
        for name, chosen in (("at frames", frames), ("between", times)):
            shown = document if is_as_it_is else with_rotation_keys(document, index, chosen)
            clip.check(f"Blender, {name}{added}", chosen, blender.positions_at_times(shown, index, chosen), TOLERANCE)
            clip.check(f"three.js, {name}", chosen, by_three(path, index, chosen), TOLERANCE)
        bare = with_rotation_keys(without_baked(document), index, times)
        bare_path = folder / f"{path.stem} without tracks of helpers.gltf"
        bare.save(bare_path)
        bare_clip = Clip(bare_path, bare, index, clip.diagonal, candidate, tally)
        made, opened = by_drivers(bare, index, times, script)
        bare_clip.check("Blender, drivers", times, made, DRIVER_TOLERANCE)
        bare_clip.check("Blender, drivers, scripts off", times, opened, DRIVER_TOLERANCE)
        if is_timed:
            check_time(path, bare, index, script, tally)
        still = blender.positions_at_times(bare, index, times)
        moved = [clip.difference(candidate(bare_path, index, time), shape) for time, shape in zip(times, still, strict=True)]
        print_row(path.stem, index, "(what helpers and correctives move)", f"{max(moved):.1e}", "", "note", times)
        if max(moved) < 10.0 * TOLERANCE:
            raise RuntimeError(f"{path}: helpers move vertices by {max(moved):.1e} only; such a rig proves nothing")


def main() -> int:
    """Runs everything; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinew", type=Path, required=True, help="the binary")
    parser.add_argument("--as-it-is", type=Path, action="append", default=[], help="a rig whose clips `sinew` made: no key is added for Blender")
    parser.add_argument("--timed", type=Path, action="append", default=[], help="one of the rigs, whose drivers are timed")
    parser.add_argument("rigs", type=Path, nargs="*", help="rigs with helpers: .glb")
    arguments = parser.parse_args()
    tally = Tally()
    print(f"Blender {bpy.app.version_string}; differences as a share of the bounding-box diagonal, worst of the times")
    with tempfile.TemporaryDirectory() as folder:
        for path in [*arguments.as_it_is, *arguments.rigs]:
            is_as_it_is, is_timed = path in arguments.as_it_is, path in arguments.timed
            compare_rig(path, is_as_it_is, is_timed, arguments.sinew.resolve(), Path(folder), tally)
    if not tally.passed + tally.failed:
        parser.error("name a rig")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
