// Bars of health over the heads of who is hurt or selected: they face the camera and have the same size on the screen everywhere.

import * as THREE from "three";
import type { Body } from "./body.js";
import { Soup } from "./soup.js";
import { tone } from "./tone.js";

const [EMPTY, SELECTED] = [0x5b6270, 0xe0902f];
/** Share of the height of the stage that a bar is high, and how many times it is as wide. */
export const BAR_SHARE = 0.007;
const BAR_WIDE = 9;
/** Nearer and farther than this nobody has one, m. */
const NEAR_M = 0.3, FAR_M = 90;

/** Whose bars, seen by whom. */
export interface BarSight { camera: THREE.Camera; selected: number | null; eyes: number | null; highOf(body: Body): number; colorOf(body: Body): number }

export class Bars {
  readonly soup = new Soup(4);

  constructor() { this.soup.mesh.material.depthTest = false; }

  draw(all: readonly Body[], { camera, selected, eyes, highOf, colorOf }: BarSight): void {
    this.soup.clear();
    const [right, up, forward, at] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    camera.matrixWorld.extractBasis(right, up, forward);
    const tan = camera instanceof THREE.PerspectiveCamera ? Math.tan((camera.fov * Math.PI) / 360) : 0;
    for (const body of all) {
      if (body.key === eyes || !(body.health < 0.999 || body.key === selected)) continue;
      at.set(body.x, body.y + highOf(body) + 0.08, body.z);
      const far = -at.clone().sub(camera.position).dot(forward);
      if (far < NEAR_M || far > FAR_M) continue;
      const high = Math.max(2 * far * tan * BAR_SHARE, 0.04);
      const [wide, left] = [high * BAR_WIDE, -0.5 * high * BAR_WIDE];
      const quad = (from: number, to: number, rim: number, hex: number, alpha: number) => {
        const [r, g, b] = tone(hex);
        for (const [u, v] of [[from - rim, -rim], [to + rim, -rim], [to + rim, high + rim], [from - rim, -rim], [to + rim, high + rim], [from - rim, high + rim]] as const) {
          this.soup.corner(at.x + right.x * u + up.x * v, at.y + right.y * u + up.y * v, at.z + right.z * u + up.z * v, r, g, b, alpha);
        }
      };
      if (body.key === selected) quad(left, left + wide, high * 0.35, SELECTED, 1);
      quad(left, left + wide, 0, EMPTY, 0.85);
      quad(left, left + wide * Math.min(1, Math.max(0, body.health)), 0, colorOf(body), 1);
    }
    this.soup.show();
  }
}
