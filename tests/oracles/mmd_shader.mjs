// Posed vertices of a PMX model by the vertex shader of babylon-mmd 1.3.0, run by WebGL 2 in a headless Chromium.
//
//   node mmd_shader.mjs [--exact-functions] MODEL.pmx MATRICES.f32 POSES OUT.f32
//
// MATRICES.f32: skinning matrices of every bone, pose by pose, 16 float32 each, column-major for column vectors, in the model's own axes and units.
// OUT.f32: posed positions of every vertex in the file's order, pose by pose, 3 float32 each. The environment variable CHROMIUM names the browser.
//
// Vertex buffers are those that babylon-mmd's loader makes (positions, bones, weights, SDEF). The shader is Babylon.js' text for bones with babylon-mmd's
// SDEF put in by its own injector; around it stand only declarations and a varying that transform feedback reads back.
//
// GLSL asks little of acos and sin, and the browser's software driver is off by 1e-4 in acos. `--exact-functions` puts both in float32 precision in their place,
// so that the rest can be compared more closely.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadModel, registerBabylon } from "./babylon_file.mjs";

/** sin by its series, up to a right angle; acos by a Newton step on sin of half the angle, from the driver's. */
const EXACT_FUNCTIONS = `
float exactSin(float x) {float y=x*x;return x*(1.0-y/6.0*(1.0-y/20.0*(1.0-y/42.0*(1.0-y/72.0*(1.0-y/110.0*(1.0-y/156.0))))));}
float exactAcos(float x) {float h=0.5*acos(x);return 2.0*(h-(exactSin(h)-sqrt(0.5*(1.0-x)))/cos(h));}
#define sin exactSin
#define acos exactAcos
`;

const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const [modelPath, matricesPath, poses, outPath] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
if (options.some((option) => option !== "--exact-functions") || outPath === undefined || !(Number(poses) > 0)) {
  console.error("usage: node mmd_shader.mjs [--exact-functions] MODEL.pmx MATRICES.f32 POSES OUT.f32");
  process.exit(2);
}

registerBabylon();
const { NullEngine } = await import("@babylonjs/core/Engines/nullEngine");
const { Logger } = await import("@babylonjs/core/Misc/logger");
const { Scene } = await import("@babylonjs/core/scene");
const { bonesDeclaration } = await import("@babylonjs/core/Shaders/ShadersInclude/bonesDeclaration");
const { bonesVertex } = await import("@babylonjs/core/Shaders/ShadersInclude/bonesVertex");
const { SdefInjector } = await import("babylon-mmd/esm/Loader/sdefInjector");
Logger.LogLevels = Logger.NoneLogLevel;

function shaderText(boneCount) {
  const text = `#define NUM_BONE_INFLUENCERS 4
#define SDEF
#define BonesPerMesh ${boneCount}
#define attribute in
attribute vec3 position;
out vec3 posed;
${bonesDeclaration.shader}
void main() {
mat4 finalWorld=mat4(1.0);
${bonesVertex.shader}
posed=vec3(finalWorld*vec4(position,1.0));
gl_Position=vec4(0.0);
}`;
  const injected = SdefInjector.ProcessSdefCode("vertex", text);
  if (!injected.includes("matricesSdefRW0,1")) throw new Error("babylon-mmd has put no SDEF into the shader");
  return `#version 300 es\nprecision highp float;\n${options.length > 0 ? EXACT_FUNCTIONS : ""}${injected}`;
}

/** What the page does: one draw per pose, the positions in base64 as its text. */
function draw(data) {
  const floats = (text) => new Float32Array(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
  const gl = document.createElement("canvas").getContext("webgl2");
  const program = gl.createProgram();
  const fragment = "#version 300 es\nprecision highp float;out vec4 color;void main(){color=vec4(0.0);}";
  for (const [kind, text] of [[gl.VERTEX_SHADER, data.shader], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.transformFeedbackVaryings(program, ["posed"], gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  for (const [name, { size, values }] of Object.entries(data.attributes)) {
    const at = gl.getAttribLocation(program, name);
    if (at < 0) throw new Error(`the shader does not use ${name}`);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, floats(values), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
  }
  const posed = new Float32Array(3 * data.vertexCount);
  const out = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, posed.byteLength, gl.DYNAMIC_READ);
  gl.enable(gl.RASTERIZER_DISCARD);
  const matrices = floats(data.matrices);
  const texts = [];
  for (let first = 0; first < matrices.length; first += 16 * data.boneCount) {
    gl.uniformMatrix4fv(gl.getUniformLocation(program, "mBones"), false, matrices.subarray(first, first + 16 * data.boneCount));
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, data.vertexCount);
    gl.endTransformFeedback();
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, posed);
    texts.push(Array.from(new Uint8Array(posed.buffer), (byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  if (gl.getError() !== gl.NO_ERROR) throw new Error("WebGL reports an error");
  return texts.join("");
}

/** The text that the page leaves, or its error. */
async function shown(data) {
  const folder = await mkdtemp(join(tmpdir(), "mmd-shader-"));
  try {
    const page = join(folder, "page.html");
    const script = `const data=${JSON.stringify(data)};${draw};let text;try{text=draw(data)}catch(error){text="error: "+error.message}document.body.textContent="["+text+"]";`;
    await writeFile(page, `<!doctype html><body><script>${script}</script></body>`);
    const flags = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", `--user-data-dir=${join(folder, "profile")}`];
    const options = { maxBuffer: 1 << 30, timeout: 110_000 };
    const { stdout } = await promisify(execFile)(process.env.CHROMIUM ?? "chromium", [...flags, "--dump-dom", `file://${page}`], options);
    return stdout.slice(stdout.indexOf("[") + 1, stdout.lastIndexOf("]"));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const base64 = (floats) => Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString("base64");
const root = await loadModel(new Scene(new NullEngine()), modelPath, { optimizeSubmeshes: false });
const mesh = [root, ...root.getChildMeshes()].find((mesh) => mesh.getTotalVertices() > 0);
const matrices = new Float32Array(new Uint8Array(await readFile(matricesPath)).buffer);
const boneCount = matrices.length / 16 / Number(poses);
const sizes = { position: 3, matricesIndices: 4, matricesWeights: 4, matricesSdefC: 3, matricesSdefRW0: 3, matricesSdefRW1: 3 };
const attributes = Object.fromEntries(
  Object.entries(sizes).map(([name, size]) => [name, { size, values: base64(Float32Array.from(mesh.getVerticesData(name))) }]),
);
const text = await shown({ shader: shaderText(boneCount), attributes, matrices: base64(matrices), boneCount, vertexCount: mesh.getTotalVertices() });
if (text.startsWith("error: ")) throw new Error(text);
await writeFile(outPath, Buffer.from(text, "hex"));
process.exit(0);
