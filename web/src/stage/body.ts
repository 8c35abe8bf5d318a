// The array of agents of the package as bodies, and bodies between two moments.

import { turnBetween } from "../character/motion.js";

/** Where each number of an agent lies. */
export const AGENT = {
  key: 0, team: 1, kind: 2, x: 3, y: 4, z: 5, yaw: 6, radius: 7, eye: 8, health: 9, crouched: 10, speed: 11, side: 12, lean: 13, activity: 14, share: 15, pitch: 16,
} as const;
/** Numbers of one agent. */
export const AGENT_STRIDE = 17;
/** Numbers of one of the dead: key, team, x, y, z, yaw, for how long (s), kind. */
export const FALLEN_STRIDE = 8;
/** How tall somebody is who does not say how high the eyes are, m. */
const TALL_M = 1.7;
/** Eyes of who crouches are at this share of their height. */
const LOW_SHARE = 0.6;

/** One agent, read out. Places in meters, yaw in radians: 0 faces north (−z), positive turns left. */
export interface Body {
  key: number; team: number; kind: number; x: number; y: number; z: number; yaw: number; radius: number; eye: number; health: number;
  crouched: boolean; tall: number;
  /** m/s along facing (backwards is negative) and to the right; rad. */
  speed: number; side: number; lean: number; activity: number; share: number; pitch: number;
}

/** Who lies there, and for how long, s. */
export interface Lying { key: number; team: number; kind: number; x: number; y: number; z: number; yaw: number; seconds: number }

function bodyAt(agents: Float64Array, at: number): Body {
  const of = (name: keyof typeof AGENT): number => agents[at + AGENT[name]]!;
  const crouched = of("crouched") === 1;
  const eye = of("eye") > 0.2 ? of("eye") : TALL_M * (crouched ? LOW_SHARE : 0.95);
  return {
    key: of("key"), team: of("team"), kind: of("kind"), x: of("x"), y: of("y"), z: of("z"), yaw: of("yaw"), radius: of("radius"), eye, health: of("health"), crouched,
    tall: Math.max(eye + 0.1, 2.2 * of("radius")), speed: of("speed"), side: of("side"), lean: of("lean"), activity: of("activity"), share: of("share"), pitch: of("pitch"),
  };
}

/** Everybody. */
export function bodies(agents: Float64Array): Body[] {
  return Array.from({ length: Math.floor(agents.length / AGENT_STRIDE) }, (_, index) => bodyAt(agents, index * AGENT_STRIDE));
}

/** Who has that key. */
export function bodyOf(agents: Float64Array, key: number | null): Body | undefined {
  for (let at = 0; key !== null && at < agents.length; at += AGENT_STRIDE) if (agents[at] === key) return bodyAt(agents, at);
  return undefined;
}

/** Who lies dead. */
export function lying(fallen: Float64Array): Lying[] {
  return Array.from({ length: Math.floor(fallen.length / FALLEN_STRIDE) }, (_, index) => {
    const [key, team, x, y, z, yaw, seconds, kind] = fallen.subarray(index * FALLEN_STRIDE, (index + 1) * FALLEN_STRIDE) as unknown as [number, number, number, number, number, number, number, number];
    return { key, team, kind, x, y, z, yaw, seconds };
  });
}

/** How tall somebody stands, m, crouched or not. */
export function standsOf({ eye, crouched, radius }: Body): number {
  return Math.max((crouched ? eye / LOW_SHARE : eye) + 0.1, 2.2 * radius);
}

/** Farther than this beyond what its pace allows, a body did not walk: it was put there, m. */
const JUMP_M = 1.2;

/** Whether a body got from one place to the other in `seconds` by itself; a jump must not slide. */
export function isWalk(from: Body, to: Body, seconds: number): boolean {
  const pace = Math.max(Math.hypot(from.speed, from.side), Math.hypot(to.speed, to.side));
  return Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z) < JUMP_M + 1.5 * pace * seconds;
}

/** A body between two moments: `share` 0 is the one before, 1 the one after. Writes into `out`, which may be `to`'s copy. */
export function between(from: Body, to: Body, share: number, out: Body): Body {
  const mix = (a: number, b: number): number => a + (b - a) * share;
  Object.assign(out, to);
  out.x = mix(from.x, to.x);
  out.y = mix(from.y, to.y);
  out.z = mix(from.z, to.z);
  out.yaw = from.yaw + turnBetween(from.yaw, to.yaw) * share;
  out.eye = mix(from.eye, to.eye);
  out.tall = mix(from.tall, to.tall);
  out.pitch = mix(from.pitch, to.pitch);
  return out;
}
