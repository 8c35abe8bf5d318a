// Triangles with colors, grown and filled anew each frame.

import * as THREE from "three";

export class Soup {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  places = new Float32Array(3 * 4096);
  private colors = new Float32Array(4 * 4096);
  count = 0;

  constructor(order: number, writesDepth: boolean) {
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: writesDepth, side: THREE.DoubleSide });
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

  clear(): void { this.count = 0; }

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

  /** Hands what was filled to the graphics card: only as much as there is. */
  show(): void {
    const { geometry } = this.mesh;
    geometry.setDrawRange(0, this.count);
    for (const [name, size] of [["position", 3], ["color", 4]] as const) {
      const attribute = geometry.getAttribute(name) as THREE.BufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * size);
      attribute.needsUpdate = true;
    }
  }
}
