// The stage: the draw list with three.js, seen by one of the cameras.

import * as THREE from "three";
import type { Picture } from "../pkg/sentir.js";
import { bodies, bodyOf, type Body } from "./agent.js";
import { Cameras, type View } from "./camera.js";
import { Crowd } from "./crowd.js";
import { Labels } from "./label.js";
import { Paint } from "./paint.js";
import { onTone } from "./tone.js";

const [SELECTED, OTHER] = [0xe0902f, 0xb06a1c];
/** How near to somebody a click must be, px of the page. */
const PICK_PX = 26;

export class Stage {
  readonly cameras: Cameras;
  readonly hidden = new Set<number>();
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private paint = new Paint();
  private crowd = new Crowd();
  private labels: Labels;
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
    this.scene.add(this.paint.level.mesh, this.paint.marks.mesh, this.crowd.group, this.crowd.bars.mesh);
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
    this.crowd.stand([], [], null);
    this.labels.clear();
    this.render();
  }

  /** Takes a moment in; `others` are the agents of the other run. */
  take(picture: Picture, agents: Float64Array, others: Float64Array, selected: number | null): void {
    [this.picture, this.agents, this.others, this.selected] = [picture, agents, others, selected];
    this.again();
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
    this.paint.take(this.picture, this.hidden, is3d);
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
    if (chosen !== undefined && chosen.key !== this.eyes) this.paint.ring(chosen.x, chosen.y, chosen.z, chosen.radius + 0.12, chosen.radius + 0.28, SELECTED);
    this.paint.show();
    for (const soup of [this.paint.level, this.paint.marks]) soup.mesh.material.depthTest = is3d;
    this.crowd.group.visible = this.crowd.bars.mesh.visible = is3d;
    if (is3d) this.crowd.stand(this.all, others, this.eyes);
    this.labels.take(this.picture, this.hidden, this.all);
    this.cameras.chase(chosen, this.paint.blocks, 0);
    this.render();
  }

  /** Who is looked out of. */
  private get eyes(): number | null { return this.cameras.view === "eyes" ? this.selected : null; }

  /** A frame of the page: cameras that go along with somebody do so. */
  tick(seconds: number): void {
    if (this.cameras.chase(bodyOf(this.agents, this.selected), this.paint.blocks, seconds)) this.render();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.cameras.resize(width / height);
    if (!this.paint.extent.isEmpty() && !this.cameras.isTouched) this.cameras.fit(this.paint.extent);
    this.render();
  }

  render(): void {
    const camera = this.cameras.active;
    camera.updateMatrixWorld();
    if (this.cameras.is3d) this.crowd.draw(this.all, this.selected, this.eyes, camera);
    this.renderer.render(this.scene, camera);
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

  /** The one that a person plays: by its name, else the one of key 0, which scenes keep for the player; else just the first. */
  player(): number | null {
    return this.labels.player ?? (this.all.find(({ key }) => key === 0) ?? this.all[0])?.key ?? null;
  }
}
