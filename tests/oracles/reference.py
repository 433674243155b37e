"""Posed vertex positions by the text of the glTF 2.0 specification, in plain float64 numpy.

The second opinion beside Blender: no engine conventions, no bones with lengths, no conversion of axes. Positions come out in scene space (metres,
Y up), ordered by node, then primitive, then vertex, as in the file.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gltf_file import Document, Json, load

Array = NDArray[np.float64]
Pose = list[dict[str, Array]]
"""For each node: `translation`, `rotation` (x, y, z, w), `scale`, or `matrix`; and `weights` of its morph targets."""

Blend = Callable[[Array, Array, float], Array]


def slerp(start: Array, end: Array, fraction: float) -> Array:
    """Spherical linear interpolation along the shorter arc (appendix C.4 of the specification).

    The specification has unit quaternions. Files round them (SimpleSkin to three digits), so they are made unit first:
    otherwise the arc between them is not the angle between the rotations.
    """
    start, end = start / np.linalg.norm(start), end / np.linalg.norm(end)
    cosine = float(start @ end)
    end = -end if cosine < 0.0 else end
    angle = np.arctan2(np.linalg.norm(end - start), np.linalg.norm(end + start)) * 2.0
    if np.sin(angle) == 0.0:
        return start
    return (np.sin((1.0 - fraction) * angle) * start + np.sin(fraction * angle) * end) / np.sin(angle)


def nlerp(start: Array, end: Array, fraction: float) -> Array:
    """Linear interpolation of the components, then normalization: what Blender's four F-curves give in place of slerp."""
    end = -end if float(start @ end) < 0.0 else end
    blended = lerp(start, end, fraction)
    return blended / np.linalg.norm(blended)


def lerp(start: Array, end: Array, fraction: float) -> Array:
    """Linear interpolation (appendix C.3)."""
    return (1.0 - fraction) * start + fraction * end


def hermite(values: Array, key: int, fraction: float, span_secs: float) -> Array:
    """Cubic spline between `key` and the next (appendix C.5); `values` has rows of in-tangent, value, out-tangent."""
    t = fraction
    return (
        (2 * t**3 - 3 * t**2 + 1) * values[key, 1]
        + span_secs * (t**3 - 2 * t**2 + t) * values[key, 2]
        + (-2 * t**3 + 3 * t**2) * values[key + 1, 1]
        + span_secs * (t**3 - t**2) * values[key + 1, 0]
    )


def sample(document: Document, sampler: Json, time_secs: float, blend: Blend) -> Array:
    """Value of an animation sampler; before the first and after the last key it holds still, as section 3.11 asks."""
    times = document.accessor(sampler["input"])[:, 0].astype(np.float64)
    cubic = sampler.get("interpolation") == "CUBICSPLINE"
    output = document.accessor(sampler["output"]).astype(np.float64)
    # Morph weights are scalars: one row for each target and key. Everything else has one row a key.
    values = output.reshape(len(times), 3, -1) if cubic else output.reshape(len(times), -1)
    at_key = values[:, 1] if cubic else values
    key = int(np.searchsorted(times, time_secs, side="right")) - 1
    if key < 0:
        return at_key[0]
    if key == len(times) - 1 or sampler.get("interpolation") == "STEP":
        return at_key[key]
    span_secs = times[key + 1] - times[key]
    fraction = (time_secs - times[key]) / span_secs
    if cubic:
        return hermite(values, key, fraction, span_secs)
    return blend(at_key[key], at_key[key + 1], fraction)


def rest_pose(document: Document) -> Pose:
    """What the nodes themselves say, with the defaults of the specification filled in."""
    return [_node_pose(document, node) for node in document.json["nodes"]]


def _node_pose(document: Document, node: Json) -> dict[str, Array]:
    pose: Json = {
        "translation": node.get("translation", [0, 0, 0]),
        "rotation": node.get("rotation", [0, 0, 0, 1]),
        "scale": node.get("scale", [1, 1, 1]),
        "weights": node.get("weights", []),
    }
    if "matrix" in node:
        pose["matrix"] = node["matrix"]
    if "mesh" in node and "weights" not in node:
        mesh = document.json["meshes"][node["mesh"]]
        target_count = len(mesh["primitives"][0].get("targets", []))
        pose["weights"] = mesh.get("weights", [0] * target_count)
    return {path: np.array(value, np.float64) for path, value in pose.items()}


def animated_pose(document: Document, clip: int, time_secs: float, rotation_blend: Blend = slerp) -> Pose:
    """The rest pose with everything that the clip drives replaced."""
    pose = rest_pose(document)
    animation = document.json["animations"][clip]
    for channel in animation["channels"]:
        target = channel["target"]
        if "node" not in target:
            continue
        rotates = target["path"] == "rotation"
        value = sample(document, animation["samplers"][channel["sampler"]], time_secs, rotation_blend if rotates else lerp)
        pose[target["node"]][target["path"]] = value / np.linalg.norm(value) if rotates else value
    return pose


def local_matrix(pose: dict[str, Array]) -> Array:
    """T * R * S, or the node's matrix, which a file gives by columns."""
    if "matrix" in pose:
        return pose["matrix"].reshape(4, 4).T
    x, y, z, w = pose["rotation"]
    matrix = np.eye(4)
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix[:3, :3] = rotation * pose["scale"]
    matrix[:3, 3] = pose["translation"]
    return matrix


def global_matrices(document: Document, pose: Pose) -> list[Array]:
    """Scene from node, for every node."""
    nodes = document.json["nodes"]
    parents = {child: parent for parent, node in enumerate(nodes) for child in node.get("children", [])}
    found: dict[int, Array] = {}

    def visit(node: int) -> Array:
        if node not in found:
            local = local_matrix(pose[node])
            found[node] = visit(parents[node]) @ local if node in parents else local
        return found[node]

    return [visit(node) for node in range(len(nodes))]


def skin_matrices(document: Document, skin: Json, scene_from_node: list[Array]) -> Array:
    """Joint matrices: scene from joint, times the inverse bind matrix."""
    joints = np.stack([scene_from_node[joint] for joint in skin["joints"]])
    if "inverseBindMatrices" not in skin:
        return joints
    columns = document.accessor(skin["inverseBindMatrices"]).astype(np.float64)
    return joints @ columns.reshape(-1, 4, 4).transpose(0, 2, 1)


def influences(document: Document, primitive: Json, normalize: bool) -> tuple[NDArray[Any], Array]:
    """Joints and weights of every vertex, all sets side by side."""
    attributes = primitive["attributes"]
    set_count = sum(name.startswith("JOINTS_") for name in attributes)
    joints = np.hstack([document.accessor(attributes[f"JOINTS_{index}"]) for index in range(set_count)])
    weights = np.hstack([document.accessor(attributes[f"WEIGHTS_{index}"]) for index in range(set_count)]).astype(np.float64)
    return joints, weights / weights.sum(axis=1, keepdims=True) if normalize else weights


def morphed(document: Document, primitive: Json, weights: Array) -> Array:
    """Positions in mesh space after the morph targets."""
    positions = document.accessor(primitive["attributes"]["POSITION"]).astype(np.float64)
    for target, weight in zip(primitive.get("targets", []), weights, strict=False):
        if "POSITION" in target:
            positions = positions + weight * document.accessor(target["POSITION"])
    return positions


def transform(matrices: Array, points: Array) -> Array:
    """Points through one affine matrix, or through one each."""
    return np.einsum("...ij,...j->...i", matrices[..., :3, :3], points) + matrices[..., :3, 3]


def mesh_nodes(document: Document) -> list[int]:
    """Nodes that instance a mesh, in file order: the order of all output."""
    return [index for index, node in enumerate(document.json["nodes"]) if "mesh" in node]


def posed_positions(document: Document, pose: Pose, normalize: bool = False) -> Array:
    """All vertices of all mesh instances in scene space, V x 3; weights as the file has them unless asked to sum to 1."""
    scene_from_node = global_matrices(document, pose)
    parts: list[Array] = []
    for index in mesh_nodes(document):
        node = document.json["nodes"][index]
        for primitive in document.json["meshes"][node["mesh"]]["primitives"]:
            points = morphed(document, primitive, pose[index]["weights"])
            if "skin" not in node:
                parts.append(transform(scene_from_node[index], points))
                continue
            matrices = skin_matrices(document, document.json["skins"][node["skin"]], scene_from_node)
            joints, weights = influences(document, primitive, normalize)
            parts.append(transform(np.einsum("vk,vkij->vij", weights, matrices[joints]), points))
    return np.concatenate(parts)


def used_vertices(document: Document) -> NDArray[np.bool_]:
    """Which of the vertices of `posed_positions` a primitive's indices refer to; importers may drop the others."""
    parts: list[NDArray[np.bool_]] = []
    for index in mesh_nodes(document):
        for primitive in document.json["meshes"][document.json["nodes"][index]["mesh"]]["primitives"]:
            count = document.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
            used = np.full(count, "indices" not in primitive)
            if "indices" in primitive:
                used[document.accessor(primitive["indices"])[:, 0]] = True
            parts.append(used)
    return np.concatenate(parts)


def clip_key_times(document: Document, clip: int) -> Array:
    """Every time at which some channel of the clip has a key, sorted."""
    samplers = document.json["animations"][clip]["samplers"]
    times = [document.accessor(sampler["input"])[:, 0] for sampler in samplers]
    return np.unique(np.concatenate(times)).astype(np.float64)


def positions_at(document: Document, clip: int, time_secs: float) -> Array:
    """Positions of a clip at a time, by the specification."""
    return posed_positions(document, animated_pose(document, clip, time_secs))


def main() -> None:
    """Writes T x V x 3 float64 positions of one clip, or of the rest pose."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--clip", type=int, default=0, help="index of the animation")
    parser.add_argument("--times", type=float, nargs="*", help="seconds; the rest pose if left out")
    parser.add_argument("--normalize", action="store_true", help="make the weights of a vertex sum to 1")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    document = load(arguments.file)
    poses = [animated_pose(document, arguments.clip, time) for time in arguments.times or []] or [rest_pose(document)]
    np.save(arguments.output, np.stack([posed_positions(document, pose, arguments.normalize) for pose in poses]))


if __name__ == "__main__":
    main()
