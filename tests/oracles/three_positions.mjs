// Posed positions as three.js shows them: morph targets, then linear blend skinning, in scene space and in the file's vertex order.
//
//   node three_positions.mjs FILE.glb CLIP TIME...      JSON on stdout: for each time a list of x, y, z of all vertices
//
// Meshes come in the order of their nodes, primitives in order. Images are not read: they move nothing.

import { readFile } from "node:fs/promises";
import { AnimationMixer, LoopOnce, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { withoutLooks } from "./three_file.mjs";

/** All meshes of the scene, in the order of the file's nodes and primitives. */
function meshesInOrder(gltf) {
  const places = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const own = gltf.parser.associations.get(object) ?? {};
    const holder = own.nodes ?? gltf.parser.associations.get(object.parent)?.nodes ?? 0;
    places.push({ object, node: holder, primitive: own.primitives ?? 0 });
  });
  places.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  return places.map((place) => place.object);
}

const [path, clip, ...times] = process.argv.slice(2);
if (times.length === 0) {
  console.error("node three_positions.mjs FILE.glb CLIP TIME...");
  process.exit(2);
}
const loader = new GLTFLoader();
const gltf = await loader.parseAsync(withoutLooks(await readFile(path)), "");
const mixer = new AnimationMixer(gltf.scene);
// The pose holds still after the last key; a loop would begin anew at it.
const action = mixer.clipAction(gltf.animations[Number(clip)]).setLoop(LoopOnce, 1);
action.clampWhenFinished = true;
action.play();
const frames = times.map((time) => {
  mixer.setTime(Number(time));
  gltf.scene.updateMatrixWorld(true);
  const frame = [];
  const place = new Vector3();
  for (const mesh of meshesInOrder(gltf)) {
    mesh.skeleton?.update();
    for (let vertex = 0; vertex < mesh.geometry.attributes.position.count; vertex++) {
      mesh.getVertexPosition(vertex, place).applyMatrix4(mesh.matrixWorld);
      frame.push(place.x, place.y, place.z);
    }
  }
  return frame;
});
process.stdout.write(JSON.stringify(frames));
