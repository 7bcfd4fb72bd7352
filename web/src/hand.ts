// Mouse and fingers: on a body they grab, drag and throw; elsewhere they turn the view.
import * as THREE from 'three';
import type { Triple } from './protocol';
import type { Stage } from './stage';

export interface Grip {
  particle: number;
  point: Triple;
}

export interface Grabber {
  grab(origin: Triple, reach: Triple): Promise<Grip>;
  drag(particle: number, point: Triple): void;
  release(particle: number): void;
}

interface Hold {
  plane: THREE.Plane; // through the point that was hit, facing the camera
  offset: THREE.Vector3; // from the cursor to the particle
  particle: number | null; // until the engine has answered
  target: THREE.Vector3;
  ended: boolean;
}

const triple = (v: THREE.Vector3): Triple => [v.x, v.y, v.z];

export class Hand {
  private readonly holds = new Map<number, Hold>();
  private readonly ray = new THREE.Raycaster();

  constructor(private readonly canvas: HTMLCanvasElement, private readonly stage: Stage, private readonly grabber: Grabber) {
    // Before OrbitControls, which listens to the same element.
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      canvas.addEventListener(name, (event) => this.up(event));
  }

  get holding(): boolean {
    return this.holds.size > 0;
  }

  // A new scene: what was held is gone.
  forget(): void {
    this.holds.clear();
    this.stage.controls.enabled = true;
  }

  private aim(event: PointerEvent): THREE.Ray {
    const box = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1, y = 1 - ((event.clientY - box.top) / box.height) * 2;
    this.ray.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
    return this.ray.ray;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const ray = this.aim(event), hit = this.stage.pick(this.ray);
    if (!hit) return;
    this.stage.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3());
    const hold: Hold = {
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit),
      offset: new THREE.Vector3(), particle: null, target: hit.clone(), ended: false,
    };
    this.holds.set(event.pointerId, hold);
    this.grabber.grab(triple(ray.origin), triple(hit.clone().sub(ray.origin))).then(
      (grip) => this.gripped(hold, grip, hit),
      () => this.holds.delete(event.pointerId), // all is held already
    );
  }

  private gripped(hold: Hold, grip: Grip, hit: THREE.Vector3): void {
    hold.particle = grip.particle;
    hold.offset.set(...grip.point).sub(hit);
    if (hold.ended) this.grabber.release(grip.particle);
    else this.pull(hold);
  }

  private move(event: PointerEvent): void {
    const hold = this.holds.get(event.pointerId);
    if (!hold) return;
    if (this.aim(event).intersectPlane(hold.plane, hold.target)) this.pull(hold);
  }

  private pull(hold: Hold): void {
    if (hold.particle !== null) this.grabber.drag(hold.particle, triple(hold.target.clone().add(hold.offset)));
  }

  private up(event: PointerEvent): void {
    const hold = this.holds.get(event.pointerId);
    if (!hold) return;
    this.holds.delete(event.pointerId);
    hold.ended = true;
    if (hold.particle !== null) this.grabber.release(hold.particle);
    if (this.holds.size === 0) this.stage.controls.enabled = true;
  }
}
