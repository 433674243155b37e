"""Compares compressed models as `sinew` reads them with what others make of them, and with the models before compression.

`compress.mjs` makes the variants. Written back by `sinew convert`, every list of numbers must be what the compressors' own decoders give, in the
same order. Posed by `sinew skin`, every triangle of the model before compression must be there: corners, normals and texture coordinates
within what the compression rounds to.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from gltf_file import Document, load
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MODELS = ["gltf/CesiumMan.glb", "gltf/Fox.glb", "gltf/RiggedFigure.glb", "gltf/RiggedSimple.glb", "gltf/AnimatedMorphCube.glb"]
MODELS += ["gltf/SimpleMorph.gltf", "gltf/SimpleSkin.gltf", "characters/quaternius-human-male.glb", "characters/mesh2motion-human.glb"]

# The filters of meshopt are stated to one step of the stored component.
MOST_STEPS = 1.01
# Positions have 14 bits (or 11 after a morph's or node's scale): two roundings, and weights of 8 bits that move a vertex between bones.
MOST_POSITION = 4e-3
# Normals of 8 or 10 bits, on an octahedron or by component.
MOST_NORMAL = 0.03
# Texture coordinates of 12 bits.
MOST_UV = 2e-3
# Weights that Draco rounds to 12 bits are made to sum to 1 again, as glTF requires.
MOST_WEIGHT = 1e-3
# Triangles of a model that are looked for, evenly picked: more take minutes.
MOST_TRIANGLES = 400


def step_of(document: Document, accessor: int) -> float:
    """The step of a normalized integer that a filter may be off by; 0 for all else."""
    entry = document.json["accessors"][accessor]
    largest = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}
    return 1 / largest[entry["componentType"]] if entry.get("normalized") else 0.0


def lists_of(document: Document) -> dict[str, int]:
    """All accessors by what they are for."""
    json, found = document.json, {}
    for m, mesh in enumerate(json.get("meshes", [])):
        for p, primitive in enumerate(mesh["primitives"]):
            place = f"mesh {m}, primitive {p}"
            found |= {f"{place}, {name}": index for name, index in primitive["attributes"].items()}
            if "indices" in primitive:
                found[f"{place}, indices"] = primitive["indices"]
            for t, target in enumerate(primitive.get("targets", [])):
                found |= {f"{place}, target {t}, {name}": index for name, index in target.items()}
    for s, skin in enumerate(json.get("skins", [])):
        found[f"skin {s}"] = skin["inverseBindMatrices"]
    for a, animation in enumerate(json.get("animations", [])):
        for c, channel in enumerate(animation["channels"]):
            sampler = animation["samplers"][channel["sampler"]]
            found |= {f"animation {a}, channel {c}, {key}": sampler[key] for key in ("input", "output")}
    return found


def differences(written: Document, reference: Document) -> list[str]:
    """What differs from the decoding of others."""
    ours, theirs = lists_of(written), lists_of(reference)
    if ours.keys() != theirs.keys():
        return [f"other lists: {sorted(ours.keys() ^ theirs.keys())}"]
    found = []
    for name, index in ours.items():
        a, b = written.accessor(index).astype(float), reference.accessor(theirs[name]).astype(float)
        if a.shape != b.shape:
            found.append(f"{name}: {a.shape} for {b.shape}")
        elif (off := np.abs(a - b).max(initial=0.0)) > max(MOST_STEPS * step_of(written, index), MOST_WEIGHT * ("WEIGHTS" in name)):
            found.append(f"{name}: off by {off:.3g}")
    return found


def posed(sinew: str, model: Path, arguments: list[str], folder: Path) -> Floats:
    output = folder / "posed.npy"
    subprocess.run([sinew, "--quiet", "skin", str(model), *arguments, "-o", str(output)], check=True)
    positions: Floats = np.load(output).astype(float)
    return positions


def corners(document: Document, positions: Floats) -> Floats:
    """A row per triangle of all placed meshes: of each corner the posed position, the normal and the texture coordinate."""
    rows, first = [], 0
    for node in document.json["nodes"]:
        if "mesh" not in node:
            continue
        for primitive in document.json["meshes"][node["mesh"]]["primitives"]:
            attributes = primitive["attributes"]
            count = document.json["accessors"][attributes["POSITION"]]["count"]
            lists = [positions[first : first + count]]
            for name, width in (("NORMAL", 3), ("TEXCOORD_0", 2)):
                values = document.accessor(attributes[name]) if name in attributes else np.zeros((count, width))
                lists.append(values.astype(float))
            indices = document.accessor(primitive["indices"])[:, 0] if "indices" in primitive else np.arange(count)
            rows.append(np.concatenate(lists, axis=1)[indices.astype(int)].reshape(-1, 3, 8))
            first += count
    return np.concatenate(rows)


def unmatched(plain: Floats, packed: Floats, size: float) -> int:
    """Triangles, of some of one model, that the other does not have, in any rotation of their corners."""
    if len(plain) != len(packed):
        return abs(len(plain) - len(packed))
    tolerance = np.array([MOST_POSITION * size] * 3 + [MOST_NORMAL] * 3 + [MOST_UV] * 2)
    cell = 2 * MOST_POSITION * size
    cells: dict[tuple[int, ...], list[int]] = {}
    for index, center in enumerate(packed[:, :, :3].mean(axis=1)):
        cells.setdefault(tuple(np.floor(center / cell).astype(int)), []).append(index)
    around = np.stack(np.meshgrid(*[[-1, 0, 1]] * 3), axis=-1).reshape(-1, 3)
    missing = 0
    for triangle in plain[:: max(1, len(plain) // MOST_TRIANGLES)]:
        base = np.floor(triangle[:, :3].mean(axis=0) / cell).astype(int)
        near = [index for offset in around for index in cells.get(tuple(base + offset), [])]
        if not near:
            missing += 1
            continue
        others = packed[near]
        turned = np.stack([np.roll(others, turn, axis=1) for turn in range(3)])
        missing += not (np.abs(turned - triangle) <= tolerance).all(axis=(2, 3)).any()
    return missing


def variants(folder: Path, model: Path) -> list[Path]:
    found = [path for path in folder.glob(f"{model.stem}-*.glb") if not path.stem.endswith(".plain")]
    return sorted(found)


def check(sinew: str, model: Path, variant: Path, folder: Path) -> list[str]:
    """What is wrong with a variant."""
    written = folder / "written.glb"
    subprocess.run([sinew, "--quiet", "convert", str(variant), str(written)], check=True)
    document = load(written)
    problems = differences(document, load(variant.with_suffix(".plain.glb")))
    left = [name for name in document.json.get("extensionsUsed", []) if "compression" in name]
    problems += [f"still compressed by {name}" for name in left]
    original = load(model)
    moment = ["--clip", "0", "--time", "0.4"] if original.json.get("animations") else []
    before = posed(sinew, model, moment, folder)
    size = float(np.linalg.norm(np.ptp(before, axis=0)))
    count = unmatched(corners(original, before), corners(document, posed(sinew, written, moment, folder)), size)
    return problems + ([f"{count} triangles are not those of the model"] if count else [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinew", required=True, help="the binary")
    arguments = parser.parse_args()
    corpus = os.environ.get("SINEW_CORPUS")
    if corpus is None:
        print("SINEW_CORPUS is not set; nothing to compare")
        return 2
    models = [Path(corpus) / name for name in MODELS]
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = Path(__file__).with_name("compress.mjs")
        subprocess.run(["node", str(script), str(folder), *map(str, models)], check=True)
        for model in models:
            for variant in variants(folder, model):
                problems = check(arguments.sinew, model, variant, folder)
                passed, failed = passed + (not problems), failed + bool(problems)
                for problem in problems:
                    print(f"{variant.stem}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
