// Avatars in three-vrm: every file must load, rest in T-pose on the ground looking along +Z, and turn its arms as it is told.
//
//   node vrm_poses.mjs FILE.vrm...
//
// "Lower arm 70° down" is set on the normalized human bones, which have the same axes in every avatar.

import { Vector3 } from "three";
import { loadVrm } from "./vrm_file.mjs";

const LARGEST_DEG = 2;
const DOWN_DEG = 70;
/** m; hips of a human that stands. */
const HIPS = [0.3, 2];

const degrees = (a, b) => (180 / Math.PI) * a.angleTo(b);

/** Largest angle between what an avatar does and what it should, in degrees. */
async function check(path) {
  const { gltf, vrm } = await loadVrm(path);
  const place = (bone) => vrm.humanoid.getRawBoneNode(bone).getWorldPosition(new Vector3());
  const way = (from, to) => place(to).sub(place(from)).normalize();
  const complaints = [];
  const expect = (what, found, expected) => {
    const off = degrees(found, expected);
    if (!(off < LARGEST_DEG)) complaints.push(`${what} is ${off.toFixed(2)}° off`);
    worst = Math.max(worst, off);
  };
  let worst = 0;
  const sides = [["left", 1], ["right", -1]];
  for (const [side, sign] of sides) {
    expect(`${side} upper arm at rest`, way(`${side}UpperArm`, `${side}LowerArm`), new Vector3(sign, 0, 0));
    expect(`${side} lower arm at rest`, way(`${side}LowerArm`, `${side}Hand`), new Vector3(sign, 0, 0));
    vrm.humanoid.getNormalizedBoneNode(`${side}LowerArm`).rotation.set(0, 0, -sign * (DOWN_DEG * Math.PI) / 180);
  }
  const hips = place("hips").y;
  if (!(hips > HIPS[0] && hips < HIPS[1])) complaints.push(`the hips are ${hips.toFixed(2)} m high`);
  if (!(place("leftFoot").y < 0.25 && place("leftFoot").y > -0.01)) complaints.push(`the left foot is ${place("leftFoot").y.toFixed(2)} m high`);
  vrm.update(1 / 60);
  gltf.scene.updateMatrixWorld(true);
  for (const [side, sign] of sides) {
    const angle = (DOWN_DEG * Math.PI) / 180;
    const down = new Vector3(sign * Math.cos(angle), -Math.sin(angle), 0);
    expect(`${side} lower arm ${DOWN_DEG}° down`, way(`${side}LowerArm`, `${side}Hand`), down);
  }
  const meta = vrm.meta.name ?? vrm.meta.title;
  console.log(`${complaints.length === 0 ? "ok  " : "FAIL"} ${path}: "${meta}", hips ${hips.toFixed(2)} m high, ${worst.toFixed(3)}° off at most`);
  complaints.forEach((complaint) => console.log(`     ${complaint}`));
  return complaints.length === 0;
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error("node vrm_poses.mjs FILE.vrm...");
  process.exit(2);
}
let failed = 0;
for (const path of paths) if (!(await check(path))) failed += 1;
console.log(`${paths.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
