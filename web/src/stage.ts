// The picture: bodies, colliders, ground, light, camera.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Frame, Item, Layout, Triple } from './protocol';

interface Drawn {
  item: Item;
  object: THREE.Mesh | THREE.InstancedMesh;
}

const barHeight = 64; // pixels, with its margin

const vector = (v: Triple) => new THREE.Vector3(...v);

function gridTexture(line: string, fill: string): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 256;
  const context = canvas.getContext('2d')!;
  context.fillStyle = fill;
  context.fillRect(0, 0, 256, 256);
  context.strokeStyle = line;
  for (let i = 0; i <= 5; i++) {
    context.lineWidth = i % 5 === 0 ? 4 : 1;
    context.beginPath();
    context.moveTo((i * 256) / 5, 0);
    context.lineTo((i * 256) / 5, 256);
    context.moveTo(0, (i * 256) / 5);
    context.lineTo(256, (i * 256) / 5);
    context.stroke();
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = 8;
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

function materialOf(item: Item, colored: boolean): THREE.Material {
  const color = new THREE.Color().setRGB(...item.color, THREE.SRGBColorSpace);
  const common = { color: colored ? 0xffffff : color, vertexColors: colored, flatShading: item.faceted ?? false };
  if (item.finish === 'jelly') {
    // Light that enters jelly comes out again elsewhere: a little of its own colour, and a clear coat.
    return new THREE.MeshPhysicalMaterial({
      ...common, roughness: 0.28, clearcoat: 0.7, clearcoatRoughness: 0.15,
      emissive: color, emissiveIntensity: colored ? 0 : 0.16, transparent: true, opacity: 0.92,
    });
  }
  return new THREE.MeshStandardMaterial({
    ...common, roughness: 0.85, side: item.finish === 'cloth' ? THREE.DoubleSide : THREE.FrontSide,
  });
}

export class Stage {
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly sun = new THREE.DirectionalLight(0xfff4e6, 2.4);
  private readonly sky = new THREE.HemisphereLight(0xdbeaff, 0x8d7f75, 1.5);
  private readonly ground: THREE.Mesh<THREE.CircleGeometry, THREE.MeshStandardMaterial>;
  private bodies: Drawn[] = [];
  private colliders: THREE.Mesh[] = [];
  private wireframe = false;
  private layout: Layout | null = null;
  private dirty = true; // something is to be drawn that is not on the screen yet

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 4;
    this.ground = new THREE.Mesh(new THREE.CircleGeometry(1, 64), new THREE.MeshStandardMaterial({ roughness: 1 }));
    this.ground.receiveShadow = true;
    this.scene.add(this.sun, this.sun.target, this.sky, this.ground);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => (this.dirty = true));
    this.setTheme(false);
  }

  setTheme(dark: boolean): void {
    const backdrop = new THREE.Color(dark ? 0x12171d : 0xe4eaef);
    this.scene.background = backdrop;
    this.ground.material.map?.dispose();
    this.ground.material.map = dark ? gridTexture('#2b3641', '#1a2129') : gridTexture('#bcc7d0', '#d9e1e7');
    this.ground.material.needsUpdate = true;
    this.sky.intensity = dark ? 1.0 : 1.7;
    this.sun.intensity = dark ? 2.2 : 2.6;
    this.fitGround();
    this.dirty = true;
  }

  // keepCamera: the same scene, shown otherwise.
  build(layout: Layout, indices: Uint32Array<ArrayBuffer>, frame: Frame, keepCamera: boolean, wireframe: boolean): void {
    for (const { object } of this.bodies) this.remove(object);
    for (const mesh of this.colliders) this.remove(mesh);
    this.layout = layout;
    this.wireframe = wireframe;
    this.bodies = layout.items.map((item) => ({ item, object: this.make(item, indices, frame) }));
    this.colliders = layout.colliders.map((mesh) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.Float32BufferAttribute(mesh.positions, 3));
      geometry.setAttribute('normal', new THREE.Float32BufferAttribute(mesh.normals, 3));
      geometry.setIndex(mesh.triangles);
      return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0x9fb0bf, roughness: 0.8 }));
    });
    for (const object of [...this.bodies.map((b) => b.object), ...this.colliders]) {
      object.castShadow = object.receiveShadow = true;
      object.frustumCulled = false;
      this.scene.add(object);
    }
    if (!keepCamera) this.placeCamera();
    this.placeLight();
    this.fitGround();
    this.update(frame);
  }

  update(frame: Frame): void {
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
    this.dirty = true;
  }

  render(): void {
    this.controls.update();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.floor(width * ratio) || this.canvas.height !== Math.floor(height * ratio)) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / Math.max(height, 1);
      this.camera.setViewOffset(width, height, 0, barHeight / 2, width, height); // the middle is above the bar
      this.dirty = true;
    }
    if (this.dirty) this.renderer.render(this.scene, this.camera);
    this.dirty = false;
  }

  // What body is under a point of the screen, and where.
  pick(ray: THREE.Raycaster): THREE.Vector3 | null {
    const objects = this.bodies.map((b) => b.object);
    for (const object of objects) {
      object.geometry.computeBoundingSphere();
      if (object instanceof THREE.InstancedMesh) object.computeBoundingSphere();
    }
    return ray.intersectObjects(objects, false)[0]?.point ?? null;
  }

  resetCamera(): void {
    if (this.layout) this.placeCamera();
  }

  private make(item: Item, indices: Uint32Array<ArrayBuffer>, frame: Frame): THREE.Mesh | THREE.InstancedMesh {
    const colored = frame.colors.length > 0;
    const material = materialOf(item, colored && item.kind === 'surface');
    if (item.kind === 'beads') return new THREE.InstancedMesh(new THREE.SphereGeometry(item.radius, 20, 12), material, item.count);
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
    const put = (name: string, values: Float32Array<ArrayBuffer>) => {
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

  private extent(): { center: THREE.Vector3; radius: number } {
    const low = vector(this.layout!.stage.low), high = vector(this.layout!.stage.high);
    return { center: low.clone().add(high).multiplyScalar(0.5), radius: Math.max(low.distanceTo(high) / 2, 1e-3) };
  }

  private placeCamera(): void {
    const { camera } = this.layout!, { radius } = this.extent();
    const target = vector(camera.target), away = vector(camera.position).sub(target);
    const aspect = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
    away.multiplyScalar(Math.max(1, 1.78 / aspect)); // it was made for wide pictures: narrow ones stand further back
    this.camera.fov = camera.field_of_view;
    this.camera.position.copy(target).add(away);
    this.camera.near = away.length() / 100;
    this.camera.far = away.length() * 20 + 40 * radius;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.controls.maxDistance = away.length() * 8;
    this.controls.update();
  }

  private placeLight(): void {
    const { center, radius } = this.extent();
    this.sun.target.position.copy(center);
    this.sun.position.copy(center).addScaledVector(vector(this.layout!.light).normalize(), 3 * radius);
    const shadow = this.sun.shadow.camera, reach = 1.3 * radius;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: radius / 2, far: 6 * radius });
    this.sun.shadow.normalBias = 0.004 * radius;
    shadow.updateProjectionMatrix();
  }

  private fitGround(): void {
    const ground = this.layout?.ground;
    this.ground.visible = !!ground;
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

  private remove(object: THREE.Mesh): void {
    this.scene.remove(object);
    object.geometry.dispose();
    (object.material as THREE.Material).dispose();
    for (const child of object.children) ((child as THREE.Mesh).material as THREE.Material).dispose();
    if (object instanceof THREE.InstancedMesh) object.dispose();
  }
}
