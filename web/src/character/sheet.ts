// The model sheet: every model in a row of its own, standing, walking, running and in each activity, in two sides' colors.

import type * as THREE from "three";
import { MODELS } from "./catalog.js";
import { Crowd, type Actor } from "./crowd.js";
import { MODEL_NAMES, type ModelName } from "./model.js";

export interface Column { title: string; speed: number; side?: number; crouched?: boolean; lean?: number; activity?: number; dead?: number; pitch?: number }

export const COLUMNS: readonly Column[] = [
  { title: "idle", speed: 0 }, { title: "walk", speed: 1.4 }, { title: "run", speed: 5 }, { title: "back", speed: -1.5 }, { title: "strafe", speed: 0, side: 2 }, { title: "crouch", speed: 0, crouched: true },
  { title: "lean", speed: 0, lean: 1 }, { title: "fire", speed: 0, activity: 1 }, { title: "reload", speed: 0, activity: 2 }, { title: "hit", speed: 0, activity: 3 }, { title: "strike", speed: 0, activity: 4 },
  { title: "carry", speed: 1.2, activity: 5 }, { title: "build", speed: 0, activity: 6 }, { title: "howl", speed: 0, activity: 7 }, { title: "throw", speed: 0, activity: 8 }, { title: "dead", speed: 0, dead: 2 },
];

/** How far apart rows and columns stand, m. */
export const GAP_M = 2.2;

/** One row of the sheet: a model in every column. */
export function row(name: ModelName, z: number, color: THREE.Color, share: number, first: number): Actor[] {
  const { fit } = MODELS[name];
  // All as big as fits their place.
  const size = Math.min(1, 1.6 / MODELS[name].high, 0.9 / ("radius" in fit ? fit.radius : 0.5));
  return COLUMNS.map((column, at): Actor => ({
    key: first + at, x: at * GAP_M, y: 0, z, yaw: Math.PI - 0.6, radius: "radius" in fit ? fit.radius * size : 0.3, stands: "tall" in fit ? fit.tall * Math.min(1, size * 1.2) : 1.8 * size, model: name, color,
    speed: column.speed, side: column.side ?? 0, crouched: column.crouched ?? false, lean: column.lean ?? 0, activity: column.activity ?? 0, share, pitch: column.pitch ?? 0, health: 1, dead: column.dead ?? null,
  }));
}

/** A crowd for measuring: `count` of all models on a field, each doing something. */
export function field(count: number, seconds: number, sides: readonly THREE.Color[]): Actor[] {
  const wide = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, at): Actor => {
    const name = MODEL_NAMES[at % MODEL_NAMES.length]!;
    const { fit } = MODELS[name];
    const column = COLUMNS[at % COLUMNS.length]!;
    return {
      key: at, x: (at % wide) * 2 + Math.sin(seconds + at), y: 0, z: Math.floor(at / wide) * 2, yaw: seconds * 0.4 + at, radius: "radius" in fit ? Math.min(0.8, fit.radius) : 0.3, stands: 1.8, model: name, color: sides[at % sides.length]!,
      speed: column.speed, side: column.side ?? 0, crouched: column.crouched ?? false, lean: 0, activity: column.activity ?? 0, share: (seconds * 0.7) % 1, pitch: 0, health: 1, dead: null,
    };
  });
}

export { Crowd, MODEL_NAMES };
