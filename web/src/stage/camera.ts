// The cameras: from above, around in 3D, behind somebody, out of somebody's eyes.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { turnBetween } from "../character/motion.js";
import type { Body } from "./body.js";
import type { Block } from "./solid.js";

export const VIEWS = ["above", "orbit", "follow", "eyes"] as const;
export type View = (typeof VIEWS)[number];

/** How far the following camera stands behind, and its limits, m. */
const BEHIND_M = 5.5, BEHIND_M_MIN = 1.5, BEHIND_M_MAX = 25;
/** How far it keeps from a wall, m. */
const WALL_M = 0.25;
const FOLLOW_PITCH = -0.32;
const PITCH_MAX = 1.35;
/** Field of view of who plays, from bottom to top, degrees. */
const PLAYED_FOV = 62;
/** How quickly the eyes of who plays go along and go up or down with the stance, 1/s. */
const PLAYED_PER_S = 45, STANCE_PER_S = 11;
/** How far the eyes of who died are over the ground, m, how far they tilt, rad, and how long that takes, s. */
const DEAD_M = 0.35, DEAD_ROLL = 0.5, SINK_S = 0.7;
/** How quickly a camera catches up, 1/s. */
const CATCH_PER_S = 14;
/** A jump is no movement: beyond this a camera is there at once, m. */
const JUMP_M = 3;

/** What the buttons over the stage take, px. */
const TOP_PX = 48;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Cameras {
  view: View = "above";
  /** Where a person looks, rad: as it is while steering, else added to where the agent looks. */
  turn = { yaw: 0, pitch: 0 };
  /** A person steers who is looked at: the turn is where they look. */
  isSteered = false;
  /** Somebody moved the camera: what fits the window no longer decides. */
  isTouched = false;
  /** What who plays feels in the view and not in the aim: recoil and hits, rad. */
  readonly shake = { pitch: 0, roll: 0 };
  private behind = BEHIND_M;
  private above = new THREE.OrthographicCamera(-10, 10, 10, -10, 0.1, 4000);
  private orbit = new THREE.PerspectiveCamera(50, 1, 0.2, 2000);
  private person = new THREE.PerspectiveCamera(70, 1, 0.1, 1000);
  private controls: [OrbitControls, OrbitControls];
  /** A person plays through these eyes. */
  private isPlayed = false;
  /** How high the eyes are over the feet: who crouches does so smoothly, m. */
  private eye = NaN;
  /** How far who died has sunk, 0 to 1. */
  private sunk = 0;
  private head = new THREE.Vector3(NaN, 0, 0);
  private yaw = 0;

  constructor(private canvas: HTMLCanvasElement, changed: () => void) {
    this.controls = [new OrbitControls(this.above, canvas), new OrbitControls(this.orbit, canvas)];
    const [flat, round] = this.controls;
    flat.enableRotate = false;
    flat.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    round.mouseButtons = { LEFT: THREE.MOUSE.ROTATE, MIDDLE: THREE.MOUSE.PAN, RIGHT: null };
    round.touches = { ONE: THREE.TOUCH.ROTATE, TWO: THREE.TOUCH.DOLLY_PAN };
    round.maxPolarAngle = 1.5;
    this.drags(true);
    for (const control of this.controls) {
      control.zoomToCursor = true;
      control.addEventListener("change", changed);
      control.addEventListener("start", () => { this.isTouched = true; });
    }
    this.look("above");
    canvas.addEventListener("wheel", (event) => { if (this.view === "follow") this.zoom(event.deltaY > 0 ? 1.1 : 1 / 1.1); }, { passive: true });
  }

  /** Whether the left button, or one finger, moves the map from above; else it is the player's. */
  drags(on: boolean): void {
    this.controls[0].mouseButtons = { LEFT: on ? THREE.MOUSE.PAN : null, MIDDLE: THREE.MOUSE.PAN, RIGHT: null };
    this.controls[0].touches.ONE = on ? THREE.TOUCH.PAN : null;
    this.controls[1].mouseButtons = on ? { LEFT: THREE.MOUSE.ROTATE, MIDDLE: THREE.MOUSE.PAN, RIGHT: null } : { LEFT: null, MIDDLE: THREE.MOUSE.ROTATE, RIGHT: null };
  }

  /** Looks at a place of the ground (x and -z, m) as it looks now, from above or around; elsewhere it changes nothing. */
  goTo(x: number, north: number): void {
    if (this.isPersonal) return;
    this.isTouched = true;
    const [camera, control] = this.view === "above" ? [this.above, this.controls[0]] : [this.orbit, this.controls[1]];
    const step = new THREE.Vector3(x - control.target.x, 0, -north - control.target.z);
    camera.position.add(step);
    control.target.add(step);
    control.update();
  }

  /** What is looked at from above or around, x and -z, m. */
  get middle(): [number, number] {
    const { target } = this.controls[this.view === "above" ? 0 : 1];
    return [target.x, -target.z];
  }

  /** What is looked at in 3D from around. */
  get target(): THREE.Vector3 { return this.controls[1].target; }

  /** How wide the ground is that is seen around the middle, m. */
  get span(): number {
    if (this.view === "above") return (this.above.right - this.above.left) / this.above.zoom;
    return this.orbit.position.distanceTo(this.controls[1].target) * 2 * Math.tan((this.orbit.fov * Math.PI) / 360) * this.orbit.aspect;
  }

  get is3d(): boolean { return this.view !== "above"; }
  /** Whether it stands in the scene with somebody. */
  get isPersonal(): boolean { return this.view === "follow" || this.view === "eyes"; }
  get active(): THREE.OrthographicCamera | THREE.PerspectiveCamera {
    return this.view === "above" ? this.above : this.view === "orbit" ? this.orbit : this.person;
  }

  look(view: View): void {
    if (view !== this.view) Object.assign(this.turn, { yaw: 0, pitch: 0 });
    this.view = view;
    this.isSteered = false;
    this.head.x = this.eye = NaN;
    this.controls[0].enabled = view === "above";
    this.controls[1].enabled = view === "orbit";
    this.lens();
  }

  /** Out of somebody's eyes, what is nearer than an arm would cover the view; who plays must not look into walls. */
  private lens(): void {
    Object.assign(this.person, this.view !== "eyes" ? { fov: 60, near: 0.1 } : this.isPlayed ? { fov: PLAYED_FOV, near: 0.1 } : { fov: 78, near: 0.3 });
    this.person.updateProjectionMatrix();
  }

  /** A person begins to play through these eyes, or stops. */
  play(on: boolean): void {
    if (on === this.isPlayed) return;
    this.isPlayed = on;
    this.sunk = 0;
    this.lens();
  }

  get fov(): number { return this.person.fov; }

  /** A person takes over: the camera goes on looking where it does. */
  steer(body: Body): void {
    if (this.isSteered) return;
    this.turn.yaw += body.yaw;
    this.isSteered = true;
  }

  rotate(yaw: number, pitch: number): void {
    this.turn.yaw += yaw;
    this.turn.pitch = Math.min(PITCH_MAX, Math.max(-PITCH_MAX, this.turn.pitch + pitch));
  }

  /** One press of an arrow key: moves the map, or turns. */
  nudge(right: number, up: number): void {
    if (this.isPersonal) return this.rotate(-right * 0.12, up * 0.08);
    this.isTouched = true;
    const [camera, control] = this.view === "above" ? [this.above, this.controls[0]] : [this.orbit, this.controls[1]];
    const step = new THREE.Vector3();
    if (this.view === "above") {
      const wide = ((this.above.right - this.above.left) / this.above.zoom) * 0.06;
      step.set(right * wide, 0, -up * wide);
      camera.position.add(step);
      control.target.add(step);
    } else {
      const round = new THREE.Spherical().setFromVector3(step.subVectors(camera.position, control.target));
      round.theta += right * 0.12;
      round.phi = Math.min(1.5, Math.max(0.05, round.phi - up * 0.08));
      camera.position.copy(control.target).add(step.setFromSpherical(round));
    }
    control.update();
  }

  zoom(factor: number): void {
    this.isTouched = true;
    if (this.view === "follow") this.behind = Math.min(BEHIND_M_MAX, Math.max(BEHIND_M_MIN, this.behind * factor));
    if (this.view === "above") { this.above.zoom /= factor; this.above.updateProjectionMatrix(); this.controls[0].update(); }
    if (this.view === "orbit") {
      const { target } = this.controls[1];
      this.orbit.position.sub(target).multiplyScalar(factor).add(target);
      this.controls[1].update();
    }
  }

  fit(extent: THREE.Box3): void {
    const [center, size] = [extent.getCenter(new THREE.Vector3()), extent.getSize(new THREE.Vector3())];
    const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    // The buttons over the stage take their share of its top.
    const top = Math.min(0.3, TOP_PX / Math.max(1, this.canvas.clientHeight));
    const half = Math.max(size.z / (1 - top), size.x / aspect) * 0.52 + 0.3;
    Object.assign(this.above, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, zoom: 1 });
    this.above.position.set(center.x, extent.max.y + 500, center.z - half * top);
    this.above.up.set(0, 0, -1);
    this.back(extent, center);
    this.controls[0].target.set(center.x, center.y, center.z - half * top);
    this.controls[1].target.copy(center);
    this.controls.forEach((control) => control.update());
    this.above.updateProjectionMatrix();
  }

  /** Puts the 3D camera as near as it can be with the whole box in view. */
  private back(extent: THREE.Box3, center: THREE.Vector3): void {
    const { min, max } = extent;
    const corners = [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new THREE.Vector3(x, y, z))));
    const isOut = ({ x, y, z }: THREE.Vector3) => Math.abs(x) > 0.94 || Math.abs(y) > 0.9 || z > 1;
    for (let away = 3; away < 1500; away *= 1.04) {
      this.orbit.position.set(center.x, center.y + away * 0.72, center.z + away * 0.7);
      this.orbit.lookAt(center);
      this.orbit.updateMatrixWorld();
      if (!corners.some((corner) => isOut(corner.clone().project(this.orbit)))) return;
    }
  }

  resize(aspect: number): void {
    const half = (this.above.top - this.above.bottom) / 2;
    Object.assign(this.above, { left: -half * aspect, right: half * aspect });
    for (const camera of [this.orbit, this.person]) camera.aspect = aspect;
    for (const camera of [this.above, this.orbit, this.person]) camera.updateProjectionMatrix();
  }

  /** Goes where somebody is; says whether it moved. */
  chase(body: Body | undefined, blocks: readonly Block[], seconds: number, isDead = false): boolean {
    if (!this.isPersonal || body === undefined) return false;
    const before = this.person.matrixWorld.clone();
    const isEyes = this.view === "eyes";
    this.sunk = isDead ? Math.min(1, this.sunk + seconds / SINK_S) : 0;
    const eye = isDead ? DEAD_M : body.eye;
    this.eye = Number.isNaN(this.eye) || calm.matches ? eye : this.eye + (eye - this.eye) * (1 - Math.exp(-STANCE_PER_S * seconds));
    const goal = new THREE.Vector3(body.x, body.y + (isEyes ? (this.isPlayed ? this.eye : body.eye) : body.tall + 0.35), body.z);
    const jumps = !(this.head.distanceTo(goal) < JUMP_M) || calm.matches;
    const share = jumps ? 1 : 1 - Math.exp(-(this.isPlayed ? PLAYED_PER_S : CATCH_PER_S) * seconds);
    this.head.lerp(jumps ? this.head.copy(goal) : goal, share);
    this.yaw += turnBetween(this.yaw, body.yaw) * (jumps ? 1 : share * (isEyes ? 1 : 0.25));
    const yaw = this.isSteered ? this.turn.yaw : this.yaw + this.turn.yaw;
    const pitch = this.turn.pitch + (isEyes ? 0 : FOLLOW_PITCH);
    const ahead = new THREE.Vector3(-Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch));
    const place = isEyes ? this.head.clone() : this.head.clone().addScaledVector(ahead, -free(this.head, ahead, this.behind, blocks));
    this.person.position.copy(place);
    this.person.lookAt(place.add(ahead));
    if (this.isPlayed && isEyes && !calm.matches) { this.person.rotateX(this.shake.pitch); this.person.rotateZ(this.shake.roll); }
    if (this.sunk > 0) this.person.rotateZ(DEAD_ROLL * this.sunk * (2 - this.sunk));
    this.person.updateMatrixWorld();
    return this.person.matrixWorld.elements.some((value, at) => Math.abs(value - before.elements[at]!) > 1e-4);
  }

  /** Where the camera looks, over the ground: what "ahead" means to who walks. */
  get heading(): number { return this.isSteered ? this.turn.yaw : this.yaw + this.turn.yaw; }
}

/** How far back from `from`, against `ahead`, a camera can stand before a block is in between. */
export function free(from: THREE.Vector3, ahead: THREE.Vector3, wanted: number, blocks: readonly Block[]): number {
  const [dx, dy, dz] = [-ahead.x * wanted, -ahead.y * wanted, -ahead.z * wanted];
  let least = 1;
  for (const { outline, low, high } of blocks) {
    const count = outline.length / 2;
    for (let corner = 0; corner < count; corner += 1) {
      const [ax, az] = [outline[corner * 2]!, outline[corner * 2 + 1]!];
      const next = ((corner + 1) % count) * 2;
      const [ex, ez] = [outline[next]! - ax, outline[next + 1]! - az];
      const cross = dx * ez - dz * ex;
      if (Math.abs(cross) < 1e-9) continue;
      const along = ((ax - from.x) * ez - (az - from.z) * ex) / cross;
      const across = ((ax - from.x) * dz - (az - from.z) * dx) / cross;
      if (along < 0 || along >= least || across < 0 || across > 1) continue;
      const y = from.y + dy * along;
      if (y > low && y < high) least = along;
    }
  }
  const far = least * wanted;
  // Not below the floor that the head stands over, either.
  return Math.max(0.3, least < 1 ? far - WALL_M : far);
}
