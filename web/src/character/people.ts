// Everybody on two legs: what each wears and holds. Silhouette first (hat, shield, cloak, hump), then color.

import type * as THREE from "three";
import type { Model, ModelName } from "./model.js";
import { ARM_L, ARM_R, CHEST, FLASH, FOOT_L, FOOT_R, FORE_L, FORE_R, HEAD, HIPS, ITEM, LEG_L, LEG_R, LOAD, LOWER_M, PERSON_M, personBones, posePerson, SHIN_L, SHIN_R, UPPER_M, type Build } from "./person.js";
import { ball, box, cone, dome, limb, merged, piece, ring, rod, wedge } from "./piece.js";

const SKIN = 0xc99b78, HAIR = 0x3b2a20, BOOT = 0x2b2825, GUN = 0x26292d, WOOD = 0x7a5a38, STEEL = 0xa9b0b8, LEATHER = 0x5b4331, WHITE = 0xf2f0ea;
const CLOTH = 0xd8d8d8;
/** A shield stands upright though the arm that holds it does not. */
const SHIELD = [-1.35, 0, 0] as const;

/** Cloth, skin and size of somebody; how much of the side's color jacket and trousers take. */
interface Dress { jacket: number; trousers: number; skin: number; boots: number; jacketSide: number; trousersSide: number; girth: number; bareArms?: boolean }

const LEGS = [[LEG_R, SHIN_R, FOOT_R], [LEG_L, SHIN_L, FOOT_L]] as const;
const ARMS = [[ARM_R, FORE_R, 1], [ARM_L, FORE_L, -1]] as const;

/** A bare body in its clothes: trunk, arms, legs, head. */
function figure({ jacket, trousers, skin, boots, jacketSide, trousersSide, girth, bareArms = false }: Dress, { shoulder }: Build): THREE.BufferGeometry[] {
  const g = girth, sleeve = bareArms ? skin : jacket, sleeveSide = bareArms ? 0 : jacketSide;
  return [
    piece(HIPS, wedge([0.3 * g, 0.2 * g], [0.28 * g, 0.19 * g], 0.2), trousers, { at: [0, 0.02, 0], side: trousersSide }),
    piece(CHEST, wedge([0.28 * g, 0.19 * g], [shoulder * 1.86, 0.23 * g], 0.4), jacket, { at: [0, 0.2, 0], side: jacketSide }),
    piece(CHEST, wedge([shoulder * 1.86, 0.22 * g], [0.16, 0.13], 0.09), jacket, { at: [0, 0.44, 0], side: jacketSide }),
    piece(HEAD, rod(0.05, 0.06, 0.12), skin, { at: [0, 0, 0] }),
    piece(HEAD, ball(0.108, 12), skin, { at: [0, 0.14, -0.01], stretch: [0.92, 1.12, 1] }),
    piece(HEAD, box(0.03, 0.035, 0.03), skin, { at: [0, 0.125, -0.115] }),
    ...[-1, 1].map((x) => piece(HEAD, box(0.022, 0.014, 0.01), 0x1c1a18, { at: [x * 0.04, 0.155, -0.104] })),
    ...ARMS.flatMap(([upper, lower]) => [
      piece(upper, limb(0.055 * g, UPPER_M - 0.06), sleeve, { at: [0, -UPPER_M / 2, 0], side: sleeveSide }),
      piece(lower, limb(0.045 * g, LOWER_M - 0.12), sleeve, { at: [0, -LOWER_M / 2 + 0.03, 0], side: sleeveSide }),
      piece(lower, ball(0.05, 7), skin, { at: [0, -LOWER_M + 0.01, -0.01], stretch: [0.85, 1.15, 1] }),
    ]),
    ...LEGS.flatMap(([thigh, shin, foot]) => [
      piece(thigh, limb(0.085 * g, 0.34), trousers, { at: [0, -0.22, 0], side: trousersSide }),
      piece(shin, limb(0.07 * g, 0.32), trousers, { at: [0, -0.18, 0], side: trousersSide }),
      piece(shin, rod(0.07 * g, 0.066 * g, 0.2), boots, { at: [0, -0.33, 0] }),
      piece(foot, box(0.1 * g, 0.085, 0.26), boots, { at: [0, -0.018, -0.06] }),
    ]),
  ];
}

function rifle(): THREE.BufferGeometry[] {
  return [
    piece(ITEM, box(0.045, 0.075, 0.34), GUN, { at: [0, 0, -0.08] }), piece(ITEM, rod(0.013, 0.013, 0.34), GUN, { at: [0, 0.012, -0.4], turn: [Math.PI / 2, 0, 0] }),
    piece(ITEM, box(0.05, 0.055, 0.2), 0x3a3f45, { at: [0, -0.004, -0.32] }), piece(ITEM, box(0.035, 0.15, 0.06), GUN, { at: [0, -0.1, -0.12], turn: [0.25, 0, 0] }),
    piece(ITEM, box(0.035, 0.1, 0.045), GUN, { at: [0, -0.07, 0.04], turn: [-0.35, 0, 0] }), piece(ITEM, box(0.042, 0.1, 0.2), WOOD, { at: [0, -0.025, 0.18] }),
    piece(ITEM, box(0.02, 0.04, 0.12), GUN, { at: [0, 0.06, -0.06] }),
    piece(FLASH, cone(0.07, 0.26, 7), 0xffc24a, { turn: [-Math.PI / 2, 0, 0], at: [0, 0, -0.12] }), piece(FLASH, ball(0.075, 7), 0xfff2c0),
  ];
}

function helmet(hex: number, side: number): THREE.BufferGeometry[] {
  return [
    piece(HEAD, dome(0.14, 0.55, 12), hex, { at: [0, 0.155, 0.005], side, stretch: [0.96, 1.05, 1.08] }), piece(HEAD, rod(0.155, 0.162, 0.022, 12), hex, { at: [0, 0.148, -0.012], side, stretch: [0.94, 1, 1.08] }),
    piece(HEAD, box(0.012, 0.13, 0.15), LEATHER, { at: [0.098, 0.1, 0] }), piece(HEAD, box(0.012, 0.13, 0.15), LEATHER, { at: [-0.098, 0.1, 0] }),
  ];
}

function soldier(build: Build): THREE.BufferGeometry[] {
  return [
    ...figure({ jacket: CLOTH, trousers: 0x9c9c94, skin: SKIN, boots: BOOT, jacketSide: 1, trousersSide: 0.75, girth: 1 }, build), ...rifle(), ...helmet(0xb4b4b4, 0.9),
    piece(CHEST, wedge([0.33, 0.27], [0.37, 0.28], 0.32), 0x4d5147, { at: [0, 0.21, 0] }), ...[-0.11, 0, 0.11].map((x) => piece(CHEST, box(0.085, 0.12, 0.05), 0x3f4239, { at: [x, 0.12, -0.155] })),
    piece(CHEST, box(0.3, 0.34, 0.15), 0x565a4c, { at: [0, 0.24, 0.2] }), piece(CHEST, rod(0.07, 0.07, 0.34), 0x6d6a55, { at: [0, 0.45, 0.2], turn: [0, 0, Math.PI / 2] }),
    piece(HIPS, box(0.34, 0.06, 0.25), LEATHER, { at: [0, 0.1, 0] }), piece(LEG_R, box(0.06, 0.16, 0.1), LEATHER, { at: [0.09, -0.12, 0] }),
    ...[SHIN_R, SHIN_L].map((bone) => piece(bone, ball(0.08, 7), 0x4d5147, { at: [0, 0, -0.02] })),
  ];
}

/** Who plays: a soldier with a cap, a scarf in a color of its own, no helmet and no pack. */
function player(build: Build): THREE.BufferGeometry[] {
  return [
    ...figure({ jacket: CLOTH, trousers: 0x8d8f86, skin: SKIN, boots: BOOT, jacketSide: 1, trousersSide: 0.5, girth: 1 }, build), ...rifle(),
    piece(HEAD, dome(0.118, 0.5), 0xc0c0c0, { at: [0, 0.17, 0], side: 1 }), piece(HEAD, box(0.17, 0.018, 0.12), 0xa8a8a8, { at: [0, 0.18, -0.14], side: 1 }),
    piece(HEAD, ring(0.115, 0.022), GUN, { at: [0, 0.17, 0], turn: [0, 0, Math.PI / 2] }), piece(CHEST, ring(0.09, 0.045), 0xe0a33a, { at: [0, 0.47, 0], turn: [Math.PI / 2, 0, 0] }),
    piece(CHEST, wedge([0.33, 0.25], [0.37, 0.26], 0.26), 0x5a4b3a, { at: [0, 0.24, 0] }), piece(CHEST, box(0.06, 0.42, 0.25), LEATHER, { at: [0.02, 0.22, 0], turn: [0, 0, 0.7], stretch: [1, 1, 1.06] }),
    piece(HIPS, box(0.34, 0.06, 0.25), LEATHER, { at: [0, 0.1, 0] }),
  ];
}

const ROT = 0x7f9a6a, ROT_DARK = 0x5c7350, RAG = 0x6b6455, BLOOD = 0x6e1b16;

/** Torn cloth and wounds that all the dead have; `side` of their color goes into rags, not into flesh. */
function rags(): THREE.BufferGeometry[] {
  return [
    piece(CHEST, box(0.12, 0.16, 0.03), BLOOD, { at: [0.06, 0.14, -0.115], turn: [0, 0, 0.3] }), piece(CHEST, box(0.05, 0.1, 0.02), 0xd9cdb4, { at: [0.07, 0.15, -0.13] }),
    piece(HEAD, box(0.1, 0.035, 0.03), BLOOD, { at: [0, 0.072, -0.1] }), piece(HEAD, box(0.07, 0.014, 0.03), 0xe5dcc0, { at: [0, 0.08, -0.108] }),
    ...[-1, 1].map((x) => piece(HEAD, ball(0.021, 6), 0xf3e28a, { at: [x * 0.04, 0.157, -0.1] })),
  ];
}

function dummy(build: Build): THREE.BufferGeometry[] {
  return [
    ...figure({ jacket: RAG, trousers: 0x4f4a52, skin: ROT, boots: ROT_DARK, jacketSide: 0.35, trousersSide: 0, girth: 0.94 }, build), ...rags(),
    piece(HEAD, dome(0.112, 0.35), 0x3a382c, { at: [0, 0.165, 0.015] }), piece(FORE_L, rod(0.05, 0.058, 0.12), RAG, { at: [0, -0.06, 0], side: 0.35 }),
    ...[-0.1, 0, 0.1].map((x) => piece(CHEST, wedge([0.02, 0.02], [0.09, 0.03], 0.16), RAG, { at: [x, -0.04, -0.1], side: 0.35 })),
  ];
}

/** The barker: no hair, huge jaw, a swollen throat, chest bare. */
function barker(build: Build): THREE.BufferGeometry[] {
  return [
    ...figure({ jacket: 0x8e9a6e, trousers: 0x4a3f39, skin: 0x9aa57a, boots: 0x6d7a55, jacketSide: 0, trousersSide: 0.2, girth: 1.02, bareArms: true }, build), ...rags(),
    piece(HEAD, ball(0.11, 9), 0xb06a52, { at: [0, -0.03, -0.07], stretch: [1.05, 0.9, 1.05] }), piece(HEAD, box(0.16, 0.07, 0.17), 0x8e9a6e, { at: [0, 0.035, -0.11], turn: [-0.35, 0, 0] }),
    piece(HEAD, box(0.12, 0.05, 0.1), 0x3a0f0c, { at: [0, 0.075, -0.1] }), ...[-0.045, -0.015, 0.015, 0.045].map((x) => piece(HEAD, cone(0.013, 0.04, 4), 0xe8dfc4, { at: [x, 0.075, -0.17] })),
    ...[0.1, 0.19, 0.28].map((y) => piece(CHEST, box(0.25, 0.02, 0.02), 0x6f7a52, { at: [0, y, -0.112] })), piece(CHEST, rod(0.2, 0.24, 0.1), 0xb3564a, { at: [0, -0.02, 0], side: 0.8, stretch: [0.85, 1, 0.6] }),
  ];
}

/** The stealthy one: thin, dark, long claws, on bent knees, a spine that shows. */
function stealthy(build: Build): THREE.BufferGeometry[] {
  const night = 0x33373d;
  return [
    ...figure({ jacket: night, trousers: 0x2a2d33, skin: 0x565f5c, boots: 0x2f3533, jacketSide: 0.12, trousersSide: 0.1, girth: 0.8 }, build),
    ...[-1, 1].map((x) => piece(HEAD, ball(0.02, 6), 0xff5a3c, { at: [x * 0.042, 0.15, -0.1] })), piece(HEAD, cone(0.12, 0.22, 7), night, { at: [0, 0.24, 0.05], turn: [0.5, 0, 0], side: 0.12 }),
    ...[0.04, 0.14, 0.24, 0.34].map((y) => piece(CHEST, cone(0.035, 0.11, 5), 0x86907f, { at: [0, y, 0.13], turn: [Math.PI / 2.4, 0, 0] })),
    ...[FORE_R, FORE_L].flatMap((bone) => [-0.03, 0, 0.03].map((x) => piece(bone, cone(0.012, 0.16, 5), 0xcfc8b0, { at: [x, -LOWER_M - 0.08, -0.01], turn: [Math.PI, 0, 0] }))),
  ];
}

/** The thrower: twice as broad, one arm swollen, a rock in it. */
function thrower(build: Build): THREE.BufferGeometry[] {
  const flesh = 0x86906a;
  return [
    ...figure({ jacket: flesh, trousers: 0x4d4538, skin: flesh, boots: 0x5f6a4c, jacketSide: 0, trousersSide: 0.2, girth: 1.45, bareArms: true }, build), ...rags(),
    piece(CHEST, ball(0.3, 9), flesh, { at: [0.02, 0.3, 0.1], stretch: [1.1, 0.85, 0.8] }), piece(ARM_R, ball(0.15, 8), 0x788260, { at: [0, -0.05, 0] }), piece(ARM_R, limb(0.11, 0.18), flesh, { at: [0, -0.16, 0] }),
    piece(FORE_R, limb(0.105, 0.2), 0x788260, { at: [0, -0.16, 0] }), piece(FORE_R, ball(0.1, 7), flesh, { at: [0, -LOWER_M, 0] }), piece(ITEM, ball(0.17, 6), 0x77736c, { at: [0, -0.1, -0.06], stretch: [1, 0.85, 1.1] }),
    piece(CHEST, wedge([0.62, 0.42], [0.6, 0.4], 0.12), RAG, { at: [0, 0.02, 0], side: 0.6 }), piece(CHEST, box(0.1, 0.55, 0.46), LEATHER, { at: [-0.05, 0.25, 0.02], turn: [0, 0, -0.6] }),
  ];
}

function worker(build: Build): THREE.BufferGeometry[] {
  return [
    ...figure({ jacket: 0x6b7f94, trousers: 0x3f5069, skin: SKIN, boots: 0x7a5a38, jacketSide: 0.25, trousersSide: 0.1, girth: 1.02 }, build),
    piece(CHEST, wedge([0.31, 0.23], [0.37, 0.26], 0.36), 0xe8862a, { at: [0, 0.21, 0] }), ...[0.12, 0.28].map((y) => piece(CHEST, box(0.36, 0.04, 0.27), 0xe9ecc8, { at: [0, y, 0] })),
    piece(HEAD, dome(0.135, 0.5, 12), 0xffffff, { at: [0, 0.17, 0.01], side: 1 }), piece(HEAD, rod(0.16, 0.16, 0.018, 12), 0xffffff, { at: [0, 0.172, -0.015], side: 1 }), piece(HEAD, box(0.03, 0.03, 0.24), 0xffffff, { at: [0, 0.3, 0.01], side: 1 }),
    piece(ITEM, rod(0.018, 0.018, 0.5), WOOD, { at: [0, 0.02, -0.1], turn: [1.2, 0, 0] }), piece(ITEM, box(0.09, 0.09, 0.17), STEEL, { at: [0, 0.1, -0.33], turn: [1.2 - Math.PI / 2, 0, 0] }),
    piece(HIPS, box(0.34, 0.07, 0.24), LEATHER, { at: [0, 0.1, 0] }), piece(HIPS, box(0.12, 0.16, 0.06), LEATHER, { at: [0.17, 0.02, -0.02] }),
    piece(LOAD, box(0.38, 0.3, 0.32), 0xa87b43), ...[-0.13, 0.13].map((x) => piece(LOAD, box(0.04, 0.31, 0.33), 0x7a5630, { at: [x, 0, 0] })),
  ];
}

function sword(long: number, wide: number): THREE.BufferGeometry[] {
  return [
    piece(ITEM, box(wide, 0.018, long), STEEL, { at: [0, 0, -long / 2 - 0.08] }), piece(ITEM, cone(wide * 0.5, 0.09, 4), STEEL, { at: [0, 0, -long - 0.11], turn: [-Math.PI / 2, 0, 0], stretch: [1.3, 0.3, 1] }),
    piece(ITEM, box(0.16, 0.03, 0.03), 0xb08d3c, { at: [0, 0, -0.07] }), piece(ITEM, rod(0.018, 0.018, 0.14), LEATHER, { turn: [Math.PI / 2, 0, 0] }),
  ];
}

/** Light foot: tunic, headband, short sword, small round shield. */
function light(build: Build): THREE.BufferGeometry[] {
  return [
    ...figure({ jacket: CLOTH, trousers: 0x8a7a64, skin: SKIN, boots: LEATHER, jacketSide: 1, trousersSide: 0, girth: 0.95, bareArms: true }, build), ...sword(0.5, 0.05),
    piece(HIPS, wedge([0.42, 0.32], [0.3, 0.2], 0.26), 0xd0d0d0, { at: [0, -0.06, 0], side: 1 }), piece(HEAD, dome(0.115, 0.48), HAIR, { at: [0, 0.165, 0.012] }), piece(HEAD, rod(0.112, 0.115, 0.035), 0xffffff, { at: [0, 0.208, -0.003], side: 1 }),
    piece(HIPS, box(0.33, 0.06, 0.24), LEATHER, { at: [0, 0.1, 0] }), piece(FORE_L, rod(0.2, 0.2, 0.03, 14), 0xffffff, { at: [-0.07, -0.2, -0.02], turn: [0, 0, Math.PI / 2], side: 1 }),
    piece(FORE_L, dome(0.06), STEEL, { at: [-0.085, -0.2, -0.02], turn: [0, 0, Math.PI / 2] }), piece(CHEST, box(0.05, 0.45, 0.23), LEATHER, { at: [0, 0.2, 0], turn: [0, 0, -0.6] }),
  ];
}

/** Heavy foot: plate from head to foot, a tall shield, a crest, a mace. */
function heavy(build: Build): THREE.BufferGeometry[] {
  return [
    ...figure({ jacket: STEEL, trousers: 0x8d949c, skin: 0x7d848c, boots: 0x6a7078, jacketSide: 0.12, trousersSide: 0.1, girth: 1.3 }, build),
    piece(CHEST, wedge([0.4, 0.31], [0.5, 0.34], 0.34), 0x9aa1a9, { at: [0, 0.23, 0] }), piece(CHEST, box(0.24, 0.42, 0.36), 0xffffff, { at: [0, 0.17, 0], side: 1 }), ...[ARM_R, ARM_L].map((bone) => piece(bone, ball(0.13, 8), 0x8d949c, { at: [0, 0, 0] })),
    piece(HEAD, rod(0.135, 0.14, 0.28, 10), STEEL, { at: [0, 0.13, 0] }), piece(HEAD, dome(0.135, 0.5), STEEL, { at: [0, 0.26, 0] }), piece(HEAD, box(0.19, 0.025, 0.06), 0x17191c, { at: [0, 0.17, -0.115] }), piece(HEAD, box(0.03, 0.2, 0.02), 0x70767d, { at: [0, 0.1, -0.14] }),
    piece(HEAD, box(0.05, 0.16, 0.3), 0xffffff, { at: [0, 0.42, 0.03], side: 1 }), piece(HIPS, wedge([0.5, 0.4], [0.36, 0.26], 0.26), 0x7c838b, { at: [0, -0.06, 0] }),
    piece(FORE_L, box(0.05, 0.95, 0.56), 0xffffff, { at: [-0.1, -0.16, 0.02], turn: SHIELD, side: 1 }), piece(FORE_L, box(0.06, 0.97, 0.07), STEEL, { at: [-0.1, -0.16, 0.02], turn: SHIELD }), piece(FORE_L, box(0.06, 0.07, 0.58), STEEL, { at: [-0.1, -0.16, 0.02], turn: SHIELD }),
    piece(ITEM, rod(0.024, 0.024, 0.55), WOOD, { at: [0, 0, -0.2], turn: [Math.PI / 2, 0, 0] }), piece(ITEM, ball(0.1, 7), 0x5d646c, { at: [0, 0, -0.48] }), ...[0, 1, 2, 3].map((at) => piece(ITEM, cone(0.03, 0.08, 4), STEEL, { at: [Math.cos(at * 1.57) * 0.12, Math.sin(at * 1.57) * 0.12, -0.48], turn: [0, 0, at * 1.57 - 1.57] })),
  ];
}

/** Ranged: a hood, a long bow, a quiver. */
function ranged(build: Build): THREE.BufferGeometry[] {
  const bow = [0, 1, 2, 3, 4, 5].map((at) => { const a = -1.05 + (at + 0.5) * 0.35; return piece(ITEM, rod(0.02, 0.02, 0.24), WOOD, { at: [0, Math.sin(a) * 0.66, 0.55 - Math.cos(a) * 0.62], turn: [-a, 0, 0] }); });
  return [
    ...figure({ jacket: 0x9c9276, trousers: 0x655842, skin: SKIN, boots: LEATHER, jacketSide: 0.55, trousersSide: 0, girth: 0.92 }, build), ...bow, piece(ITEM, rod(0.004, 0.004, 1.14, 4), 0xe8e2d0, { at: [0, 0, 0.23] }),
    piece(HEAD, dome(0.142, 0.6), 0xd0d0d0, { at: [0, 0.14, 0.03], turn: [0.55, 0, 0], side: 1 }), piece(HEAD, cone(0.1, 0.2, 7), 0xd0d0d0, { at: [0, 0.24, 0.12], turn: [1.0, 0, 0], side: 1 }), piece(CHEST, rod(0.16, 0.25, 0.16), 0xd0d0d0, { at: [0, 0.4, 0.01], side: 1, stretch: [1, 1, 0.72] }),
    piece(CHEST, rod(0.065, 0.05, 0.46), LEATHER, { at: [0.1, 0.26, 0.19], turn: [0, 0, -0.45] }), ...[-0.03, 0, 0.03].map((x) => piece(CHEST, box(0.015, 0.16, 0.04), WHITE, { at: [0.2 + x, 0.53, 0.19 + x], turn: [0, 0, -0.45], side: 0.6 })),
    piece(HIPS, wedge([0.38, 0.28], [0.29, 0.2], 0.2), 0x9c9276, { at: [0, -0.03, 0], side: 0.55 }), piece(HIPS, box(0.32, 0.05, 0.23), LEATHER, { at: [0, 0.1, 0] }),
  ];
}

/** The spy: a long dark coat, a broad hat, a dagger; only the band of the hat and the lining show the side. */
function spy(build: Build): THREE.BufferGeometry[] {
  const coat = 0x3b3a44;
  return [
    ...figure({ jacket: coat, trousers: 0x2b2a31, skin: SKIN, boots: 0x1f1e22, jacketSide: 0, trousersSide: 0, girth: 0.92 }, build),
    piece(HIPS, wedge([0.5, 0.46], [0.3, 0.22], 0.62), coat, { at: [0, -0.2, 0.03] }), piece(HIPS, wedge([0.1, 0.02], [0.06, 0.02], 0.6), 0xffffff, { at: [0, -0.2, -0.2], turn: [-0.1, 0, 0], side: 1 }),
    piece(CHEST, wedge([0.44, 0.3], [0.34, 0.22], 0.34), coat, { at: [0, 0.27, 0.04] }), piece(CHEST, wedge([0.26, 0.2], [0.3, 0.24], 0.12), 0x2b2a31, { at: [0, 0.47, 0.01] }),
    piece(HEAD, rod(0.27, 0.27, 0.016, 14), 0x26252b, { at: [0, 0.2, 0] }), piece(HEAD, rod(0.1, 0.125, 0.13, 10), 0x26252b, { at: [0, 0.265, 0] }), piece(HEAD, rod(0.128, 0.13, 0.035, 10), 0xffffff, { at: [0, 0.222, 0], side: 1 }),
    piece(HEAD, box(0.15, 0.07, 0.05), 0xffffff, { at: [0, 0.08, -0.085], side: 1 }), ...sword(0.22, 0.035),
  ];
}

function person(build: Build): THREE.BufferGeometry[] {
  return [
    ...figure({ jacket: CLOTH, trousers: 0x4b5566, skin: SKIN, boots: 0x3a332d, jacketSide: 1, trousersSide: 0, girth: 0.96 }, build), piece(HEAD, dome(0.118, 0.52), HAIR, { at: [0, 0.155, 0.014], stretch: [0.98, 1.05, 1.02] }),
    piece(CHEST, box(0.05, 0.3, 0.01), WHITE, { at: [0, 0.28, -0.113] }),
  ];
}

const plain = (hold: Build["hold"], more: Partial<Build> = {}): Build => ({ hold, bearing: "upright", shoulder: 0.21, hip: 0.095, muzzle: [0, 0.012, -0.58], ...more });

/** A model of somebody: `tall` is the height that a body of the usual height is drawn at. */
function model(build: Build, dress: (build: Build) => THREE.BufferGeometry[], tall = PERSON_M): Model {
  return { bones: personBones(build), geometry: () => merged(dress(build)), pose: (pose, motion) => posePerson(pose, motion, build), fit: { tall: PERSON_M * (PERSON_M / tall) }, high: PERSON_M, falls: true };
}

type PersonName = Extract<ModelName, "soldier" | "player" | `zombie_${string}` | "worker" | "light" | "heavy" | "ranged" | "spy" | "person">;

export const PEOPLE: Record<PersonName, Model> = {
  soldier: model(plain("rifle", { shoulder: 0.22 }), soldier), player: model(plain("rifle"), player),
  zombie_dummy: model(plain("none", { bearing: "shamble", shoulder: 0.2 }), dummy), zombie_barker: model(plain("none", { bearing: "hunch", shoulder: 0.23 }), barker),
  zombie_stealthy: model(plain("none", { bearing: "prowl", shoulder: 0.18 }), stealthy), zombie_thrower: model(plain("rock", { bearing: "brute", shoulder: 0.36, hip: 0.15 }), thrower, 2.1),
  worker: model(plain("tool"), worker), light: model(plain("sword", { shoulder: 0.2 }), light, 1.72), heavy: model(plain("sword", { shoulder: 0.29, hip: 0.12 }), heavy, 1.95),
  ranged: model(plain("bow", { shoulder: 0.2 }), ranged), spy: model(plain("sword", { shoulder: 0.2 }), spy), person: model(plain("none", { shoulder: 0.2 }), person),
};
