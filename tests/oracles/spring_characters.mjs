// Six characters with spring bones, made in code: hair, a tail, a skirt, colliders; VRM 1.0 and 0.x. Each has a clip of five seconds with a key in
// every sixtieth of a second, in which the hips sway and turn, the head shakes and the legs swing.

const FPS = 60;
const SECONDS = 5;

/** A glTF file with one buffer, as it grows. */
class Builder {
  constructor() {
    this.bytes = [];
    this.length = 0;
    this.json = {
      asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [] }], nodes: [], accessors: [], bufferViews: [],
      animations: [{ name: "sway", channels: [], samplers: [] }], meshes: [],
    };
  }

  node(name, parent, translation, rotation) {
    const index = this.json.nodes.push({ name, translation, ...(rotation && { rotation }) }) - 1;
    if (parent === null) this.json.scenes[0].nodes.push(index);
    else (this.json.nodes[parent].children ??= []).push(index);
    return index;
  }

  floats(values, type, bounds) {
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    const bytes = Buffer.from(Float32Array.from(values).buffer);
    this.bytes.push(bytes);
    const view = this.json.bufferViews.push({ buffer: 0, byteOffset: this.length, byteLength: bytes.length }) - 1;
    this.length += bytes.length;
    return this.json.accessors.push({ bufferView: view, componentType: 5126, count: values.length / width, type, ...bounds }) - 1;
  }

  /** Keys of a node: `value` gives them by the time in seconds. */
  animate(node, path, value) {
    const { channels, samplers } = this.json.animations[0];
    const times = Array.from({ length: FPS * SECONDS + 1 }, (_, key) => key / FPS);
    this.times ??= this.floats(times, "SCALAR", { min: [0], max: [SECONDS] });
    const output = this.floats(times.flatMap(value), path === "rotation" ? "VEC4" : "VEC3");
    const sampler = samplers.push({ input: this.times, output }) - 1;
    channels.push({ sampler, target: { node, path } });
  }

  extension(name, value) {
    (this.json.extensionsUsed ??= []).push(name);
    (this.json.extensions ??= {})[name] = value;
  }

  glb() {
    this.json.buffers = [{ byteLength: this.length }];
    let text = JSON.stringify(this.json);
    while (Buffer.byteLength(text) % 4 !== 0) text += " ";
    const json = Buffer.from(text);
    const header = Buffer.alloc(20);
    [0x46546c67, 2, 28 + json.length + this.length, json.length, 0x4e4f534a].forEach((word, at) => header.writeUInt32LE(word, 4 * at));
    const chunk = Buffer.alloc(8);
    chunk.writeUInt32LE(this.length, 0);
    chunk.writeUInt32LE(0x004e4942, 4);
    return Buffer.concat([header, json, chunk, ...this.bytes]);
  }
}

const about = (axis, angle) => [0, 1, 2].map((at) => (at === axis ? Math.sin(angle / 2) : 0)).concat(Math.cos(angle / 2));

/** A human in T-pose that looks along +Z, or −Z for VRM 0.x; `front` is the sign. */
function human(front) {
  const builder = new Builder();
  const bones = {};
  const add = (name, parent, translation) => {
    bones[name] = builder.node(name, parent === null ? null : bones[parent], translation);
  };
  add("hips", null, [0, 1, 0]);
  add("spine", "hips", [0, 0.15, 0]);
  add("head", "spine", [0, 0.4, 0]);
  for (const [side, sign] of [["left", front], ["right", -front]]) {
    add(`${side}UpperArm`, "spine", [0.18 * sign, 0.3, 0]);
    add(`${side}LowerArm`, `${side}UpperArm`, [0.27 * sign, 0, 0]);
    add(`${side}Hand`, `${side}LowerArm`, [0.25 * sign, 0, 0]);
    add(`${side}UpperLeg`, "hips", [0.1 * sign, -0.05, 0]);
    add(`${side}LowerLeg`, `${side}UpperLeg`, [0, -0.45, 0]);
    add(`${side}Foot`, `${side}LowerLeg`, [0, -0.42, 0]);
  }
  builder.animate(bones.hips, "translation", (t) => [0.15 * Math.sin(4 * t), 1 + 0.05 * Math.sin(9 * t), 0.5 * t]);
  builder.animate(bones.hips, "rotation", (t) => about(1, 0.8 * Math.sin(2.6 * t)));
  builder.animate(bones.head, "rotation", (t) => about(2, 0.5 * Math.sin(5 * t)));
  builder.animate(bones.leftUpperLeg, "rotation", (t) => about(0, 0.6 * Math.sin(5 * t)));
  builder.animate(bones.rightUpperLeg, "rotation", (t) => about(0, -0.6 * Math.sin(5 * t)));
  // Something to see, so that every program takes the file.
  const positions = builder.floats([0, 1, 0, 0.1, 1, 0, 0, 1.1, 0], "VEC3", { min: [0, 1, 0], max: [0.1, 1.1, 0] });
  builder.json.meshes.push({ primitives: [{ attributes: { POSITION: positions } }] });
  builder.json.nodes[bones.hips].mesh = 0;
  return { builder, bones };
}

/** A chain of nodes; `step` gives the translation of each, `turn` its rest rotation. */
function chain(builder, name, parent, count, step, turn) {
  const nodes = [];
  for (let at = 0; at < count; at++) nodes.push(builder.node(`${name} ${at}`, at === 0 ? parent : nodes[at - 1], step(at), turn?.(at)));
  return nodes;
}

function vrm1(builder, bones, spring) {
  const humanBones = Object.fromEntries(Object.entries(bones).map(([name, node]) => [name, { node }]));
  const meta = { name: "test", authors: ["Sinew"], licenseUrl: "https://vrm.dev/licenses/1.0/" };
  builder.extension("VRMC_vrm", { specVersion: "1.0", meta, humanoid: { humanBones } });
  builder.extension("VRMC_springBone", { specVersion: "1.0", ...spring });
  return builder.glb();
}

function vrm0(builder, bones, secondaryAnimation) {
  const humanBones = Object.entries(bones).map(([bone, node]) => ({ bone, node, useDefaultValues: true }));
  const meta = { title: "test", author: "Sinew", allowedUserName: "OnlyAuthor", violentUssageName: "Disallow", sexualUssageName: "Disallow", commercialUssageName: "Disallow", licenseName: "Redistribution_Prohibited" };
  builder.extension("VRM", { exporterVersion: "test", specVersion: "0.0", meta, humanoid: { humanBones }, blendShapeMaster: { blendShapeGroups: [] }, firstPerson: {}, materialProperties: [], secondaryAnimation });
  return builder.glb();
}

const joints = (nodes, settings) => nodes.map((node, at) => ({
  node, hitRadius: 0.02, stiffness: 1, gravityPower: 0, gravityDir: [0, -1, 0], dragForce: 0.4, ...settings(at),
}));

function hair1() {
  const { builder, bones } = human(1);
  const springs = [-0.08, 0.08].map((x) => {
    const nodes = chain(builder, `hair ${x}`, bones.head, 5, (at) => (at === 0 ? [x, 0.15, -0.1] : [0, -0.08, -0.03]));
    return { name: `hair ${x}`, joints: joints(nodes, () => ({ stiffness: 0.8 })) };
  });
  return vrm1(builder, bones, { springs });
}

/** Each joint has settings and axes of its own. */
function tail1() {
  const { builder, bones } = human(1);
  const nodes = chain(builder, "tail", bones.hips, 7, (at) => (at === 0 ? [0, 0, -0.1] : [0, 0.02, -0.12]), (at) => about(at % 3, 0.2 + 0.1 * at));
  const settings = (at) => ({ stiffness: 0.5 - 0.05 * at, gravityPower: 0.1 + 0.05 * at, dragForce: 0.2 + 0.05 * at });
  return vrm1(builder, bones, { springs: [{ name: "tail", joints: joints(nodes, settings) }] });
}

function skirt1() {
  const { builder, bones } = human(1);
  const colliders = ["left", "right"].map((side) => ({
    node: bones[`${side}UpperLeg`], shape: { capsule: { offset: [0, 0.05, 0], tail: [0, -0.4, 0.02], radius: 0.09 } },
  }));
  const springs = Array.from({ length: 6 }, (_, at) => {
    const [x, z] = [Math.cos((at * Math.PI) / 3), Math.sin((at * Math.PI) / 3)];
    const nodes = chain(builder, `skirt ${at}`, bones.hips, 4, (step) => (step === 0 ? [0.17 * x, -0.02, 0.17 * z] : [0.03 * x, -0.14, 0.03 * z]));
    return { joints: joints(nodes, () => ({ stiffness: 0.3, gravityPower: 0.4, dragForce: 0.3, hitRadius: 0.03 })), colliderGroups: [0] };
  });
  return vrm1(builder, bones, { colliders, colliderGroups: [{ name: "legs", colliders: [0, 1] }], springs });
}

/** Spheres, a hollow one and a plane; a center; a collider that hangs on another chain. */
function colliders1() {
  const { builder, bones } = human(1);
  const first = chain(builder, "first", bones.head, 4, (at) => (at === 0 ? [0.1, 0.1, 0] : [0.02, -0.1, 0]));
  const second = chain(builder, "second", bones.head, 5, (at) => (at === 0 ? [-0.1, 0.1, -0.05] : [0.02, -0.1, -0.02]));
  const extended = (shape) => ({ VRMC_springBone_extended_collider: { specVersion: "1.0", shape } });
  const nowhere = { sphere: { offset: [0, -10000, 0], radius: 0 } };
  const colliders = [
    { node: bones.head, shape: { sphere: { offset: [0, 0.02, 0], radius: 0.12 } } },
    { node: bones.spine, shape: nowhere, extensions: extended({ plane: { offset: [0, 0, 0.05], normal: [0, 0.2, -1] } }) },
    { node: bones.spine, shape: nowhere, extensions: extended({ sphere: { offset: [0, 0.2, 0], radius: 0.5, inside: true } }) },
    { node: first[1], shape: { sphere: { offset: [0, 0, 0], radius: 0.08 } } },
  ];
  const springs = [
    { joints: joints(second, () => ({ stiffness: 0.4, gravityPower: 0.3 })), colliderGroups: [0, 1] },
    { joints: joints(first, () => ({ stiffness: 0.5, gravityPower: 0.2, dragForce: 0.25 })), colliderGroups: [0], center: bones.hips },
  ];
  const colliderGroups = [{ colliders: [0, 1, 2] }, { colliders: [3] }];
  builder.json.extensionsUsed = ["VRMC_springBone_extended_collider"];
  return vrm1(builder, bones, { colliders, colliderGroups, springs });
}

const group = (bones, settings) => ({
  comment: "", stiffiness: 0.8, gravityPower: 0, gravityDir: { x: 0, y: -1, z: 0 }, dragForce: 0.4, center: -1, hitRadius: 0.02, bones, colliderGroups: [], ...settings,
});

/** Branches, and ends without a node. */
function hair0() {
  const { builder, bones } = human(-1);
  const nodes = chain(builder, "hair", bones.head, 4, (at) => (at === 0 ? [0.05, 0.15, 0.1] : [0.01, -0.08, 0.03]), (at) => about(1, 0.2 * at));
  chain(builder, "branch", nodes[1], 3, () => [0.05, -0.06, 0.02]);
  const colliderGroups = [{ node: bones.head, colliders: [{ offset: { x: 0.02, y: 0.05, z: -0.03 }, radius: 0.11 }] }];
  return vrm0(builder, bones, { boneGroups: [group([nodes[0]], { colliderGroups: [0], gravityPower: 0.2 })], colliderGroups });
}

function skirt0() {
  const { builder, bones } = human(-1);
  const roots = Array.from({ length: 4 }, (_, at) => {
    const [x, z] = [Math.cos((at * Math.PI) / 2), Math.sin((at * Math.PI) / 2)];
    return chain(builder, `skirt ${at}`, bones.hips, 3, (step) => (step === 0 ? [0.16 * x, -0.02, 0.16 * z] : [0.03 * x, -0.15, 0.03 * z]))[0];
  });
  const colliderGroups = ["left", "right"].map((side) => ({
    node: bones[`${side}UpperLeg`], colliders: [0, 0.15, 0.3].map((y) => ({ offset: { x: 0, y: -y, z: 0.01 }, radius: 0.09 })),
  }));
  const settings = { stiffiness: 0.4, gravityPower: 0.3, gravityDir: { x: 0.3, y: -1, z: 0.2 }, center: bones.hips, colliderGroups: [0, 1], hitRadius: 0.03 };
  return vrm0(builder, bones, { boneGroups: [group(roots, settings)], colliderGroups });
}

/** File names and files. */
export const characters = () => ({
  "hair.vrm": hair1(), "tail.vrm": tail1(), "skirt.vrm": skirt1(), "colliders.vrm": colliders1(), "hair0.vrm": hair0(), "skirt0.vrm": skirt0(),
});
