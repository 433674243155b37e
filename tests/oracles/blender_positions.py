"""Posed vertex positions as Blender computes them, in glTF scene space and in the file's vertex order.

Blender is the independent program here: its own importer, armature, F-curves and deform modifiers. What this script adds is only what makes the
numbers comparable: it keeps vertices apart, picks the clip, evaluates at exact sub-frames, and undoes the change of axes.
"""

from __future__ import annotations

import argparse
import copy
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from gltf_file import Document, load
from reference import Array, mesh_nodes, posed_positions, rest_pose, used_vertices

Float32Array = NDArray[np.float32]

FPS = 1024
"""A power of two, so that a float32 time in seconds times this is the frame number without rounding; and high, because an F-curve takes any time
within 1e-4 frames of a key for that key."""

VERTEX_ORDER_TOLERANCE = 1e-5
"""Share of the bounding-box diagonal. Far above Blender's rounding, far below the distance between vertices that a wrong order would show."""

ERRORS_ONLY = 2
"""Blender's debug value by which its glTF importer keeps silent but for errors; its progress would drown the tables."""


def isolated(document: Document, clip: int | None) -> Document:
    """A copy with one clip or none, and a mesh of its own for every instance.

    The single clip leaves no doubt which action plays, and no values of another clip behind. The mesh names are how instances are found again: the
    importer moves, renames and splits nodes, but keeps the name of mesh data.
    """
    json = copy.deepcopy(document.json)
    meshes = json["meshes"]
    json["meshes"] = []
    for index in mesh_nodes(document):
        node = json["nodes"][index]
        json["meshes"].append({**meshes[node["mesh"]], "name": instance_name(index)})
        node["mesh"] = len(json["meshes"]) - 1
    animations = json.pop("animations", [])
    if clip is not None:
        json["animations"] = [{**animations[clip], "name": "clip"}]
    return Document(json, list(document.buffers))


def instance_name(node: int) -> str:
    """Name of the mesh data that belongs to a node."""
    return f"instance_{node}"


def import_document(document: Document, folder: Path) -> None:
    """Replaces Blender's scene by the document, whose images stay behind (they do not move vertices)."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.app.debug_value = ERRORS_ONLY
    bpy.context.scene.render.fps = FPS
    bpy.context.scene.render.fps_base = 1.0
    for texture_owner in ("materials", "textures", "images", "samplers"):
        document.json.pop(texture_owner, None)
    for mesh in document.json["meshes"]:
        for primitive in mesh["primitives"]:
            primitive.pop("material", None)
    path = folder / "model.gltf"
    document.save(path)
    bpy.ops.import_scene.gltf(filepath=str(path), merge_vertices=False)


def play_imported_action() -> None:
    """Makes every animated data-block play its slot of the imported action, and nothing else.

    The importer stashes actions on muted NLA tracks; an action without its slot would leave the block still.
    """
    for block in [*bpy.data.objects, *bpy.data.shape_keys]:
        animation = block.animation_data
        if animation is None:
            continue
        strip = animation.nla_tracks[0].strips[0]
        animation.action = strip.action
        animation.action_slot = strip.action_slot
        animation.use_nla = False


def set_time(time_secs: float) -> None:
    """Moves the scene to an exact, usually fractional, frame."""
    frame = time_secs * FPS
    whole = math.floor(frame)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)


def instance_positions(node: int) -> Array:
    """Deformed vertices of one mesh instance, Blender's order, glTF scene space."""
    source = next(block for block in bpy.data.objects if block.type == "MESH" and block.data.name == instance_name(node))
    evaluated = source.evaluated_get(bpy.context.evaluated_depsgraph_get())
    local = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", local)
    scene_from_object = np.array(evaluated.matrix_world, np.float64)
    x, y, z = (local.reshape(-1, 3) @ scene_from_object[:3, :3].T + scene_from_object[:3, 3]).T
    # The importer turned Y up into Z up: (x, y, z) became (x, -z, y).
    return np.stack([x, z, -y], axis=1)


def scene_positions(document: Document) -> Float32Array:
    """All instances in node order; a vertex that no face uses, which the importer drops, is NaN."""
    used = used_vertices(document)
    positions = np.full((len(used), 3), np.nan, np.float32)
    positions[used] = np.concatenate([instance_positions(node) for node in mesh_nodes(document)])
    return positions


def check_vertex_order(document: Document) -> None:
    """Compares Blender's rest pose with an independent one, vertex by vertex, so that later differences are differences of deformation."""
    with tempfile.TemporaryDirectory() as folder:
        import_document(isolated(document, None), Path(folder))
    expected = posed_positions(document, rest_pose(document))
    diagonal = float(np.linalg.norm(np.ptp(expected, axis=0)))
    worst = float(np.nanmax(np.abs(scene_positions(document) - expected))) / diagonal
    if worst > VERTEX_ORDER_TOLERANCE:
        raise RuntimeError(f"rest positions differ by {worst:.1e} of the diagonal: not the file's vertex order")


def positions_at_rest(document: Document) -> Float32Array:
    """1 x V x 3 positions with the nodes as the file has them."""
    with tempfile.TemporaryDirectory() as folder:
        import_document(isolated(document, None), Path(folder))
    return scene_positions(document)[np.newaxis]


def preserve_volume() -> None:
    """Turns every armature modifier from linear to dual quaternion blending, which Blender calls Preserve Volume."""
    for block in bpy.data.objects:
        for modifier in block.modifiers:
            if modifier.type == "ARMATURE":
                modifier.use_deform_preserve_volume = True


def positions_at_times(
    document: Document, clip: int, times_secs: Sequence[float] | Array, by_dual_quaternions: bool = False
) -> Float32Array:
    """T x V x 3 positions of a clip, by linear blending or by dual quaternions."""
    with tempfile.TemporaryDirectory() as folder:
        import_document(isolated(document, clip), Path(folder))
    play_imported_action()
    if by_dual_quaternions:
        preserve_volume()
    frames: list[Float32Array] = []
    for time_secs in times_secs:
        set_time(time_secs)
        frames.append(scene_positions(document))
    return np.stack(frames)


def clip_index(document: Document, name_or_index: str) -> int:
    """Finds a clip by name first, then by number."""
    names = [animation.get("name") for animation in document.json.get("animations", [])]
    if name_or_index in names:
        return names.index(name_or_index)
    if name_or_index.isdigit() and int(name_or_index) < len(names):
        return int(name_or_index)
    raise SystemExit(f"no clip {name_or_index!r}; the file has {names}")


def main() -> None:
    """Writes float32 T x V x 3 positions to an .npy file."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--clip", default="0", help="name or index of the animation")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--times", type=float, nargs="+", help="seconds")
    what.add_argument("--rest", action="store_true", help="the nodes as they stand in the file")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    document = load(arguments.file)
    check_vertex_order(document)
    if arguments.rest:
        positions = positions_at_rest(document)
    else:
        positions = positions_at_times(document, clip_index(document, arguments.clip), arguments.times)
    np.save(arguments.output, positions)


if __name__ == "__main__":
    main()
