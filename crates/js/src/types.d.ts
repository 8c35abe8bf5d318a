/** A point in meters: x, y (up), z. Right-handed. Seen from above, x goes right and -z goes up. */
export type Point = [number, number, number];

/** What a key of a brain file may hold. */
export type Fact = boolean | number | string | Point;

/**
 * Your ray cast: how far the way from one point to another is free, as a share of it (0 at `from`, 1 at `to`), or null if nothing
 * stands in it. Its answer must follow from the two points and the state of your level alone. Eyes and ears ask it.
 */
export type Raycast = (from: Point, to: Point) => number | null;

/** How a task of yours stands. */
export type TaskStatus = "running" | "success" | "failure";

/**
 * All that a task of yours gets to know, which is what its agent believes. To stay honest and reproducible, decide by nothing else, and
 * keep what you must remember in keys (`tell`), so that it is saved with the agent.
 */
export interface TaskCall {
  /** `start` the first time, then `tick` with every thought, about ten a second; `abort` when something else is more urgent. */
  phase: "start" | "tick" | "abort";
  /** Whose. */
  key: number;
  /** The moment. */
  tick: number;
  /** For how long it has been going on, s. */
  seconds: number;
  /** Where the agent is, m. */
  position: Point;
  /** Where it looks, rad; 0 looks along -z, positive turns left. */
  yaw: number;
  /** Share of full health, 0 to 1. */
  health: number;
  /** Where it believes its enemy to be; null if it knows of none. */
  enemy: Point | null;
  /** What the file gives by `at`, `number` and `text`; null where it gives none or the key is not set. */
  at: Point | null; number: number | null; text: string | null;
}

/** A task of yours, which brain files name by `{task: call, with: {name: …}}`. */
export type Task = (call: TaskCall) => TaskStatus;

/** Eyes, ears and memory of those who think by a brain. What is left out is a person's. */
export interface SenseOptions {
  /** How far one sees, m. 30 unless given. */
  sight_m?: number;
  /** Half the angle of the view, rad. 1.05 unless given. */
  sight_half_rad?: number;
  /** How long it takes to notice somebody near, and at the limit of sight, s. 0.1 and 1.2 unless given. */
  notice_near_s?: number; notice_far_s?: number;
  /** How keen the ears are: a noise carries this many times its range; 0 is deaf. 1 unless given. */
  hearing?: number;
  /** What a wall takes from a noise, as meters of way. 8 unless given. */
  wall_m?: number;
  /** In what time one is half as sure of what one saw, s. 7 unless given. */
  memory_half_life_s?: number;
}

/** What a world is made of. One of `level`, `triangles` and `flat_m` is its ground. */
export interface WorldOptions {
  /** All chance follows from it; a whole number. 0 unless given. */
  seed?: number;
  /** Steps a second, 1 to 1000. 60 unless given. */
  rate_hz?: number;
  /** A level file: its text or its bytes. */
  level?: string | Uint8Array;
  /** The file's name, whose ending says what it is: .yaml, .obj, .txt (tiles), .png (tiles) or .bsp. `level.yaml` unless given. */
  level_name?: string;
  /** Triangles of your own engine: coordinates, three a corner, and numbers of corners, three a triangle. */
  triangles?: { positions: Float32Array; indices: Uint32Array };
  /** Flat, empty ground around the origin, so many meters wide. */
  flat_m?: number;
  /** For which body the ground is baked: half its width (0.35), its height (1.8) and how high it steps (0.4), m. */
  body?: { radius_m?: number; height_m?: number; climb_m?: number };
  /** Rays through your own world in place of those through the level. */
  raycast?: Raycast;
  /** Brain files by name: their text, or that with senses. */
  brains?: Record<string, string | { file: string; senses?: SenseOptions }>;
  /** Tasks of your own, by the name that brain files use. */
  tasks?: Record<string, Task>;
}

/** The truth about a body. What is left out stays as it was; at first it is that of a person who stands. */
export interface BodyState {
  /** Where its feet are, m. */
  position?: Point;
  /** Where it looks, rad; 0 looks along -z, positive turns left. */
  yaw?: number;
  /** How it moves, m/s. Follows from the change of place unless given. */
  velocity?: Point;
  /** Half its width, 0.01 to 10 m; and how high its eyes are, 0 to 20 m. */
  radius_m?: number; eye_m?: number;
  /** Share of full health, 0 to 1. */
  health?: number;
  /** Whether it crouches; and how far up it looks, rad. */
  is_crouched?: boolean; pitch?: number;
}

/** Somebody who comes in. */
export interface NewAgent extends BodyState {
  /** Your own number of it, whole, from 0 to 2^53 - 1; one agent each. */
  key: number;
  position: Point;
  /** On which side, a whole number; whoever is on another is an enemy. 0 unless given. */
  team?: number;
  /** What kind of character; the numbers are yours, 0 to 65535. */
  kind?: number;
  /** By which brain it thinks. Left out for whom you move yourself: a player. */
  brain?: string;
}

/** A noise: where (0.1 m above it, so that feet will do), how far it carries in the open, and who made it, if anybody. */
export interface NoiseMade { at: Point; range_m: number; by?: number }

/** Who was hurt, how much of full health it lost (0 to 1), and from where. */
export interface HurtFelt { key: number; amount: number; from: Point }

/** What a body can be asked to do with its hands and feet; you give it a meaning. */
export type Action = "fire" | "reload" | "jump" | "use" | "melee" | "throw";

/** What a body is asked to do. */
export interface Motion {
  /** m/s, on the ground: put feet on `ground`. */
  velocity: Point;
  /** Where to look, rad. */
  yaw: number; pitch: number;
  is_crouched: boolean;
  actions: Action[];
}

/** What an agent believes about another. */
export interface BeliefView {
  /** Whom; null if it is gone. */
  key: number | null; team: number;
  /** Where it was last, and how long ago that was. */
  at: Point; age_s: number;
  is_visible: boolean;
  /** Whether that place was seen since, and it was not there. */
  is_vanished: boolean;
  /** How sure that is, 0 to 1. */
  confidence: number;
}

/** An agent, looked into. */
export interface AgentView {
  key: number; team: number; kind: number;
  /** By which brain it thinks; null if you move it. */
  brain: string | null;
  /** What its brain is at, as the file names it. */
  doing: string[];
  /** What stands on its board, by key; null where nothing is set. */
  facts: Record<string, Fact | null>;
  believes: BeliefView[];
  /** Noises since its last thought. */
  heard: Point[];
  /** Where it wants to be; null for nowhere. */
  wants: { goal: Point; pace_m_per_s: number; arrive_m: number } | null;
  /** Where it wants to look; null for where it goes. */
  looks: { at: Point } | { along: number } | null;
  actions: Action[];
  /** The corners of its way that are still ahead. */
  path: Point[];
}

/** A brain: parts under parts, depth first, and the ways between them. */
export interface BrainView {
  kind: string; name: string;
  parts: {
    depth: number; kind: string; label: string;
    mood: "idle" | "active" | "succeeded" | "failed" | "refused" | "aborted";
    /** Why, while reasons are noted: as in `enemy_m is 12, wanted < 5`. */
    note: string;
    /** How much it is wanted, 0 to 1, where that is known. */
    share: number | null;
  }[];
  /** Transitions, by place in `parts`. */
  arrows: { from: number; to: number; label: string; is_lit: boolean }[];
}

/** Something that happened: when, to whom, its name for programs (`noticed`, `lost`, `arrived`, …), in words, and whom it is about. */
export interface WorldEvent { tick: number; key: number | null; name: string; what: string; other: number | null }
