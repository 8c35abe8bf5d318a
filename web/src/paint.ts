// Shapes of the draw list as triangles. The level goes into one soup, with depth; everything else lies flat on it in
// another, which is drawn after it in the order of the list and hides nothing in depth, so nothing flickers.

import * as THREE from "three";
import type { LayerName, Picture } from "../pkg/sentir.js";
import { each, type Kind, type Shape } from "./frame.js";
import { Soup } from "./soup.js";
import { tone } from "./tone.js";

const CIRCLE_CORNERS = 28;
/** Height between two shapes of the level that follow each other, and the most of it, m. */
const LIFT_M = 0.0005, LIFT_M_MAX = 0.04;
/** How far marks float over the ground, m. */
const FLOAT_M = 0.06;

/** A block that stands in the way of a camera: its outline from above (x, z), and from where to where it goes up, m. */
export interface Block { outline: Float32Array; low: number; high: number }

export class Paint {
  readonly level = new Soup(0, true);
  readonly marks = new Soup(2, false);
  /** The level has lines and grain on its surfaces, for who stands in it. */
  set hasGrain(on: boolean) { this.level.grain.value = on ? 1 : 0; }
  /** What the level spans, and what everything else does: a stray shot must not decide what the camera holds. */
  private spans = { level: new THREE.Box3(), rest: new THREE.Box3() };
  private span = this.spans.level;
  blocks: Block[] = [];
  private soup = this.level;
  private lift = 0;
  private tint: readonly number[] = [0, 0, 0];
  private alpha = 1;

  /** Takes a picture in: in 3D blocks have sides, and lines of names (bars under bodies) are left to bars above heads.
   * Bare, the level has no marks on it, as places with a name. */
  take(picture: Picture, hidden: ReadonlySet<LayerName>, is3d: boolean, isBare = false): void {
    this.clear();
    const shapes: [number, () => void][] = [];
    const isMark = (kind: Kind) => kind === "circles" || kind === "lines" || kind === "arrows" || kind === "sectors";
    const add = (kind: Kind, draw: (shape: Shape) => void) => each(picture, kind, (shape) => {
      if (hidden.has(shape.layer) || (isBare && shape.layer === "level" && isMark(kind))) return;
      shapes.push([shape.place, () => { this.begin(shape); draw(shape); }]);
    });
    add("polygons", (shape) => this.polygon(picture, shape.w[3]!, shape.w[4]!));
    add("prisms", (shape) => this.prism(picture, shape, is3d));
    add("heats", (shape) => this.heat(shape, picture));
    add("circles", ({ f }) => this.circle(f));
    add("sectors", ({ f }) => this.fan(f[0]!, f[1]!, f[2]!, f[3]! - f[4]!, f[3]! + f[4]!, 0, f[5]!));
    add("lines", (shape) => { if (!(is3d && (shape.layer === "names" || shape.layer === "shots"))) this.line(shape.f, false); });
    add("arrows", ({ f }) => this.line(f, true));
    shapes.sort((a, b) => a[0] - b[0]).forEach(([, draw]) => draw());
  }

  clear(): void {
    this.level.clear();
    this.marks.clear();
    this.spans.level.makeEmpty();
    this.spans.rest.makeEmpty();
    this.blocks = [];
    this.show();
  }

  get extent(): THREE.Box3 { return this.spans.level.isEmpty() ? this.spans.rest : this.spans.level; }

  show(): void {
    this.level.show();
    this.marks.show();
  }

  private begin({ color, alpha, layer, place }: Shape): void {
    this.span = layer === "level" ? this.spans.level : this.spans.rest;
    const isLevel = layer === "level" && alpha === 1;
    this.soup = isLevel ? this.level : this.marks;
    this.lift = isLevel ? Math.min(place * LIFT_M, LIFT_M_MAX) : FLOAT_M;
    [this.tint, this.alpha] = [tone(color), alpha];
  }

  private put(x: number, y: number, z: number, alpha = this.alpha, shade = 1): void {
    if (!Number.isFinite(x + y + z)) return;
    const { min, max } = this.span;
    if (x < min.x) min.x = x;
    if (x > max.x) max.x = x;
    if (y < min.y) min.y = y;
    if (y > max.y) max.y = y;
    if (z < min.z) min.z = z;
    if (z > max.z) max.z = z;
    this.soup.corner(x, y + this.lift, z, this.tint[0]! * shade, this.tint[1]! * shade, this.tint[2]! * shade, alpha);
  }

  /** A filled outline; outlines that bulge everywhere need no search for triangles. */
  private polygon({ floats }: Picture, first: number, count: number): void {
    const put = (corner: number) => this.put(floats[first + corner * 3]!, floats[first + corner * 3 + 1]!, floats[first + corner * 3 + 2]!);
    if (isConvex(floats, first, count)) {
      for (let corner = 1; corner + 1 < count; corner += 1) { put(0); put(corner); put(corner + 1); }
      return;
    }
    const ring = Array.from({ length: count }, (_, corner) => new THREE.Vector2(floats[first + corner * 3]!, -floats[first + corner * 3 + 2]!));
    for (const face of THREE.ShapeUtils.triangulateShape(ring, [])) face.forEach(put);
  }

  /** The top, and in 3D the sides: darker, each by where it faces. */
  private prism(picture: Picture, { f, w }: Shape, is3d: boolean): void {
    const [foot, first, count] = [f[0]!, w[3]!, w[4]!];
    const { floats } = picture;
    this.polygon(picture, first, count);
    const outline = new Float32Array(count * 2);
    let high = -Infinity;
    for (let corner = 0; corner < count; corner += 1) {
      const at = first + corner * 3;
      outline[corner * 2] = floats[at]!;
      outline[corner * 2 + 1] = floats[at + 2]!;
      high = Math.max(high, floats[at + 1]!);
      if (!is3d) continue;
      const next = first + ((corner + 1) % count) * 3;
      const [ax, ay, az, bx, by, bz] = [floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[next]!, floats[next + 1]!, floats[next + 2]!];
      const shade = 0.6 + 0.18 * Math.abs(bx - ax) / Math.max(1e-6, Math.hypot(bx - ax, bz - az));
      for (const [x, y, z] of [[ax, ay, az], [bx, by, bz], [bx, foot, bz], [ax, ay, az], [bx, foot, bz], [ax, foot, az]] as const) {
        // Darker at the foot, where less light comes.
        this.put(x, y, z, this.alpha, y === foot ? shade * 0.86 : shade);
      }
    }
    if (high - foot > 0.01) this.blocks.push({ outline, low: foot, high });
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
  ring(x: number, y: number, z: number, inner: number, outer: number, hex: number, alpha = 1): void {
    [this.soup, this.span, this.lift, this.tint, this.alpha] = [this.marks, this.spans.rest, FLOAT_M, tone(hex), alpha];
    this.fan(x, y, z, 0, 2 * Math.PI, inner, outer);
  }

  /** A short line of our own. */
  stroke(f: Float32Array, hex: number, alpha: number): void {
    [this.soup, this.span, this.lift, this.tint, this.alpha] = [this.marks, this.spans.rest, FLOAT_M, tone(hex), alpha];
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

function isConvex(floats: Float32Array, first: number, count: number): boolean {
  if (count <= 3) return true;
  let sign = 0;
  for (let corner = 0; corner < count; corner += 1) {
    const [a, b, c] = [0, 1, 2].map((step) => first + ((corner + step) % count) * 3) as [number, number, number];
    const turn = (floats[b]! - floats[a]!) * (floats[c + 2]! - floats[b + 2]!) - (floats[b + 2]! - floats[a + 2]!) * (floats[c]! - floats[b]!);
    if (Math.abs(turn) < 1e-9) continue;
    if (sign !== 0 && Math.sign(turn) !== sign) return false;
    sign = Math.sign(turn);
  }
  return true;
}
