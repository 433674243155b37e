// Opens files in three.js and Babylon.js, and writes the vertices that they show.
//
//   node open_everywhere.mjs JOBS.json TOLD.json      jobs: [{ "file": FILE, "time": SECONDS, "out": STEM }]
//
// For every job: STEM.three.f32 and STEM.babylon.f32, float32 x, y, z of all vertices in the file's order, scene space, at that time of the first
// clip (at rest without clips). TOLD.json: a list of { file, program, error }, error null for a file that opened.

import { readFile, writeFile } from "node:fs/promises";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { LoadAssetContainerAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Scene } from "@babylonjs/core/scene.js";
import { Logger } from "@babylonjs/core/Misc/logger.js";
import "@babylonjs/loaders/glTF/index.js";
import { clipPlayer, readPlain, shownPositions } from "./three_file.mjs";

// three.js reports the progress of buffers by an event that only browsers have.
globalThis.ProgressEvent ??= Event;
Logger.LogLevels = Logger.ErrorLogLevel;

async function byThree(bytes, time) {
  const gltf = await new GLTFLoader().parseAsync(bytes, "");
  clipPlayer(gltf, 0)(time);
  return shownPositions(gltf);
}

/** Where a Babylon mesh comes from: its node and primitive. */
function placeOf(mesh) {
  const pointers = [mesh, mesh.parent].flatMap((own) => own?._internalMetadata?.gltf?.pointers ?? []);
  const number = (pattern) => Number(pointers.map((pointer) => pointer.match(pattern)?.[1]).find((found) => found !== undefined) ?? 0);
  return { mesh, node: number(/^\/nodes\/(\d+)$/), primitive: number(/^\/meshes\/\d+\/primitives\/(\d+)$/) };
}

async function byBabylon(bytes, time) {
  const engine = new NullEngine();
  const scene = new Scene(engine);
  // Otherwise a mirroring root stands above the file's scene.
  scene.useRightHandedSystem = true;
  const container = await LoadAssetContainerAsync(new Uint8Array(bytes), scene, { pluginExtension: ".glb" });
  container.addAllToScene();
  const clip = container.animationGroups[0];
  for (const group of container.animationGroups) group.stop();
  if (clip !== undefined) {
    clip.play(false);
    // Babylon plays glTF at 60 frames a second.
    clip.goToFrame(Math.min(60 * time, clip.to));
  }
  for (const node of container.transformNodes) node.computeWorldMatrix(true);
  for (const skeleton of container.skeletons) skeleton.prepare(true);
  const places = container.meshes.filter((mesh) => mesh.getTotalVertices() > 0).map(placeOf);
  places.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  const frame = [];
  for (const { mesh } of places) {
    const world = mesh.computeWorldMatrix(true);
    const local = mesh.getPositionData(true, true);
    for (let at = 0; at < local.length; at += 3) {
      const place = Vector3.TransformCoordinates(Vector3.FromArray(local, at), world);
      frame.push(place.x, place.y, place.z);
    }
  }
  engine.dispose();
  return frame;
}

const jobs = JSON.parse(await readFile(process.argv[2], "utf8"));
const told = [];
for (const { file, time, out } of jobs) {
  const bytes = await readPlain(file);
  for (const [program, open] of [["three", byThree], ["babylon", byBabylon]]) {
    let error = null;
    try {
      await writeFile(`${out}.${program}.f32`, Buffer.from(new Float32Array(await open(bytes, time)).buffer));
    } catch (thrown) {
      error = String(thrown?.stack ?? thrown).split("\n").slice(0, 3).join(" | ");
    }
    told.push({ file, program, error });
  }
}
await writeFile(process.argv[3], JSON.stringify(told));
// Timers of an engine may be left.
process.exit(0);
