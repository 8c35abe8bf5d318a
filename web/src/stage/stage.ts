// The stage: a moment with three.js, seen by one of the cameras. The level is meshes that stay, bodies glide from moment to moment,
// and what is in minds lies flat on the ground.

import * as THREE from "three";
import type { Hud, LayerAbout, LayerName, Picture } from "../../pkg/sentir.js";
import { MODELS, modelNamed } from "../character/catalog.js";
import { Crowd, type Actor } from "../character/crowd.js";
import { sizeOf, type ModelName } from "../character/model.js";
import { Arm } from "./arm.js";
import { Bars } from "./bar.js";
import { bodies, lying, standsOf, type Body, type Lying } from "./body.js";
import { Cameras, type View } from "./camera.js";
import { Flow, type When } from "./flow.js";
import { Labels } from "./label.js";
import { Level } from "./level.js";
import { Light } from "./light.js";
import { Paint } from "./paint.js";
import { GROUNDS, type Ground } from "./surface.js";
import { onTone, tone } from "./tone.js";
import { Tracers } from "./tracer.js";

const [SELECTED, OTHER] = [0xe0902f, 0xb06a1c];
const TEAMS = [0x4878a8, 0xb3564a, 0x5b8e5b, 0x8a6aa8];
/** How near to somebody a click must be, px of the page. */
const PICK_PX = 26;
/** So long with frames slower than this, s, and shadows are given up, then patterns. */
const GIVE_UP_S = 2.5, SLOW_S = 0.06;
/** How wide the hole is in what stands before a character, m and as a share of how far away it is. */
const HOLE_M = 1.3, HOLE_SHARE = 0.07;

/** How deep the near rim of a level is, m. */
const RIM_M = 0.9;

/** How agents of a kind look, and of the kinds after it up to the next one of the list. */
export interface ModelLook { kind: number; model?: string }

/** What a moment has beside its picture and its agents: who lies dead, whom a person's controls move, how kinds look; and, where
 * the page tells it, where in time it lies, what the ground is, and whom a commander has selected. */
export interface Extras {
  fallen: Float64Array; player: number | null; kinds: readonly ModelLook[]; when?: When | undefined; ground?: string | undefined; selection?: readonly number[] | undefined;
  /** The scene's figures stand beside the picture. */
  isTold?: boolean | undefined;
}

/** How much the graphics card is asked for: `auto` gives up shadows, then patterns, where frames take too long. */
export type Quality = "auto" | "high" | "low";

export class Stage {
  readonly cameras: Cameras;
  readonly hidden = new Set<LayerName>();
  /** Every layer, in the order that pictures count them. */
  layers: readonly LayerAbout[];
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private level = new Level();
  private light = new Light();
  private paint = new Paint();
  private crowd = new Crowd();
  private ghosts = new Crowd(true);
  private bars = new Bars();
  private tracers = new Tracers();
  private arm = new Arm();
  private labels: Labels;
  private flow = new Flow();
  private extras: Extras = { fallen: new Float64Array(), player: null, kinds: [] };
  /** A person plays in first person; whether what shows minds is shown all the same. */
  private isPlay = false;
  private hasMinds = false;
  private before = { yaw: 0, pitch: 0, x: 0, z: 0, speed: 0 };
  private picture: Picture | undefined;
  private all: Body[] = [];
  private others: Body[] = [];
  private dead: Lying[] = [];
  private colors = new Map<number, number>();
  private tints = new Map<number, THREE.Color>();
  private selected: number | null = null;
  private isFitted = false;
  private isDirty = false;
  private slow = 0;
  private isPlain = false;
  private wanted: Quality = "auto";
  private extent = new THREE.Box3();

  constructor(private canvas: HTMLCanvasElement, box: HTMLElement, layers: readonly LayerAbout[] = []) {
    this.layers = layers;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.labels = new Labels(box);
    this.scene.add(this.light.group, this.level.group, this.paint.marks.mesh, this.crowd.group, this.ghosts.group, this.bars.soup.mesh, this.tracers.soup.mesh);
    this.cameras = new Cameras(canvas, () => { this.isDirty = true; this.render(); });
    new ResizeObserver(() => this.resize()).observe(canvas);
    onTone(() => { this.light.tone(); this.level.forget(); this.tints.clear(); this.again(); });
  }

  /** How much the graphics card is asked for. */
  set quality(quality: Quality) {
    this.wanted = quality;
    this.slow = 0;
    this.isPlain = quality === "low";
    this.afford(quality !== "low");
  }

  private afford(on: boolean): void {
    if (this.light.hasShadows === on) return;
    this.light.hasShadows = on;
    this.renderer.setPixelRatio(on ? Math.min(devicePixelRatio, 2) : 1);
    this.resize();
  }

  look(view: View): void {
    this.cameras.look(view);
    this.again();
  }

  /** An empty stage: another scene comes, and its first picture decides what the camera holds. */
  clear(): void {
    this.isFitted = this.cameras.isTouched = false;
    this.picture = undefined;
    [this.all, this.others, this.dead] = [[], [], []];
    this.flow.clear();
    this.level.clear();
    this.paint.clear();
    this.paint.show();
    this.crowd.clear();
    this.ghosts.clear();
    this.tracers.clear();
    this.labels.clear();
    this.render();
  }

  /** Takes a moment in; `others` are the agents of the other run. */
  take(picture: Picture, agents: Float64Array, others: Float64Array, selected: number | null, extras: Extras): void {
    [this.picture, this.selected, this.extras] = [picture, selected, extras];
    this.all = bodies(agents);
    const byKey = new Map(this.all.map((body) => [body.key, body]));
    // Who does the same in both runs would only be smeared by an outline.
    this.others = bodies(others).filter((other) => { const here = byKey.get(other.key); return here === undefined || Math.hypot(here.x - other.x, here.z - other.z) >= 0.05; });
    this.dead = lying(extras.fallen);
    this.colors.clear();
    // Of one drawn twice, as beside a twin, the first color counts.
    for (let at = 0; at + 1 < picture.colors.length; at += 2) if (!this.colors.has(picture.colors[at]!)) this.colors.set(picture.colors[at]!, picture.colors[at + 1]!);
    this.flow.take(this.all, extras.when, performance.now() / 1000);
    this.again();
  }

  /** A person begins or stops to play in first person: only what eyes there would see is shown, unless minds are wanted. */
  setPlay(on: boolean, minds: boolean): void {
    if (on === this.isPlay && minds === this.hasMinds) return;
    [this.isPlay, this.hasMinds] = [on, minds];
    this.cameras.play(on);
    this.again();
  }

  /** A frame of the player: the gun in the hands, and what is felt. The frame itself is drawn by `tick`. */
  playFrame(hud: Hud, seconds: number, isCalm: boolean): void {
    const { heading, turn: { pitch } } = this.cameras;
    const eye = this.cameras.active.position;
    const { before } = this;
    const gone = Math.hypot(eye.x - before.x, eye.z - before.z);
    if (seconds > 0 && gone < 1) before.speed += (gone / seconds - before.speed) * 0.25;
    this.arm.pose(hud, { speed: before.speed, turned: { yaw: heading - before.yaw, pitch: pitch - before.pitch }, heading, eye, isCalm }, seconds);
    Object.assign(this.cameras.shake, this.arm.shake(hud, heading, eye));
    Object.assign(before, { yaw: heading, pitch, x: eye.x, z: eye.z });
    this.isDirty = true;
  }

  /** What is not shown: what was unticked; and for who plays, all that is in heads. Bodies stand there themselves. */
  private get veiled(): ReadonlySet<LayerName> {
    if (!this.isPlay || this.hasMinds) return this.hidden;
    return new Set(this.layers.filter(({ name, is_world }) => !is_world || name === "bodies").map(({ name }) => name));
  }

  /** Another one is selected, or nobody. */
  select(key: number | null): void {
    this.selected = key;
    this.again();
  }

  /** Draws the moment anew: a layer was hidden, another camera taken, the page turned dark. */
  again(): void {
    const { picture, layers } = this;
    if (picture === undefined) return;
    const { is3d } = this.cameras;
    const hidden = this.veiled;
    const isBare = hidden !== this.hidden;
    const isNew = this.level.take(picture, layers, hidden.has("level"));
    this.paint.take(picture, layers, this.all, { hidden, is3d, isBare });
    this.tracers.take(picture, layers, is3d && !hidden.has("shots"));
    this.fit(isNew);
    for (const other of is3d ? [] : this.others) {
      const { x, y, z, yaw, radius } = other;
      this.paint.ring({ ...other, key: NaN }, radius * 0.82, radius * 1.05, OTHER, 0.9);
      this.paint.stroke(new Float32Array([x, y, z, x - Math.sin(yaw) * radius * 1.8, y, z - Math.cos(yaw) * radius * 1.8, 0.08]), OTHER, 0.9);
    }
    const chosen = new Set([...(this.extras.selection ?? []), ...(this.selected === null ? [] : [this.selected])]);
    for (const body of this.all) {
      if (body.key === this.eyes) continue;
      if (is3d && !isBare) this.paint.ring(body, body.radius * 0.86, body.radius * 1.04, this.colorOf(body), 0.85);
      if (chosen.has(body.key)) this.paint.ring(body, body.radius * 1.15 + 0.04, body.radius * 1.3 + 0.1, SELECTED);
    }
    this.paint.show();
    this.paint.marks.mesh.material.depthTest = is3d;
    this.labels.take(picture, layers, this.all, { hidden, isTold: this.extras.isTold ?? false, within: this.paint.hasInsets && !this.level.span.isEmpty() ? this.level.span : null });
    this.move(0);
    this.isDirty = true;
    // While moments flow, the next frame draws; else nobody else would.
    if (!this.flow.isGliding) this.render();
  }

  /** The first picture decides what the cameras hold; a level that grows, how far the ground goes. */
  private fit(isNew: boolean): void {
    this.extent.copy(this.level.span.isEmpty() ? this.paint.span : this.level.span);
    if (this.extent.isEmpty()) return;
    const { ground } = this.extras;
    if (isNew || !this.isFitted) this.level.lay(GROUNDS.includes(ground as Ground) ? (ground as Ground) : undefined, this.extent);
    if (this.isFitted) return;
    this.cameras.fit(this.extent);
    this.isFitted = true;
  }

  private colorOf({ key, team }: { key: number; team: number }): number { return this.colors.get(key) ?? TEAMS[team % TEAMS.length]!; }

  private tintOf(it: { key: number; team: number }): THREE.Color {
    const hex = this.colorOf(it);
    let tint = this.tints.get(hex);
    if (tint === undefined) this.tints.set(hex, tint = new THREE.Color(...tone(hex)));
    return tint;
  }

  private modelOf(kind: number): ModelName { return modelNamed(this.extras.kinds.findLast((look) => look.kind <= kind)?.model ?? "person"); }

  private actor(body: Body, dead: number | null): Actor {
    return { ...body, stands: standsOf(body), model: this.modelOf(body.kind), color: this.tintOf(body), dead };
  }

  /** Puts bodies where they are shown after `seconds` of the world. */
  private move(seconds: number): void {
    const { is3d } = this.cameras;
    const shown = this.flow.bodies;
    this.crowd.group.visible = this.tracers.soup.mesh.visible = this.ghosts.group.visible = is3d;
    this.paint.follow(shown);
    this.level.look.time.value = this.flow.seconds;
    if (!is3d) return;
    const isSeen = ({ key }: { key: number }) => key !== this.eyes;
    const fallen = this.dead.filter(isSeen).map((it) => this.actor({ ...REST, ...it }, it.seconds));
    this.crowd.stand([...shown.filter(isSeen).map((body) => this.actor(body, null)), ...fallen], seconds);
    this.ghosts.stand(this.others.map((body) => this.actor(body, null)), seconds);
  }

  /** What a camera goes along with: the selected agent; of a player who died, where the body lies. */
  private get watched(): { body: Body | undefined; isDead: boolean } {
    const body = this.flow.bodies.find(({ key }) => key === this.selected);
    const dead = body === undefined && this.isPlay ? this.dead.find(({ key }) => key === this.selected) : undefined;
    return dead === undefined ? { body, isDead: false } : { body: { ...REST, ...dead }, isDead: true };
  }

  /** Who is looked out of. */
  private get eyes(): number | null { return this.cameras.view === "eyes" ? this.selected : null; }

  /** A frame of the page: bodies glide, cameras that go along with somebody do so, and what changed is drawn. */
  tick(seconds: number): void {
    if (this.flow.isGliding) {
      this.move(this.flow.advance(seconds));
      this.isDirty = true;
    }
    const { body, isDead } = this.watched;
    const hasMoved = this.cameras.chase(body, this.level.blocks, seconds, isDead);
    if (hasMoved || this.isDirty) { this.watchPace(seconds); this.render(); }
  }

  private watchPace(seconds: number): void {
    if (this.wanted !== "auto" || this.isPlain || !this.cameras.is3d) return;
    this.slow = seconds > SLOW_S ? this.slow + seconds : Math.max(0, this.slow - 2 * seconds);
    if (this.slow <= GIVE_UP_S) return;
    this.slow = 0;
    // First the shadows, then the patterns.
    if (this.light.hasShadows) this.afford(false); else this.isPlain = true;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.cameras.resize(width / height);
    this.arm.resize(width / height);
    if (!this.extent.isEmpty() && !this.cameras.isTouched) this.cameras.fit(this.extent);
    this.render();
  }

  private highOf = (body: Body): number => {
    const model = this.modelOf(body.kind);
    return this.crowd.highOf(body.key, model) ?? MODELS[model].high * sizeOf(MODELS[model], { radius: body.radius, stands: standsOf(body) });
  };

  /** What must not be hidden, how wide a hole it gets, and how far one sees around it. */
  private focus(): void {
    const { is3d, view } = this.cameras;
    const { focus, hole, grain } = this.level.look;
    const watched = view === "eyes" ? undefined : this.flow.bodies.find(({ key }) => key === this.selected);
    if (watched !== undefined) focus.value.set(watched.x, watched.y, watched.z); else focus.value.copy(this.cameras.target);
    const far = this.cameras.active.position.distanceTo(focus.value);
    hole.value = !is3d || view === "eyes" ? 0 : watched !== undefined ? HOLE_M + far * HOLE_SHARE : far * HOLE_SHARE * 2;
    this.rim();
    grain.value = this.isPlain ? 0 : is3d ? 1 : 0.35;
    const size = this.extent.isEmpty() ? 60 : Math.max(this.extent.max.x - this.extent.min.x, this.extent.max.z - this.extent.min.z);
    const reach = Math.max(size, 40) + (view === "orbit" ? far : 0);
    this.light.haze(reach * 0.9, reach * 3.2);
    this.scene.fog = is3d ? this.light.fog : null;
    this.scene.background = is3d ? this.light.sky : null;
    this.renderer.shadowMap.enabled = is3d && this.light.hasShadows;
    if (is3d) this.light.aim(this.extent, view === "orbit" ? this.cameras.target : this.cameras.active.position, view === "orbit" ? far : 45);
  }

  /** Walls along the side of the level that is nearest to the camera hide what is behind them, and nobody needs them. */
  private rim(): void {
    const { rim } = this.level.look;
    const { view, active: { position }, target } = this.cameras;
    const [dx, dz] = [position.x - target.x, position.z - target.z];
    const far = Math.hypot(dx, dz);
    if (view !== "orbit" || this.level.span.isEmpty() || far < 1e-3) { rim.value.set(0, 0, 1e9); return; }
    // By one side of the box around the level at a time: the one that faces the camera most.
    const { min, max } = this.level.span;
    const [nx, nz, edge] = Math.abs(dx) > Math.abs(dz) ? [Math.sign(dx), 0, dx > 0 ? max.x : -min.x] : [0, Math.sign(dz), dz > 0 ? max.z : -min.z];
    rim.value.set(nx, nz, edge - RIM_M);
  }

  render(): void {
    this.isDirty = false;
    const camera = this.cameras.active;
    camera.updateMatrixWorld();
    const { is3d, view } = this.cameras;
    const isPlayed = this.isPlay && view === "eyes";
    this.focus();
    this.bars.soup.mesh.visible = is3d && !(isPlayed && !this.hasMinds);
    const shown = this.flow.bodies;
    if (is3d) {
      this.bars.draw(this.bars.soup.mesh.visible ? shown : [], { camera, selected: this.selected, eyes: this.eyes, highOf: this.highOf, colorOf: (body) => this.colorOf(body) });
      this.tracers.draw(camera, isPlayed ? this.arm.muzzle(camera) : null);
    }
    this.renderer.autoClear = true;
    this.renderer.render(this.scene, camera);
    if (isPlayed && this.all.some(({ key }) => key === this.extras.player)) {
      this.renderer.autoClear = false;
      this.renderer.clearDepth();
      this.renderer.render(this.arm.scene, this.arm.camera);
    }
    this.labels.draw({
      camera, width: this.canvas.clientWidth, height: this.canvas.clientHeight, is3d, isPersonal: this.cameras.isPersonal, selected: this.selected, eyes: this.eyes, bodies: shown, highOf: (body) => this.highOf(body) + 0.25, span: this.cameras.span,
    });
  }

  /** Where one hears from: the place of the camera, and which way it looks, rad. From above one hears what is in the middle. */
  get ears(): { x: number; y: number; z: number; yaw: number } {
    const { x, y, z } = this.cameras.active.position;
    if (this.cameras.isPersonal) return { x, y, z, yaw: this.cameras.heading };
    const [east, north] = this.cameras.middle;
    const { target } = this.cameras;
    // As high over the ground as one is away, but never so far that nothing is heard.
    return { x: east, y: target.y + Math.min(12, this.cameras.span * 0.25), z: -north, yaw: this.cameras.view === "above" ? 0 : Math.atan2(x - target.x, z - target.z) };
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
    const high = (this.all.find(({ key }) => key === this.selected) ?? this.all[0])?.y ?? 0;
    const hit = (this.cameras.is3d ? this.level.hit(ray) : null) ?? ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0), -high), new THREE.Vector3());
    return hit === null ? null : [hit.x, -hit.z];
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
    for (const body of this.flow.bodies) {
      if (body.key === this.eyes) continue;
      const middle = body.y + (this.cameras.is3d ? this.highOf(body) / 2 : 0);
      const [x, y] = onPage(body.x, middle, body.z);
      if (place.z > 1) continue;
      const [rx, ry] = onPage(body.x + body.radius, middle, body.z);
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

/** What the dead no longer tell. */
const REST = { radius: 0.3, eye: 1.7, tall: 1.8, health: 0, crouched: false, speed: 0, side: 0, lean: 0, activity: 0, share: 0, pitch: 0 } as const;
