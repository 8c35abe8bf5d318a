// Solids of the level as triangles with normals, colors and materials; and the soft shade where they meet the ground.

import * as THREE from "three";
import type { Picture } from "../../pkg/sentir.js";
import type { Shape } from "./picture.js";
import { albedoOf, blockOf, SURFACES, terrainOf, type Surface } from "./surface.js";

type Color = readonly [number, number, number];

/** A block that stands in the way of a camera: its outline from above (x, z), and from where to where it goes up, m. */
export interface Block { outline: Float32Array; low: number; high: number }

/** Height between two flat shapes that follow each other, and the most of it, m. */
const LIFT_M = 0.0005, LIFT_M_MAX = 0.04;
/** How far the shade at the foot of a wall reaches, m, and how dark it begins. */
const SHADE_M = 0.5, SHADE = 0.36;
/** How high cells that nobody can enter stand, m. */
const ROCK_M = 0.8;
/** A tree for so much forest, m². */
const TREE_M2 = 5;
const TREES_MAX = 3000;

/** Cells that stand up: where the first one is, how big they are, which there are, how high they are. */
interface Raised { x: number; y: number; z: number; cell: number; has: (column: number, row: number) => boolean; top: number; color: Color }

/** Numbers that grow. */
class Row {
  private array: Float32Array<ArrayBuffer> = new Float32Array(1024);
  length = 0;
  push(...values: number[]): void {
    if (this.length + values.length > this.array.length) {
      const more = new Float32Array(this.array.length * 2);
      more.set(this.array);
      this.array = more;
    }
    for (const value of values) this.array[this.length++] = value;
  }
  taken(): Float32Array<ArrayBuffer> { return this.array.slice(0, this.length); }
}

/** What a part of the level is made of, while it is put together. */
export class Solids {
  private places = new Row();
  private normals = new Row();
  private colors = new Row();
  private surfaces = new Row();
  private shadePlaces = new Row();
  private shadeColors = new Row();
  readonly blocks: Block[] = [];
  readonly trees: { x: number; y: number; z: number; size: number }[] = [];
  readonly span = new THREE.Box3();
  private lift = 0;

  constructor(private picture: Picture, private tone: (hex: number) => Color) {}

  add(shape: Shape): void {
    this.lift = Math.min(shape.place * LIFT_M, LIFT_M_MAX);
    if (shape.kind === "heats") this.cells(shape);
    else if (shape.kind === "polygons") this.field(shape);
    else this.prism(shape);
  }

  private corner(x: number, y: number, z: number, normal: Color, color: Color, shade: number, surface: number): void {
    this.places.push(x, y, z);
    this.normals.push(...normal);
    this.colors.push(color[0] * shade, color[1] * shade, color[2] * shade);
    this.surfaces.push(surface);
    const { min, max } = this.span;
    min.set(Math.min(min.x, x), Math.min(min.y, y), Math.min(min.z, z));
    max.set(Math.max(max.x, x), Math.max(max.y, y), Math.max(max.z, z));
  }

  /** A filled outline. */
  private flat(first: number, count: number, surface: Surface, hex: number): void {
    const { floats } = this.picture;
    const color = this.tone(albedoOf(surface, hex));
    const at = (corner: number): Color => [floats[first + corner * 3]!, floats[first + corner * 3 + 1]!, floats[first + corner * 3 + 2]!];
    for (const [a, b, c] of triangles(floats, first, count)) {
      const [p, q, r] = [at(a), at(b), at(c)];
      if (![...p, ...q, ...r].every(Number.isFinite)) continue;
      const normal = upright(p, q, r);
      for (const [x, y, z] of [p, q, r]) this.corner(x, y + this.lift, z, normal, color, 1, SURFACES.indexOf(surface));
    }
  }

  /** A flat outline of terrain, with trees where it is forest. */
  private field({ w, color: hex }: Shape): void {
    const [first, count, surface] = [w[3]!, w[4]!, terrainOf(hex)];
    this.flat(first, count, surface, hex);
    if (surface !== "forest") return;
    const { floats } = this.picture;
    const outline = Array.from({ length: count }, (_, corner) => [floats[first + corner * 3]!, floats[first + corner * 3 + 2]!] as const);
    const [xs, zs] = [outline.map(([x]) => x), outline.map(([, z]) => z)];
    const [left, back, cell] = [Math.min(...xs), Math.min(...zs), Math.sqrt(TREE_M2)];
    const [wide, deep] = [Math.ceil((Math.max(...xs) - left) / cell), Math.ceil((Math.max(...zs) - back) / cell)];
    for (let number = 0; number < wide * deep && this.trees.length < TREES_MAX; number += 1) {
      const [x, z] = [left + ((number % wide) + 0.5) * cell, back + (Math.floor(number / wide) + 0.5) * cell];
      if (isWithin(outline, x, z)) this.grow(x - cell / 2, floats[first + 1]!, z + cell / 2, cell, number);
    }
  }

  private prism({ f, w, color: hex }: Shape): void {
    const { floats } = this.picture;
    const [foot, first, count] = [f[0]!, w[3]!, w[4]!];
    const outline = new Float32Array(count * 2);
    let [high, low, wide] = [-Infinity, Infinity, 0];
    for (let corner = 0; corner < count; corner += 1) {
      const at = first + corner * 3;
      [outline[corner * 2], outline[corner * 2 + 1]] = [floats[at]!, floats[at + 2]!];
      [high, low] = [Math.max(high, floats[at + 1]!), Math.min(low, floats[at + 1]!)];
      wide = Math.max(wide, Math.hypot(floats[at]! - floats[first]!, floats[at + 2]! - floats[first + 2]!));
    }
    const surface = blockOf(hex, { high: high - foot, wide, rise: high - low });
    this.flat(first, count, surface, hex);
    if (high - foot <= 0.01) return;
    this.blocks.push({ outline, low: foot, high });
    const color = this.tone(albedoOf(surface, hex));
    const number = SURFACES.indexOf(surface === "floor" ? "wall" : surface);
    const turns = area(outline) > 0 ? 1 : -1;
    for (let corner = 0; corner < count; corner += 1) {
      const [at, next] = [first + corner * 3, first + ((corner + 1) % count) * 3];
      const [ax, ay, az, bx, by, bz] = [floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[next]!, floats[next + 1]!, floats[next + 2]!];
      const long = Math.hypot(bx - ax, bz - az);
      if (!(long > 1e-6)) continue;
      const normal = [((bz - az) / long) * turns, 0, (-(bx - ax) / long) * turns] as const;
      // Less light comes to the foot.
      for (const [x, y, z] of [[ax, ay, az], [bx, by, bz], [bx, foot, bz], [ax, ay, az], [bx, foot, bz], [ax, foot, az]] as const) this.corner(x, y, z, normal, color, y === foot ? 0.72 : 0.96, number);
      if (surface === "wall" || surface === "crate") this.shade([ax, az, bx, bz], foot, [normal[0], normal[2]]);
    }
  }

  /** Darkness on the ground along an edge, fading outwards, and around its ends by a share of that; cells of a row have none there. */
  private shade([ax, az, bx, bz]: readonly [number, number, number, number], foot: number, [nx, nz]: readonly [number, number], around = 0.7): void {
    const y = foot + this.lift + 0.02;
    const [far, long] = [SHADE_M, Math.hypot(bx - ax, bz - az)];
    const [tx, tz] = [((bx - ax) / long) * far * around, ((bz - az) / long) * far * around];
    const inner = [[ax, az], [bx, bz]] as const;
    const outer = [[ax + nx * far - tx, az + nz * far - tz], [bx + nx * far + tx, bz + nz * far + tz]] as const;
    for (const [[x, z], alpha] of [[inner[0], SHADE], [inner[1], SHADE], [outer[1], 0], [inner[0], SHADE], [outer[1], 0], [outer[0], 0]] as const) {
      this.shadePlaces.push(x, y, z);
      this.shadeColors.push(0, 0, 0, alpha);
    }
  }

  /** Cells of terrain: flat, with trees where it is forest; what nobody can enter stands up. */
  private cells({ f, w, color: hex }: Shape): void {
    const { floats } = this.picture;
    const [x, y, z, cell] = f as unknown as [number, number, number, number];
    const [first, wide, high] = [w[3]!, w[4]!, w[5]!];
    const surface = terrainOf(hex);
    const color = this.tone(albedoOf(surface, hex));
    const number = SURFACES.indexOf(surface);
    const has = (column: number, row: number): boolean => column >= 0 && row >= 0 && column < wide && row < high && floats[first + row * wide + column]! > 0.5;
    const top = y + this.lift + (surface === "rock" ? Math.min(ROCK_M, cell * 0.8) : 0);
    for (let row = 0; row < high; row += 1) {
      for (let column = 0; column < wide; column += 1) {
        if (!has(column, row)) continue;
        // Neighbors of a row are one strip.
        let end = column;
        if (surface !== "forest") while (end + 1 < wide && has(end + 1, row)) end += 1;
        const [a, b, c, d] = [x + column * cell, z - row * cell, x + (end + 1) * cell, z - (row + 1) * cell];
        for (const [px, pz] of [[a, b], [c, b], [c, d], [a, b], [c, d], [a, d]] as const) this.corner(px, top, pz, [0, 1, 0], color, 1, number);
        if (surface === "rock") for (let one = column; one <= end; one += 1) this.sides({ x, y, z, cell, has, top, color }, one, row);
        if (surface === "forest") this.grow(a, y, b, cell, row * wide + column);
        column = end;
      }
    }
  }

  private sides({ x, y, z, cell, has, top, color }: Raised, column: number, row: number): void {
    const [a, b, c, d] = [x + column * cell, z - row * cell, x + (column + 1) * cell, z - (row + 1) * cell];
    const faces = [[column - 1, row, a, b, a, d, -1, 0], [column + 1, row, c, b, c, d, 1, 0], [column, row - 1, a, b, c, b, 0, 1], [column, row + 1, a, d, c, d, 0, -1]] as const;
    for (const [nextColumn, nextRow, ax, az, bx, bz, nx, nz] of faces) {
      if (has(nextColumn, nextRow)) continue;
      for (const [px, py, pz] of [[ax, top, az], [bx, top, bz], [bx, y, bz], [ax, top, az], [bx, y, bz], [ax, y, az]] as const) this.corner(px, py, pz, [nx, 0, nz], color, py === y ? 0.7 : 0.95, SURFACES.indexOf("rock"));
      this.shade([ax, az, bx, bz], y, [nx, nz], 0);
    }
  }

  /** Trees of a cell, where they always stand: by the cell's number. */
  private grow(x: number, y: number, z: number, cell: number, number: number): void {
    const many = (cell * cell) / TREE_M2;
    const random = (salt: number): number => { const value = Math.sin(number * 12.9898 + salt * 78.233) * 43758.5453; return value - Math.floor(value); };
    const count = Math.floor(many) + (random(0) < many % 1 ? 1 : 0);
    for (let tree = 0; tree < count && this.trees.length < TREES_MAX; tree += 1) this.trees.push({ x: x + cell * random(tree * 3 + 1), y, z: z - cell * random(tree * 3 + 2), size: 0.65 + 0.45 * random(tree * 3 + 3) });
  }

  /** The triangles; undefined if there are none. */
  geometry(): THREE.BufferGeometry | undefined {
    if (this.places.length === 0) return undefined;
    const made = new THREE.BufferGeometry();
    for (const [name, row, size] of [["position", this.places, 3], ["normal", this.normals, 3], ["color", this.colors, 3], ["surface", this.surfaces, 1]] as const) made.setAttribute(name, new THREE.BufferAttribute(row.taken(), size));
    return made;
  }

  shades(): THREE.BufferGeometry | undefined {
    if (this.shadePlaces.length === 0) return undefined;
    const made = new THREE.BufferGeometry();
    made.setAttribute("position", new THREE.BufferAttribute(this.shadePlaces.taken(), 3));
    made.setAttribute("color", new THREE.BufferAttribute(this.shadeColors.taken(), 4));
    return made;
  }
}

/** Whether a place is within an outline. */
export function isWithin(outline: readonly (readonly [number, number])[], x: number, z: number): boolean {
  let isIn = false;
  outline.forEach(([ax, az], corner) => {
    const [bx, bz] = outline[(corner + 1) % outline.length]!;
    if (az > z !== bz > z && x < ax + ((z - az) / (bz - az)) * (bx - ax)) isIn = !isIn;
  });
  return isIn;
}

/** Twice the area of an outline (x, z in turn); the sign tells which way around it goes. */
function area(outline: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < outline.length; at += 2) {
    const next = (at + 2) % outline.length;
    sum += outline[at]! * outline[next + 1]! - outline[next]! * outline[at + 1]!;
  }
  return sum;
}

function upright(p: Color, q: Color, r: Color): Color {
  const [ux, uy, uz, vx, vy, vz] = [q[0] - p[0], q[1] - p[1], q[2] - p[2], r[0] - p[0], r[1] - p[1], r[2] - p[2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const long = Math.hypot(x, y, z) * (y < 0 ? -1 : 1);
  return long === 0 ? [0, 1, 0] : [x / long, y / long, z / long];
}

/** The triangles of an outline; one that bulges everywhere needs no search for them. */
export function triangles(floats: Float32Array, first: number, count: number): [number, number, number][] {
  if (isConvex(floats, first, count)) return Array.from({ length: Math.max(0, count - 2) }, (_, corner) => [0, corner + 1, corner + 2]);
  const outline = Array.from({ length: count }, (_, corner) => new THREE.Vector2(floats[first + corner * 3]!, -floats[first + corner * 3 + 2]!));
  return THREE.ShapeUtils.triangulateShape(outline, []) as [number, number, number][];
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
