// What the scripts for babylon-mmd share: a loader hook that lets Node import it, and a PMX model as its loader makes it.

import { readFile } from "node:fs/promises";
import { register } from "node:module";

/** A loader hook for Node: the imports of both packages have no file endings. It may also put a module of ours in the place of the curves. */
const RESOLVER = `
let exactCurves = null;
export async function initialize(data) { exactCurves = data; }
export async function resolve(specifier, context, next) {
  if (exactCurves !== null && specifier.endsWith("/bezierInterpolate")) return { url: exactCurves, format: "module", shortCircuit: true };
  try { return await next(specifier, context); } catch (error) {
    if (error.code === "ERR_UNSUPPORTED_DIR_IMPORT") return next(specifier + "/index.js", context);
    if (error.code === "ERR_MODULE_NOT_FOUND") return next(specifier + ".js", context);
    throw error;
  }
}`;

const moduleOf = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

/** Lets imports of babylon-mmd work from here on. `curves`: the text of a module for its interpolation curves, or null. */
export function registerBabylon(curves = null) {
  register(moduleOf(RESOLVER), { data: curves === null ? null : moduleOf(curves) });
}

/** The bytes of a file in a buffer of their own: Node hands out small files as views of a shared one, and babylon-mmd reads the whole buffer. */
export async function bytesOf(path) {
  return new Uint8Array(await readFile(path));
}

/** The root mesh of a PMX, with the skeleton and the descriptions of bones and morphs that the runtime asks for. */
export async function loadModel(scene, path, options = {}) {
  const { PmxLoader } = await import("babylon-mmd/esm/Loader/pmxLoader.pure");
  const loader = Object.assign(new PmxLoader(), options);
  const bytes = await bytesOf(path);
  const state = await new Promise((resolve) => loader.loadFile(scene, bytes, "", resolve));
  const { meshes } = await loader.importMeshAsync(null, scene, state, "");
  return meshes[0];
}
