"""Compares what `sinew` makes of FBX files with Blender, which writes them, and with the glTF files that they were made of.

Blender imports a model, deforms it at five frames of every clip, and exports it as binary FBX: in metres and in centimetres, with Y and with Z up.
`sinew skin` then has to put every vertex of the FBX where Blender had it, and where `sinew skin` puts it for the glTF file at frames that are keys there.

FBX numbers vertices in another way than glTF, so they are matched by place: each vertex of one side needs one on the other that goes the same way
through all frames.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import kdtree
from numpy.typing import NDArray

from gltf_file import Document, load

Positions = NDArray[np.floating[Any]]
"""F x V x 3: frames, vertices, coordinates in m with Y up."""

TOLERANCE = 1e-5
"""Share of the bounding-box diagonal: rounding of float32 through two exporters, and the tolerance within which the reader removes keys."""

FRAMES_PER_CLIP = 5

UNITS = {"cm": "FBX_SCALE_NONE", "m": "FBX_SCALE_UNITS"}
"""Blender's words for a file in centimetres, with nodes scaled by 100, and for one in metres."""

AXES = {"y": ("-Z", "Y"), "z": ("Y", "Z")}
"""Forward and up."""

ERRORS_ONLY = 2
"""Blender's debug value by which its glTF importer keeps silent but for errors."""


@dataclass
class Model:
    """A model to send through FBX."""

    name: str
    build: Callable[[], None]
    fps: int
    gltf: Path | None = None
    all_actions: bool = True


@dataclass
class Tally:
    """How many comparisons held."""

    passed: int = 0
    failed: int = 0

    def check(self, what: str, worst: float, note: str = "") -> None:
        """Counts and prints one."""
        is_good = worst <= TOLERANCE
        self.passed += is_good
        self.failed += not is_good
        print(f"{what:<46} {worst:>8.1e} {TOLERANCE:>6.0e}  {'ok' if is_good else 'FAIL':<4} {note}", flush=True)


def reset(fps: int) -> None:
    """An empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.app.debug_value = ERRORS_ONLY
    bpy.context.scene.render.fps = fps
    bpy.context.scene.render.fps_base = 1.0


def from_gltf(path: Path) -> Callable[[], None]:
    """Imports a model without the shape that the importer draws bones with."""

    def build() -> None:
        bpy.ops.import_scene.gltf(filepath=str(path), merge_vertices=False)
        for block in [block for block in bpy.data.objects if block.name.startswith("Icosphere")]:
            bpy.data.objects.remove(block)

    return build


def shaped_arm() -> None:
    """A tube with two bones, two materials, colors, a bump and a bulge as shapes, a box that hangs on a bone, and a motion of all."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=12, radius=0.1, depth=1.0, location=(0, 0, 0.5))
    tube = bpy.context.object
    tube.name = "arm"
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=7)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.transform_apply(location=True)
    for index, color in enumerate([(0.8, 0.2, 0.1, 1.0), (0.1, 0.3, 0.8, 1.0)]):
        material = bpy.data.materials.new(("red", "blue")[index])
        material.use_nodes = True
        material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = color
        tube.data.materials.append(material)
    for polygon in tube.data.polygons:
        polygon.material_index = int(polygon.center.z > 0.5)
        polygon.use_smooth = True
    colors = tube.data.color_attributes.new("paint", "BYTE_COLOR", "CORNER")
    for corner, value in enumerate(colors.data):
        height = tube.data.vertices[tube.data.loops[corner].vertex_index].co.z
        value.color = (height, 0.5, 1.0 - height, 1.0)
    tube.shape_key_add(name="Basis")
    bump, bulge = tube.shape_key_add(name="bump"), tube.shape_key_add(name="bulge")
    for vertex in tube.data.vertices:
        if vertex.co.z > 0.7:
            bump.data[vertex.index].co.x += 0.1
        if abs(vertex.co.z - 0.5) < 0.2:
            bulge.data[vertex.index].co.y *= 1.5
    bpy.ops.object.armature_add(location=(0, 0, 0))
    rig = bpy.context.object
    rig.name = "rig"
    bpy.ops.object.mode_set(mode="EDIT")
    upper = rig.data.edit_bones[0]
    upper.name, upper.head, upper.tail = "upper", (0, 0, 0), (0, 0, 0.5)
    lower = rig.data.edit_bones.new("lower")
    lower.head, lower.tail, lower.parent, lower.use_connect = (0, 0, 0.5), (0, 0, 1), upper, True
    lower.roll = 0.7
    bpy.ops.object.mode_set(mode="OBJECT")
    for name, weight in (("upper", lambda z: 1 - z), ("lower", lambda z: z)):
        group = tube.vertex_groups.new(name=name)
        for vertex in tube.data.vertices:
            share = min(max(weight(min(max((vertex.co.z - 0.3) / 0.4, 0.0), 1.0)), 0.0), 1.0)
            if share > 0:
                group.add([vertex.index], share, "REPLACE")
    tube.parent = rig
    tube.modifiers.new("Armature", "ARMATURE").object = rig
    bpy.ops.mesh.primitive_cube_add(size=0.2)
    box = bpy.context.object
    box.name, box.parent, box.parent_type, box.parent_bone = "box", rig, "BONE", "lower"
    box.location = (0.2, 0.1, 0.0)
    box.rotation_euler = (0.3, 0.2, 0.1)
    animate(rig, tube)


def animate(rig: bpy.types.Object, tube: bpy.types.Object) -> None:
    """Bends the elbow, moves the root and plays both shapes, over 24 frames."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, 24
    shapes = tube.data.shape_keys.key_blocks
    for frame, bend, move, weight in ((0, 0.0, 0.0, 0.0), (8, 1.2, 0.1, 1.0), (16, -0.5, 0.3, 0.2), (24, 0.0, 0.2, 0.6)):
        for bone, angle in (("upper", 0.3 * bend), ("lower", bend)):
            posed = rig.pose.bones[bone]
            posed.rotation_mode = "XYZ"
            posed.rotation_euler = (angle, 0.5 * angle, 0.2 * angle)
            posed.keyframe_insert("rotation_euler", frame=frame)
        rig.pose.bones["upper"].location = (move, 0.5 * move, 0)
        rig.pose.bones["upper"].keyframe_insert("location", frame=frame)
        shapes["bump"].value, shapes["bulge"].value = weight, 1.0 - weight
        shapes["bump"].keyframe_insert("value", frame=frame)
        shapes["bulge"].keyframe_insert("value", frame=frame)


def scene_positions() -> Positions:
    """All vertices of all meshes at the current frame, V x 3."""
    graph = bpy.context.evaluated_depsgraph_get()
    parts = []
    for block in bpy.data.objects:
        if block.type != "MESH":
            continue
        evaluated = block.evaluated_get(graph)
        local = np.empty(3 * len(evaluated.data.vertices), np.float32)
        evaluated.data.vertices.foreach_get("co", local)
        world = np.array(evaluated.matrix_world, np.float64)
        x, y, z = (local.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]).T
        # Blender has Z up.
        parts.append(np.stack([x, z, -y], axis=1))
    return np.concatenate(parts)


def play(action: bpy.types.Action | None) -> None:
    """Makes every animated block play the action, and nothing else."""
    for block in [*bpy.data.objects, *bpy.data.shape_keys]:
        animation = block.animation_data
        if animation is None or action is None:
            continue
        animation.use_nla = False
        animation.action = action
        slots = [slot for slot in action.slots if slot.target_id_type == block.id_type]
        if slots:
            animation.action_slot = slots[0]


def frames_of(action: bpy.types.Action | None) -> list[int]:
    """Five whole frames from the first to the last."""
    scene = bpy.context.scene
    first, last = action.frame_range if action else (scene.frame_start, scene.frame_end)
    return np.unique(np.linspace(np.ceil(first), np.floor(last), FRAMES_PER_CLIP).round().astype(int)).tolist()


def blender_positions(frames: Sequence[int]) -> Positions:
    """F x V x 3."""
    shapes = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shapes.append(scene_positions())
    return np.stack(shapes)


def unmatched(found: Positions, expected: Positions, diagonal: float) -> float:
    """The largest distance of a vertex of `found` from the one of `expected` that goes the same way, as a share of the diagonal."""
    tree = kdtree.KDTree(expected.shape[1])
    for index, place in enumerate(expected[0]):
        tree.insert(place, index)
    tree.balance()
    worst = 0.0
    for vertex in range(found.shape[1]):
        near = [index for _, index, _ in tree.find_range(found[0, vertex], 2 * TOLERANCE * diagonal)]
        if not near:
            near = [tree.find(found[0, vertex])[1]]
        apart = np.abs(expected[:, near] - found[:, vertex, np.newaxis]).max(axis=(0, 2)).min()
        worst = max(worst, float(apart) / diagonal)
    return worst


def difference(found: Positions, expected: Positions) -> float:
    """Both ways: no vertex is elsewhere, and none is missing."""
    diagonal = float(np.linalg.norm(np.ptp(expected[0], axis=0)))
    return max(unmatched(found, expected, diagonal), unmatched(expected, found, diagonal))


@dataclass
class Sinew:
    """The binary under test."""

    binary: Path
    folder: Path

    def run(self, *arguments: str) -> str:
        """Its output; fails with its words."""
        done = subprocess.run([str(self.binary), *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def clip_names(self, path: Path) -> list[str]:
        """In the file's order."""
        return [clip["name"] for clip in json.loads(self.run("inspect", str(path), "--json"))["clips"]]

    def positions(self, path: Path, clip: str, times: Sequence[float]) -> Positions:
        """F x V x 3."""
        output = self.folder / "posed.npy"
        shapes = []
        for time in times:
            self.run("--quiet", "skin", str(path), "--method", "lbs", "--clip", clip, "--time", repr(float(time)), "-o", str(output))
            shapes.append(np.load(output).astype(np.float64))
        return np.stack(shapes)


def export(path: Path, unit: str, axes: str, all_actions: bool) -> None:
    """Writes the scene as FBX, without removing keys."""
    forward, up = AXES[axes]
    bpy.ops.export_scene.fbx(
        filepath=str(path),
        object_types={"ARMATURE", "MESH", "EMPTY"},
        apply_scale_options=UNITS[unit],
        axis_forward=forward,
        axis_up=up,
        add_leaf_bones=False,
        colors_type="SRGB",
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=all_actions,
        bake_anim_simplify_factor=0.0,
    )


def gltf_clip(document: Document, action: str) -> int:
    """The clip that became an action; the importer names one that has no name."""
    names = [entry.get("name") for entry in document.json["animations"]]
    return names.index(action) if action in names else 0


def key_frames(document: Document, clip: int, fps: int, frames: Sequence[int]) -> list[int]:
    """Positions in `frames` of those at which every rotation of the glTF clip has a key."""
    animation = document.json["animations"][clip]
    samplers = {channel["sampler"] for channel in animation["channels"] if channel["target"]["path"] == "rotation"}
    common: set[int] | None = None
    for sampler in samplers:
        keys = document.accessor(animation["samplers"][sampler]["input"])[:, 0].astype(np.float64) * fps
        whole = {int(key.round()) for key in keys if abs(key - key.round()) < 1e-3}
        # A track with one key holds still.
        common = whole if common is None else common & whole if len(keys) > 1 else common
    return [at for at, frame in enumerate(frames) if frame in (common or set())]


def compare_model(model: Model, sinew: Sinew, tally: Tally) -> None:
    """All variants and clips of a model."""
    reset(model.fps)
    model.build()
    actions = list(bpy.data.actions) if model.all_actions else [None]
    truths = []
    for action in actions:
        play(action)
        frames = frames_of(action)
        truths.append((action.name if action else "", frames, blender_positions(frames)))
    if model.all_actions:
        bpy.context.scene.frame_set(0)
    for unit in UNITS:
        for axes in AXES:
            path = sinew.folder / f"{model.name}-{unit}-{axes}.fbx"
            export(path, unit, axes, model.all_actions)
            compare_file(model, path, truths, sinew, tally)


def compare_file(model: Model, path: Path, truths: list[tuple[str, list[int], Positions]], sinew: Sinew, tally: Tally) -> None:
    """All clips of one FBX, against Blender and against the glTF."""
    names = sinew.clip_names(path)
    for action, frames, expected in truths:
        clip = next(name for name in names if not action or name.split("|")[-1] == action)
        times = [(frame - frames[0]) / model.fps for frame in frames]
        found = sinew.positions(path, clip, times)
        tally.check(f"{path.stem} {action}: Blender", difference(found, expected), f"frames {frames}")
        if model.gltf is None or path.stem != f"{model.name}-cm-y":
            continue
        document = load(model.gltf)
        index = gltf_clip(document, action)
        keys = key_frames(document, index, model.fps, frames)
        if keys:
            gltf = sinew.positions(model.gltf, str(index), [frames[key] / model.fps for key in keys])
            tally.check(f"{path.stem} {action}: glTF", difference(found[keys], gltf), f"{len(keys)} key frames")


def models(corpus: Path, sinew: Sinew) -> list[Model]:
    """The models, and a walking human."""
    human = sinew.folder / "human.glb"
    source = corpus / "characters" / "quaternius-human-male.glb"
    sinew.run("--quiet", "motion", "walk", "--seconds", "1", "--character", str(source), "-o", str(human))
    cesium, fox = corpus / "gltf" / "CesiumMan.glb", corpus / "gltf" / "Fox.glb"
    return [
        Model("human", from_gltf(human), 30, human),
        Model("CesiumMan", from_gltf(cesium), 24, cesium),
        Model("Fox", from_gltf(fox), 24, fox),
        Model("shaped-arm", shaped_arm, 24, all_actions=False),
    ]


def main() -> int:
    """Exit code 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinew", default=os.environ.get("SINEW"), help="the binary; or environment variable SINEW")
    parser.add_argument("--write-arm", type=Path, help="write the tube with shapes as FBX to this file, and nothing else")
    parser.add_argument("--write-fbx", type=Path, nargs=2, metavar=("MODEL", "FBX"), help="write a glTF model with all clips as FBX, and nothing else")
    arguments = parser.parse_args()
    if arguments.write_arm:
        reset(24)
        shaped_arm()
        export(arguments.write_arm, "cm", "y", all_actions=False)
        return 0
    if arguments.write_fbx:
        reset(24)
        from_gltf(arguments.write_fbx[0])()
        export(arguments.write_fbx[1], "cm", "y", all_actions=True)
        return 0
    corpus = os.environ.get("SINEW_CORPUS")
    if arguments.sinew is None or corpus is None:
        parser.error("name the binary with --sinew, and the folder of sample models with the environment variable SINEW_CORPUS")
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        sinew = Sinew(Path(arguments.sinew).resolve(), Path(folder))
        for model in models(Path(corpus), sinew):
            compare_model(model, sinew, tally)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
