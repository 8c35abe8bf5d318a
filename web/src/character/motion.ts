// How a body moves, smoothed for the eye: what locomotion reports comes in by the tick, and poses blend over frames.

/** What somebody does beside moving, as the engine numbers it. */
export const ACTIVITIES = ["none", "fire", "reload", "hit", "strike", "carry", "build", "howl", "throw"] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** What a body reports of a moment. */
export interface Report {
  key: number; speed: number; side: number; lean: number; activity: number; share: number; pitch: number; health: number; crouched: boolean; yaw: number;
}

/** The state that poses are made from. */
export interface Motion {
  /** Time of the world, s. */
  seconds: number;
  /** Where in its stride it is, rad. */
  phase: number;
  /** m/s along facing and to the right, smoothed, in sizes of the model. */
  ahead: number; aside: number;
  /** How fast it turns to the left, rad/s, smoothed. */
  spin: number;
  crouch: number; lean: number; pitch: number;
  /** How much each activity shows, 0 to 1, by its number. */
  doing: Float32Array;
  /** How far the present activity is, 0 to 1. */
  share: number;
  /** Seconds of the world since the present activity began. */
  since: number;
  /** What it last did, and for how long that is still shown, s: what happens in one tick must be seen. */
  last: number; stays: number;
  /** Just hurt: 1, and fading. */
  flinch: number;
  health: number;
  /** How far it has fallen: 0 stands, 1 lies. */
  fall: number;
  /** A number of its own, 0 to 1: so that not all do the same at once. */
  variant: number;
}

/** How quickly pace, stance and activities blend, 1/s. */
const PACE_PER_S = 9, STANCE_PER_S = 8, ACTIVITY_PER_S = 14, LET_GO_PER_S = 7, FLINCH_PER_S = 4.5;
/** Strides get longer with pace: radians of a stride for each meter, walking and running, and between which paces, m/s. */
const WALK_RAD_PER_M = 4.4, RUN_RAD_PER_M = 2.5, WALK_M_PER_S = 1.2, RUN_M_PER_S = 5;
/** How long an activity is shown at least, s. */
const STAYS_S = 0.22;
/** Health that must be lost at once to flinch, as a share. */
const HURT = 1e-4;

/** A number from 0 to 1 out of a key: the same one each time. */
export function variantOf(key: number): number {
  const mixed = Math.imul((key ^ 0x9e3779b9) >>> 0, 0x85ebca6b) >>> 0;
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

export function newMotion(report: Report): Motion {
  const variant = variantOf(report.key);
  const doing = new Float32Array(ACTIVITIES.length);
  if (report.activity > 0 && report.activity < doing.length) doing[report.activity] = 1;
  return {
    seconds: 0, phase: variant * 2 * Math.PI, ahead: report.speed, aside: report.side, spin: 0, crouch: Number(report.crouched), lean: report.lean, pitch: report.pitch,
    doing, share: report.share, since: 0, last: report.activity, stays: 0, flinch: 0, health: report.health, fall: 0, variant,
  };
}

/** How far the angle `to` is from `from`, by the shorter way, rad. */
export function turnBetween(from: number, to: number): number {
  const turned = (to - from) % (2 * Math.PI);
  return turned > Math.PI ? turned - 2 * Math.PI : turned <= -Math.PI ? turned + 2 * Math.PI : turned;
}

/** Radians of a stride for each meter at a pace, m/s. */
export function strideRate(pace: number): number {
  const run = Math.min(1, Math.max(0, (pace - WALK_M_PER_S) / (RUN_M_PER_S - WALK_M_PER_S)));
  return WALK_RAD_PER_M + (RUN_RAD_PER_M - WALK_RAD_PER_M) * run;
}

/** Lets `seconds` of the world pass: `size` is how big the body is beside its model, `turned` how far it turned meanwhile, rad. */
export function advance(motion: Motion, report: Report, seconds: number, size: number, turned = 0): void {
  const near = (from: number, to: number, rate: number) => from + (to - from) * (1 - Math.exp(-rate * seconds));
  motion.seconds += seconds;
  motion.ahead = near(motion.ahead, report.speed / size, PACE_PER_S);
  motion.aside = near(motion.aside, report.side / size, PACE_PER_S);
  if (seconds > 0) motion.spin = near(motion.spin, turned / seconds, PACE_PER_S);
  motion.crouch = near(motion.crouch, Number(report.crouched), STANCE_PER_S);
  motion.lean = near(motion.lean, report.lean, STANCE_PER_S);
  motion.pitch = near(motion.pitch, report.pitch, STANCE_PER_S * 2);
  const pace = Math.hypot(motion.ahead, motion.aside);
  // Who goes backwards strides backwards; who goes sideways strides to that side.
  const sign = motion.ahead < -0.2 && Math.abs(motion.ahead) > Math.abs(motion.aside) * 0.6 ? -1 : 1;
  motion.phase = (motion.phase + sign * pace * strideRate(pace) * seconds) % (2 * Math.PI * 64);
  const began = report.activity > 0 && (report.activity !== motion.last || motion.stays <= 0 || report.share < motion.share - 0.1);
  motion.since = began ? 0 : motion.since + seconds;
  [motion.last, motion.stays] = report.activity > 0 ? [report.activity, STAYS_S] : [motion.last, motion.stays - seconds];
  const present = motion.stays > 0 ? motion.last : 0;
  for (let activity = 1; activity < motion.doing.length; activity += 1) {
    const isOn = activity === present;
    motion.doing[activity] = near(motion.doing[activity]!, Number(isOn), isOn ? ACTIVITY_PER_S : LET_GO_PER_S);
  }
  if (report.activity > 0) motion.share = report.share;
  motion.flinch = report.health < motion.health - HURT || (report.activity === 3 && began) ? 1 : motion.flinch * Math.exp(-FLINCH_PER_S * seconds);
  motion.health = report.health;
}
