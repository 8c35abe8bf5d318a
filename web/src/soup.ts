// Triangles with colors, grown and filled anew each frame.

import * as THREE from "three";

/** Lines every two meters of a floor and every meter of a wall, a little grain and light from one side: without them, who walks
 * past a plain wall does not see that he moves. */
function grainy(material: THREE.MeshBasicMaterial, grain: { value: number }): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.grain = grain;
    shader.vertexShader = shader.vertexShader.replace("#include <common>", "#include <common>\nvarying vec3 vPlace;").replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlace = position;");
    shader.fragmentShader = shader.fragmentShader.replace("#include <common>", `#include <common>
      varying vec3 vPlace;
      uniform float grain;
      float rule(float at, float step) { float x = at / step; return 1.0 - smoothstep(0.6, 1.6, abs(fract(x - 0.5) - 0.5) / max(fwidth(x), 1e-5)); }
      float speck(vec3 at) { return fract(sin(dot(floor(at * 9.0), vec3(12.99, 78.23, 37.72))) * 43758.55); }`).replace("#include <color_fragment>", `#include <color_fragment>
      if (grain > 0.5) {
        vec3 side = normalize(cross(dFdx(vPlace), dFdy(vPlace)));
        bool isFloor = abs(side.y) > 0.5;
        float far = length(vPlace - cameraPosition);
        float along = abs(side.x) > abs(side.z) ? vPlace.z : vPlace.x;
        float lines = isFloor ? max(rule(vPlace.x, 2.0), rule(vPlace.z, 2.0)) : max(rule(along, 2.0), rule(vPlace.y, 1.0) * 0.7);
        float light = isFloor ? 0.94 : 0.9 + 0.16 * side.x + 0.08 * side.z;
        diffuseColor.rgb *= light * (1.0 - 0.16 * lines * (1.0 - smoothstep(8.0, 34.0, far)));
        diffuseColor.rgb *= 1.0 + 0.05 * (speck(vPlace) - 0.5) * (1.0 - smoothstep(3.0, 12.0, far));
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.60, 0.68, 0.74), smoothstep(14.0, 90.0, far) * 0.5);
      }`);
  };
}

export class Soup {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  places = new Float32Array(3 * 4096);
  private colors = new Float32Array(4 * 4096);
  count = 0;
  /** Whether surfaces have lines and grain: 0 or 1. */
  readonly grain = { value: 0 };

  constructor(order: number, writesDepth: boolean) {
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: writesDepth, side: THREE.DoubleSide });
    if (writesDepth) grainy(material, this.grain);
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
