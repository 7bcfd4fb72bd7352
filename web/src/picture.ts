// One scene as it is seen: bodies, colliders, ground, light. Several may stand beside each other on a stage.
import * as THREE from 'three';
import { materialOf, type Theme } from './materials';
import type { Frame, Item, Layout, Triple } from './protocol';

interface Drawn {
  item: Item;
  object: THREE.Mesh | THREE.InstancedMesh;
}

const vector = (v: Triple) => new THREE.Vector3(...v);

// A point of what is drawn, which moves with it: in a triangle, or on a bead.
export interface Spot {
  vertices: number[];
  shares: number[]; // of each vertex, 1 in all
  beside: THREE.Vector3; // m, from there
  reach: number; // m, how far its vertices are apart
}

export class Picture {
  readonly scene = new THREE.Scene();
  layout: Layout | null = null;
  private readonly sun = new THREE.DirectionalLight(0xfff4e6, 2.4);
  private readonly sky = new THREE.HemisphereLight(0xdbeaff, 0x8d7f75, 0.5);
  private readonly ground: THREE.Mesh<THREE.CircleGeometry, THREE.MeshStandardMaterial>;
  private readonly marks = new THREE.Group(); // drawn over everything: curves, points
  private bodies: Drawn[] = [];
  private frame: Frame | null = null; // that is shown
  private colliders: THREE.Mesh[] = [];
  private wireframe = false;

  constructor(theme: Theme) {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 5;
    this.ground = new THREE.Mesh(new THREE.CircleGeometry(1, 64), new THREE.MeshStandardMaterial({ roughness: 1, envMapIntensity: 0.6 }));
    this.ground.receiveShadow = true;
    this.scene.add(this.sun, this.sun.target, this.sky, this.ground, this.marks);
    this.setTheme(theme);
  }

  setTheme(theme: Theme): void {
    this.scene.background = theme.backdrop;
    this.scene.environment = theme.environment;
    this.scene.environmentIntensity = theme.dark ? 0.5 : 0.4;
    this.ground.material.map = theme.ground.clone();
    this.ground.material.needsUpdate = true;
    this.sun.intensity = theme.dark ? 2.2 : 2.3;
    this.fitGround();
  }

  build(layout: Layout, indices: Uint32Array<ArrayBuffer>, frame: Frame, wireframe: boolean): void {
    this.clear();
    this.layout = layout;
    this.wireframe = wireframe;
    this.bodies = layout.items.map((item) => ({ item, object: this.make(item, indices, frame) }));
    this.colliders = layout.colliders.map((mesh) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(mesh.positions, 3));
      geometry.setAttribute('normal', new THREE.Float32BufferAttribute(mesh.normals, 3));
      geometry.setIndex(mesh.triangles);
      return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0x9fb0bf, roughness: 0.55 }));
    });
    for (const object of [...this.bodies.map((b) => b.object), ...this.colliders]) {
      object.castShadow = object.receiveShadow = true;
      object.frustumCulled = false;
      this.scene.add(object);
    }
    // Light comes into what is seen from inside, as the view does.
    layout.colliders.forEach((mesh, i) => (this.colliders[i].castShadow = !mesh.inverted));
    this.placeLight();
    this.fitGround();
    this.update(frame);
  }

  update(frame: Frame): void {
    this.frame = frame;
    for (const { item, object } of this.bodies) {
      if (object instanceof THREE.InstancedMesh) this.placeBeads(object, item, frame);
      else this.upload(object.geometry, item, frame);
    }
    this.colliders.forEach((mesh, i) => {
      const [x, y, z, qx, qy, qz, qw, scale] = frame.poses.subarray(8 * i, 8 * i + 8);
      mesh.position.set(x, y, z);
      mesh.quaternion.set(qx, qy, qz, qw).normalize();
      mesh.scale.setScalar(scale);
    });
  }

  // A curve and points that are drawn over everything: what an exact answer looks like.
  mark(curve: Triple[], points: Triple[], radius: number, color: number): void {
    for (const child of [...this.marks.children]) this.discard(child as THREE.Mesh);
    this.marks.clear();
    const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.85 });
    if (curve.length > 1) {
      const path = new THREE.CatmullRomCurve3(curve.map(vector));
      this.marks.add(new THREE.Mesh(new THREE.TubeGeometry(path, Math.min(curve.length * 2, 240), radius * 0.28, 6), material));
    }
    for (const point of points) {
      const ring = new THREE.Mesh(new THREE.TorusGeometry(radius, radius * 0.16, 8, 32), material);
      ring.position.set(...point);
      this.marks.add(ring);
    }
    for (const child of this.marks.children) child.renderOrder = 10;
  }

  // Where a ray meets a body that can be held: nothing where a collider is before it.
  pick(ray: THREE.Raycaster): { point: THREE.Vector3; spot: Spot } | null {
    const objects = this.bodies.map((b) => b.object);
    for (const object of objects) {
      object.geometry.computeBoundingSphere();
      if (object instanceof THREE.InstancedMesh) object.computeBoundingSphere();
    }
    const [hit] = ray.intersectObjects([...objects, ...this.colliders], false);
    const item = this.bodies.find(({ object }) => object === hit?.object)?.item;
    return item && !item.collider ? { point: hit.point, spot: this.spotOf(hit, item) } : null;
  }

  private spotOf({ point, face, instanceId, barycoord }: THREE.Intersection, item: Item): Spot {
    const corners = face && instanceId === undefined ? [face.a, face.b, face.c] : [instanceId!];
    const spot: Spot = {
      vertices: corners.map((i) => item.first_vertex + i), shares: corners.length > 1 ? barycoord!.toArray() : [1], beside: new THREE.Vector3(),
      reach: item.radius ?? 0,
    };
    const [a, ...others] = spot.vertices.map((i) => this.vertex(i));
    for (const b of others) spot.reach = Math.max(spot.reach, a.distanceTo(b));
    spot.beside.subVectors(point, this.placeOf(spot));
    return spot;
  }

  // The corner of a spot's triangle that is at a point, if one is.
  cornerAt(spot: Spot, point: THREE.Vector3): Spot | null {
    const corner = spot.vertices.length > 1 && spot.vertices.find((i) => this.vertex(i).distanceTo(point) < 1e-3 * spot.reach);
    return typeof corner === 'number' ? { vertices: [corner], shares: [1], beside: new THREE.Vector3(), reach: spot.reach } : null;
  }

  private vertex(i: number): THREE.Vector3 {
    return new THREE.Vector3().fromArray(this.frame!.positions, 3 * i);
  }

  // Where a spot is now.
  placeOf({ vertices, shares, beside }: Spot): THREE.Vector3 {
    return vertices.reduce((sum, i, k) => sum.addScaledVector(this.vertex(i), shares[k]), beside.clone());
  }

  extent(): { center: THREE.Vector3; radius: number } {
    const low = vector(this.layout!.stage.low), high = vector(this.layout!.stage.high);
    return { center: low.clone().add(high).multiplyScalar(0.5), radius: Math.max(low.distanceTo(high) / 2, 1e-3) };
  }

  // The ground fades away in the distance, bodies do not: fog begins behind what is looked at. distance: of that, in m.
  clearAir(distance: number): void {
    if (!(this.scene.fog instanceof THREE.Fog)) return;
    const { radius } = this.extent();
    this.scene.fog.near = Math.max(4 * radius, distance + 0.5 * radius);
    this.scene.fog.far = this.scene.fog.near + 7 * radius;
  }

  dispose(): void {
    this.clear();
    this.ground.geometry.dispose();
    this.ground.material.map?.dispose();
    this.ground.material.dispose();
    this.sun.dispose();
  }

  private clear(): void {
    for (const object of [...this.bodies.map((b) => b.object), ...this.colliders, ...(this.marks.children as THREE.Mesh[])]) this.discard(object);
    this.bodies = [];
    this.colliders = [];
    this.marks.clear();
  }

  private make(item: Item, indices: Uint32Array<ArrayBuffer>, frame: Frame): THREE.Mesh | THREE.InstancedMesh {
    const colored = frame.colors.length > 0;
    const material = materialOf(item, colored && item.kind === 'surface');
    if (item.kind === 'beads') {
      const rows = item.count > 4000 ? 6 : item.count > 1000 ? 8 : 12; // heaps are of many small ones
      return new THREE.InstancedMesh(new THREE.SphereGeometry(item.radius, 2 * rows - 4, rows), material, item.count);
    }
    const geometry = new THREE.BufferGeometry();
    const names = colored ? ['position', 'normal', 'color'] : ['position', 'normal'];
    for (const name of names) {
      const attribute = new THREE.BufferAttribute(new Float32Array(3 * item.count), 3);
      attribute.setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
    }
    const first = item.first_index!;
    geometry.setIndex(new THREE.BufferAttribute(indices.subarray(first, first + item.index_count!), 1));
    const mesh = new THREE.Mesh(geometry, material);
    if (this.wireframe) {
      const lines = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: 0x101820, wireframe: true, transparent: true, opacity: 0.35 }));
      lines.frustumCulled = false;
      mesh.add(lines);
    }
    return mesh;
  }

  // The frame's buffers themselves are uploaded: three.js makes no copy of them.
  private upload(geometry: THREE.BufferGeometry, item: Item, frame: Frame): void {
    const first = 3 * item.first_vertex, end = first + 3 * item.count;
    const put = (name: string, values: Float32Array) => {
      const attribute = geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
      if (!attribute || values.length === 0) return;
      attribute.array = values.subarray(first, end);
      attribute.needsUpdate = true;
    };
    put('position', frame.positions);
    put('normal', frame.normals);
    put('color', frame.colors);
  }

  private placeBeads(mesh: THREE.InstancedMesh, item: Item, frame: Frame): void {
    const matrix = new THREE.Matrix4(), color = new THREE.Color();
    for (let i = 0; i < item.count; i++) {
      const at = 3 * (item.first_vertex + i);
      const [x, y, z] = frame.positions.subarray(at, at + 3);
      mesh.setMatrixAt(i, matrix.makeTranslation(x, y, z));
      if (frame.colors.length > 0) mesh.setColorAt(i, color.setRGB(frame.colors[at], frame.colors[at + 1], frame.colors[at + 2]));
    }
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  private placeLight(): void {
    const { center, radius } = this.extent();
    this.sun.target.position.copy(center);
    this.sun.position.copy(center).addScaledVector(vector(this.layout!.light).normalize(), 3 * radius);
    const shadow = this.sun.shadow.camera, reach = 1.3 * radius;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: radius / 2, far: 6 * radius });
    this.sun.shadow.normalBias = 0.006 * radius;
    shadow.updateProjectionMatrix();
  }

  private fitGround(): void {
    const ground = this.layout?.ground;
    this.ground.visible = !!ground;
    this.scene.fog = null;
    if (!ground) return;
    const { center, radius } = this.extent(), reach = 9 * radius;
    const normal = vector(ground.normal).normalize(), point = vector(ground.point);
    this.ground.position.copy(center).addScaledVector(normal, -normal.dot(center.clone().sub(point)));
    this.ground.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    this.ground.scale.setScalar(reach);
    const tile = 10 ** Math.round(Math.log10(radius)); // m, a round number
    this.ground.material.map?.repeat.setScalar((2 * reach) / tile);
    this.scene.fog = new THREE.Fog(this.scene.background as THREE.Color, 4 * radius, 11 * radius);
  }

  private discard(object: THREE.Mesh): void {
    object.removeFromParent();
    object.geometry.dispose();
    (object.material as THREE.Material).dispose();
    for (const child of object.children) ((child as THREE.Mesh).material as THREE.Material).dispose();
    if (object instanceof THREE.InstancedMesh) object.dispose();
  }
}
