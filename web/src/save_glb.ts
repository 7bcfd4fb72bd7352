// What is shown, as a GLB file: one mesh for each body, with normals and its colour.
import type { Frame, Layout } from './protocol';

interface Piece {
  bytes: Uint8Array;
  view: object;
}

const pad = (n: number) => (n + 3) & ~3;

function bounds(positions: Float32Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity], max = [-Infinity, -Infinity, -Infinity];
  positions.forEach((v, i) => {
    min[i % 3] = Math.min(min[i % 3], v);
    max[i % 3] = Math.max(max[i % 3], v);
  });
  return { min, max };
}

// glTF 2.0: a header, a chunk of JSON, a chunk of numbers, all in multiples of four bytes.
export function glbOf(layout: Layout, frame: Frame, indices: Uint32Array): Uint8Array<ArrayBuffer> {
  const pieces: Piece[] = [], accessors: object[] = [], meshes: object[] = [], materials: object[] = [];
  let size = 0;
  const add = (values: Float32Array | Uint32Array, target: number, accessor: object): number => {
    pieces.push({ bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength), view: { buffer: 0, byteOffset: size, byteLength: values.byteLength, target } });
    size += values.byteLength;
    return accessors.push({ bufferView: pieces.length - 1, ...accessor }) - 1;
  };
  for (const item of layout.items) {
    if (item.kind !== 'surface') continue;
    const first = 3 * item.first_vertex, end = first + 3 * item.count, vector = { componentType: 5126, count: item.count, type: 'VEC3' };
    const positions = frame.positions.slice(first, end), corners = indices.slice(item.first_index!, item.first_index! + item.index_count!);
    const POSITION = add(positions, 34962, { ...vector, ...bounds(positions) });
    const NORMAL = add(frame.normals.slice(first, end), 34962, vector);
    const index = add(corners, 34963, { componentType: 5125, count: corners.length, type: 'SCALAR' });
    const material = materials.push({
      pbrMetallicRoughness: { baseColorFactor: [...item.color.map((c) => c ** 2.2), 1], metallicFactor: 0, roughnessFactor: item.finish === 'jelly' ? 0.3 : 0.8 },
      doubleSided: item.finish === 'cloth',
    }) - 1;
    meshes.push({ primitives: [{ attributes: { POSITION, NORMAL }, indices: index, material }] });
  }
  if (meshes.length === 0) throw new Error('There is no surface to save: this scene has only points.');
  const json = new TextEncoder().encode(JSON.stringify({
    asset: { version: '2.0', generator: 'Pliant' }, scene: 0, scenes: [{ nodes: meshes.map((_, i) => i) }],
    nodes: meshes.map((_, mesh) => ({ mesh })), meshes, materials, accessors, bufferViews: pieces.map(({ view }) => view), buffers: [{ byteLength: size }],
  }));
  const jsonSize = pad(json.length), file = new Uint8Array(28 + jsonSize + pad(size)), words = new DataView(file.buffer);
  [0x46546c67, 2, file.length, jsonSize, 0x4e4f534a].forEach((word, i) => words.setUint32(4 * i, word, true));
  file.fill(0x20, 20, 20 + jsonSize);
  file.set(json, 20);
  words.setUint32(20 + jsonSize, pad(size), true);
  words.setUint32(24 + jsonSize, 0x004e4942, true);
  let at = 28 + jsonSize;
  for (const { bytes } of pieces) {
    file.set(bytes, at);
    at += bytes.length;
  }
  return file;
}
