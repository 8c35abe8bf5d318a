// Shots on their way, as ribbons that face the camera, with a flash where they leave and dust where they end: a line that lies
// flat, as on a map, is not to be seen by who stands beside it.

import * as THREE from "three";
import type { LayerAbout, Picture } from "../../pkg/sentir.js";
import { each } from "./picture.js";
import { Soup } from "./soup.js";

/** How thick at least, m and as a share of how far away it is. */
const THICK_M = 0.018, THICK_SHARE = 0.0014;
/** Shots that begin nearer than this to the eye are the own ones, m. */
const OWN_M = 0.5;
/** How opaque a shot of this very moment is; older ones are fainter. */
const FRESH = 0.75;
/** From the eye of who shoots to the muzzle, m. */
const GUN_M = 0.75, GUN_DOWN_M = 0.22;
const [GLOW, CORE, DUST] = [[1, 0.52, 0.08], [1, 0.9, 0.55], [0.32, 0.29, 0.25]] as const;

interface Shot { from: THREE.Vector3; to: THREE.Vector3; alpha: number }

export class Tracers {
  readonly soup = new Soup(5);
  private shots: Shot[] = [];

  clear(): void { this.shots = []; }

  /** Takes the shots of a picture; none where they are not to be seen. */
  take(picture: Picture, layers: readonly LayerAbout[], isSeen: boolean): void {
    this.clear();
    if (!isSeen) return;
    each(picture, layers, "lines", (shape) => {
      if (shape.layer !== "shots") return;
      const [ax, ay, az, bx, by, bz] = shape.f as unknown as [number, number, number, number, number, number];
      this.shots.push({ from: new THREE.Vector3(ax, ay, az), to: new THREE.Vector3(bx, by, bz), alpha: shape.alpha });
    });
  }

  /** Puts them in place for a camera; own ones leave at `muzzle`, where there is one. */
  draw(camera: THREE.Camera, muzzle: THREE.Vector3 | null): void {
    this.soup.clear();
    const eye = camera.position;
    for (const { from, to, alpha } of this.shots) {
      const isOwn = muzzle !== null && from.distanceTo(eye) < OWN_M;
      const way = to.clone().sub(from);
      const far = way.length();
      if (far < 1e-3) continue;
      const begin = isOwn ? muzzle : from.clone().addScaledVector(way, Math.min(GUN_M / far, 0.5)).add(new THREE.Vector3(0, -GUN_DOWN_M, 0));
      this.ribbon(begin, to, eye, 2.2, GLOW, alpha * 0.45);
      this.ribbon(begin, to, eye, 1, CORE, alpha);
      if (alpha > FRESH && !isOwn) this.star(begin, camera, 0.17, CORE, 0.95);
      if (alpha > 0.3) this.star(to, camera, 0.1 + (1 - alpha) * 0.16, DUST, alpha * 0.5);
    }
    this.soup.show();
  }

  private ribbon(from: THREE.Vector3, to: THREE.Vector3, eye: THREE.Vector3, thick: number, [r, g, b]: readonly [number, number, number], alpha: number): void {
    const way = to.clone().sub(from);
    const side = (at: THREE.Vector3) => {
      const look = at.clone().sub(eye);
      const half = Math.max(THICK_M, look.length() * THICK_SHARE) * thick * 0.5;
      const across = way.clone().cross(look);
      return across.lengthSq() < 1e-12 ? across.set(half, 0, 0) : across.setLength(half);
    };
    const [a, c] = [side(from), side(to)];
    const put = (at: THREE.Vector3, aside: THREE.Vector3, sign: number, faint: number) => this.soup.corner(at.x + aside.x * sign, at.y + aside.y * sign, at.z + aside.z * sign, r, g, b, alpha * faint);
    // Fainter where it left: the round is at the other end.
    put(from, a, 1, 0.35); put(to, c, 1, 1); put(to, c, -1, 1);
    put(from, a, 1, 0.35); put(to, c, -1, 1); put(from, a, -1, 0.35);
  }

  private star(at: THREE.Vector3, camera: THREE.Camera, radius: number, [r, g, b]: readonly [number, number, number], alpha: number): void {
    const [right, up, back] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    camera.matrixWorld.extractBasis(right, up, back);
    const corner = (index: number) => {
      const [far, angle] = [index % 2 === 0 ? radius : radius * 0.45, (index / 12) * 2 * Math.PI];
      const [u, v] = [far * Math.cos(angle), far * Math.sin(angle)];
      this.soup.corner(at.x + right.x * u + up.x * v + back.x * 0.05, at.y + right.y * u + up.y * v + back.y * 0.05, at.z + right.z * u + up.z * v + back.z * 0.05, r, g, b, alpha);
    };
    for (let index = 0; index < 12; index += 1) {
      this.soup.corner(at.x + back.x * 0.05, at.y + back.y * 0.05, at.z + back.z * 0.05, r, g, b, alpha);
      corner(index);
      corner((index + 1) % 12);
    }
  }
}
