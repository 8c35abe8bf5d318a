// What a model is: its bones, its solids, and how it moves.

import type * as THREE from "three";
import type { Motion } from "./motion.js";
import type { Bone } from "./rig.js";

/** Every model, by the name that scenes give it. */
export const MODEL_NAMES = [
  "soldier", "player", "zombie_dummy", "zombie_barker", "zombie_stealthy", "zombie_thrower", "worker", "light", "heavy", "ranged", "spy",
  "sheep", "dog", "fox", "rabbit", "ghost", "fish", "shark", "car", "plane", "missile", "turret", "tank", "base", "hospital", "barrel",
  "bronto", "ball", "person", "bird", "beacon",
] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

export interface Model {
  bones: readonly Bone[];
  geometry(): THREE.BufferGeometry;
  /** Poses the bones, which are at rest. */
  pose(pose: Float32Array, motion: Motion): void;
  /** By what a body's size is told: how tall the model is, or its radius on the ground; m. */
  fit: { tall: number } | { radius: number };
  /** How high the model is, m: names and bars stand over it. */
  high: number;
  /** Whether one who dies falls over; else the wreck stays as it stood. */
  falls: boolean;
}

/** How big a body is beside its model. */
export function sizeOf(model: Model, body: { radius: number; stands: number }): number {
  return "tall" in model.fit ? body.stands / model.fit.tall : body.radius / model.fit.radius;
}
