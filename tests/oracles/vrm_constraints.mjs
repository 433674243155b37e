// Rotation constraints of VRM 1.0 as three-vrm evaluates them, against the text of the specification and against what a helper should do.
//
//   node vrm_constraints.mjs FILE.vrm...
//
// In 50 poses with random turns of all bones that are followed: the helper's own rotation is rest · slerp(1, δ, weight), and in the scene it has turned
// by that share of its source's turn, as seen from the parents of both. The second holds only where both rest in the same axes, which the
// specification does not ask for and Sinew's files must have.

import { readFile } from "node:fs/promises";
import { VRMNodeConstraintLoaderPlugin } from "@pixiv/three-vrm-node-constraint";
import { Quaternion } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { withoutLooks } from "./three_file.mjs";

const POSES = 50;
/** Radians; numbers in files and in three.js have 32 bits. */
const TOLERANCE = 2e-5;

/** The same numbers on every machine. */
function* noise() {
  let state = 12345;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32 - 0.5;
  }
}

/** Between two rotations. */
function angle(a, b) {
  const between = a.clone().invert().multiply(b);
  return 2 * Math.asin(Math.min(1, Math.hypot(between.x, between.y, between.z)));
}

async function check(path) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMNodeConstraintLoaderPlugin(parser));
  const gltf = await loader.parseAsync(withoutLooks(await readFile(path)), "");
  const manager = gltf.userData.vrmNodeConstraintManager;
  const constraints = [...(manager?.constraints ?? [])];
  if (constraints.length === 0) throw new Error(`${path}: three-vrm finds no constraint`);
  const rests = new Map();
  for (const { source, destination } of constraints) {
    for (const node of [source, destination]) if (!rests.has(node)) rests.set(node, node.quaternion.clone());
  }
  gltf.scene.updateMatrixWorld(true);
  const world = (node) => node.getWorldQuaternion(new Quaternion());
  const restWorld = new Map([...rests.keys()].map((node) => [node, world(node)]));
  const random = noise();
  let worst = 0;
  for (let pose = 0; pose < POSES; pose++) {
    const turns = new Map();
    for (const { source } of constraints) {
      if (turns.has(source)) continue;
      const values = [0, 1, 2, 3].map(() => random.next().value);
      const turn = new Quaternion(values[0], values[1], values[2], 0.5 + Math.abs(values[3])).normalize();
      turns.set(source, turn);
      source.quaternion.copy(rests.get(source)).multiply(turn);
    }
    manager.update();
    gltf.scene.updateMatrixWorld(true);
    for (const constraint of constraints) {
      const { source, destination, weight } = constraint;
      const share = new Quaternion().slerp(turns.get(source), weight);
      const expected = rests.get(destination).clone().multiply(share);
      const off = angle(destination.quaternion, expected);
      // Seen from the parents, in axes of the scene at rest: R_S · share · R_S⁻¹ for both.
      const seen = (node, own) => {
        const axes = restWorld.get(node);
        const turned = rests.get(node).clone().invert().multiply(own);
        return axes.clone().multiply(turned).multiply(axes.clone().invert());
      };
      const wanted = seen(source, rests.get(source).clone().multiply(share));
      const apart = angle(seen(destination, destination.quaternion), wanted);
      worst = Math.max(worst, off, apart);
      if (!(off < TOLERANCE && apart < TOLERANCE)) {
        throw new Error(`${path}: ${destination.name} is ${off} rad off its formula, ${apart} rad off its share`);
      }
    }
  }
  console.log(`${path}: ${constraints.length} constraints, ${worst.toExponential(1)} rad off at most`);
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error("node vrm_constraints.mjs FILE.vrm...");
  process.exit(2);
}
for (const path of paths) await check(path);
