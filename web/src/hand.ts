// Mouse and fingers: on a body they grab, drag and throw; elsewhere they turn the view.
import * as THREE from 'three';
import type { Spot } from './picture';
import type { Triple } from './protocol';
import type { Stage } from './stage';

export interface Grip {
  particle: number;
  point: Triple;
}

export interface Grabber {
  grab(pane: number, origin: Triple, reach: Triple): Promise<Grip>;
  drag(pane: number, particle: number, point: Triple): void;
  release(pane: number, particle: number): void;
}

interface Hold {
  pane: number; // which of the pictures
  plane: THREE.Plane; // through the point that was hit, facing the camera
  spot: Spot; // that stays under the cursor: the corner that is held, or what was hit where a skin hides that
  offset: THREE.Vector3; // from the cursor to the particle
  correction: THREE.Vector3; // to it: by how much the spot lagged behind
  reach: number; // m, of that at most
  particle: number | null; // until the engine has answered
  target: THREE.Vector3;
  ended: boolean;
}

const gain = 0.5; // share of the spot's lag that is made good in a frame

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

  // Where the cursors of a picture are now; to be handed to follow() with the frame that is asked for next.
  targets(pane: number): Map<number, THREE.Vector3> {
    return new Map([...this.holds].filter(([, hold]) => hold.pane === pane).map(([id, hold]) => [id, hold.target.clone()]));
  }

  // One particle follows the cursor, the spot hangs on it: what it lags behind, the particle goes ahead, though not
  // much further than the two are apart.
  follow(targets: Map<number, THREE.Vector3>): void {
    for (const [id, target] of targets) {
      const hold = this.holds.get(id);
      if (!hold || hold.particle === null) continue;
      const behind = target.sub(this.stage.pictures[hold.pane].placeOf(hold.spot));
      hold.correction.addScaledVector(behind, gain).clampLength(0, hold.reach);
      this.pull(hold);
    }
  }

  private place(event: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private aim(event: PointerEvent, pane: number): THREE.Ray {
    this.stage.aim(this.ray, ...this.place(event), pane);
    return this.ray.ray;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const pane = this.stage.at(...this.place(event));
    const ray = this.aim(event, pane), found = this.stage.pictures[pane].pick(this.ray);
    if (!found) return;
    const hit = found.point;
    this.stage.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3());
    const hold: Hold = {
      pane,
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit),
      spot: found.spot, offset: new THREE.Vector3(), correction: new THREE.Vector3(), reach: 0, particle: null, target: hit.clone(), ended: false,
    };
    this.holds.set(event.pointerId, hold);
    this.grabber.grab(pane, triple(ray.origin), triple(hit.clone().sub(ray.origin))).then(
      (grip) => this.gripped(hold, grip, hit),
      () => this.holds.delete(event.pointerId), // all is held already
    );
  }

  private gripped(hold: Hold, grip: Grip, hit: THREE.Vector3): void {
    hold.particle = grip.particle;
    const particle = new THREE.Vector3(...grip.point);
    hold.offset.subVectors(particle, hit);
    hold.reach = 4 * Math.max(hold.spot.reach, hold.offset.length());
    hold.spot = this.stage.pictures[hold.pane].cornerAt(hold.spot, particle) ?? hold.spot;
    if (hold.ended) this.grabber.release(hold.pane, grip.particle);
    else this.pull(hold);
  }

  private move(event: PointerEvent): void {
    const hold = this.holds.get(event.pointerId);
    if (!hold) return;
    if (this.aim(event, hold.pane).intersectPlane(hold.plane, hold.target)) this.pull(hold);
  }

  private pull(hold: Hold): void {
    if (hold.particle !== null) this.grabber.drag(hold.pane, hold.particle, triple(hold.target.clone().add(hold.offset).add(hold.correction)));
  }

  private up(event: PointerEvent): void {
    const hold = this.holds.get(event.pointerId);
    if (!hold) return;
    this.holds.delete(event.pointerId);
    hold.ended = true;
    if (hold.particle !== null) this.grabber.release(hold.pane, hold.particle);
    if (this.holds.size === 0) this.stage.controls.enabled = true;
  }
}
