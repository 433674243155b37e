// A glTF file as three.js and Babylon.js read it in Node.

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AnimationMixer, LoopOnce, Vector3 } from "three";

const GLB_HEADER = 12;
const CHUNK_HEADER = 8;

/** The file without materials and images, which a loader would want a browser for. */
export function withoutLooks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(GLB_HEADER, true);
  const start = GLB_HEADER + CHUNK_HEADER;
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(start, start + length)));
  return glbOf(strippedOf(json), bytes.subarray(start + length));
}

/** A .glb, .vrm or .gltf with its buffers, as one .glb without looks. */
export async function readPlain(path) {
  const bytes = await readFile(path);
  if (bytes.subarray(0, 4).toString() === "glTF") return withoutLooks(bytes);
  const json = JSON.parse(bytes.toString());
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri?.startsWith("data:") ?? true) continue;
    const own = await readFile(resolve(dirname(path), decodeURIComponent(buffer.uri)));
    buffer.uri = `data:application/octet-stream;base64,${own.toString("base64")}`;
  }
  return glbOf(strippedOf(json), Buffer.alloc(0));
}

function strippedOf(json) {
  for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  return json;
}

/** A container of a JSON and all chunks after it. */
function glbOf(json, rest) {
  const start = GLB_HEADER + CHUNK_HEADER;
  let text = JSON.stringify(json);
  while (Buffer.byteLength(text) % 4 !== 0) text += " ";
  const body = Buffer.from(text);
  const header = Buffer.alloc(start);
  header.writeUInt32LE(0x46546c67, 0);
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(start + body.length + rest.length, 8);
  header.writeUInt32LE(body.length, GLB_HEADER);
  header.writeUInt32LE(0x4e4f534a, GLB_HEADER + 4);
  const joined = Buffer.concat([header, body, rest]);
  return joined.buffer.slice(joined.byteOffset, joined.byteOffset + joined.byteLength);
}

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

/** Starts a clip, or none for a file without clips; returns what moves the scene to a time. */
export function clipPlayer(gltf, clip) {
  if (gltf.animations.length === 0) return () => {};
  const mixer = new AnimationMixer(gltf.scene);
  // The pose holds still after the last key; a loop would begin anew at it.
  const action = mixer.clipAction(gltf.animations[clip]).setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  return (time) => mixer.setTime(time);
}

/** x, y, z of all vertices as they are shown now. */
export function shownPositions(gltf) {
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
}
