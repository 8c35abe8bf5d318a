// The figures of bodies in 3D, one for each shape that a kind of agents can have but the soldier, which has limbs that move:
// see soldier.ts. Each stands on the ground and faces north (−z), with radius 1; those that are as tall as their body have height 1.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

export type Figure = "person" | "animal" | "fish" | "vehicle" | "craft" | "ball";

/** A part in a shade of the body's color. */
function part(geometry: THREE.BufferGeometry, shade: number): THREE.BufferGeometry {
  const count = geometry.getAttribute("position").count;
  geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(count * 3).fill(shade), 3));
  return geometry.toNonIndexed();
}

const box = (x: number, y: number, z: number) => new THREE.BoxGeometry(x, y, z);
const ball = (x: number, y: number, z: number) => new THREE.SphereGeometry(1, 16, 12).scale(x, y, z);

function person(): THREE.BufferGeometry {
  // A capsule whose proportions are those of a person; the instance scales it to size.
  const radius = 0.18;
  const capsule = new THREE.CapsuleGeometry(radius, 1 - 2 * radius, 6, 16).scale(1 / radius, 1, 1 / radius).translate(0, 0.5, 0);
  const visor = box(1.15, 0.085, 0.7).translate(0, 0.86, -0.72);
  const nose = new THREE.ConeGeometry(0.28, 0.8, 8).rotateX(-Math.PI / 2).scale(1, 0.18, 1).translate(0, 0.55, -1.2);
  return mergeGeometries([part(capsule, 1), part(visor, 0.12), part(nose, 0.75)]);
}

function animal(): THREE.BufferGeometry {
  const legs = [[-0.35, -0.8], [0.35, -0.8], [-0.35, 0.8], [0.35, 0.8]] as const;
  return mergeGeometries([
    part(ball(0.55, 0.5, 1.2).translate(0, 1.2, 0), 1), part(ball(0.36, 0.36, 0.5).translate(0, 1.7, -1.25), 0.9), part(box(0.2, 0.2, 0.06).translate(0, 1.65, -1.75), 0.12),
    ...[-0.2, 0.2].map((x) => part(box(0.12, 0.35, 0.08).translate(x, 2.1, -1.1), 0.75)), part(box(0.12, 0.12, 0.8).rotateX(0.6).translate(0, 1.5, 1.4), 0.75),
    ...legs.map(([x, z]) => part(box(0.2, 0.9, 0.2).translate(x, 0.45, z), 0.7)),
  ]);
}

function fish(): THREE.BufferGeometry {
  const tail = new THREE.ConeGeometry(0.55, 0.9, 4).rotateX(-Math.PI / 2).scale(0.2, 1, 1).translate(0, 1, 1.5);
  return mergeGeometries([
    part(ball(0.45, 0.6, 1.3).translate(0, 1, 0), 1), part(tail, 0.75), part(box(0.08, 0.5, 0.6).translate(0, 1.6, 0.1), 0.75), part(box(1.7, 0.06, 0.5).translate(0, 0.95, -0.1), 0.75),
    ...[-0.3, 0.3].map((x) => part(ball(0.09, 0.09, 0.09).translate(x, 1.15, -0.95), 0.1)),
  ]);
}

function vehicle(): THREE.BufferGeometry {
  const wheel = (x: number, z: number) => part(new THREE.CylinderGeometry(0.32, 0.32, 0.25, 12).rotateZ(Math.PI / 2).translate(x, 0.32, z), 0.12);
  return mergeGeometries([
    part(box(1.3, 0.5, 2.6).translate(0, 0.6, 0), 1), part(box(1.1, 0.45, 1.2).translate(0, 1.05, 0.25), 0.85), part(box(1, 0.3, 0.06).translate(0, 1.06, -0.37), 0.12),
    wheel(-0.62, -0.8), wheel(0.62, -0.8), wheel(-0.62, 0.8), wheel(0.62, 0.8),
  ]);
}

function craft(): THREE.BufferGeometry {
  const nose = new THREE.ConeGeometry(0.35, 0.8, 12).rotateX(-Math.PI / 2).translate(0, 0, -1.4);
  return mergeGeometries([
    part(new THREE.CylinderGeometry(0.35, 0.28, 2, 12).rotateX(Math.PI / 2), 1), part(nose, 0.75), part(box(2.4, 0.08, 0.6).translate(0, 0, 0.2), 0.85), part(box(0.08, 0.7, 0.4).translate(0, 0.4, 0.85), 0.85),
  ]);
}

/** How to make each figure, and whether it is as tall as its body rather than in proportion to its radius. */
export const FIGURES: Record<Figure, { geometry: () => THREE.BufferGeometry; isTall: boolean }> = {
  person: { geometry: person, isTall: true }, animal: { geometry: animal, isTall: false }, fish: { geometry: fish, isTall: false },
  vehicle: { geometry: vehicle, isTall: false }, craft: { geometry: craft, isTall: false },
  ball: { geometry: () => part(ball(1, 1, 1).translate(0, 1, 0), 1), isTall: false },
};
