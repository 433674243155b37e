// World matrices of every bone of a PMX model that plays a VMD motion, as babylon-mmd 1.3.0 evaluates them, without physics.
//
//   node mmd_bones.mjs [--exact-curves] MODEL.pmx MOTION.vmd FRAME...       frames of a thirtieth of a second, fractions allowed
//   node mmd_bones.mjs MODEL.pmx - FRAME...                                 the model without a motion
//
// Prints JSON: { bones: [name...], unbound: [warning...], frames: [{ frame, world: [[16 numbers]...] }...] }.
// `bones` and `world` are in the file's order. A matrix is column-major for column vectors, in the model's own left-handed axes and units: the last four
// numbers are the bone's position and 1. `unbound` says which tracks found no bone, morph or IK bone.
//
// What is judged is babylon-mmd's: PmxLoader, VmdLoader, MmdRuntime and MmdModel, over Babylon.js 9.15.0 with its NullEngine; Node 20.6 or later.
// Materials stay away (textures would need a browser, and move no bone): the loader's `.pure` module comes without a maker of materials.
//
// babylon-mmd ends its search on an interpolation curve at an error of 1e-5 in time, also at a key; where the curve is steep, a turn of 60 degrees is then
// off by a quarter of a degree. `--exact-curves` puts a search to the end of float64 in its place, so that the rest can be compared more closely: what is
// left is rounding to float32, 6e-6 units on a model 20 units tall.

import { bytesOf, loadModel, registerBabylon } from "./babylon_file.mjs";

const EXACT_CURVES = `
export function BezierInterpolate(x1, x2, y1, y2, x) {
  const curve = (p1, p2, s) => 3 * (1 - s) * (1 - s) * s * p1 + 3 * (1 - s) * s * s * p2 + s * s * s;
  let [low, high] = [0, 1];
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  for (let i = 0; i < 60; ++i) {
    const middle = 0.5 * (low + high);
    if (curve(x1, x2, middle) < x) low = middle; else high = middle;
  }
  return curve(y1, y2, 0.5 * (low + high));
}`;

const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const [modelPath, motionPath, ...times] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const frames = times.map(Number);
if (options.some((option) => option !== "--exact-curves") || frames.length === 0 || !frames.every(Number.isFinite)) {
  console.error("usage: node mmd_bones.mjs [--exact-curves] MODEL.pmx MOTION.vmd|- FRAME...");
  process.exit(2);
}

registerBabylon(options.length > 0 ? EXACT_CURVES : null);
const { NullEngine } = await import("@babylonjs/core/Engines/nullEngine");
const { Logger } = await import("@babylonjs/core/Misc/logger");
const { Scene } = await import("@babylonjs/core/scene");
const { VmdLoader } = await import("babylon-mmd/esm/Loader/vmdLoader");
const { MmdRuntime } = await import("babylon-mmd/esm/Runtime/mmdRuntime");
await import("babylon-mmd/esm/Runtime/Animation/mmdRuntimeModelAnimation");

/** Makes the motion the model's current one; returns the warnings about what could not be bound. */
async function bindMotion(scene, runtime, model, path) {
  const { buffer } = await bytesOf(path);
  const animation = await new VmdLoader(scene).loadFromBufferAsync("motion", buffer);
  const warnings = new Set();
  runtime.warn = (message) => warnings.add(message);
  model.setRuntimeAnimation(model.createRuntimeAnimation(animation));
  return [...warnings];
}

function worldMatrices(model, frame) {
  model.beforePhysics(frame);
  model.afterPhysics();
  return model.runtimeBones.map((bone) => Array.from(bone.worldMatrix));
}

async function evaluate() {
  const scene = new Scene(new NullEngine());
  const runtime = new MmdRuntime();
  const model = runtime.createMmdModel(await loadModel(scene, modelPath), { buildPhysics: false, materialProxyConstructor: null });
  const unbound = motionPath === "-" ? [] : await bindMotion(scene, runtime, model, motionPath);
  const bones = model.runtimeBones.map((bone) => bone.name);
  return { bones, unbound, frames: frames.map((frame) => ({ frame, world: worldMatrices(model, frame) })) };
}

Logger.LogLevels = Logger.NoneLogLevel;
process.stdout.write(`${JSON.stringify(await evaluate())}\n`);
