// The canvas: one camera, and the pictures that stand beside each other in it.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { makeTheme, type Theme } from './materials';
import { Picture } from './picture';
import type { Triple } from './protocol';

const vector = (v: Triple) => new THREE.Vector3(...v);

const little = 450; // pixels, of a picture's height

// Of the canvas, in pixels of the page from its top left.
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

// Pixels at the sides of the canvas that something stands before.
export interface Covered {
  top: number;
  right: number;
  bottom: number;
}

export class Stage {
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  readonly pictures: Picture[] = [];
  private theme: Theme;
  private columns = 1;
  private seen = ''; // size and arrangement that the camera was fitted to
  dirty = true; // something is to be drawn that is not on the screen yet

  constructor(private readonly canvas: HTMLCanvasElement, private readonly covered: () => Covered) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.95;
    this.renderer.setScissorTest(true);
    this.theme = makeTheme(false, this.renderer);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => (this.dirty = true));
    this.arrange(1, 1);
  }

  setTheme(dark: boolean): void {
    if (dark !== this.theme.dark) {
      this.theme.environment.dispose();
      this.theme.ground.dispose();
      this.theme = makeTheme(dark, this.renderer);
    }
    for (const picture of this.pictures) picture.setTheme(this.theme);
    this.dirty = true;
  }

  // So many pictures, row after row.
  arrange(count: number, columns: number): void {
    for (const picture of this.pictures.splice(count)) picture.dispose();
    while (this.pictures.length < count) this.pictures.push(new Picture(this.theme));
    this.columns = Math.min(columns, count);
    this.controls.zoomToCursor = count === 1;
    this.dirty = true;
  }

  // One picture has the whole canvas, several what is free of it.
  areaOf(index: number): Area {
    const { clientWidth, clientHeight } = this.canvas, rows = Math.ceil(this.pictures.length / this.columns);
    const { top, bottom } = this.pictures.length > 1 ? this.covered() : { top: 0, bottom: 0 };
    const width = clientWidth / this.columns, height = Math.max(clientHeight - top - bottom, 1) / rows;
    return { left: (index % this.columns) * width, top: top + Math.floor(index / this.columns) * height, width, height };
  }

  // Of a picture; what stands above it counts where there is little height.
  private freeOf(area: Area): { top: number; width: number; height: number } {
    const { top, right, bottom } = this.pictures.length > 1 ? { top: 0, right: 0, bottom: 0 } : this.covered();
    const above = area.height < little ? top : 0;
    return { top: above, width: Math.max(area.width - right, 1), height: Math.max(area.height - above - bottom, 1) };
  }

  // Which picture is under a point of the canvas.
  at(x: number, y: number): number {
    const index = this.pictures.findIndex((_, i) => {
      const { left, top, width, height } = this.areaOf(i);
      return x >= left && x < left + width && y >= top && y < top + height;
    });
    return Math.max(index, 0);
  }

  // The ray through a point of the canvas, in the picture with that number.
  aim(ray: THREE.Raycaster, x: number, y: number, picture: number): void {
    const { left, top, width, height } = this.areaOf(picture);
    this.fit();
    ray.setFromCamera(new THREE.Vector2(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2), this.camera);
  }

  render(): void {
    this.controls.update();
    this.fit();
    if (!this.dirty) return;
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.setScissor(0, 0, clientWidth, clientHeight);
    this.renderer.clear(); // between the pictures too
    this.pictures.forEach((picture, i) => {
      if (!picture.layout) return;
      const { left, top, width, height } = this.areaOf(i), gap = this.pictures.length > 1 ? 1 : 0;
      this.renderer.setViewport(left, clientHeight - top - height, width, height);
      this.renderer.setScissor(left, clientHeight - top - height + gap, width - gap, height - gap);
      picture.clearAir(this.camera.position.distanceTo(this.controls.target));
      this.renderer.render(picture.scene, this.camera);
    });
    this.dirty = false;
  }

  resetCamera(): void {
    const layout = this.pictures[0].layout;
    if (!layout) return;
    const { camera } = layout, { radius } = this.pictures[0].extent(), area = this.areaOf(0), free = this.freeOf(area);
    const target = vector(camera.target), away = vector(camera.position).sub(target);
    // It was made for wide pictures: those that have less room beside their height stand further back.
    away.multiplyScalar(Math.max(area.height / free.height, (1.78 * area.height) / free.width));
    this.camera.fov = camera.field_of_view;
    this.camera.position.copy(target).add(away);
    this.camera.near = away.length() / 100;
    this.camera.far = away.length() * 20 + 40 * radius;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.controls.maxDistance = away.length() * 8;
    this.controls.update();
    this.dirty = true;
  }

  // By so many radians around and up, and so much nearer: for those who have no mouse.
  turn(around: number, up: number, nearer = 1): void {
    const way = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
    way.theta += around;
    way.phi = Math.min(Math.max(way.phi - up, 0.05), Math.PI - 0.05);
    way.radius = Math.min(way.radius / nearer, this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3().setFromSpherical(way));
    this.dirty = true;
  }

  // Canvas and camera to the size of the page.
  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas, ratio = Math.min(devicePixelRatio, 2);
    const area = this.areaOf(0), free = this.freeOf(area), seen = [width, height, ratio, area.width, area.height, free.top, free.width, free.height].join();
    if (seen === this.seen || width === 0 || height === 0) return;
    this.seen = seen;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = area.width / Math.max(area.height, 1);
    // The middle of what is free.
    this.camera.setViewOffset(area.width, area.height, (area.width - free.width) / 2, (area.height - free.height) / 2 - free.top, area.width, area.height);
    this.dirty = true;
  }
}
