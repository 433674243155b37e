"""Asks Blender's importer whether a .glb is the animated character it should be.

    blender_opens.py MODEL.glb --bones 114 [--shape-key NAME]... [--clip NAME]...

The file must give one armature with so many bones; one or more meshes, each with an armature modifier that points at it, vertex groups that
are named as its bones, and no vertex without one; exactly the shape keys that are named, beside the basis; and for each clip an action that moves bones by
more than rounding.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import bpy
import numpy as np

ERRORS_ONLY = 2
"""Blender's debug value by which its glTF importer keeps silent but for errors."""

BASIS = "Basis"
"""The shape key that Blender puts before all others."""

LEAST_MOVE = 1e-3
"""A bone's matrix that changes by less within a clip does not count as moved: far above rounding, far below any motion that shows."""


def import_alone(path: Path) -> None:
    """Replaces Blender's scene by the file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.app.debug_value = ERRORS_ONLY
    bpy.ops.import_scene.gltf(filepath=str(path), merge_vertices=False)


def skinned_meshes(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Meshes that the armature moves. The importer adds a sphere to show bones by; nothing moves that."""
    is_moved = lambda block: any(modifier.type == "ARMATURE" and modifier.object == armature for modifier in block.modifiers)
    return [block for block in bpy.data.objects if block.type == "MESH" and is_moved(block)]


def mesh_complaints(mesh: bpy.types.Object, armature: bpy.types.Object) -> list[str]:
    """What is wrong with how bones move the mesh."""
    bones = {bone.name for bone in armature.data.bones}
    strangers = [group.name for group in mesh.vertex_groups if group.name not in bones]
    loose = sum(1 for vertex in mesh.data.vertices if not any(group.weight > 0 for group in vertex.groups))
    complaints = [f"vertex group {name!r} is no bone" for name in strangers]
    if not mesh.vertex_groups:
        complaints.append("there are no vertex groups")
    if loose > 0:
        complaints.append(f"{loose} of {len(mesh.data.vertices)} vertices have no weight")
    return complaints


def shape_keys(meshes: list[bpy.types.Object]) -> list[str]:
    """Names of all shape keys but the basis, mesh by mesh."""
    blocks = [mesh.data.shape_keys.key_blocks for mesh in meshes if mesh.data.shape_keys is not None]
    return [key.name for block in blocks for key in block if key.name != BASIS]


def moved_bones(armature: bpy.types.Object, action: bpy.types.Action) -> int:
    """How many bones move between the beginning and nine later times of the action, seen in the armature."""
    armature.animation_data.action = action
    armature.animation_data.action_slot = action.slots[0]
    armature.animation_data.use_nla = False
    first, last = action.frame_range
    frames = []
    for share in range(10):
        frame = first + (last - first) * share / 9
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        frames.append([np.array(bone.matrix) for bone in armature.pose.bones])
    return int((np.abs(np.array(frames) - np.array(frames[0])).max(axis=(0, 2, 3)) > LEAST_MOVE).sum())


def clip_complaints(armature: bpy.types.Object, clip: str) -> list[str]:
    """What is wrong with the action of a clip; its bones go to the standard output."""
    named = [action for action in bpy.data.actions if action.name == clip or action.name.startswith(f"{clip}_")]
    if not named or armature.animation_data is None:
        return [f"no action {clip!r}, only {[action.name for action in bpy.data.actions]}"]
    moved = moved_bones(armature, named[0])
    print(f"     clip {clip!r}: frames {named[0].frame_range[0]:g} to {named[0].frame_range[1]:g}, {moved} bones move")
    return [] if moved > 0 else [f"the action {clip!r} moves nothing"]


def complaints_of(path: Path, bone_count: int, expected_keys: list[str], clips: list[str]) -> list[str]:
    """All that differs from what is expected; counts go to the standard output."""
    import_alone(path)
    armatures = [block for block in bpy.data.objects if block.type == "ARMATURE"]
    if len(armatures) != 1:
        return [f"{len(armatures)} armatures"]
    armature, complaints = armatures[0], []
    if len(armature.data.bones) != bone_count:
        complaints.append(f"{len(armature.data.bones)} bones, not {bone_count}")
    meshes = skinned_meshes(armature)
    if not meshes:
        complaints.append("the armature moves no mesh")
    for mesh in meshes:
        print(f"     mesh {mesh.name!r}: {len(mesh.data.vertices)} vertices, {len(mesh.vertex_groups)} vertex groups")
        complaints += mesh_complaints(mesh, armature)
    if shape_keys(meshes) != expected_keys:
        complaints.append(f"shape keys {shape_keys(meshes)}, not {expected_keys}")
    for clip in clips:
        complaints += clip_complaints(armature, clip)
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--bones", type=int, required=True, help="bones of the armature")
    parser.add_argument("--shape-key", action="append", default=[], help="a shape key, in order; may be repeated")
    parser.add_argument("--clip", action="append", default=[], help="a clip; may be repeated")
    options = parser.parse_args()
    complaints = complaints_of(options.file, options.bones, options.shape_key, options.clip)
    print(f"{'FAIL' if complaints else 'ok  '} {options.file.name}: {options.bones} bones, {len(options.shape_key)} shape keys, {len(options.clip)} clips")
    for complaint in complaints:
        print(f"     {complaint}")
    print(f"{0 if complaints else 1} passed, {1 if complaints else 0} failed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
