// Marks: everything of the draw list that is not the level lies flat on it as triangles, in the order of the list, and hides
// nothing in depth, so nothing flickers. What belongs to a body goes along with it between moments.

import * as THREE from "three";
import type { LayerAbout, LayerName, Picture } from "../../pkg/sentir.js";
import { turnBetween } from "../character/motion.js";
import type { Body } from "./body.js";
import { each, isInset, isSolid, KINDS, type Kind, type Shape } from "./picture.js";
import { triangles } from "./solid.js";
import { Soup, type Offset } from "./soup.js";
import { tone } from "./tone.js";

const CIRCLE_CORNERS = 28;
/** How far marks float over the ground, m. */
const FLOAT_M = 0.06;
/** How near to a body a mark must begin to go along with it, m. */
const OWN_M = 0.06;

/** Parts of a body are within so many of its radii: a car is longer than it is wide. */
const PART_RADII = 2.6;
/** Among more bodies than this, parts of bodies are found by their middle only. */
const CLOSE_BODIES_MAX = 120;

/** What is to be painted how: which layers not; as in 3D, where bodies stand themselves; bare, without marks on the level. */
export interface Manner { hidden: ReadonlySet<LayerName>; is3d: boolean; isBare: boolean }

export class Paint {
  readonly marks = new Soup(2);
  /** What everything spans beside the level: a stray shot must not decide what the camera holds. */
  readonly span = new THREE.Box3();
  /** The picture has parts that are left out: see `isInset`. */
  hasInsets = false;
  private lift = FLOAT_M;
  private tint: readonly number[] = [0, 0, 0];
  private alpha = 1;
  private owners = new Map<string, number>();
  private bodies: readonly Body[] = [];

  /** Takes a picture in. */
  take(picture: Picture, layers: readonly LayerAbout[], all: readonly Body[], { hidden, is3d, isBare }: Manner): void {
    this.clear();
    this.hasInsets = false;
    this.bodies = all;
    this.owners = new Map(all.map((body, at) => [cellOf(body.x, body.z), at]));
    const shapes: [number, () => void][] = [];
    const draw: Record<Exclude<Kind, "labels">, (shape: Shape) => void> = {
      polygons: (shape) => this.polygon(picture, shape.w[3]!, shape.w[4]!), prisms: (shape) => this.polygon(picture, shape.w[3]!, shape.w[4]!), heats: (shape) => this.heat(shape, picture),
      circles: ({ f }) => this.circle(f), sectors: ({ f }) => this.fan(f[0]!, f[1]!, f[2]!, f[3]! - f[4]!, f[3]! + f[4]!, 0, f[5]!), lines: ({ f }) => this.line(f, false), arrows: ({ f }) => this.line(f, true),
    };
    for (const kind of Object.keys(KINDS) as Kind[]) {
      if (kind === "labels") continue;
      each(picture, layers, kind, (shape) => {
        const { layer } = shape;
        if (isInset(shape)) { this.hasInsets = true; return; }
        if (hidden.has(layer) || isSolid(shape) || (isBare && layer === "level")) return;
        // In 3D bodies stand there, bars are over heads, and shots are ribbons.
        if (is3d && ((kind === "lines" && (layer === "names" || layer === "shots")) || (layer === "bodies" && this.ownerOf(shape, picture) >= 0))) return;
        shapes.push([shape.place, () => {
          const [from, owner] = [this.marks.count, this.ownerOf(shape, picture)];
          [this.tint, this.alpha, this.lift] = [tone(shape.color), shape.alpha, FLOAT_M];
          draw[kind](shape);
          if (owner >= 0) this.marks.carry(from, owner, kind === "sectors" || layer === "bodies" || (layer === "senses" && kind === "polygons"));
        }]);
      });
    }
    shapes.sort((a, b) => a[0] - b[0]).forEach(([, paint]) => paint());
  }

  /** Whose mark it is, as a place in the list of bodies; −1 for nobody's. */
  private ownerOf(shape: Shape, picture: Picture): number {
    if (shape.kind === "heats" || shape.kind === "labels") return -1;
    const [x, z] = anchorOf(shape, picture);
    for (const [dx, dz] of NEAR) {
      const at = this.owners.get(cellOf(x + dx * OWN_M, z + dz * OWN_M));
      if (at !== undefined && Math.hypot(this.bodies[at]!.x - x, this.bodies[at]!.z - z) <= OWN_M) return at;
    }
    // Parts of a body need not begin in its middle.
    if (shape.layer !== "bodies" || this.bodies.length > CLOSE_BODIES_MAX) return -1;
    return this.bodies.findIndex((body) => Math.hypot(body.x - x, body.z - z) < body.radius * PART_RADII);
  }

  clear(): void {
    this.marks.clear();
    this.span.makeEmpty();
  }

  /** All marks are there. */
  show(): void {
    this.marks.settle();
    this.marks.show();
  }

  /** Bodies are shown elsewhere than the moment has them: what belongs to them goes along. */
  follow(shown: readonly Body[]): void {
    const offsets = this.bodies.map((body, at): Offset => {
      const now = shown[at];
      if (now === undefined || now.key !== body.key) return { x: body.x, z: body.z, dx: 0, dy: 0, dz: 0, sin: 0, cos: 1 };
      const turn = turnBetween(body.yaw, now.yaw);
      return { x: body.x, z: body.z, dx: now.x - body.x, dy: now.y - body.y, dz: now.z - body.z, sin: Math.sin(turn), cos: Math.cos(turn) };
    });
    if (this.marks.follow(offsets)) this.marks.show();
  }

  private put(x: number, y: number, z: number, alpha = this.alpha): void {
    if (!Number.isFinite(x + y + z)) return;
    const { min, max } = this.span;
    if (x < min.x) min.x = x;
    if (x > max.x) max.x = x;
    if (y < min.y) min.y = y;
    if (y > max.y) max.y = y;
    if (z < min.z) min.z = z;
    if (z > max.z) max.z = z;
    this.marks.corner(x, y + this.lift, z, this.tint[0]!, this.tint[1]!, this.tint[2]!, alpha);
  }

  private polygon({ floats }: Picture, first: number, count: number): void {
    for (const face of triangles(floats, first, count)) for (const corner of face) this.put(floats[first + corner * 3]!, floats[first + corner * 3 + 1]!, floats[first + corner * 3 + 2]!);
  }

  private heat(shape: Shape, { floats }: Picture): void {
    const [x, y, z, cell] = shape.f as unknown as [number, number, number, number];
    const [first, wide, high] = [shape.w[3]!, shape.w[4]!, shape.w[5]!];
    for (let at = 0; at < wide * high; at += 1) {
      const value = floats[first + at]!;
      if (!(value > 0)) continue;
      const [a, b] = [x + (at % wide) * cell, z - Math.floor(at / wide) * cell];
      const alpha = this.alpha * Math.min(value, 1);
      this.put(a, y, b, alpha); this.put(a + cell, y, b, alpha); this.put(a + cell, y, b - cell, alpha);
      this.put(a, y, b, alpha); this.put(a + cell, y, b - cell, alpha); this.put(a, y, b - cell, alpha);
    }
  }

  private fan(x: number, y: number, z: number, from: number, to: number, inner: number, radius: number): void {
    // Big rings need more corners to look round.
    const corners = CIRCLE_CORNERS * Math.min(4, Math.max(0.6, Math.sqrt(radius)));
    const steps = Math.max(2, Math.ceil((corners * Math.abs(to - from)) / (2 * Math.PI)));
    let [sin, cos] = [Math.sin(from), Math.cos(from)];
    for (let step = 1; step <= steps; step += 1) {
      const yaw = from + ((to - from) * step) / steps;
      const [nextSin, nextCos] = [Math.sin(yaw), Math.cos(yaw)];
      this.put(x - sin * radius, y, z - cos * radius);
      this.put(x - nextSin * radius, y, z - nextCos * radius);
      this.put(x - nextSin * inner, y, z - nextCos * inner);
      if (inner > 0) {
        this.put(x - sin * radius, y, z - cos * radius);
        this.put(x - nextSin * inner, y, z - nextCos * inner);
        this.put(x - sin * inner, y, z - cos * inner);
      }
      [sin, cos] = [nextSin, nextCos];
    }
  }

  private circle(f: Float32Array): void {
    const radius = f[3]!;
    this.fan(f[0]!, f[1]!, f[2]!, 0, 2 * Math.PI, f[4] ? 0 : Math.max(radius - 0.06, radius * 0.8), radius);
  }

  /** A ring of our own: around who is selected, or where somebody of the other run stands. */
  ring({ x, y, z, key }: Body, inner: number, outer: number, hex: number, alpha = 1): void {
    const from = this.marks.count;
    [this.lift, this.tint, this.alpha] = [FLOAT_M, tone(hex), alpha];
    this.fan(x, y, z, 0, 2 * Math.PI, inner, outer);
    const owner = this.bodies.findIndex((body) => body.key === key);
    if (owner >= 0) this.marks.carry(from, owner, false);
  }

  /** A short line of our own. */
  stroke(f: Float32Array, hex: number, alpha: number): void {
    [this.lift, this.tint, this.alpha] = [FLOAT_M, tone(hex), alpha];
    this.line(f, false);
  }

  private line(f: Float32Array, hasHead: boolean): void {
    const [ax, ay, az, bx, by, bz, width] = f as unknown as [number, number, number, number, number, number, number];
    const length = Math.hypot(bx - ax, bz - az);
    if (!(length > 1e-6)) return;
    const half = Math.max(width, 0.03) / 2;
    const [nx, nz] = [(-(bz - az) / length) * half, ((bx - ax) / length) * half];
    this.put(ax + nx, ay, az + nz); this.put(bx + nx, by, bz + nz); this.put(bx - nx, by, bz - nz);
    this.put(ax + nx, ay, az + nz); this.put(bx - nx, by, bz - nz); this.put(ax - nx, ay, az - nz);
    if (!hasHead) return;
    const back = Math.min(length, half * 8) / length;
    const [cx, cz] = [bx - (bx - ax) * back, bz - (bz - az) * back];
    this.put(bx, by, bz);
    this.put(cx + nx * 3, by, cz + nz * 3);
    this.put(cx - nx * 3, by, cz - nz * 3);
  }
}

/** The place that tells whose a shape is: its middle or beginning; of an outline of a body the middle of its corners, else the first. */
function anchorOf({ kind, f, w, layer }: Shape, { floats }: Picture): readonly [number, number] {
  if (kind !== "polygons" && kind !== "prisms") return [f[0]!, f[2]!];
  const [first, count] = [w[3]!, layer === "bodies" ? w[4]! : 1];
  let [x, z] = [0, 0];
  for (let corner = 0; corner < count; corner += 1) [x, z] = [x + floats[first + corner * 3]!, z + floats[first + corner * 3 + 2]!];
  return [x / count, z / count];
}

/** Cells of the map from places to bodies. */
const cellOf = (x: number, z: number): string => `${Math.round(x / OWN_M)} ${Math.round(z / OWN_M)}`;
const NEAR = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]] as const;
