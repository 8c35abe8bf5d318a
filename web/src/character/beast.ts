// Animals: on four legs, with wings, with fins; and the ghost, which has none of them. Lengths in meters.

import type * as THREE from "three";
import type { Model, ModelName } from "./model.js";
import type { Motion } from "./motion.js";
import { ball, box, cone, limb, merged, piece, rod, wedge } from "./piece.js";
import { scale, shift, turn, type Bone } from "./rig.js";

const [ROOT, BODY, NECK, HEAD, TAIL] = [0, 1, 2, 3, 4] as const;
/** First bone of each leg: front right, front left, back right, back left. */
const LEGS = [5, 7, 9, 11] as const;

/** The measures of an animal on four legs: half its length and width between the legs, height of the shoulders, joint of neck and tail. */
interface Beast { long: number; wide: number; leg: number; neck: readonly [number, number, number]; head: readonly [number, number, number]; tail: readonly [number, number, number]; hops?: boolean; grazes?: boolean }

function beastBones({ long, wide, leg, neck, head, tail }: Beast): Bone[] {
  return [
    { name: "root", parent: -1, at: [0, 0, 0] }, { name: "body", parent: ROOT, at: [0, leg, 0] }, { name: "neck", parent: BODY, at: neck }, { name: "head", parent: NECK, at: head }, { name: "tail", parent: BODY, at: tail },
    ...([[1, -1], [-1, -1], [1, 1], [-1, 1]] as const).flatMap(([x, z], at): Bone[] => [
      { name: `leg ${at}`, parent: BODY, at: [x * wide, 0, z * long] }, { name: `shank ${at}`, parent: LEGS[at]!, at: [0, -leg / 2, 0] },
    ]),
  ];
}

const bump = (share: number): number => Math.sin(Math.PI * Math.min(1, Math.max(0, share)));

/** On four legs: a walk by diagonal pairs that becomes a gallop; hares hop with both hind legs at once. */
export function poseBeast(pose: Float32Array, motion: Motion, beast: Beast): void {
  const pace = Math.hypot(motion.ahead, motion.aside);
  const go = Math.min(1, pace / (0.8 * beast.leg + 0.2));
  const gallop = Math.min(1, Math.max(0, (pace - 3.2 * beast.leg - 0.8) / (4 * beast.leg + 1)));
  const bound = beast.hops === true ? 1 : gallop;
  // Short legs step more often.
  const phase = motion.phase * (beast.hops === true ? 1 : Math.min(2.2, 0.55 / beast.leg));
  const swing = (0.42 + 0.35 * bound) * go;
  LEGS.forEach((leg, at) => {
    const isBack = at >= 2, isLeft = at % 2 === 1;
    const walk = (isBack !== isLeft ? 0 : Math.PI) + (isBack ? 0.3 : 0);
    const jump = (isBack ? Math.PI : 0) + (isLeft ? 0.35 : 0);
    const own = phase + walk + (jump - walk) * bound;
    const lifted = Math.max(0, Math.cos(own));
    turn(pose, leg, swing * Math.sin(own) + (isBack ? 0.12 : 0), 0, motion.aside * 0.08);
    turn(pose, leg + 1, (isBack ? -1 : -0.8) * (0.15 + lifted * 0.9 * go) + (isBack ? 0 : 0.05));
  });
  shift(pose, BODY, 0, -0.03 * beast.leg + go * beast.leg * ((0.05 + 0.04 * bound) * Math.abs(Math.sin(phase)) + (beast.hops === true ? 0.55 * Math.max(0, Math.sin(phase)) : 0)), 0);
  turn(pose, BODY, bound * go * 0.13 * Math.sin(phase + 0.8), Math.sin(phase) * 0.04 * go, Math.max(-0.15, Math.min(0.15, motion.spin * 0.05)));
  const idle = 1 - go;
  const look = Math.sin(motion.seconds * 0.7 + motion.variant * 30);
  // Who stands on grass eats of it now and then.
  const graze = beast.grazes === true ? idle * Math.max(0, Math.min(1, Math.sin(motion.seconds * 0.23 + motion.variant * 12) * 4)) : 0;
  turn(pose, NECK, -0.95 * graze - 0.12 * gallop * go - bound * go * 0.1 * Math.sin(phase + 0.8), look * 0.3 * idle * (1 - graze));
  turn(pose, HEAD, 0.25 * graze + 0.05 * Math.sin(phase) * go + graze * 0.08 * Math.sin(motion.seconds * 7));
  turn(pose, TAIL, 0.25 * gallop, Math.sin(motion.seconds * 6 + motion.variant * 9) * 0.35);
  const [bite, howl, flinch] = [motion.doing[4]!, motion.doing[7]!, Math.max(motion.flinch, motion.doing[3]! * 0.8)];
  const snap = bite * bump(motion.share > 0 ? motion.share : (motion.since * 2) % 1);
  turn(pose, NECK, 0.3 * bite - 0.75 * snap + 0.7 * howl + 0.4 * flinch);
  turn(pose, HEAD, -0.2 * snap + 0.45 * howl);
  shift(pose, BODY, 0, -beast.leg * 0.22 * motion.crouch, 0);
  if (motion.fall > 0) {
    const down = motion.fall * motion.fall;
    turn(pose, ROOT, 0, 0, (motion.variant > 0.5 ? 1 : -1) * 1.45 * down);
    shift(pose, ROOT, 0, beast.wide * 1.2 * down, 0);
  }
}

const LEG_HEX = 0x2e2a28;

function legs({ leg }: Beast, thick: number, hex: number, hoof: number, side = 0): THREE.BufferGeometry[] {
  return LEGS.flatMap((bone) => [
    piece(bone, limb(thick, leg * 0.4), hex, { at: [0, -leg * 0.25, 0], side }), piece(bone + 1, limb(thick * 0.72, leg * 0.36), hex, { at: [0, -leg * 0.24, 0], side }), piece(bone + 1, box(thick * 1.6, thick * 0.9, thick * 2), hoof, { at: [0, -leg * 0.5 + thick * 0.4, -thick * 0.3] }),
  ]);
}

const eyes = (x: number, y: number, z: number, radius: number): THREE.BufferGeometry[] => [-1, 1].map((side) => piece(HEAD, ball(radius, 6), 0x16130f, { at: [side * x, y, z] }));

const SHEEP: Beast = { long: 0.28, wide: 0.13, leg: 0.42, neck: [0, 0.16, -0.38], head: [0, 0.12, -0.1], tail: [0, 0.16, 0.46], grazes: true };

function sheep(): THREE.BufferGeometry[] {
  const wool = 0xf4f0e6;
  const tufts = [[0, 0.12, -0.26], [0, 0.14, 0.05], [0, 0.1, 0.3], [0.16, 0.12, -0.1], [-0.16, 0.12, -0.1], [0.16, 0.1, 0.2], [-0.16, 0.1, 0.2], [0.09, 0.26, -0.05], [-0.09, 0.26, 0.12], [0.1, -0.03, 0.05], [-0.1, -0.03, 0]] as const;
  return [
    ...tufts.map((at, index) => piece(BODY, ball(index < 3 ? 0.25 : 0.18, 8), wool, { at, side: index === 1 ? 0.25 : 0.06 })), piece(NECK, ball(0.14, 7), wool, { at: [0, 0.04, 0], side: 0.06 }),
    piece(HEAD, ball(0.1, 8), 0x2e2a28, { at: [0, 0, -0.1], stretch: [0.85, 0.95, 1.45] }), piece(HEAD, ball(0.1, 7), wool, { at: [0, 0.08, 0], side: 0.06 }), ...[-1, 1].map((x) => piece(HEAD, box(0.13, 0.03, 0.06), 0x3a3431, { at: [x * 0.13, 0.03, -0.04], turn: [0, 0, x * -0.35] })),
    ...[-1, 1].map((x) => piece(HEAD, ball(0.022, 6), 0xf6f2e6, { at: [x * 0.07, 0.03, -0.17] })), piece(TAIL, ball(0.075, 6), wool, { at: [0, -0.03, 0.02] }), ...legs(SHEEP, 0.05, LEG_HEX, 0x1b1816),
  ];
}

const DOG: Beast = { long: 0.3, wide: 0.09, leg: 0.5, neck: [0, 0.06, -0.36], head: [0, 0.2, -0.12], tail: [0, 0.08, 0.38] };

function dog(): THREE.BufferGeometry[] {
  const [coat, dark, pale] = [0x2f2c2b, 0x1f1d1c, 0xeee8dc];
  return [
    piece(BODY, limb(0.15, 0.4), coat, { at: [0, 0.02, 0], turn: [Math.PI / 2, 0, 0], stretch: [0.9, 1.08, 1] }), piece(BODY, ball(0.17, 8), pale, { at: [0, 0, -0.27], stretch: [0.88, 1.05, 1] }), piece(NECK, rod(0.09, 0.13, 0.26), pale, { at: [0, 0.1, -0.05], turn: [-0.5, 0, 0] }),
    piece(NECK, rod(0.115, 0.125, 0.06), 0xffffff, { at: [0, 0.08, -0.04], turn: [-0.5, 0, 0], side: 1 }), piece(HEAD, ball(0.115, 9), coat, { at: [0, 0, -0.02], stretch: [0.92, 0.95, 1.1] }), piece(HEAD, wedge([0.1, 0.16], [0.085, 0.16], 0.085), pale, { at: [0, -0.035, -0.17] }), piece(HEAD, ball(0.03, 6), 0x0e0d0d, { at: [0, -0.005, -0.255] }),
    ...[-1, 1].map((x) => piece(HEAD, cone(0.055, 0.14, 4), dark, { at: [x * 0.075, 0.13, 0.02], turn: [0.15, 0, x * -0.25] })), ...eyes(0.055, 0.04, -0.115, 0.018), piece(TAIL, limb(0.035, 0.32), coat, { at: [0, 0.1, 0.16], turn: [0.9, 0, 0] }), piece(TAIL, ball(0.05, 6), pale, { at: [0, 0.22, 0.3] }), ...legs(DOG, 0.055, coat, pale),
  ];
}

const FOX: Beast = { long: 0.25, wide: 0.075, leg: 0.36, neck: [0, 0.05, -0.3], head: [0, 0.12, -0.12], tail: [0, 0.05, 0.32] };

function fox(): THREE.BufferGeometry[] {
  const [coat, dark, pale] = [0xd3682a, 0x3a2218, 0xf3eadb];
  return [
    piece(BODY, limb(0.115, 0.38), coat, { at: [0, 0.02, 0], turn: [Math.PI / 2, 0, 0] }), piece(BODY, ball(0.11, 7), pale, { at: [0, -0.03, -0.24] }), piece(NECK, rod(0.07, 0.1, 0.18), coat, { at: [0, 0.05, -0.06], turn: [-0.7, 0, 0] }),
    piece(HEAD, ball(0.105, 9), coat, { at: [0, 0, 0], stretch: [1.08, 0.88, 1] }), piece(HEAD, cone(0.065, 0.2, 7), coat, { at: [0, -0.03, -0.15], turn: [-Math.PI / 2, 0, 0] }), piece(HEAD, ball(0.024, 6), 0x0e0d0d, { at: [0, -0.03, -0.25] }),
    ...[-1, 1].flatMap((x) => [piece(HEAD, cone(0.055, 0.15, 4), dark, { at: [x * 0.075, 0.13, 0.02], turn: [0.1, 0, x * -0.2] }), piece(HEAD, ball(0.06, 6), pale, { at: [x * 0.07, -0.045, -0.04] })]), ...eyes(0.05, 0.03, -0.085, 0.016),
    piece(TAIL, limb(0.095, 0.34), coat, { at: [0, -0.03, 0.26], turn: [Math.PI / 2 - 0.2, 0, 0] }), piece(TAIL, cone(0.09, 0.18, 7), pale, { at: [0, -0.075, 0.56], turn: [Math.PI / 2 - 0.2, 0, 0] }), ...legs(FOX, 0.042, dark, 0x1f130d),
  ];
}

const RABBIT: Beast = { long: 0.15, wide: 0.075, leg: 0.17, neck: [0, 0.08, -0.17], head: [0, 0.08, -0.06], tail: [0, 0.06, 0.22], hops: true, grazes: true };

function rabbit(): THREE.BufferGeometry[] {
  const [coat, pale] = [0xa98c6c, 0xf4eee2];
  return [
    piece(BODY, ball(0.155, 9), coat, { at: [0, 0.03, 0.07], stretch: [0.92, 1.02, 1.15], side: 0.08 }), piece(BODY, ball(0.12, 8), coat, { at: [0, 0.02, -0.11], side: 0.08 }), piece(HEAD, ball(0.095, 9), coat, { at: [0, 0, -0.03], stretch: [0.9, 0.95, 1.1] }), piece(HEAD, ball(0.04, 6), pale, { at: [0, -0.025, -0.115] }),
    ...[-1, 1].flatMap((x) => [piece(HEAD, limb(0.028, 0.17), coat, { at: [x * 0.045, 0.19, 0.03], turn: [0.2, 0, x * -0.12], stretch: [1.2, 1, 0.6] }), piece(HEAD, limb(0.014, 0.14), 0xe0a79a, { at: [x * 0.046, 0.19, 0.012], turn: [0.2, 0, x * -0.12] })]), ...eyes(0.07, 0.025, -0.07, 0.018),
    piece(TAIL, ball(0.065, 7), pale), ...legs(RABBIT, 0.038, coat, pale), ...[9, 11].map((bone) => piece(bone, ball(0.075, 7), coat, { at: [0, -0.01, 0], stretch: [0.7, 1.1, 1.2] })),
  ];
}

const BRONTO: Beast = { long: 0.52, wide: 0.3, leg: 0.72, neck: [0, 0.24, -0.72], head: [0, 1.02, -0.56], tail: [0, 0.1, 0.8] };

function bronto(): THREE.BufferGeometry[] {
  const [hide, belly] = [0x6f9a73, 0xb9c79a];
  const spine = [[-0.62, 0.42], [-0.38, 0.56], [-0.1, 0.62], [0.18, 0.58], [0.44, 0.46], [0.66, 0.32]] as const;
  const neck = [0, 1, 2, 3, 4].map((at) => piece(NECK, limb(0.2 - at * 0.022, 0.2), hide, { at: [0, 0.06 + at * 0.22, -0.06 - at * 0.115], turn: [-0.5, 0, 0], side: 0.55 }));
  const tail = [0, 1, 2, 3, 4, 5].map((at) => piece(TAIL, limb(0.2 - at * 0.032, 0.22), hide, { at: [0, -0.02 - at * 0.075, 0.08 + at * 0.23], turn: [Math.PI / 2 + 0.3, 0, 0], side: 0.55 }));
  return [
    piece(BODY, ball(0.55, 12), hide, { at: [0, 0.14, 0.02], stretch: [0.86, 0.86, 1.5], side: 0.55 }), piece(BODY, ball(0.5, 10), belly, { at: [0, -0.03, -0.02], stretch: [0.82, 0.66, 1.4] }), ...neck, ...tail,
    piece(HEAD, ball(0.17, 10), hide, { at: [0, 0.04, -0.06], stretch: [0.9, 0.85, 1.35], side: 0.55 }), piece(HEAD, ball(0.12, 8), belly, { at: [0, -0.02, -0.22], stretch: [0.95, 0.7, 1] }), ...eyes(0.13, 0.1, -0.1, 0.034),
    ...spine.map(([z, y]) => piece(BODY, cone(0.09, 0.16, 4), 0x4d6f54, { at: [0, y + 0.06, z], side: 0.7 })), ...legs(BRONTO, 0.15, hide, 0x55604a, 0.45),
  ];
}

const beast = (measures: Beast, solids: () => THREE.BufferGeometry[], radius: number, high: number): Model => ({
  bones: beastBones(measures), geometry: () => merged(solids()), pose: (pose, motion) => poseBeast(pose, motion, measures), fit: { radius }, high, falls: true,
});

/** Wings that beat, faster the slower it flies; it banks into turns. */
function poseBird(pose: Float32Array, motion: Motion): void {
  const pace = Math.hypot(motion.ahead, motion.aside);
  const glides = Math.min(1, Math.max(0, Math.sin(motion.seconds * 0.5 + motion.variant * 20) * 2 - 0.6)) * Math.min(1, pace / 4);
  const beat = Math.sin(motion.seconds * 15 + motion.variant * 30) * (1 - 0.85 * glides);
  const bank = Math.max(-0.9, Math.min(0.9, motion.spin * 0.35));
  shift(pose, 1, 0, 0.06 * beat, 0);
  turn(pose, 1, motion.pitch, 0, bank);
  for (const [wing, tip, side] of [[2, 3, 1], [4, 5, -1]] as const) {
    turn(pose, wing, 0, 0, side * (0.12 + 0.62 * beat));
    turn(pose, tip, 0, 0, side * (0.5 * beat - 0.15));
  }
  turn(pose, 6, 0.1 * beat, 0.2 * motion.spin);
  if (motion.fall > 0) { turn(pose, 0, 0, 0, 2.6 * motion.fall); for (const wing of [2, 4]) turn(pose, wing, 0, 0, (wing === 2 ? 1 : -1) * motion.fall); }
}

const BIRD: Bone[] = [
  { name: "root", parent: -1, at: [0, 0, 0] }, { name: "body", parent: 0, at: [0, 0.25, 0] }, { name: "wing right", parent: 1, at: [0.09, 0.05, -0.06] }, { name: "tip right", parent: 2, at: [0.38, 0, 0] },
  { name: "wing left", parent: 1, at: [-0.09, 0.05, -0.06] }, { name: "tip left", parent: 4, at: [-0.38, 0, 0] }, { name: "tail", parent: 1, at: [0, 0, 0.28] },
];

function bird(): THREE.BufferGeometry[] {
  const coat = 0xe8e8e8;
  return [
    piece(1, ball(0.13, 9), coat, { stretch: [0.85, 0.8, 2.1], side: 0.85 }), piece(1, ball(0.095, 8), coat, { at: [0, 0.06, -0.27], side: 0.85 }), piece(1, cone(0.035, 0.14, 5), 0xe0962c, { at: [0, 0.05, -0.4], turn: [-Math.PI / 2, 0, 0] }), ...[-1, 1].map((x) => piece(1, ball(0.018, 5), 0x14110e, { at: [x * 0.07, 0.09, -0.32] })),
    ...([[2, 3, 1], [4, 5, -1]] as const).flatMap(([wing, tip, x]) => [piece(wing, box(0.4, 0.03, 0.28), coat, { at: [x * 0.2, 0, 0.04], side: 0.85 }), piece(tip, wedge([0.26, 0.42], [0.08, 0.42], 0.03), 0x6b6b6b, { at: [x * 0.19, 0, 0.08], turn: [0, x * -Math.PI / 2, 0], side: 0.5, stretch: [1, 1, 1] })]),
    piece(6, wedge([0.16, 0.03], [0.08, 0.03], 0.26), 0x8a8a8a, { at: [0, 0, 0.1], turn: [-Math.PI / 2, 0, 0], side: 0.6 }),
  ];
}

/** A body that swims: each part of the tail follows the one before it. */
function poseFish(pose: Float32Array, motion: Motion): void {
  const pace = Math.min(1, 0.3 + Math.hypot(motion.ahead, motion.aside) / 3);
  const wave = (lag: number) => Math.sin(motion.seconds * (4 + 5 * pace) + motion.variant * 40 - lag) * pace;
  shift(pose, 1, 0, Math.sin(motion.seconds * 1.3 + motion.variant * 20) * 0.03, 0);
  turn(pose, 1, motion.pitch, wave(0) * 0.1, Math.max(-0.4, Math.min(0.4, motion.spin * 0.15)));
  turn(pose, 2, 0, wave(1) * 0.3 + motion.spin * 0.08);
  turn(pose, 3, 0, wave(2) * 0.5 + motion.spin * 0.1);
  turn(pose, 4, 0, 0, -0.3 + wave(0) * 0.2);
  turn(pose, 5, 0, 0, 0.3 + wave(0) * 0.2);
  turn(pose, 1, 0.3 * motion.doing[4]! * bump((motion.since * 2) % 1));
  turn(pose, 0, 0, 0, 2.9 * motion.fall);
}

const swimmer = (z: readonly [number, number], fin: readonly [number, number, number]): Bone[] => [
  { name: "root", parent: -1, at: [0, 0, 0] }, { name: "body", parent: 0, at: [0, 0.5, 0] }, { name: "hind", parent: 1, at: [0, 0, z[0]] }, { name: "tail", parent: 2, at: [0, 0, z[1]] },
  { name: "fin right", parent: 1, at: fin }, { name: "fin left", parent: 1, at: [-fin[0], fin[1], fin[2]] },
];

function fish(): THREE.BufferGeometry[] {
  const coat = 0xf2f2f2;
  return [
    piece(1, ball(0.2, 10), coat, { stretch: [0.6, 1.1, 1.6], at: [0, 0, -0.06], side: 0.9 }), piece(2, cone(0.16, 0.36, 8), coat, { turn: [Math.PI / 2, 0, 0], at: [0, 0, 0.08], stretch: [0.6, 1, 1.15], side: 0.9 }), piece(3, box(0.02, 0.32, 0.16), 0xd8d8d8, { at: [0, 0, 0.06], side: 0.7 }), piece(3, box(0.022, 0.2, 0.1), 0xb0b0b0, { at: [0, 0, 0.14], side: 0.7 }),
    piece(1, box(0.02, 0.16, 0.3), 0xc8c8c8, { at: [0, 0.24, 0.02], side: 0.7 }), ...[4, 5].map((bone, at) => piece(bone, box(0.16, 0.012, 0.1), 0xc8c8c8, { at: [at === 0 ? 0.08 : -0.08, 0, 0.03], side: 0.7 })), ...[-1, 1].flatMap((x) => [piece(1, ball(0.042, 7), 0xffffff, { at: [x * 0.09, 0.05, -0.25] }), piece(1, ball(0.024, 6), 0x111418, { at: [x * 0.115, 0.05, -0.265] })]),
  ];
}

function shark(): THREE.BufferGeometry[] {
  const [back, belly] = [0x5f6f7e, 0xdfe5e8];
  return [
    piece(1, ball(0.3, 12), back, { stretch: [0.8, 0.85, 2.3], at: [0, 0, -0.15], side: 0.15 }), piece(1, ball(0.27, 10), belly, { stretch: [0.76, 0.6, 2.1], at: [0, -0.1, -0.17] }), piece(1, cone(0.19, 0.36, 8), back, { turn: [-Math.PI / 2, 0, 0], at: [0, 0.03, -0.88], side: 0.15 }),
    piece(1, box(0.24, 0.03, 0.16), 0x2a1416, { at: [0, -0.12, -0.72] }), ...[-2, -1, 0, 1, 2].map((x) => piece(1, cone(0.02, 0.06, 4), 0xffffff, { at: [x * 0.045, -0.12, -0.81], turn: [Math.PI, 0, 0] })), ...[-1, 1].map((x) => piece(1, ball(0.03, 6), 0x0d0f12, { at: [x * 0.18, 0.06, -0.68] })),
    piece(1, wedge([0.04, 0.4], [0.03, 0.08], 0.44), back, { at: [0, 0.4, 0], turn: [0.3, 0, 0], side: 0.3 }), piece(2, cone(0.22, 0.6, 8), back, { turn: [Math.PI / 2, 0, 0], at: [0, 0, 0.2], stretch: [0.75, 0.85, 1], side: 0.15 }),
    piece(3, wedge([0.03, 0.26], [0.02, 0.08], 0.5), back, { at: [0, 0.24, 0.16], turn: [0.6, 0, 0], side: 0.3 }), piece(3, wedge([0.02, 0.07], [0.03, 0.22], 0.3), back, { at: [0, -0.14, 0.1], turn: [-0.6, 0, 0], side: 0.3 }), ...[4, 5].map((bone, at) => piece(bone, box(0.5, 0.03, 0.22), back, { at: [at === 0 ? 0.25 : -0.25, 0, 0.1], turn: [0, at === 0 ? -0.4 : 0.4, 0], side: 0.15 })),
  ];
}

/** It floats; its hem waves; its arms reach for whom it haunts. */
function poseGhost(pose: Float32Array, motion: Motion): void {
  const time = motion.seconds + motion.variant * 20;
  const pace = Math.min(1, Math.hypot(motion.ahead, motion.aside) / 3);
  shift(pose, 1, 0, 0.12 + 0.09 * Math.sin(time * 1.6), 0);
  turn(pose, 1, -0.28 * pace * Math.sign(motion.ahead || 1), 0, Math.sin(time * 1.1) * 0.06 + motion.spin * 0.05);
  turn(pose, 2, 0.35 * pace + Math.sin(time * 2.3) * 0.12, Math.sin(time * 1.7) * 0.25);
  turn(pose, 3, 0.45 * pace + Math.sin(time * 2.3 - 1) * 0.2, Math.sin(time * 1.7 - 1) * 0.4);
  const arms = 0.9 + 0.4 * pace + 0.5 * Math.max(motion.doing[4]!, motion.doing[7]!);
  turn(pose, 4, arms + Math.sin(time * 2) * 0.15, 0, 0.3);
  turn(pose, 5, arms + Math.sin(time * 2 + 1) * 0.15, 0, -0.3);
  turn(pose, 6, motion.pitch * 0.5, Math.sin(time * 0.8) * 0.2);
  scale(pose, 0, Math.max(0.02, 1 - motion.fall));
}

const GHOST: Bone[] = [
  { name: "root", parent: -1, at: [0, 0, 0] }, { name: "body", parent: 0, at: [0, 1.05, 0] }, { name: "hem", parent: 1, at: [0, -0.28, 0] }, { name: "end", parent: 2, at: [0, -0.34, 0] },
  { name: "arm right", parent: 1, at: [0.26, 0.24, -0.05] }, { name: "arm left", parent: 1, at: [-0.26, 0.24, -0.05] }, { name: "head", parent: 1, at: [0, 0.4, 0] },
];

function ghost(): THREE.BufferGeometry[] {
  const sheet = 0xf1f3f8;
  return [
    piece(1, rod(0.28, 0.36, 0.72, 12), sheet, { at: [0, 0.08, 0], side: 0.3 }), piece(6, ball(0.29, 12), sheet, { at: [0, 0.06, 0], side: 0.3 }), piece(2, rod(0.36, 0.3, 0.4, 12), sheet, { at: [0, -0.16, 0], side: 0.4 }), piece(3, cone(0.31, 0.5, 10), 0xd5dbe8, { at: [0, -0.22, 0], turn: [Math.PI, 0, 0], side: 0.55 }),
    ...[-1, 1].map((x) => piece(6, ball(0.062, 8), 0x1a1c26, { at: [x * 0.105, 0.09, -0.245], stretch: [0.9, 1.35, 0.7] })), piece(6, ball(0.06, 8), 0x1a1c26, { at: [0, -0.08, -0.26], stretch: [0.9, 1.3, 0.6] }), ...[4, 5].map((bone) => piece(bone, limb(0.08, 0.3), sheet, { at: [0, -0.2, 0], side: 0.3 })),
  ];
}

type BeastName = Extract<ModelName, "sheep" | "dog" | "fox" | "rabbit" | "bronto" | "bird" | "fish" | "shark" | "ghost">;

export const BEASTS: Record<BeastName, Model> = {
  sheep: beast(SHEEP, sheep, 0.45, 0.95), dog: beast(DOG, dog, 0.4, 1), fox: beast(FOX, fox, 0.4, 0.75), rabbit: beast(RABBIT, rabbit, 0.28, 0.6), bronto: beast(BRONTO, bronto, 0.72, 2.4),
  bird: { bones: BIRD, geometry: () => merged(bird()), pose: poseBird, fit: { radius: 0.42 }, high: 0.6, falls: true },
  fish: { bones: swimmer([0.2, 0.24], [0.1, -0.08, -0.1]), geometry: () => merged(fish()), pose: poseFish, fit: { radius: 0.4 }, high: 0.85, falls: true },
  shark: { bones: swimmer([0.42, 0.44], [0.2, -0.12, -0.3]), geometry: () => merged(shark()), pose: poseFish, fit: { radius: 0.8 }, high: 1.1, falls: true },
  ghost: { bones: GHOST, geometry: () => merged(ghost()), pose: poseGhost, fit: { radius: 0.45 }, high: 1.9, falls: true },
};
