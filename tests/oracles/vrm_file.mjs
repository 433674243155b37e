// VRM files as three-vrm reads them in Node.

import { readFile } from "node:fs/promises";
import { VRMLoaderPlugin } from "@pixiv/three-vrm";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { withoutLooks } from "./three_file.mjs";

// The plugin for materials asks a browser for its language version; nothing else of it is used.
globalThis.navigator ??= { userAgent: "node" };

/** The glTF and its avatar; without looks, which need a browser. */
export async function loadVrm(path) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser, { autoUpdateHumanBones: true }));
  const gltf = await loader.parseAsync(withoutLooks(await readFile(path)), "");
  const vrm = gltf.userData.vrm;
  if (!vrm) throw new Error(`${path}: three-vrm finds no avatar`);
  gltf.scene.updateMatrixWorld(true);
  return { gltf, vrm };
}
