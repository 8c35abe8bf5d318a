// The stage: the draw list with three.js, from above or in 3D. Labels are text of the page, so that they stay sharp.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Picture } from "../pkg/sentir.js";
import { each, type Shape } from "./frame.js";

/** Numbers of one agent in the array of agents. */
export const AGENT_STRIDE = 11;
const CIRCLE_CORNERS = 24;
const LABELS_MAX = 200;
/** Height between two shapes that follow each other in the list, m: enough for the depth buffer, too little to see. */
const LIFT_M = 0.0004;
const BODY_M = 1.7;
const BODY_RADIUS_M = 0.3;
/** The layer of bodies: its discs give the bodies in 3D their colors. */
const BODIES = 1;

/** Triangles with colors, grown and filled anew each frame. */
class Soup {
  readonly mesh: THREE.Mesh;
  private places = new Float32Array(3 * 4096);
  private colors = new Float32Array(4 * 4096);
  private count = 0;

  constructor() {
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, side: THREE.DoubleSide });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.attach();
  }

  private attach(): void {
    this.mesh.geometry.dispose();
    this.mesh.geometry = new THREE.BufferGeometry();
    this.mesh.geometry.setAttribute("position", new THREE.BufferAttribute(this.places, 3));
    this.mesh.geometry.setAttribute("color", new THREE.BufferAttribute(this.colors, 4));
  }

  clear(): void { this.count = 0; }

  corner(x: number, y: number, z: number, color: readonly number[]): void {
    if (this.count * 3 === this.places.length) {
      const [places, colors] = [new Float32Array(this.places.length * 2), new Float32Array(this.colors.length * 2)];
      places.set(this.places); colors.set(this.colors);
      this.places = places; this.colors = colors;
      this.attach();
    }
    this.places.set([x, y, z], this.count * 3);
    this.colors.set(color, this.count * 4);
    this.count += 1;
  }

  show(): void {
    const geometry = this.mesh.geometry;
    geometry.setDrawRange(0, this.count);
    geometry.attributes.position!.needsUpdate = true;
    geometry.attributes.color!.needsUpdate = true;
  }
}

const scratch = new THREE.Color();
function rgba(shape: Shape): number[] {
  scratch.setHex(shape.color);
  return [scratch.r, scratch.g, scratch.b, shape.alpha];
}

const spotOf = (x: number, z: number): string => `${Math.round(x * 20)} ${Math.round(z * 20)}`;

/** What is shown, and the camera on it. */
export class Stage {
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private above = new THREE.OrthographicCamera(-10, 10, 10, -10, 0.1, 2000);
  private orbit = new THREE.PerspectiveCamera(50, 1, 0.1, 2000);
  private controls: OrbitControls[];
  private soup = new Soup();
  private bodies: THREE.InstancedMesh;
  private labelPlaces: [number, number, number][] = [];
  private tints = new Map<string, number>();
  private fitted = false;
  private extent = new THREE.Box3();
  isAbove = true;
  hidden = new Set<number>();

  constructor(private canvas: HTMLCanvasElement, private labels: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    const capsule = new THREE.CapsuleGeometry(BODY_RADIUS_M, BODY_M - 2 * BODY_RADIUS_M, 4, 12);
    this.bodies = new THREE.InstancedMesh(capsule, new THREE.MeshLambertMaterial(), 1024);
    this.bodies.frustumCulled = false;
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(3, 10, 4);
    this.scene.add(this.soup.mesh, this.bodies, sun, new THREE.AmbientLight(0xffffff, 1.4));
    this.controls = [this.above, this.orbit].map((camera) => new OrbitControls(camera, canvas));
    this.controls[0]!.enableRotate = false;
    for (const control of this.controls) {
      control.mouseButtons = { LEFT: null, MIDDLE: THREE.MOUSE.PAN, RIGHT: null };
      control.addEventListener("change", () => this.render());
    }
    this.controls[1]!.mouseButtons.LEFT = THREE.MOUSE.ROTATE;
    this.look(true);
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  /** From above, or in 3D. */
  look(isAbove: boolean): void {
    this.isAbove = isAbove;
    this.controls[0]!.enabled = isAbove;
    this.controls[1]!.enabled = !isAbove;
    this.render();
  }

  /** The next picture decides anew what the camera holds. */
  refit(): void { this.fitted = false; }

  private get camera(): THREE.Camera { return this.isAbove ? this.above : this.orbit; }

  /** Takes a picture in. */
  take(picture: Picture, agents: Float64Array, selected: number | null): void {
    this.soup.clear();
    this.extent.makeEmpty();
    this.tints.clear();
    each(picture, "circles", ({ f, layer, color }) => { if (layer === BODIES && f[4]) this.tints.set(spotOf(f[0]!, f[2]!), color); });
    const shapes: [number, () => void][] = [];
    const add = (kind: Parameters<typeof each>[1], draw: (shape: Shape) => void) =>
      each(picture, kind, (shape) => { if (!this.hidden.has(shape.layer)) shapes.push([shape.place, () => draw(shape)]); });
    add("polygons", (shape) => this.polygon(shape, picture));
    add("heats", (shape) => this.heat(shape, picture));
    add("circles", (shape) => this.circle(shape));
    add("sectors", (shape) => this.sector(shape));
    add("lines", (shape) => this.line(shape, false));
    add("arrows", (shape) => this.line(shape, true));
    shapes.sort((a, b) => a[0] - b[0]).forEach(([, draw]) => draw());
    this.stand(agents, selected);
    this.soup.show();
    this.write(picture);
    if (!this.fitted && !this.extent.isEmpty()) this.fit();
    this.render();
  }

  private put(x: number, y: number, z: number, shape: Shape, color: readonly number[]): void {
    if (Number.isFinite(x + y + z)) this.extent.expandByPoint(new THREE.Vector3(x, y, z));
    this.soup.corner(x, y + 0.005 + shape.place * LIFT_M, z, color);
  }

  private polygon(shape: Shape, picture: Picture): void {
    const [first, count] = [shape.w[3]!, shape.w[4]!];
    const at = (corner: number) => picture.floats.subarray(first + corner * 3, first + corner * 3 + 3);
    const ring = Array.from({ length: count }, (_, corner) => new THREE.Vector2(at(corner)[0], -at(corner)[2]!));
    const color = rgba(shape);
    for (const face of THREE.ShapeUtils.triangulateShape(ring, [])) {
      for (const corner of face) this.put(at(corner)[0]!, at(corner)[1]!, at(corner)[2]!, shape, color);
    }
  }

  private heat(shape: Shape, picture: Picture): void {
    const [x, y, z, cell] = shape.f as unknown as [number, number, number, number];
    const [first, wide, high] = [shape.w[3]!, shape.w[4]!, shape.w[5]!];
    const color = rgba(shape);
    for (let cellAt = 0; cellAt < wide * high; cellAt += 1) {
      const value = picture.floats[first + cellAt]!;
      if (!(value > 0)) continue;
      const [east, north] = [x + (cellAt % wide) * cell, -z + Math.floor(cellAt / wide) * cell];
      const tint = [color[0]!, color[1]!, color[2]!, color[3]! * Math.min(value, 1)];
      for (const [a, b] of [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) {
        this.put(east + a! * cell, y, -(north + b! * cell), shape, tint);
      }
    }
  }

  private fan(shape: Shape, from: number, to: number, inner: number, radius: number): void {
    const [x, y, z] = shape.f as unknown as [number, number, number];
    const color = rgba(shape);
    const steps = Math.max(2, Math.ceil((CIRCLE_CORNERS * Math.abs(to - from)) / (2 * Math.PI)));
    const rim = (step: number, r: number): [number, number, number] => {
      const yaw = from + ((to - from) * step) / steps;
      return [x - Math.sin(yaw) * r, y, z - Math.cos(yaw) * r];
    };
    for (let step = 0; step < steps; step += 1) {
      const corners = [rim(step, radius), rim(step + 1, radius), rim(step + 1, inner)];
      if (inner > 0) corners.push(rim(step, radius), rim(step + 1, inner), rim(step, inner));
      corners.forEach((corner) => this.put(...corner, shape, color));
    }
  }

  private circle(shape: Shape): void {
    const radius = shape.f[3]!;
    this.fan(shape, 0, 2 * Math.PI, shape.f[4] ? 0 : Math.max(radius - 0.06, radius * 0.8), radius);
  }

  private sector(shape: Shape): void {
    this.fan(shape, shape.f[3]! - shape.f[4]!, shape.f[3]! + shape.f[4]!, 0, shape.f[5]!);
  }

  private line(shape: Shape, hasHead: boolean): void {
    const [ax, ay, az, bx, by, bz, width] = shape.f as unknown as [number, number, number, number, number, number, number];
    const length = Math.hypot(bx - ax, bz - az);
    if (!(length > 1e-6)) return;
    const color = rgba(shape);
    const half = Math.max(width, 0.03) / 2;
    const [nx, nz] = [(-(bz - az) / length) * half, ((bx - ax) / length) * half];
    for (const [x, y, z, side] of [[ax, ay, az, 1], [bx, by, bz, 1], [bx, by, bz, -1], [ax, ay, az, 1], [bx, by, bz, -1], [ax, ay, az, -1]] as const) {
      this.put(x + nx * side, y, z + nz * side, shape, color);
    }
    if (!hasHead) return;
    const back = Math.min(length, half * 8) / length;
    const [cx, cz] = [bx - (bx - ax) * back, bz - (bz - az) * back];
    this.put(bx, by, bz, shape, color);
    this.put(cx + nx * 3, by, cz + nz * 3, shape, color);
    this.put(cx - nx * 3, by, cz - nz * 3, shape, color);
  }

  /** Bodies as capsules in 3D; a ring around the selected one. */
  private stand(agents: Float64Array, selected: number | null): void {
    const count = Math.min(agents.length / AGENT_STRIDE, 1024);
    const [place, tint] = [new THREE.Matrix4(), new THREE.Color()];
    const teams = [0x4878a8, 0xb3564a, 0x5b8e5b, 0x8a6aa8];
    for (let index = 0; index < count; index += 1) {
      const [key, team, , x, y, z, , radius] = agents.subarray(index * AGENT_STRIDE) as unknown as number[];
      place.makeScale(radius! / BODY_RADIUS_M, 1, radius! / BODY_RADIUS_M).setPosition(x!, y! + BODY_M / 2, z!);
      this.bodies.setMatrixAt(index, place);
      this.bodies.setColorAt(index, tint.setHex(this.tints.get(spotOf(x!, z!)) ?? teams[team! % teams.length]!));
      if (key === selected) {
        const f = new Float32Array([x!, y! + 0.2, z!]);
        this.fan({ f, w: new Uint32Array(), color: 0xe0902f, alpha: 1, layer: 0, place: 0 }, 0, 2 * Math.PI, radius! + 0.12, radius! + 0.26);
      }
    }
    this.bodies.count = count;
    this.bodies.instanceMatrix.needsUpdate = true;
    if (this.bodies.instanceColor) this.bodies.instanceColor.needsUpdate = true;
  }

  private write(picture: Picture): void {
    const texts = picture.texts.split("\n");
    this.labelPlaces = [];
    const shown: string[] = [];
    each(picture, "labels", (shape, index) => {
      if (this.hidden.has(shape.layer) || shown.length >= LABELS_MAX) return;
      this.labelPlaces.push([shape.f[0]!, shape.f[1]!, shape.f[2]!]);
      shown.push(texts[index] ?? "");
    });
    while (this.labels.childElementCount > shown.length) this.labels.lastElementChild!.remove();
    while (this.labels.childElementCount < shown.length) this.labels.append(document.createElement("span"));
    shown.forEach((text, index) => {
      const span = this.labels.children[index] as HTMLElement;
      if (span.textContent !== text) span.textContent = text;
    });
  }

  private fit(): void {
    const [center, size] = [this.extent.getCenter(new THREE.Vector3()), this.extent.getSize(new THREE.Vector3())];
    const aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    const half = Math.max(size.z, size.x / aspect) * 0.54 + 0.5;
    Object.assign(this.above, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, zoom: 1 });
    this.above.position.set(center.x, 500, center.z);
    this.above.up.set(0, 0, -1);
    this.orbit.position.set(center.x, half * 1.5, center.z + half * 1.9);
    this.controls.forEach((control) => { control.target.copy(center); control.update(); });
    this.above.updateProjectionMatrix();
    this.fitted = true;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.orbit.aspect = width / height;
    this.orbit.updateProjectionMatrix();
    if (!this.extent.isEmpty()) this.fit();
    this.render();
  }

  render(): void {
    this.bodies.visible = !this.isAbove;
    this.renderer.render(this.scene, this.camera);
    const place = new THREE.Vector3();
    this.labelPlaces.forEach((at, index) => {
      place.set(...at);
      if (!this.isAbove) place.y += BODY_M + 0.4;
      place.project(this.camera);
      const span = this.labels.children[index] as HTMLElement;
      const [x, y] = [(place.x * 0.5 + 0.5) * this.canvas.clientWidth, (-place.y * 0.5 + 0.5) * this.canvas.clientHeight];
      span.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
      span.style.visibility = place.z < 1 ? "visible" : "hidden";
    });
  }

  /** The ground point under a place of the page: x and -z, m. */
  ground(clientX: number, clientY: number): [number, number] | null {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    const hit = ray.ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 1, 0), 0), new THREE.Vector3());
    return hit === null ? null : [hit.x, -hit.z];
  }
}
