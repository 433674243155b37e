"""Imports .glb files into Blender under several hash seeds of Python, which decide the order of its importer's sets.

    blender_seeds.py FILE.glb... [--seeds 8]

Every import must give the same vertices and the same vertex attributes of Sinew (those that begin with an underscore), with the same values.
Each seed is a process of its own; two run at a time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def imported(path: Path) -> dict[str, str]:
    """What a file gives: per mesh the number of vertices, and a hash of every attribute of Sinew."""
    import bpy
    import numpy as np

    from blender_opens import import_alone

    import_alone(path)
    found = {}
    for mesh in bpy.data.meshes:
        found[mesh.name] = str(len(mesh.vertices))
        for attribute in mesh.attributes:
            if attribute.name.startswith("_"):
                values = np.zeros(3 * len(attribute.data), dtype=np.float32)
                attribute.data.foreach_get("vector", values)
                found[f"{mesh.name} {attribute.name}"] = hashlib.sha256(values.tobytes()).hexdigest()
    return found


def under_seed(seed: int, files: list[Path]) -> tuple[str, list[dict[str, str]]]:
    """What all files give in a process with that seed, and its complaints."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, __file__, "--one", *map(str, files)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return done.stderr[-2000:] if done.returncode != 0 else "", [json.loads(line) for line in lines]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seeds", type=int, default=8, help="seeds from 0 on")
    parser.add_argument("--one", action="store_true", help="in this process, for one seed")
    options = parser.parse_args()
    if options.one:
        for file in options.files:
            print(json.dumps(imported(file), sort_keys=True), flush=True)
        return 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(lambda seed: under_seed(seed, options.files), range(options.seeds)))
    failed = 0
    for index, file in enumerate(options.files):
        found = [result[index] if index < len(result) else None for _, result in results]
        attributes = sum(1 for name in (found[0] or {}) if " _" in name)
        is_good = found[0] is not None and all(other == found[0] for other in found)
        failed += not is_good
        bad = [seed for seed, other in enumerate(found) if other is None or other != found[0]]
        print(f"{'ok  ' if is_good else 'FAIL'} {file.name}: {attributes} attributes, {options.seeds} seeds{'' if is_good else f', bad: {bad}'}")
    complaints = [complaint for complaint, _ in results if complaint]
    if complaints:
        print(complaints[0])
    print(f"{len(options.files) - failed} passed, {failed} failed")
    return 1 if failed or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
