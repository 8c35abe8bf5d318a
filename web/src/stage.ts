// The stage: the draw list with three.js, seen by one of the cameras.

import * as THREE from "three";
import type { Hud, KindLook, LayerName, Picture } from "../pkg/sentir.js";
import { bodies, bodyOf, type Body } from "./agent.js";
import { Cameras, type View } from "./camera.js";
import { Crowd } from "./crowd.js";
import { layers } from "./frame.js";
import { Labels } from "./label.js";
import { Paint } from "./paint.js";
import { Arm } from "./play/arm.js";
import type { Lying } from "./soldier.js";
import { onTone } from "./tone.js";
import { Tracers } from "./tracer.js";

const [SELECTED, OTHER] = [0xe0902f, 0xb06a1c];
/** How near to somebody a click must be, px of the page. */
const PICK_PX = 26;

/** Numbers of one of the dead. */
const FALLEN_STRIDE = 8;

/** What a moment has beside its picture and its agents: who lies dead, whom a person's controls move, how kinds look. */
export interface Extras { fallen: Float64Array; player: number | null; kinds: readonly KindLook[] }

function lying(fallen: Float64Array): Lying[] {
  return Array.from({ length: Math.floor(fallen.length / FALLEN_STRIDE) }, (_, index) => {
    const [key, team, x, y, z, yaw, seconds] = fallen.subarray(index * FALLEN_STRIDE) as unknown as number[];
    return { key: key!, team: team!, x: x!, y: y!, z: z!, yaw: yaw!, seconds: seconds! };
  });
}

export class Stage {
  readonly cameras: Cameras;
  readonly hidden = new Set<LayerName>();
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private paint = new Paint();
  private crowd = new Crowd();
  private tracers = new Tracers();
  private arm = new Arm();
  private labels: Labels;
  private extras: Extras = { fallen: new Float64Array(), player: null, kinds: [] };
  /** A person plays in first person; whether what shows minds is shown all the same. */
  private isPlay = false;
  private hasMinds = false;
  private before = { yaw: 0, pitch: 0, x: 0, z: 0, speed: 0 };
  private picture: Picture | undefined;
  private agents: Float64Array = new Float64Array();
  private others: Float64Array = new Float64Array();
  private all: Body[] = [];
  private selected: number | null = null;
  private isFitted = false;

  constructor(private canvas: HTMLCanvasElement, box: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.labels = new Labels(box);
    this.scene.add(this.paint.level.mesh, this.paint.marks.mesh, this.crowd.group, this.crowd.bars.mesh, this.tracers.soup.mesh);
    this.cameras = new Cameras(canvas, () => this.render());
    new ResizeObserver(() => this.resize()).observe(canvas);
    onTone(() => this.again());
  }

  look(view: View): void {
    this.cameras.look(view);
    this.again();
  }

  /** An empty stage: another scene comes, and its first picture decides what the camera holds. */
  clear(): void {
    this.isFitted = this.cameras.isTouched = false;
    this.picture = undefined;
    [this.agents, this.others, this.all] = [new Float64Array(), new Float64Array(), []];
    this.paint.clear();
    this.crowd.stand([], [], [], []);
    this.tracers.clear();
    this.labels.clear();
    this.render();
  }

  /** Takes a moment in; `others` are the agents of the other run. */
  take(picture: Picture, agents: Float64Array, others: Float64Array, selected: number | null, extras: Extras): void {
    [this.picture, this.agents, this.others, this.selected, this.extras] = [picture, agents, others, selected, extras];
    this.again();
  }

  /** A person begins or stops to play in first person: only what eyes there would see is shown, unless minds are wanted. */
  setPlay(on: boolean, minds: boolean): void {
    if (on === this.isPlay && minds === this.hasMinds) return;
    [this.isPlay, this.hasMinds] = [on, minds];
    this.cameras.play(on);
    this.again();
  }

  /** A frame of who plays: the gun in the hands. */
  playFrame(hud: Hud, seconds: number, isCalm: boolean): void {
    const { heading: yaw, turn: { pitch } } = this.cameras;
    const at = this.cameras.active.position;
    const { before } = this;
    const gone = Math.hypot(at.x - before.x, at.z - before.z);
    if (seconds > 0 && gone < 1) before.speed += (gone / seconds - before.speed) * 0.25;
    this.arm.pose(hud, before.speed, { yaw: yaw - before.yaw, pitch: pitch - before.pitch }, seconds, isCalm);
    Object.assign(before, { yaw, pitch, x: at.x, z: at.z });
    this.render();
  }

  /** What is not shown: what was unticked; and for who plays, all that is in heads. Bodies stand there themselves. */
  private get veiled(): ReadonlySet<LayerName> {
    if (!this.isPlay || this.hasMinds) return this.hidden;
    return new Set(layers.filter(({ name, is_world }) => !is_world || name === "bodies").map(({ name }) => name));
  }

  /** Another one is selected, or nobody. */
  select(key: number | null): void {
    this.selected = key;
    this.again();
  }

  /** Draws the moment anew: a layer was hidden, another camera taken, the page turned dark. */
  again(): void {
    if (this.picture === undefined) return;
    const { is3d } = this.cameras;
    this.all = bodies(this.agents);
    // Who does the same in both runs would only be smeared by an outline.
    const isSame = (other: Body) => { const here = bodyOf(this.agents, other.key); return here !== undefined && Math.hypot(here.x - other.x, here.z - other.z) < 0.05; };
    const others = bodies(this.others).filter((other) => !isSame(other));
    this.crowd.tint(this.picture);
    const hidden = this.veiled;
    this.paint.hasGrain = this.cameras.isPersonal;
    this.paint.take(this.picture, hidden, is3d, hidden !== this.hidden);
    this.tracers.take(this.picture, is3d && !hidden.has("shots"));
    if (!this.isFitted && !this.paint.extent.isEmpty()) {
      this.cameras.fit(this.paint.extent);
      this.isFitted = true;
    }
    if (!is3d) {
      for (const { x, y, z, yaw, radius } of others) {
        this.paint.ring(x, y, z, radius * 0.82, radius * 1.05, OTHER, 0.9);
        this.paint.stroke(new Float32Array([x, y, z, x - Math.sin(yaw) * radius * 1.8, y, z - Math.cos(yaw) * radius * 1.8, 0.08]), OTHER, 0.9);
      }
    }
    const chosen = bodyOf(this.agents, this.selected);
    const { body: watched, isDead } = this.watched;
    if (chosen !== undefined && chosen.key !== this.eyes) this.paint.ring(chosen.x, chosen.y, chosen.z, chosen.radius + 0.12, chosen.radius + 0.28, SELECTED);
    this.paint.show();
    for (const soup of [this.paint.level, this.paint.marks]) soup.mesh.material.depthTest = is3d;
    this.crowd.group.visible = this.tracers.soup.mesh.visible = is3d;
    const isSeen = ({ key }: { key: number }) => key !== this.eyes;
    if (is3d) this.crowd.stand(this.all.filter(isSeen), others, lying(this.extras.fallen).filter(isSeen), this.extras.kinds);
    this.labels.take(this.picture, hidden, this.all);
    this.cameras.chase(watched, this.paint.blocks, 0, isDead);
    this.render();
  }

  /** Whom a camera goes along with: who is selected; of a player who died, where he lies. */
  private get watched(): { body: Body | undefined; isDead: boolean } {
    const body = bodyOf(this.agents, this.selected);
    const dead = body === undefined && this.isPlay ? lying(this.extras.fallen).find(({ key }) => key === this.selected) : undefined;
    if (dead === undefined) return { body, isDead: false };
    const { key, team, x, y, z, yaw } = dead;
    return { body: { key, team, kind: 0, x, y, z, yaw, radius: 0.3, eye: 1.7, health: 0, crouched: false, tall: 1.8 }, isDead: true };
  }

  /** Who is looked out of. */
  private get eyes(): number | null { return this.cameras.view === "eyes" ? this.selected : null; }

  /** A frame of the page: cameras that go along with somebody do so. */
  tick(seconds: number): void {
    const { body, isDead } = this.watched;
    if (this.cameras.chase(body, this.paint.blocks, seconds, isDead)) this.render();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.cameras.resize(width / height);
    this.arm.resize(width / height);
    if (!this.paint.extent.isEmpty() && !this.cameras.isTouched) this.cameras.fit(this.paint.extent);
    this.render();
  }

  render(): void {
    const camera = this.cameras.active;
    camera.updateMatrixWorld();
    const isPlayed = this.isPlay && this.cameras.view === "eyes";
    this.crowd.bars.mesh.visible = this.cameras.is3d && !(isPlayed && !this.hasMinds);
    if (this.cameras.is3d) {
      this.crowd.draw(this.all, this.selected, this.eyes, camera);
      this.tracers.draw(camera, isPlayed ? this.arm.muzzle(camera) : null);
    }
    this.renderer.autoClear = true;
    this.renderer.render(this.scene, camera);
    if (isPlayed && this.all.some(({ key }) => key === this.extras.player)) {
      this.renderer.autoClear = false;
      this.renderer.clearDepth();
      this.renderer.render(this.arm.scene, this.arm.camera);
    }
    this.labels.draw(camera, this.canvas.clientWidth, this.canvas.clientHeight, this.cameras.is3d, this.selected, this.eyes);
  }

  private ray(clientX: number, clientY: number): THREE.Ray {
    const box = this.canvas.getBoundingClientRect();
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2), this.cameras.active);
    return caster.ray;
  }

  /** The place of the ground under a place of the page: x and −z, m. In 3D the level as it stands is hit. */
  ground(clientX: number, clientY: number): [number, number] | null {
    const ray = this.ray(clientX, clientY);
    const high = bodyOf(this.agents, this.selected)?.y ?? this.all[0]?.y ?? 0;
    const hit = this.surface(ray) ?? ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0), -high), new THREE.Vector3());
    return hit === null ? null : [hit.x, -hit.z];
  }

  private surface(ray: THREE.Ray): THREE.Vector3 | null {
    if (!this.cameras.is3d) return null;
    const [a, b, c, hit] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const { places, count } = this.paint.level;
    let best: THREE.Vector3 | null = null;
    for (let corner = 0; corner + 2 < count; corner += 3) {
      a.fromArray(places, corner * 3);
      b.fromArray(places, corner * 3 + 3);
      c.fromArray(places, corner * 3 + 6);
      if (ray.intersectTriangle(a, b, c, false, hit) === null) continue;
      if (best === null || hit.distanceToSquared(ray.origin) < best.distanceToSquared(ray.origin)) best = hit.clone();
    }
    return best;
  }

  /** Who is at a place of the page, if anybody. */
  at(clientX: number, clientY: number): number | null {
    const box = this.canvas.getBoundingClientRect();
    const camera = this.cameras.active;
    const place = new THREE.Vector3();
    const onPage = (x: number, y: number, z: number): [number, number] => {
      place.set(x, y, z).project(camera);
      return [box.left + (place.x * 0.5 + 0.5) * box.width, box.top + (-place.y * 0.5 + 0.5) * box.height];
    };
    let [best, key] = [PICK_PX, null as number | null];
    for (const body of this.all) {
      if (body.key === this.eyes) continue;
      const [x, y] = onPage(body.x, body.y + (this.cameras.is3d ? body.tall / 2 : 0), body.z);
      if (place.z > 1) continue;
      const [rx, ry] = onPage(body.x + body.radius, body.y + (this.cameras.is3d ? body.tall / 2 : 0), body.z);
      const far = Math.hypot(x - clientX, y - clientY) - Math.hypot(rx - x, ry - y);
      if (far < best) [best, key] = [far, body.key];
    }
    return key;
  }

  /** Whom a person's controls move; null where they move nobody. */
  get player(): number | null { return this.extras.player; }

  /** Whom to go along with if nobody is selected: the player, else just the first. */
  get somebody(): number | null { return this.player ?? this.all[0]?.key ?? null; }
}
