// Spring bones in three-vrm against those of Sinew: six characters of spring_characters.mjs, five seconds at 60 Hz.
//
//   node vrm_springs.mjs SINEW FOLDER
//
// As three-vrm 3.5.5 comes, in the loop of every page: the mixer poses, `vrm.update` swings, the drawing brings the matrices of the scene up to date. A
// bone's length is measured in every step, from where the bone stands now to where its child's matrix has it, which is where it was drawn last. That is
// `--springs three-vrm`. The specification has the length constant, which is what `--springs vrm` does, the default: for that one the child's matrix is
// brought up to date before the measure, and nothing else of three-vrm is changed.
//
// Both begin where springs hang still in the clip's first pose. The end of every bone that swings is compared in every frame. The limit is a share of
// the amplitude: how far springs take that end from where the clip alone has it, at most.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AnimationMixer, Matrix4 } from "three";
import { characters } from "./spring_characters.mjs";
import { loadVrm } from "./vrm_file.mjs";

const FPS = 60;
const SETTLING_STEPS = 600;
const LARGEST_SHARE = 0.02;
/** Radians of a turn by which VRM 0.x looks the other way. */
const TURN = Math.PI;

/** Frames × bones × 16, row by row. */
function npy(path) {
  const bytes = readFileSync(path);
  const length = bytes.readUInt16LE(8);
  const header = bytes.subarray(10, 10 + length).toString();
  const shape = header.match(/'shape': \(([^)]*)\)/)[1].split(",").filter((side) => side.trim()).map(Number);
  const start = 10 + length;
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset + start));
  return { shape, values };
}

function bonesBySinew(sinew, path, options) {
  const out = path.replace(".vrm", `${options.length}.npy`);
  const bones = path.replace(".vrm", `${options.length}-bones.npy`);
  execFileSync(sinew, ["--quiet", "skin", path, "--clip", "0", "--fps", String(FPS), ...options, "-o", out, `--bones=${bones}`]);
  return npy(bones);
}

/** Has a joint measure its length where its child is now. */
function measureNow(joint) {
  const measure = joint._calcWorldSpaceBoneLength.bind(joint);
  joint._calcWorldSpaceBoneLength = () => {
    joint.child?.updateMatrix();
    joint.child?.updateWorldMatrix(false, false);
    measure();
  };
}

/** Places of ends of bones, frame by frame, as three-vrm has them; also which bone of the file each is on, and where. */
async function endsByThree(path, change) {
  const { gltf, vrm } = await loadVrm(path);
  const nodeOf = new Map([...gltf.parser.associations].filter(([, of]) => of?.nodes !== undefined).map(([object, of]) => [object, of.nodes]));
  const manager = vrm.springBoneManager;
  const ends = [...manager.joints].map((joint) => ({ joint, bone: nodeOf.get(joint.bone), at: joint.initialLocalChildPosition.clone() }));
  manager.joints.forEach(change);
  // The clip moves the bones of the file themselves.
  vrm.humanoid.autoUpdateHumanBones = false;
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  const draw = (time) => {
    mixer.setTime(time);
    vrm.update(1 / FPS);
    // So does a renderer.
    gltf.scene.updateMatrixWorld();
  };
  mixer.setTime(0);
  gltf.scene.updateMatrixWorld(true);
  manager.reset();
  for (let step = 0; step < SETTLING_STEPS; step++) draw(0);
  const read = () => ends.map(({ joint, at }) => joint.bone.localToWorld(at.clone()));
  const frames = [read()];
  const count = Math.round(gltf.animations[0].duration * FPS);
  for (let frame = 1; frame <= count; frame++) {
    // Short of the end, where the mixer would begin again.
    draw(Math.min(frame / FPS, gltf.animations[0].duration - 1e-6));
    frames.push(read());
  }
  return { ends, frames };
}

async function check(sinew, path, isTurned, { rule, change }) {
  const { ends, frames } = await endsByThree(path, change);
  const [swinging, still] = [["--springs", rule], ["--no-springs"]].map((options) => bonesBySinew(sinew, path, options));
  if (swinging.shape[0] !== frames.length) throw new Error(`${path}: ${swinging.shape[0]} frames, not ${frames.length}`);
  const turn = new Matrix4().makeRotationY(isTurned ? TURN : 0);
  const place = ({ shape, values }, frame, { bone, at }) => {
    const start = (frame * shape[1] + bone) * 16;
    return at.clone().applyMatrix4(new Matrix4().set(...values.subarray(start, start + 16))).applyMatrix4(turn);
  };
  let worst = 0;
  let largest = 0;
  ends.forEach((end, index) => {
    let [off, amplitude] = [0, 0];
    frames.forEach((frame, at) => {
      const ours = place(swinging, at, end);
      off = Math.max(off, ours.distanceTo(frame[index]));
      amplitude = Math.max(amplitude, place(still, at, end).distanceTo(frame[index]));
    });
    worst = Math.max(worst, off / amplitude);
    largest = Math.max(largest, amplitude);
  });
  const isGood = worst < LARGEST_SHARE && largest > 0.02;
  console.log(`${isGood ? "ok  " : "FAIL"} ${path} ${rule}: ${ends.length} bones, ${frames.length} frames, amplitude ${largest.toFixed(3)} m, off by ${(100 * worst).toFixed(4)} % at most`);
  return isGood;
}

const [sinew, folder] = process.argv.slice(2);
if (!folder) {
  console.error("node vrm_springs.mjs SINEW FOLDER");
  process.exit(2);
}
const WAYS = [
  { rule: "vrm", change: measureNow },
  { rule: "three-vrm", change: () => {} },
];
mkdirSync(folder, { recursive: true });
let failed = 0;
const made = Object.entries(characters());
for (const [name, bytes] of made) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  for (const way of WAYS) if (!(await check(sinew, path, name.includes("0"), way))) failed += 1;
}
console.log(`${WAYS.length * made.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
