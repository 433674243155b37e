"""Compares BVH files that `sinew` writes with the same motion in glTF, both opened in Blender.

Joints must be at the same places in every frame. Blender's importers share no code, so that both the file's meaning and its place in the world
are checked.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bpy

FPS = 30
MOST_M = 1e-4

Places = dict[str, tuple[float, float, float]]


def empty_scene() -> None:
    """A scene without anything, at our rate."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    bpy.context.scene.render.fps_base = 1.0


def places(frames: list[int], first: int) -> list[Places]:
    """Heads of all bones in world space, frame by frame; `first` is the scene's frame of the file's first."""
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    found: list[Places] = []
    for frame in frames:
        bpy.context.scene.frame_set(frame + first)
        matrix = armature.matrix_world
        found.append({bone.name: tuple(matrix @ bone.head) for bone in armature.pose.bones})
    return found


def from_bvh(path: Path, frames: list[int]) -> list[Places]:
    empty_scene()
    bpy.ops.import_anim.bvh(
        filepath=str(path), axis_forward="-Z", axis_up="Y", rotate_mode="NATIVE", use_fps_scale=False, frame_start=1
    )
    return places(frames, 1)


def from_gltf(path: Path, frames: list[int]) -> list[Places]:
    empty_scene()
    bpy.ops.import_scene.gltf(filepath=str(path))
    return places(frames, 0)


def compare(sinew: str, arguments: list[str], folder: Path) -> float:
    """The largest distance of a joint between both files, metres."""
    bvh, glb = folder / "motion.bvh", folder / "motion.glb"
    for output in (bvh, glb):
        subprocess.run([sinew, "--quiet", "motion", *arguments, "--fps", str(FPS), "-o", str(output)], check=True)
    frames = list(range(0, 45, 3))
    ours, theirs = from_bvh(bvh, frames), from_gltf(glb, frames)
    largest, shared = 0.0, 0
    for frame, (a, b) in zip(frames, zip(ours, theirs)):
        for name in a.keys() & b.keys():
            shared += 1
            distance = sum((x - y) ** 2 for x, y in zip(a[name], b[name])) ** 0.5
            if distance > largest:
                largest = distance
                worst = (frame, name)
    if shared < 20 * len(frames):
        raise SystemExit(f"{arguments}: only {shared} joints are in both files")
    print(f"{' '.join(arguments)}: {shared} places, at most {largest:.2e} m apart ({worst})")
    return largest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinew", required=True)
    options = parser.parse_args()
    sinew = str(Path(options.sinew).resolve())
    motions = [["walk", "--seconds", "2"], ["jump"]]
    corpus = os.environ.get("SINEW_CORPUS")
    if corpus:
        motions.append([str(Path(corpus) / "bvh/02_01.bvh")])
        motions.append(["run", "--seconds", "2", "--character", str(Path(corpus) / "characters/quaternius-human-male.glb")])
    with tempfile.TemporaryDirectory() as folder:
        largest = max(compare(sinew, motion, Path(folder)) for motion in motions)
    if largest > MOST_M:
        print(f"joints are {largest:.2e} m apart, more than {MOST_M}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
