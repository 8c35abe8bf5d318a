// The skeleton of everybody on two legs, and how it moves: legs that stride with the pace and keep their feet on the ground,
// arms that reach for what they hold, and what each activity adds. Lengths in meters for somebody 1.8 m tall.

import type { Motion } from "./motion.js";
import { reach, scale, shift, turn, type Bone, type Grip, type Limb } from "./rig.js";

export const PERSON_M = 1.8;
/** Height of the hips, lengths of thigh and shin, height of the ankle. */
const HIP_M = 0.94, THIGH_M = 0.44, SHIN_M = 0.42, ANKLE_M = 0.06, HIP_DOWN_M = 0.02;
export const UPPER_M = 0.28, LOWER_M = 0.3;

export const [ROOT, HIPS, CHEST, HEAD, ARM_R, FORE_R, ARM_L, FORE_L, LEG_R, SHIN_R, FOOT_R, LEG_L, SHIN_L, FOOT_L, ITEM, FLASH, LOAD] = Array.from({ length: 17 }, (_, at) => at) as
  [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number, number, number];

/** How a character holds what it carries. */
export type Hold = "rifle" | "tool" | "sword" | "bow" | "none" | "rock";
/** The posture of a character. */
export type Bearing = "upright" | "shamble" | "hunch" | "prowl" | "brute";

export interface Build { hold: Hold; bearing: Bearing; shoulder: number; hip: number; muzzle: readonly [number, number, number] }

const SHOULDER_UP_M = 0.4;

/** The bones of a build: broad ones have their arms farther out. */
export function personBones({ shoulder, hip, hold, muzzle }: Build): Bone[] {
  // A rifle and a bow are held before the chest; what one hand holds goes along with it.
  const item: Bone = hold === "rifle" || hold === "bow" ? { name: "item", parent: CHEST, at: [0, 0, 0] }
    : { name: "item", parent: FORE_R, at: [0, -LOWER_M, 0] };
  const leg = (side: string, x: number, first: number): Bone[] => [
    { name: `leg ${side}`, parent: HIPS, at: [x, -HIP_DOWN_M, 0] }, { name: `shin ${side}`, parent: first, at: [0, -THIGH_M, 0] }, { name: `foot ${side}`, parent: first + 1, at: [0, -SHIN_M, 0] },
  ];
  const arm = (side: string, x: number, first: number): Bone[] => [
    { name: `arm ${side}`, parent: CHEST, at: [x, SHOULDER_UP_M, 0] }, { name: `fore ${side}`, parent: first, at: [0, -UPPER_M, 0] },
  ];
  return [
    { name: "root", parent: -1, at: [0, 0, 0] }, { name: "hips", parent: ROOT, at: [0, HIP_M, 0] }, { name: "chest", parent: HIPS, at: [0, 0.12, 0] },
    { name: "head", parent: CHEST, at: [0, 0.47, 0] }, ...arm("right", shoulder, ARM_R), ...arm("left", -shoulder, ARM_L), ...leg("right", hip, LEG_R), ...leg("left", -hip, LEG_L),
    item, { name: "flash", parent: ITEM, at: muzzle }, { name: "load", parent: CHEST, at: [0, 0.06, -0.42] },
  ];
}

const bump = (share: number): number => Math.sin(Math.PI * Math.min(1, Math.max(0, share)));
const ease = (share: number): number => { const x = Math.min(1, Math.max(0, share)); return x * x * (3 - 2 * x); };
/** How far an activity is: what the engine says, else by the clock over `lasts` seconds. */
const progress = (motion: Motion, lasts: number): number => (motion.share > 0 ? motion.share : (motion.since % lasts) / lasts);

/** Both legs at a place of the stride; how far the hips go down so that the lower foot stands. */
export function stride(pose: Float32Array, motion: Motion, bearing: Bearing): number {
  const pace = Math.hypot(motion.ahead, motion.aside);
  const go = Math.min(1, pace / 1.1);
  const run = ease((pace - 1.8) / 2.6);
  const sideways = pace > 0.05 ? motion.aside / pace : 0;
  const along = Math.sqrt(Math.max(0, 1 - sideways * sideways));
  const drags = bearing === "shamble" ? 0.55 : 1;
  const swing = (0.4 + 0.42 * run) * go;
  const bend = 1 - motion.fall;
  const low = motion.crouch * bend;
  const prowl = bearing === "prowl" ? 0.55 : bearing === "hunch" ? 0.25 : bearing === "brute" ? 0.18 : 0;
  let reached = 0;
  for (const [leg, shin, foot, at, side] of [[LEG_R, SHIN_R, FOOT_R, 0, 1], [LEG_L, SHIN_L, FOOT_L, Math.PI, -1]] as const) {
    const phase = motion.phase + at;
    const weak = side > 0 ? drags : 1;
    const lifted = Math.max(0, Math.cos(phase));
    const base = low * (side > 0 ? 0.55 : 1.25) + prowl * 0.75;
    const thigh = base + swing * weak * along * Math.sin(phase) + run * go * 0.2 * lifted;
    const knee = -(low * (side > 0 ? 1.75 : 1.7) + prowl * 1.3 + 0.06 + (0.62 + 0.75 * run) * weak * go * lifted + 0.1 * run * go);
    const splay = side * (0.03 + low * 0.1 + prowl * 0.12) + sideways * swing * 0.7 * Math.sin(phase);
    turn(pose, leg, thigh, 0, splay);
    turn(pose, shin, knee);
    turn(pose, foot, -(thigh + knee) * (0.85 - 0.5 * lifted * go) - 0.25 * lifted * go);
    reached = Math.max(reached, (THIGH_M * Math.cos(thigh) + SHIN_M * Math.cos(thigh + knee)) * Math.cos(splay));
  }
  const hop = run * go * 0.05 * Math.abs(Math.sin(motion.phase));
  return reached + ANKLE_M + HIP_DOWN_M - HIP_M + hop;
}

const [RIGHT_BACK, LEFT_DOWN, OUT_R, OUT_L]: readonly (readonly [number, number, number])[] = [[0.5, -0.8, 0.35], [-0.5, -0.85, 0.1], [0.9, -0.4, 0.3], [-0.9, -0.4, 0.3]];

function limbs({ shoulder }: Build): readonly [Limb, Limb] {
  return [
    { upper: ARM_R, lower: FORE_R, at: [shoulder, SHOULDER_UP_M, 0], upperM: UPPER_M, lowerM: LOWER_M },
    { upper: ARM_L, lower: FORE_L, at: [-shoulder, SHOULDER_UP_M, 0], upperM: UPPER_M, lowerM: LOWER_M },
  ];
}

/** Turns a grip of what is held before the chest: around its middle by pitch and yaw, then moved there. */
function held(grip: readonly [number, number, number], at: readonly [number, number, number], pitch: number, yaw: number, elbow: readonly [number, number, number]): Grip {
  const [sp, cp, sw, cw] = [Math.sin(pitch), Math.cos(pitch), Math.sin(yaw), Math.cos(yaw)];
  const [x, y, z] = [grip[0], grip[1] * cp - grip[2] * sp, grip[1] * sp + grip[2] * cp];
  return { x: at[0] + x * cw + z * sw, y: at[1] + y, z: at[2] - x * sw + z * cw, elbow };
}

/** Where the hands are on a rifle, in its own frame. */
const REAR_GRIP = [0.0, -0.07, 0.02] as const, FRONT_GRIP = [-0.02, -0.03, -0.34] as const, MAGAZINE = [-0.02, -0.2, -0.12] as const;

/** A rifle in both hands: ready across the chest, at the shoulder when it fires, lowered and its magazine changed when it reloads. */
function holdRifle(pose: Float32Array, motion: Motion, build: Build): void {
  const fire = motion.doing[1]!, reload = motion.doing[2]!, throws = motion.doing[8]!, strike = motion.doing[4]!;
  const run = ease((Math.hypot(motion.ahead, motion.aside) - 2.6) / 2);
  const aim = Math.max(fire, motion.crouch * 0.6) * (1 - reload);
  const kick = fire * Math.exp(-motion.since * 18) * 0.04;
  const calm = (1 - aim) * (1 - reload);
  const thrust = strike * bump(progress(motion, 0.5));
  const at = [0.1 - 0.05 * calm * run, 0.27 + 0.11 * aim - 0.06 * reload, -0.2 - 0.03 * aim + kick - 0.28 * thrust] as const;
  const pitch = -0.16 * calm - 0.3 * run * calm + motion.pitch * 0.5 * aim + reload * 0.3;
  const yaw = 0.3 * calm + 0.42 * run * calm + 0.12 * reload;
  turn(pose, ITEM, pitch, yaw);
  shift(pose, ITEM, ...at);
  const [right, left] = limbs(build);
  reach(pose, right, held(REAR_GRIP, at, pitch, yaw, RIGHT_BACK!));
  const share = progress(motion, 2);
  // The hand goes to the belt for a new magazine and comes back with it.
  const change = reload * ease(Math.min(share, 1 - share) * 5);
  const toBelt = bump((share - 0.2) / 0.5) * reload;
  const rests = held(FRONT_GRIP, at, pitch, yaw, LEFT_DOWN!);
  const feeds = held(MAGAZINE, at, pitch, yaw, LEFT_DOWN!);
  const mixed = (a: number, b: number, c: number) => (a + (b - a) * change) * (1 - toBelt) + c * toBelt;
  reach(pose, left, { x: mixed(rests.x, feeds.x, -0.18), y: mixed(rests.y, feeds.y, -0.06), z: mixed(rests.z, feeds.z, -0.12), elbow: LEFT_DOWN! }, 1 - throws);
  scale(pose, FLASH, fire > 0.5 && motion.since < 0.07 && motion.share < 0.6 ? 1 : 0.001);
}

/** Arms that hang and swing against the legs. */
function swingArms(pose: Float32Array, motion: Motion, much: number): void {
  const pace = Math.hypot(motion.ahead, motion.aside);
  const go = Math.min(1, pace / 1.1), run = ease((pace - 1.8) / 2.6);
  for (const [arm, fore, at, side] of [[ARM_R, FORE_R, Math.PI, 1], [ARM_L, FORE_L, 0, -1]] as const) {
    turn(pose, arm, Math.sin(motion.phase + at) * (0.35 + 0.45 * run) * go * much, 0, side * (0.1 + 0.06 * run));
    turn(pose, fore, 0.15 + (0.25 + 1.1 * run) * go * much);
  }
}

/** One arm over the head and down: with a tool, a sword, a fist. */
function strikeArm(pose: Float32Array, build: Build, share: number, much: number): void {
  const [right] = limbs(build);
  const [up, down] = [ease(share / 0.4), ease((share - 0.4) / 0.2)];
  const back = ease((share - 0.65) / 0.35);
  const [y, z] = [0.3 + 0.55 * up - 0.75 * down + 0.1 * back, 0.05 - 0.1 * up - 0.5 * down + 0.2 * back];
  reach(pose, right, { x: 0.22, y, z, elbow: OUT_R! }, much);
  turn(pose, ITEM, (0.9 * up - 1.5 * down) * much);
}

function throwArm(pose: Float32Array, motion: Motion, build: Build, limb: 0 | 1): void {
  const much = motion.doing[8]!;
  if (much < 0.01) return;
  const share = progress(motion, 0.9);
  const [back, over] = [ease(share / 0.45), ease((share - 0.45) / 0.2)];
  const side = limb === 0 ? 1 : -1;
  reach(pose, limbs(build)[limb]!, { x: side * (0.32 - 0.2 * over), y: 0.35 + 0.45 * back - 0.3 * over, z: 0.35 * back - 0.85 * over, elbow: limb === 0 ? OUT_R! : OUT_L! }, much);
  turn(pose, CHEST, 0.25 * back * much - 0.5 * over * much, (-side * 0.5 * back + side * 0.8 * over) * much);
}

function holdBow(pose: Float32Array, motion: Motion, build: Build): void {
  const fire = motion.doing[1]! + motion.doing[4]! + motion.doing[2]! * 0.6;
  const much = Math.min(1, fire);
  const [right, left] = limbs(build);
  const draw = much * ease(progress(motion, 0.8) * 1.6);
  const at = [-0.12 - 0.1 * (1 - much), 0.12 + 0.27 * much, -0.36 - 0.1 * much] as const;
  shift(pose, ITEM, ...at);
  turn(pose, ITEM, motion.pitch * 0.5 * much, 0.15 * (1 - much), 0.5 * (1 - much));
  reach(pose, left, { x: at[0], y: at[1], z: at[2], elbow: OUT_L! });
  reach(pose, right, { x: 0.05 + 0.06 * draw, y: 0.4, z: -0.3 + 0.34 * draw, elbow: OUT_R! }, much);
}

/** What the dead do with their arms hangs as it falls. */
function zombieArms(pose: Float32Array, motion: Motion, build: Build): void {
  const { bearing } = build;
  const sway = Math.sin(motion.seconds * 1.7 + motion.variant * 9);
  const pace = Math.min(1, Math.hypot(motion.ahead, motion.aside) / 2);
  const [right, left] = limbs(build);
  if (bearing === "shamble") {
    const lift = 0.35 + 0.3 * pace;
    reach(pose, right, { x: 0.16, y: 0.24 + lift * 0.4 + sway * 0.04, z: -0.4 - lift * 0.2, elbow: OUT_R! });
    reach(pose, left, { x: -0.18, y: 0.14 + lift * 0.4 - sway * 0.06, z: -0.36 - lift * 0.2, elbow: OUT_L! });
  } else if (bearing === "prowl") {
    const step = Math.sin(motion.phase) * 0.16 * pace;
    reach(pose, right, { x: 0.24, y: -0.2 - step, z: -0.34 + step, elbow: OUT_R! });
    reach(pose, left, { x: -0.24, y: -0.2 + step, z: -0.34 - step, elbow: OUT_L! });
  } else {
    swingArms(pose, motion, 0.8);
    for (const [arm, side] of [[ARM_R, 1], [ARM_L, -1]] as const) turn(pose, arm, 0.25, 0, side * 0.18);
  }
  const bite = motion.doing[4]!;
  if (bite > 0.01) {
    const grab = bump(progress(motion, 0.7));
    for (const [limb, side] of [[right, 1], [left, -1]] as const) reach(pose, limb, { x: side * 0.14, y: 0.32 + 0.08 * (1 - grab), z: -0.4 - 0.14 * grab, elbow: side > 0 ? OUT_R! : OUT_L! }, bite);
    turn(pose, CHEST, -0.5 * grab * bite);
    turn(pose, HEAD, (0.35 * (1 - grab) - 0.25 * grab) * bite);
  }
}

const HUNCH: Record<Bearing, readonly [chest: number, head: number]> = {
  upright: [0, 0], shamble: [-0.22, 0.05], hunch: [-0.5, 0.42], prowl: [-1.0, 0.85], brute: [-0.34, 0.28],
};

/** The trunk: it leans with the pace and into turns, breathes, hunches, ducks, and looks where it aims. */
function trunk(pose: Float32Array, motion: Motion, build: Build, sink: number): void {
  const { bearing } = build;
  const pace = Math.hypot(motion.ahead, motion.aside);
  const go = Math.min(1, pace / 1.1), run = ease((pace - 1.8) / 2.6);
  const breath = Math.sin(motion.seconds * 1.9 + motion.variant * 20);
  const [chest, head] = HUNCH[bearing];
  const stagger = bearing === "shamble" ? Math.sin(motion.phase) * 0.1 * go + Math.sin(motion.seconds * 1.1 + motion.variant * 8) * 0.03 : 0;
  shift(pose, HIPS, 0.02 * Math.sin(motion.phase) * go, sink, 0);
  turn(pose, HIPS, 0, Math.sin(motion.phase) * 0.12 * go, -0.03 * Math.cos(motion.phase) * go + stagger);
  const forward = Math.sign(motion.ahead) * (0.05 * go + 0.2 * run) * (motion.ahead < 0 ? 0.4 : 1);
  turn(pose, CHEST, chest - forward - 0.32 * motion.crouch + breath * 0.012, -Math.sin(motion.phase) * 0.14 * go, -stagger * 0.7 - motion.aside * 0.02 + Math.max(-0.12, Math.min(0.12, motion.spin * 0.03)) * go);
  turn(pose, HEAD, head + forward * 0.7 + 0.25 * motion.crouch + motion.pitch * 0.5, Math.sin(motion.seconds * 0.6 + motion.variant * 30) * 0.12 * (1 - go));
  // Leaning out of cover: the whole trunk tips to one side, the hips slide after it.
  shift(pose, HIPS, motion.lean * 0.18, -0.05 * Math.abs(motion.lean), 0);
  turn(pose, CHEST, 0, 0, -motion.lean * 0.38);
  turn(pose, HEAD, 0, 0, motion.lean * 0.2);
  const flinch = Math.max(motion.flinch, motion.doing[3]! * 0.8);
  turn(pose, CHEST, flinch * 0.28, flinch * (motion.variant - 0.5) * 0.6);
  turn(pose, HEAD, flinch * 0.22);
  const howl = motion.doing[7]!;
  if (howl > 0.01) {
    const shout = howl * (0.85 + 0.15 * Math.sin(motion.seconds * 31));
    turn(pose, CHEST, (0.35 - chest * 0.7) * shout);
    turn(pose, HEAD, (0.55 - head * 0.5) * shout);
  }
}

/** Arms of who shouts: spread wide, or a hand at the mouth. */
function howlArms(pose: Float32Array, motion: Motion, build: Build): void {
  const howl = motion.doing[7]!;
  if (howl < 0.01) return;
  const [right, left] = limbs(build);
  const isDead = build.bearing !== "upright";
  if (isDead) reach(pose, right, { x: 0.55, y: 0.15, z: -0.12, elbow: OUT_R! }, howl);
  reach(pose, left, isDead ? { x: -0.55, y: 0.15, z: -0.12, elbow: OUT_L! } : { x: -0.08, y: 0.56, z: -0.24, elbow: OUT_L! }, howl);
}

/** Something heavy before the belly. */
function carryArms(pose: Float32Array, motion: Motion, build: Build): void {
  const much = motion.doing[5]!;
  if (much < 0.01) return;
  const [right, left] = limbs(build);
  reach(pose, right, { x: 0.17, y: 0.05, z: -0.34, elbow: OUT_R! }, much);
  reach(pose, left, { x: -0.17, y: 0.05, z: -0.34, elbow: OUT_L! }, much);
  turn(pose, CHEST, 0.12 * much);
}

/** Falls on the back or the face, by its own number; knees give way first. */
export function fallDown(pose: Float32Array, motion: Motion): void {
  const { fall } = motion;
  if (fall <= 0) return;
  const down = fall * fall * (1.6 - 0.6 * fall);
  const isBack = motion.variant > 0.4;
  turn(pose, ROOT, (isBack ? 1.45 : -1.42) * down, (motion.variant - 0.5) * 0.7 * fall);
  shift(pose, ROOT, 0, 0.13 * down, 0);
  const buckle = bump(fall) * 0.8 + 0.2 * fall;
  turn(pose, LEG_R, 0.5 * buckle, 0, 0.16 * fall);
  turn(pose, SHIN_R, -0.9 * buckle);
  turn(pose, LEG_L, 0.12 * buckle, 0, -0.2 * fall);
  turn(pose, SHIN_L, -0.35 * buckle);
  turn(pose, HEAD, (isBack ? -0.3 : 0.3) * fall, 0.5 * (motion.variant - 0.5) * fall);
}

function deadArms(pose: Float32Array, build: Build, fall: number, variant: number): void {
  const [right, left] = limbs(build);
  reach(pose, right, { x: 0.62, y: 0.4 - 0.3 * variant, z: 0.08, elbow: OUT_R! }, fall);
  reach(pose, left, { x: -0.5, y: 0.1 + 0.5 * variant, z: 0.1, elbow: OUT_L! }, fall);
}

/** The pose of somebody on two legs. */
export function posePerson(pose: Float32Array, motion: Motion, build: Build): void {
  const { hold, bearing } = build;
  scale(pose, FLASH, 0.001);
  scale(pose, LOAD, Math.max(0.001, motion.doing[5]!));
  trunk(pose, motion, build, stride(pose, motion, bearing));
  if (hold === "rifle") holdRifle(pose, motion, build);
  else if (hold === "bow") holdBow(pose, motion, build);
  else if (bearing !== "upright") zombieArms(pose, motion, build);
  else swingArms(pose, motion, hold === "none" ? 1 : 0.7);
  if (hold === "sword") {
    reach(pose, limbs(build)[1], { x: -0.26, y: 0.16, z: -0.26, elbow: OUT_L! }, 0.85);
    reach(pose, limbs(build)[0], { x: 0.3, y: 0.02, z: -0.16, elbow: OUT_R! }, 0.6);
    turn(pose, ITEM, 0.25);
  }
  const strikes = motion.doing[4]!;
  if (hold !== "rifle" && hold !== "bow" && bearing === "upright") {
    if (strikes > 0.01) { const share = progress(motion, 0.7); strikeArm(pose, build, share, strikes); turn(pose, CHEST, 0, (0.35 - 0.8 * ease((share - 0.3) / 0.3)) * strikes); }
    const hit = motion.doing[1]!;
    if (hit > 0.01) strikeArm(pose, build, progress(motion, 0.6), hit);
  }
  const builds = motion.doing[6]!;
  if (builds > 0.01) {
    strikeArm(pose, build, (motion.seconds * 1.5 + motion.variant) % 1, builds);
    turn(pose, CHEST, -0.35 * builds);
  }
  throwArm(pose, motion, build, hold === "rifle" ? 1 : 0);
  carryArms(pose, motion, build);
  howlArms(pose, motion, build);
  if (motion.fall > 0) deadArms(pose, build, ease(motion.fall), motion.variant);
  fallDown(pose, motion);
}
