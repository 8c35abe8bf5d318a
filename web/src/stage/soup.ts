// Triangles with colors, grown and filled anew for each moment; some of them go along with a body between moments.

import * as THREE from "three";

/** Where a body is beside where the moment has it: moved, and turned around its place of the moment. */
export interface Offset { x: number; z: number; dx: number; dy: number; dz: number; sin: number; cos: number }

export class Soup {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  places = new Float32Array(3 * 4096);
  private colors = new Float32Array(4 * 4096);
  count = 0;
  /** Corners that go along: from which to which, with whose offset, whether they turn with it. */
  private runs: { from: number; to: number; owner: number; turns: boolean }[] = [];
  private base = new Float32Array(0);

  constructor(order: number) {
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, fog: false });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
    this.attach();
  }

  private attach(): void {
    this.mesh.geometry.dispose();
    this.mesh.geometry = new THREE.BufferGeometry();
    for (const [name, array, size] of [["position", this.places, 3], ["color", this.colors, 4]] as const) {
      this.mesh.geometry.setAttribute(name, new THREE.BufferAttribute(array, size).setUsage(THREE.DynamicDrawUsage));
    }
  }

  clear(): void { this.count = 0; this.runs = []; }

  corner(x: number, y: number, z: number, r: number, g: number, b: number, a: number): void {
    if (this.count * 3 === this.places.length) {
      const [places, colors] = [new Float32Array(this.places.length * 2), new Float32Array(this.colors.length * 2)];
      places.set(this.places);
      colors.set(this.colors);
      [this.places, this.colors] = [places, colors];
      this.attach();
    }
    const [p, c] = [this.count * 3, this.count * 4];
    this.places[p] = x; this.places[p + 1] = y; this.places[p + 2] = z;
    this.colors[c] = r; this.colors[c + 1] = g; this.colors[c + 2] = b; this.colors[c + 3] = a;
    this.count += 1;
  }

  /** The corners from `from` on go along with a body. */
  carry(from: number, owner: number, turns: boolean): void {
    if (this.count > from) this.runs.push({ from, to: this.count, owner, turns });
  }

  /** Everything is filled in: where it is now is where the moment has it. */
  settle(): void {
    if (this.runs.length > 0) this.base = this.places.slice(0, this.count * 3);
  }

  /** Moves what goes along with bodies; whether anything did. */
  follow(offsets: readonly Offset[]): boolean {
    for (const { from, to, owner, turns } of this.runs) {
      const { x, z, dx, dy, dz, sin, cos } = offsets[owner]!;
      for (let at = from * 3; at < to * 3; at += 3) {
        const [bx, by, bz] = [this.base[at]!, this.base[at + 1]!, this.base[at + 2]!];
        const [rx, rz] = turns ? [(bx - x) * cos + (bz - z) * sin + x, (bz - z) * cos - (bx - x) * sin + z] : [bx, bz];
        this.places[at] = rx + dx; this.places[at + 1] = by + dy; this.places[at + 2] = rz + dz;
      }
    }
    return this.runs.length > 0;
  }

  /** Hands what was filled to the graphics card: only as much as there is. */
  show(): void {
    const { geometry } = this.mesh;
    geometry.setDrawRange(0, this.count);
    this.mesh.visible = this.count > 0;
    for (const [name, size] of [["position", 3], ["color", 4]] as const) {
      const attribute = geometry.getAttribute(name) as THREE.BufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * size);
      attribute.needsUpdate = true;
    }
  }
}
