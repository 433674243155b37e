// A .glb as three.js reads it in Node.

const GLB_HEADER = 12;
const CHUNK_HEADER = 8;

/** The file without materials and images, which the loader would want a browser for. */
export function withoutLooks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(GLB_HEADER, true);
  const start = GLB_HEADER + CHUNK_HEADER;
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(start, start + length)));
  for (const key of ["materials", "textures", "images", "samplers"]) delete json[key];
  for (const mesh of json.meshes) for (const primitive of mesh.primitives) delete primitive.material;
  let text = JSON.stringify(json);
  while (Buffer.byteLength(text) % 4 !== 0) text += " ";
  const body = Buffer.from(text);
  const rest = bytes.subarray(start + length);
  const header = Buffer.alloc(start);
  header.writeUInt32LE(0x46546c67, 0);
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(start + body.length + rest.length, 8);
  header.writeUInt32LE(body.length, GLB_HEADER);
  header.writeUInt32LE(0x4e4f534a, GLB_HEADER + 4);
  const joined = Buffer.concat([header, body, rest]);
  return joined.buffer.slice(joined.byteOffset, joined.byteOffset + joined.byteLength);
}
