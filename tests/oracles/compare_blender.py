"""Compares the `sinew` binary with Blender and with the specification, on the public sample models.

For every model and clip it poses the character at five key times and at five times between keys, and measures the largest difference of any vertex as
a share of the bounding-box diagonal.

Blender interpolates the four components of a rotation by themselves, where glTF asks for slerp, so between keys it is Blender that departs from the
file's meaning. The comparison there is made with a copy of the model to which rotation keys on the slerp are added at the compared times; what
remains is armature, bind and deform. That nothing else differs is checked too: the unchanged model in Blender must equal the reference with
Blender's rule.
"""

from __future__ import annotations

import argparse
import copy
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
from numpy.typing import NDArray

import blender_positions as blender
import reference
from gltf_file import Document, load
from reference import Array

Positions = NDArray[np.floating[Any]]

Candidate = Callable[[Path, int, float], Array]
"""Positions (V x 3, scene space) of a file's clip at a time in seconds: the thing under test."""

MODELS = (
    "CesiumMan.glb",
    "Fox.glb",
    "RiggedFigure.glb",
    "RiggedSimple.glb",
    "SimpleSkin.gltf",
    "SimpleMorph.gltf",
    "AnimatedMorphCube.glb",
)

TIMES_PER_CLIP = 5

BETWEEN_KEYS = 0.25
"""Where between two keys to look. Not the middle: there nlerp and slerp agree by symmetry, and a wrong rule would pass."""

BLENDER_TOLERANCE = 1e-5
"""Share of the diagonal. Two float32 programs with other orders of multiplication; 4.4e-7 seen."""

DUAL_QUATERNION_MODELS = ("CesiumMan.glb", "Fox.glb")
"""Models with rigid bones, on which Preserve Volume is compared; scaled bones Blender treats by a rule of its own."""

DUAL_QUATERNION_TOLERANCE = 1e-4
"""Share of the diagonal. Blender blends quaternions of its own pose matrices, split in float32."""

REFERENCE_TOLERANCE = 2e-6
"""Share of the diagonal. float32 against float64: a chain of 20 bones keeps about 3e-7."""

AFTER_END_SECS = 0.5


class CandidateError(Exception):
    """The program under test gave no usable positions."""


@dataclass
class Tally:
    """How many comparisons, one a time, held."""

    passed: int = 0
    failed: int = 0


@dataclass
class Clip:
    """One clip of one model under test."""

    path: Path
    document: Document
    index: int
    diagonal: float
    candidate: Candidate
    tally: Tally

    def check(self, against: str, times: Array, expected: Positions, tolerance: float) -> None:
        """Compares the candidate at each time and prints the worst."""
        try:
            actual = [self.candidate(self.path, self.index, time) for time in times]
            differences = [self.difference(*pair) for pair in zip(actual, expected, strict=True)]
        except CandidateError as error:
            print(f"     {error}")
            differences = [np.inf] * len(times)
        self.report(against, times, differences, tolerance)

    def difference(self, actual: Positions, expected: Positions) -> float:
        """Largest distance along an axis, as a share of the diagonal; vertices that Blender drops are NaN there and left out."""
        if actual.shape != expected.shape:
            raise CandidateError(f"shape {actual.shape}, expected {expected.shape}")
        if not np.isfinite(actual).all():
            raise CandidateError("positions are not finite")
        return float(np.nanmax(np.abs(actual - expected))) / self.diagonal

    def report(self, against: str, times: Array, differences: Sequence[float], tolerance: float) -> None:
        """Prints a line of the table and counts its times."""
        failed = sum(not difference <= tolerance for difference in differences)
        self.tally.failed += failed
        self.tally.passed += len(differences) - failed
        verdict = "FAIL" if failed else "ok"
        print_row(self.path.stem, self.index, against, f"{max(differences):.1e}", f"{tolerance:.0e}", verdict, times)


def print_row(model: str, clip: int | str, against: str, worst: str, limit: str, verdict: str, times: Array | str) -> None:
    """One line of the table."""
    shown = times if isinstance(times, str) else " ".join(f"{time:.7g}" for time in times)
    print(f"{model:<18} {clip:>4}  {against:<34} {worst:>8} {limit:>6}  {verdict:<4}  {shown}", flush=True)


def spread(count: int) -> list[int]:
    """Up to five indices, first and last included."""
    return np.unique(np.linspace(0, count - 1, TIMES_PER_CLIP).round().astype(int)).tolist()


def key_times(document: Document, clip: int) -> Array:
    """Times at which every rotation has a key, so that no rotation is interpolated there."""
    animation = document.json["animations"][clip]
    rotations = [channel["sampler"] for channel in animation["channels"] if channel["target"]["path"] == "rotation"]
    common = reference.clip_key_times(document, clip)
    for sampler in rotations:
        common = np.intersect1d(common, document.accessor(animation["samplers"][sampler]["input"])[:, 0])
    return common[spread(len(common))]


def times_between_keys(document: Document, clip: int) -> Array:
    """Times inside the intervals between keys, in float32 so that no program rounds them."""
    keys = reference.clip_key_times(document, clip)
    intervals = len(keys) - 1
    if intervals >= TIMES_PER_CLIP:
        places = np.array(spread(intervals)) + BETWEEN_KEYS
    else:
        places = (np.arange(TIMES_PER_CLIP) + BETWEEN_KEYS) / TIMES_PER_CLIP * intervals
        # Off the keys: with four intervals every fifth place would fall on one.
        places += np.where(places == places.round(), BETWEEN_KEYS, 0.0)
    return np.interp(places, np.arange(len(keys)), keys).astype(np.float32).astype(np.float64)


def times_outside(document: Document, clip: int) -> Array:
    """One time before the first key, where there is room, and one after the last: the pose must hold still."""
    keys = reference.clip_key_times(document, clip)
    return np.array([*([0.0] if keys[0] > 0.0 else []), keys[-1] + AFTER_END_SECS])


def with_rotation_keys(document: Document, clip: int, times: Array) -> Document:
    """A copy whose linear rotation tracks have additional keys, on the slerp, at these times: the same motion by the specification."""
    changed = Document(copy.deepcopy(document.json), list(document.buffers))
    animation = changed.json["animations"][clip]
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        if channel["target"]["path"] != "rotation" or sampler.get("interpolation", "LINEAR") != "LINEAR":
            continue
        old_keys = document.accessor(sampler["input"])[:, 0].astype(np.float64)
        inside = times[(times > old_keys[0]) & (times < old_keys[-1])]
        keys = np.union1d(old_keys, inside)
        values = np.stack([reference.sample(document, sampler, time, reference.slerp) for time in keys])
        added = {"input": changed.add_float_accessor(keys, "SCALAR"), "output": changed.add_float_accessor(values, "VEC4")}
        animation["samplers"].append(added)
        channel["sampler"] = len(animation["samplers"]) - 1
    return changed


def by_reference(document: Document, clip: int, times: Array, rule: reference.Blend = reference.slerp) -> Array:
    """T x V x 3 positions by the reference, rotations interpolated by `rule`."""
    return np.stack([reference.posed_positions(document, reference.animated_pose(document, clip, time, rule)) for time in times])


def compare_clip(clip: Clip) -> None:
    """All comparisons of one clip."""
    document, index = clip.document, clip.index
    keys, between = key_times(document, index), times_between_keys(document, index)
    clip.check("Blender, at keys", keys, blender.positions_at_times(document, index, keys), BLENDER_TOLERANCE)
    corrected = with_rotation_keys(document, index, between)
    clip.check("Blender, between, slerp keys added", between, blender.positions_at_times(corrected, index, between), BLENDER_TOLERANCE)
    compare_rules(clip, between)
    for name, times in (("at keys", keys), ("between keys", between), ("outside", times_outside(document, index))):
        clip.check(f"reference, {name}", times, by_reference(document, index, times), REFERENCE_TOLERANCE)


def compare_rules(clip: Clip, between: Array) -> None:
    """Shows how far Blender's own interpolation goes from slerp, and checks that it explains all of the difference."""
    unchanged = blender.positions_at_times(clip.document, clip.index, between)

    def differences(rule: reference.Blend) -> list[float]:
        by_rule = by_reference(clip.document, clip.index, between, rule)
        return [clip.difference(*pair) for pair in zip(by_rule, unchanged, strict=True)]

    print_row(clip.path.stem, clip.index, "(Blender as it is - slerp)", f"{max(differences(reference.slerp)):.1e}", "", "note", between)
    clip.report("(Blender as it is - nlerp)", between, differences(reference.nlerp), BLENDER_TOLERANCE)


def compare_model(path: Path, candidate: Candidate, tally: Tally) -> None:
    """All clips of a model."""
    for clip in clips(path, candidate, tally):
        compare_clip(clip)


def compare_dual_quaternions(path: Path, candidate: Candidate, tally: Tally) -> None:
    """Dual quaternion blending against Blender's Preserve Volume, at key times."""
    for clip in clips(path, candidate, tally):
        times = key_times(clip.document, clip.index)
        expected = blender.positions_at_times(clip.document, clip.index, times, by_dual_quaternions=True)
        clip.check("Blender, Preserve Volume", times, expected, DUAL_QUATERNION_TOLERANCE)


def clips(path: Path, candidate: Candidate, tally: Tally) -> list[Clip]:
    """The clips of a model, once Blender's vertex order is known to be the file's."""
    document = load(path)
    blender.check_vertex_order(document)
    rest = reference.posed_positions(document, reference.rest_pose(document))
    diagonal = float(np.linalg.norm(np.ptp(rest, axis=0)))
    return [Clip(path, document, index, diagonal, candidate, tally) for index in range(len(document.json["animations"]))]


def binary_candidate(binary: Path, folder: Path, method: str) -> Candidate:
    """Runs `sinew skin` by a method, which writes one pose as float32 V x 3."""
    output = folder / "posed.npy"
    answers: dict[tuple[Path, int, float], Array] = {}

    def positions(path: Path, clip: int, time_secs: float) -> Array:
        key = (path, clip, time_secs)
        if key not in answers:
            output.unlink(missing_ok=True)
            pose = ["--clip", str(clip), "--time", repr(float(time_secs))]
            command = [str(binary), "skin", str(path), "--method", method, *pose, "-o", str(output)]
            answers[key] = run_binary(command, output)
        return answers[key]

    return positions


def run_binary(command: Sequence[str], output: Path) -> Array:
    """Positions that a command writes."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CandidateError(f"{' '.join(command[1:])}: exit code {done.returncode}: {done.stderr.strip()}")
    positions = np.load(output)
    if positions.dtype != np.float32:
        raise CandidateError(f"{' '.join(command[1:])}: wrote {positions.dtype}, expected float32")
    return positions.astype(np.float64)


def reference_candidate(path: Path, clip: int, time_secs: float) -> Array:
    """Puts the reference in the binary's place: Blender against the specification."""
    return reference.positions_at(load(path), clip, time_secs)


def parse_arguments() -> argparse.Namespace:
    """Command line, with the environment as fallback."""
    parser = argparse.ArgumentParser(description="Compares sinew with Blender and with a float64 reference.")
    parser.add_argument("--candidate", choices=("sinew", "reference"), default="sinew", help="what to judge")
    parser.add_argument("--sinew", default=os.environ.get("SINEW"), help="the binary; or environment variable SINEW")
    arguments = parser.parse_args()
    if arguments.candidate == "sinew" and arguments.sinew is None:
        parser.error("name the binary with --sinew or SINEW, or use --candidate reference")
    if arguments.candidate == "sinew" and not Path(arguments.sinew).is_file():
        parser.error(f"no binary at {arguments.sinew}")
    if "SINEW_CORPUS" not in os.environ:
        parser.error("SINEW_CORPUS is not set: it names the folder whose `gltf` folder holds the sample models")
    return arguments


def main() -> int:
    """Runs everything; 1 if anything failed."""
    arguments = parse_arguments()
    corpus = Path(os.environ["SINEW_CORPUS"]) / "gltf"
    tally = Tally()
    print(f"Blender {bpy.app.version_string}; differences as a share of the bounding-box diagonal, worst of the times")
    print_row("model", "clip", "against", "worst", "limit", "", "times (s)")
    with tempfile.TemporaryDirectory() as folder:
        is_binary = arguments.candidate == "sinew"
        binary = Path(arguments.sinew).resolve() if is_binary else Path()
        candidate = binary_candidate(binary, Path(folder), "lbs") if is_binary else reference_candidate
        for name in MODELS:
            compare_model(corpus / name, candidate, tally)
        if is_binary:
            for name in DUAL_QUATERNION_MODELS:
                compare_dual_quaternions(corpus / name, binary_candidate(binary, Path(folder), "dlb"), tally)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
