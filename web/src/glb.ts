// The surfaces of a GLB file as an OBJ file, which the engine reads.
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

export async function glbToObj(content: ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
  const { scene } = await new GLTFLoader().parseAsync(content, '');
  const lines: string[] = [], point = new THREE.Vector3();
  let before = 1; // OBJ counts from 1
  scene.updateMatrixWorld(true);
  scene.traverse((object) => {
    if (!(object instanceof THREE.Mesh)) return;
    const positions = object.geometry.getAttribute('position'), index = object.geometry.getIndex();
    for (let i = 0; i < positions.count; i++) {
      point.fromBufferAttribute(positions, i).applyMatrix4(object.matrixWorld);
      lines.push(`v ${point.x} ${point.y} ${point.z}`);
    }
    const corner = (i: number) => before + (index ? index.getX(i) : i);
    const count = index?.count ?? positions.count;
    for (let i = 0; i + 2 < count; i += 3) lines.push(`f ${corner(i)} ${corner(i + 1)} ${corner(i + 2)}`);
    before += positions.count;
  });
  if (before === 1) throw new Error('there is no mesh in this GLB file');
  return new TextEncoder().encode(lines.join('\n') + '\n');
}
