// Posed positions as three.js shows them: morph targets, then linear blend skinning, in scene space and in the file's vertex order.
//
//   node three_positions.mjs FILE.glb CLIP TIME...      JSON on stdout: for each time a list of x, y, z of all vertices
//
// Meshes come in the order of their nodes, primitives in order. Images are not read: they move nothing.

import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { clipPlayer, readPlain, shownPositions } from "./three_file.mjs";

const [path, clip, ...times] = process.argv.slice(2);
if (times.length === 0) {
  console.error("node three_positions.mjs FILE.glb CLIP TIME...");
  process.exit(2);
}
const gltf = await new GLTFLoader().parseAsync(await readPlain(path), "");
const setTime = clipPlayer(gltf, Number(clip));
const frames = times.map((time) => {
  setTime(Number(time));
  return shownPositions(gltf);
});
process.stdout.write(JSON.stringify(frames));
