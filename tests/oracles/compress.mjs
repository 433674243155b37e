// Compressed variants of models, and what the compressors' own decoders make of them.
//
//   node compress.mjs FOLDER FILE...      writes FOLDER/STEM-KIND.glb, and FOLDER/STEM-KIND.plain.glb: the same, decoded
//
// Draco by Google's encoder at several settings, meshopt by its author's (as EXT_meshopt_compression by glTF Transform, and as
// KHR_meshopt_compression in version 1 of its format), KHR_mesh_quantization, and WebP textures.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { Logger, NodeIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import { draco, meshopt, quantize, textureCompress, unpartition } from "@gltf-transform/functions";
import draco3d from "draco3dgltf";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";
import sharp from "sharp";

const PACKED = ["KHR_draco_mesh_compression", "EXT_meshopt_compression"];

const KINDS = {
  draco: [draco()],
  "draco-small": [draco({ encodeSpeed: 0, decodeSpeed: 0 })],
  "draco-fast": [draco({ encodeSpeed: 10, decodeSpeed: 10 })],
  "draco-sequential": [draco({ method: "sequential" })],
  meshopt: [meshopt({ encoder: MeshoptEncoder, level: "high" })],
  "meshopt-medium": [meshopt({ encoder: MeshoptEncoder, level: "medium" })],
  quantize: [quantize()],
  webp: [textureCompress({ encoder: sharp, targetFormat: "webp" })],
};

async function transformer() {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  return new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    "draco3d.decoder": await draco3d.createDecoderModule(),
    "draco3d.encoder": await draco3d.createEncoderModule(),
    "meshopt.decoder": MeshoptDecoder,
    "meshopt.encoder": MeshoptEncoder,
  });
}

/** A file as its reader decodes it, without compression. */
async function decoded(io, bytes) {
  const document = await io.readBinary(bytes);
  for (const extension of document.getRoot().listExtensionsUsed()) {
    if (PACKED.includes(extension.extensionName)) extension.dispose();
  }
  return io.writeBinary(document);
}

/** The JSON and the binary chunk of a `.glb`. */
function parts(glb) {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const length = view.getUint32(12, true);
  return [JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))), glb.subarray(28 + length)];
}

function joined(json, bin) {
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]);
  const body = Buffer.concat([bin, Buffer.alloc(-bin.length & 3)]);
  const header = Buffer.alloc(20);
  [0x46546c67, 2, 28 + padded.length + body.length, padded.length, 0x4e4f534a].forEach((word, at) => header.writeUInt32LE(word, 4 * at));
  const second = Buffer.alloc(8);
  second.writeUInt32LE(body.length, 0);
  second.writeUInt32LE(0x004e4942, 4);
  return Buffer.concat([header, padded, second, body]);
}

/** EXT_meshopt_compression as KHR_meshopt_compression: attributes encoded again in version 1, everything else as it is. */
function ratified(glb) {
  const [json, bin] = parts(glb);
  const chunks = [];
  let length = 0;
  const append = (bytes) => {
    const offset = length;
    chunks.push(bytes, new Uint8Array(-bytes.length & 3));
    length += bytes.length + (-bytes.length & 3);
    return offset;
  };
  for (const view of json.bufferViews) {
    const packed = view.extensions?.EXT_meshopt_compression;
    const source = packed ?? view;
    let bytes = bin.subarray(source.byteOffset ?? 0, (source.byteOffset ?? 0) + source.byteLength);
    if (packed?.mode === "ATTRIBUTES") {
      const raw = new Uint8Array(packed.count * packed.byteStride);
      MeshoptDecoder.decodeGltfBuffer(raw, packed.count, packed.byteStride, bytes, "ATTRIBUTES", "NONE");
      bytes = MeshoptEncoder.encodeVertexBufferLevel(raw, packed.count, packed.byteStride, 3, 1);
    }
    source.byteOffset = append(bytes);
    source.byteLength = bytes.length;
    if (packed) view.extensions = { KHR_meshopt_compression: packed };
  }
  json.buffers[0].byteLength = length;
  // The ratified extension allows buffers that only stand for decoded bytes.
  json.buffers.slice(1).forEach((buffer) => delete buffer.extensions);
  const rename = (name) => (name === "EXT_meshopt_compression" ? "KHR_meshopt_compression" : name);
  for (const key of ["extensionsUsed", "extensionsRequired"]) json[key] = json[key].map(rename);
  return joined(json, Buffer.concat(chunks));
}

const [folder, ...files] = process.argv.slice(2);
if (files.length === 0) {
  console.error("node compress.mjs FOLDER FILE...");
  process.exit(2);
}
await mkdir(folder, { recursive: true });
const io = await transformer();
for (const file of files) {
  const stem = join(folder, basename(file, extname(file)));
  for (const [kind, steps] of Object.entries(KINDS)) {
    const document = (await io.read(file)).setLogger(new Logger(Logger.Verbosity.SILENT));
    await document.transform(unpartition(), ...steps);
    const bytes = await io.writeBinary(document);
    await writeFile(`${stem}-${kind}.glb`, bytes);
    const plain = await decoded(io, bytes);
    await writeFile(`${stem}-${kind}.plain.glb`, plain);
    if (kind === "meshopt") {
      await writeFile(`${stem}-meshopt-khr.glb`, ratified(bytes));
      await writeFile(`${stem}-meshopt-khr.plain.glb`, plain);
    }
  }
}
