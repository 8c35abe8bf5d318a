// Machines, buildings and things. Lengths in meters.

import type * as THREE from "three";
import type { Model, ModelName } from "./model.js";
import type { Motion } from "./motion.js";
import { ball, box, cone, dome, merged, piece, ring, rod, wedge } from "./piece.js";
import { scale, shift, turn, type Bone } from "./rig.js";

const STEEL = 0x7c848d, DARK = 0x24272b, TIRE = 0x1d1e20, GLASS = 0x2c3b49, STONE = 0xb9b2a4, WOOD = 0x84623d, PAINT = 0xffffff;

const wheel = (bone: number, radius: number, wide: number): THREE.BufferGeometry[] => [
  piece(bone, rod(radius, radius, wide, 14), TIRE, { turn: [0, 0, Math.PI / 2] }), piece(bone, rod(radius * 0.55, radius * 0.55, wide * 1.04, 8), 0xb5bac0, { turn: [0, 0, Math.PI / 2] }), piece(bone, box(wide * 1.06, radius * 1, radius * 0.16), 0x7b8188),
];

const CAR: Bone[] = [
  { name: "root", parent: -1, at: [0, 0, 0] }, { name: "body", parent: 0, at: [0, 0.34, 0] },
  { name: "front right", parent: 0, at: [0.78, 0.33, -1.25] }, { name: "front left", parent: 0, at: [-0.78, 0.33, -1.25] }, { name: "back right", parent: 0, at: [0.78, 0.33, 1.25] }, { name: "back left", parent: 0, at: [-0.78, 0.33, 1.25] },
];

function car(): THREE.BufferGeometry[] {
  return [
    piece(1, wedge([1.72, 4.1], [1.66, 3.95], 0.42), PAINT, { at: [0, 0.2, 0], side: 1 }), piece(1, wedge([1.5, 2.3], [1.2, 1.35], 0.5), GLASS, { at: [0, 0.64, 0.28] }), piece(1, box(1.22, 0.05, 1.38), PAINT, { at: [0, 0.9, 0.28], side: 1 }),
    ...[-1, 1].map((x) => piece(1, wedge([0.06, 0.14], [0.06, 0.1], 0.5), PAINT, { at: [x * 0.66, 0.64, 0.32], side: 1 })), ...[-1, 1].flatMap((x) => [piece(1, box(0.36, 0.14, 0.05), 0xfff3c4, { at: [x * 0.6, 0.22, -2.05] }), piece(1, box(0.34, 0.13, 0.05), 0xb3261e, { at: [x * 0.62, 0.24, 2.05] })]),
    piece(1, box(0.7, 0.16, 0.04), DARK, { at: [0, 0.14, -2.06] }), piece(1, box(1.76, 0.12, 0.12), DARK, { at: [0, -0.02, -2.05] }), piece(1, box(1.76, 0.12, 0.12), DARK, { at: [0, -0.02, 2.05] }), piece(1, box(0.5, 0.03, 1.0), DARK, { at: [0, 0.418, -1.4] }),
    ...[2, 3, 4, 5].flatMap((bone) => wheel(bone, 0.33, 0.22)),
  ];
}

/** Wheels roll with the way and the front ones steer; the body rolls out of turns. */
function poseCar(pose: Float32Array, motion: Motion): void {
  // The phase counts strides; a wheel wants meters.
  const roll = -motion.phase * 0.9;
  const steer = Math.abs(motion.ahead) > 0.3 ? Math.max(-0.5, Math.min(0.5, Math.atan((2.5 * motion.spin) / Math.max(1, Math.abs(motion.ahead))) * Math.sign(motion.ahead))) : 0;
  for (const bone of [2, 3, 4, 5]) turn(pose, bone, roll, bone < 4 ? steer : 0);
  turn(pose, 1, 0, 0, -Math.max(-0.06, Math.min(0.06, motion.spin * Math.abs(motion.ahead) * 0.006)));
  shift(pose, 1, 0, Math.sin(motion.seconds * 22) * 0.004, 0);
}

const TANK: Bone[] = [
  { name: "root", parent: -1, at: [0, 0, 0] }, { name: "hull", parent: 0, at: [0, 0.35, 0] }, { name: "turret", parent: 1, at: [0, 0.6, 0.1] }, { name: "gun", parent: 2, at: [0, 0.22, -0.7] }, { name: "flash", parent: 3, at: [0, 0, -2.2] },
  ...[-1.4, -0.7, 0, 0.7, 1.4].flatMap((z, at): Bone[] => [{ name: `wheel right ${at}`, parent: 0, at: [1.02, 0.32, z] }, { name: `wheel left ${at}`, parent: 0, at: [-1.02, 0.32, z] }]),
];

function tank(): THREE.BufferGeometry[] {
  return [
    piece(1, wedge([1.7, 3.9], [1.9, 3.5], 0.55), 0xa8a890, { at: [0, 0.22, 0], side: 0.8 }), piece(1, box(0.6, 0.06, 1.0), DARK, { at: [0, 0.51, 1.1] }), ...[-1, 1].flatMap((x) => [piece(1, box(0.46, 0.62, 3.9), TIRE, { at: [x * 1.02, -0.02, 0] }), piece(1, box(0.5, 0.1, 4.1), 0x9a9a84, { at: [x * 1.02, 0.34, 0], side: 0.8 })]),
    piece(2, wedge([1.5, 1.9], [1.15, 1.35], 0.5), 0xa8a890, { at: [0, 0.2, 0.05], side: 0.9 }), piece(2, rod(0.26, 0.28, 0.14, 10), 0x8c8c78, { at: [0.25, 0.5, 0.25], side: 0.8 }), piece(2, box(0.02, 0.9, 0.02), DARK, { at: [-0.5, 0.8, 0.6] }),
    piece(3, rod(0.09, 0.11, 2.1, 10), DARK, { turn: [Math.PI / 2, 0, 0], at: [0, 0, -1.05] }), piece(3, rod(0.14, 0.14, 0.3, 10), DARK, { turn: [Math.PI / 2, 0, 0], at: [0, 0, -2.05] }), piece(3, box(0.5, 0.36, 0.4), 0x8c8c78, { at: [0, 0, 0], side: 0.8 }),
    piece(4, cone(0.3, 0.9, 8), 0xffc24a, { turn: [-Math.PI / 2, 0, 0], at: [0, 0, -0.4] }), ...Array.from({ length: 10 }, (_, at) => 5 + at).flatMap((bone) => wheel(bone, 0.27, 0.5)),
  ];
}

function poseTank(pose: Float32Array, motion: Motion): void {
  const fire = motion.doing[1]! + motion.doing[4]!;
  const kick = fire * Math.exp(-motion.since * 6);
  shift(pose, 3, 0, 0, 0.35 * kick);
  turn(pose, 3, motion.pitch);
  turn(pose, 1, 0.03 * kick + Math.max(-0.03, Math.min(0.03, motion.ahead * 0.004)));
  shift(pose, 1, 0, Math.sin(motion.seconds * 27) * 0.005, 0);
  scale(pose, 4, fire > 0.5 && motion.since < 0.12 ? 1 : 0.001);
  for (let bone = 5; bone < 15; bone += 1) turn(pose, bone, -motion.phase * 0.9 - (bone % 2 === 0 ? -1 : 1) * motion.spin * 0.1);
}

const PLANE: Bone[] = [{ name: "root", parent: -1, at: [0, 0, 0] }, { name: "body", parent: 0, at: [0, 0, 0] }, { name: "propeller", parent: 1, at: [0, 0, -1.62] }];

function plane(): THREE.BufferGeometry[] {
  return [
    piece(1, rod(0.3, 0.12, 2.6, 10), PAINT, { turn: [-Math.PI / 2, 0, 0], at: [0, 0, 0.15], side: 0.9 }), piece(1, dome(0.3, 0.5, 10), DARK, { turn: [-Math.PI / 2, 0, 0], at: [0, 0, -1.15], stretch: [1, 1.4, 1] }), piece(1, box(3.9, 0.07, 0.72), PAINT, { at: [0, 0.06, -0.35], side: 0.9 }), ...[-1, 1].map((x) => piece(1, box(0.5, 0.08, 0.74), 0xf2f2f2, { at: [x * 1.6, 0.06, -0.35] })),
    piece(1, box(1.5, 0.05, 0.42), PAINT, { at: [0, 0.05, 1.3], side: 0.9 }), piece(1, wedge([0.06, 0.5], [0.05, 0.26], 0.62), PAINT, { at: [0, 0.34, 1.32], side: 0.9 }), piece(1, ball(0.24, 9), GLASS, { at: [0, 0.24, -0.3], stretch: [0.85, 0.8, 1.6] }),
    piece(2, box(0.09, 1.15, 0.03), 0x3a3d41), piece(2, cone(0.09, 0.2, 8), 0xd0d3d6, { turn: [-Math.PI / 2, 0, 0], at: [0, 0, -0.08] }),
  ];
}

function posePlane(pose: Float32Array, motion: Motion): void {
  turn(pose, 1, motion.pitch, 0, Math.max(-1, Math.min(1, motion.spin * 0.7)) + Math.sin(motion.seconds * 1.3 + motion.variant * 9) * 0.02);
  turn(pose, 2, 0, 0, motion.seconds * 47);
  turn(pose, 1, -0.6 * motion.fall, 0, 1.2 * motion.fall);
}

const MISSILE: Bone[] = [{ name: "root", parent: -1, at: [0, 0, 0] }, { name: "body", parent: 0, at: [0, 0, 0] }, { name: "flame", parent: 1, at: [0, 0, 0.7] }];

function missile(): THREE.BufferGeometry[] {
  return [
    piece(1, rod(0.13, 0.13, 1.3, 10), 0xf0f0f0, { turn: [Math.PI / 2, 0, 0] }), piece(1, cone(0.13, 0.36, 10), PAINT, { turn: [-Math.PI / 2, 0, 0], at: [0, 0, -0.83], side: 1 }), piece(1, rod(0.135, 0.135, 0.12, 10), PAINT, { turn: [Math.PI / 2, 0, 0], at: [0, 0, -0.3], side: 1 }),
    ...[0, 1, 2, 3].map((at) => piece(1, wedge([0.03, 0.36], [0.02, 0.18], 0.3), PAINT, { at: [Math.sin(at * Math.PI / 2) * 0.25, Math.cos(at * Math.PI / 2) * 0.25, 0.48], turn: [0, 0, -at * Math.PI / 2], side: 1 })),
    piece(1, rod(0.1, 0.13, 0.1, 8), DARK, { turn: [Math.PI / 2, 0, 0], at: [0, 0, 0.68] }), piece(2, cone(0.11, 0.9, 8), 0xff8a1e, { turn: [Math.PI / 2, 0, 0], at: [0, 0, 0.42] }), piece(2, cone(0.065, 0.55, 7), 0xfff0b0, { turn: [Math.PI / 2, 0, 0], at: [0, 0, 0.26] }),
  ];
}

function poseMissile(pose: Float32Array, motion: Motion): void {
  turn(pose, 1, motion.pitch, 0, motion.seconds * 3);
  scale(pose, 2, Math.max(0.001, (0.8 + 0.35 * Math.sin(motion.seconds * 61 + motion.variant * 7)) * (1 - motion.fall)));
}

const TURRET: Bone[] = [{ name: "root", parent: -1, at: [0, 0, 0] }, { name: "head", parent: 0, at: [0, 1.5, 0] }, { name: "guns", parent: 1, at: [0, 0.1, -0.25] }, { name: "flash", parent: 2, at: [0, 0, -0.95] }];

function turret(): THREE.BufferGeometry[] {
  return [
    piece(0, rod(0.55, 0.75, 0.35, 8), STONE, { at: [0, 0.17, 0] }), piece(0, rod(0.32, 0.5, 1.0, 8), STONE, { at: [0, 0.8, 0] }), piece(0, rod(0.48, 0.34, 0.2, 8), 0xa39c8e, { at: [0, 1.36, 0] }), piece(0, rod(0.5, 0.5, 0.06, 8), PAINT, { at: [0, 1.24, 0], side: 1 }),
    piece(1, wedge([0.7, 0.8], [0.5, 0.55], 0.42), STEEL, { at: [0, 0.18, 0.05], side: 0.55 }), piece(1, box(0.72, 0.1, 0.5), PAINT, { at: [0, 0.2, 0.1], side: 1 }), ...[-0.14, 0.14].flatMap((x) => [piece(2, rod(0.055, 0.065, 0.8, 8), DARK, { turn: [Math.PI / 2, 0, 0], at: [x, 0, -0.45] }), piece(2, rod(0.085, 0.085, 0.14, 8), DARK, { turn: [Math.PI / 2, 0, 0], at: [x, 0, -0.84] })]),
    piece(1, ball(0.06, 7), 0xff4a32, { at: [0, 0.3, -0.28] }), ...[-0.14, 0.14].map((x) => piece(3, cone(0.12, 0.36, 7), 0xffc24a, { turn: [-Math.PI / 2, 0, 0], at: [x, 0, -0.14] })),
  ];
}

function poseTurret(pose: Float32Array, motion: Motion): void {
  const fire = motion.doing[1]! + motion.doing[4]!;
  const idle = 1 - Math.min(1, fire);
  turn(pose, 1, 0, Math.sin(motion.seconds * 0.5 + motion.variant * 20) * 0.12 * idle);
  turn(pose, 2, motion.pitch - 0.5 * motion.fall);
  shift(pose, 2, 0, 0, 0.12 * fire * Math.exp(-motion.since * 12));
  scale(pose, 3, fire > 0.5 && motion.since < 0.08 ? 1 : 0.001);
  // While it is being built it grows out of the ground.
  const built = motion.doing[6]! > 0.5 && motion.share > 0 ? 0.35 + 0.65 * motion.share : 1;
  shift(pose, 1, 0, -1.1 * (1 - built), 0);
}

const FLAGGED: Bone[] = [{ name: "root", parent: -1, at: [0, 0, 0] }, { name: "flag", parent: 0, at: [0, 5.55, 0] }, { name: "flag end", parent: 1, at: [0.55, 0, 0] }];

/** A tower with battlements, a gate and a flag. */
function base(): THREE.BufferGeometry[] {
  const merlons = Array.from({ length: 10 }, (_, at) => { const a = (at / 10) * 2 * Math.PI; return piece(0, box(0.4, 0.42, 0.28), STONE, { at: [Math.sin(a) * 1.42, 4.35, Math.cos(a) * 1.42], turn: [0, a, 0] }); });
  return [
    piece(0, rod(1.25, 1.55, 3.6, 12), STONE, { at: [0, 1.8, 0] }), piece(0, rod(1.62, 1.3, 0.5, 12), 0xa8a192, { at: [0, 3.85, 0] }), piece(0, rod(1.6, 1.6, 0.16, 12), PAINT, { at: [0, 3.5, 0], side: 1 }), ...merlons, piece(0, rod(1.66, 1.75, 0.3, 12), 0x8f8878, { at: [0, 0.15, 0] }),
    piece(0, box(0.9, 1.4, 0.3), WOOD, { at: [0, 0.75, -1.42], turn: [0.05, 0, 0] }), ...[-0.25, 0.25].map((x) => piece(0, box(0.05, 1.4, 0.32), DARK, { at: [x, 0.75, -1.43], turn: [0.05, 0, 0] })), ...[0.8, 2.4, -2.4, -0.8].map((a) => piece(0, box(0.18, 0.6, 0.3), DARK, { at: [Math.sin(a) * 1.33, 2.5, Math.cos(a) * 1.33], turn: [0, a, 0] })),
    piece(0, cone(1.0, 1.0, 10), PAINT, { at: [0, 4.7, 0], side: 1 }), piece(0, rod(0.04, 0.04, 1.4), DARK, { at: [0, 5.6, 0] }), piece(1, box(0.56, 0.6, 0.03), PAINT, { at: [0.28, 0.4, 0], side: 1 }), piece(2, box(0.5, 0.56, 0.03), PAINT, { at: [0.25, 0.4, 0], side: 1 }),
  ];
}

function poseFlag(pose: Float32Array, motion: Motion): void {
  turn(pose, 1, 0, Math.sin(motion.seconds * 1.7 + motion.variant * 9) * 0.25);
  turn(pose, 2, 0, Math.sin(motion.seconds * 3.1 + motion.variant * 9) * 0.45);
}

const STILL: Bone[] = [{ name: "root", parent: -1, at: [0, 0, 0] }];

/** A tent with a cross. */
function hospital(): THREE.BufferGeometry[] {
  const cross = (at: readonly [number, number, number], turned: readonly [number, number, number]) => [
    piece(0, box(0.9, 0.28, 0.05), 0xc62828, { at, turn: turned }), piece(0, box(0.28, 0.9, 0.06), 0xc62828, { at, turn: turned }),
  ];
  return [
    piece(0, box(2.6, 1.1, 3.2), 0xf3f1ea, { at: [0, 0.55, 0] }), ...[-1, 1].map((x) => piece(0, box(1.75, 0.08, 3.5), 0xe9e6dc, { at: [x * 0.72, 1.62, 0], turn: [0, 0, x * -0.72] })), piece(0, wedge([2.6, 3.1], [0.1, 3.1], 1.1), 0xf3f1ea, { at: [0, 1.6, 0] }),
    piece(0, box(2.7, 0.16, 3.3), PAINT, { at: [0, 1.08, 0], side: 1 }), piece(0, box(0.8, 1.25, 0.05), 0x4a4640, { at: [0, 0.62, -1.61] }), ...cross([0, 1.55, -1.62], [0, 0, 0]), ...cross([-0.78, 1.72, 0], [Math.PI / 2, 0, 0.72]).map((one) => one), ...[-1, 1].flatMap((x) => [-1, 1].map((z) => piece(0, rod(0.03, 0.03, 1.3, 5), WOOD, { at: [x * 1.55, 0.45, z * 1.55], turn: [z * -0.5, 0, x * 0.6] }))),
    piece(0, box(0.05, 1.2, 0.05), DARK, { at: [0, 2.6, 0] }), piece(0, box(0.6, 0.36, 0.03), PAINT, { at: [0.3, 3.0, 0], side: 1 }),
  ];
}

function barrel(): THREE.BufferGeometry[] {
  return [
    piece(0, rod(0.29, 0.29, 0.86, 14), 0xc8452f, { at: [0, 0.44, 0] }), ...[0.06, 0.32, 0.58, 0.82].map((y) => piece(0, rod(0.305, 0.305, 0.045, 14), 0x8f2d1e, { at: [0, y, 0] })), piece(0, rod(0.27, 0.27, 0.02, 14), 0x6d2318, { at: [0, 0.875, 0] }), piece(0, rod(0.05, 0.05, 0.04, 7), DARK, { at: [0.13, 0.89, 0] }),
    piece(0, rod(0.294, 0.294, 0.16, 14), 0xf0c330, { at: [0, 0.45, 0] }), ...[0, 1, 2, 3, 4, 5].map((at) => piece(0, box(0.07, 0.16, 0.02), DARK, { at: [Math.sin(at * 1.047) * 0.292, 0.45, Math.cos(at * 1.047) * 0.292], turn: [0, at * 1.047, 0.4] })),
  ];
}

const BALL: Bone[] = [{ name: "root", parent: -1, at: [0, 0, 0] }, { name: "ball", parent: 0, at: [0, 0.5, 0] }];

function poseBall(pose: Float32Array, motion: Motion): void {
  turn(pose, 1, -motion.phase * 0.6, 0, -motion.aside * 0.05);
}

function sphere(): THREE.BufferGeometry[] {
  return [piece(1, ball(0.5, 16), PAINT, { side: 1 }), piece(1, ring(0.49, 0.035), 0xf4f4f4, { turn: [0, Math.PI / 2, 0] }), piece(1, ring(0.49, 0.035), DARK, { turn: [0, 0, 0] })];
}

const BEACON: Bone[] = [{ name: "root", parent: -1, at: [0, 0, 0] }, { name: "lamp", parent: 0, at: [0, 1.25, 0] }];

function beacon(): THREE.BufferGeometry[] {
  return [
    piece(0, rod(0.28, 0.42, 0.16, 10), DARK, { at: [0, 0.08, 0] }), piece(0, rod(0.06, 0.09, 1.05, 8), STEEL, { at: [0, 0.66, 0] }), piece(0, rod(0.17, 0.12, 0.1, 10), DARK, { at: [0, 1.18, 0] }),
    piece(1, ball(0.17, 10), PAINT, { at: [0, 0.12, 0], side: 1 }), piece(1, box(0.09, 0.2, 0.36), 0xfffbe0, { at: [0, 0.12, 0] }), piece(1, ring(0.24, 0.018), PAINT, { at: [0, 0.12, 0], turn: [Math.PI / 2, 0, 0], side: 1 }),
  ];
}

const nothing = (): void => undefined;
const machine = (bones: readonly Bone[], solids: () => THREE.BufferGeometry[], pose: Model["pose"], radius: number, high: number): Model => ({ bones, geometry: () => merged(solids()), pose, fit: { radius }, high, falls: false });

type MachineName = Extract<ModelName, "car" | "plane" | "missile" | "turret" | "tank" | "base" | "hospital" | "barrel" | "ball" | "beacon">;

export const MACHINES: Record<MachineName, Model> = {
  car: machine(CAR, car, poseCar, 0.9, 1.35), tank: machine(TANK, tank, poseTank, 1.7, 1.7), plane: machine(PLANE, plane, posePlane, 0.55, 0.8), missile: machine(MISSILE, missile, poseMissile, 0.42, 0.5),
  turret: machine(TURRET, turret, poseTurret, 0.7, 2.1), base: machine(FLAGGED, base, poseFlag, 1.7, 6.2), hospital: machine(STILL, hospital, nothing, 1.7, 3.2), barrel: machine(STILL, barrel, nothing, 0.3, 0.95),
  ball: machine(BALL, sphere, poseBall, 0.5, 1), beacon: machine(BEACON, beacon, (pose, { seconds }) => turn(pose, 1, 0, seconds * 2.5), 0.42, 1.6),
};
