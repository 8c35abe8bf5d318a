// Figures as people read them.

import type { Belief, Gaze, Mark, Point, Travel } from "../../pkg/sentir.js";

export const meters = (point: Point): string => point.map((part) => part.toFixed(1)).join(", ");
/** A place on the ground. */
export const ground = ([x, , z]: Point): string => `${x.toFixed(1)}, ${z.toFixed(1)}`;
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
export const degrees = (yaw: number): string => `${Math.round((yaw * 180) / Math.PI)}°`;
export const seconds = (tick: number, rate: number): string => `${(tick / rate).toFixed(2)} s`;

/** Minutes and seconds of a countdown; the last second counts until it is over. */
export function countdown(left: number): string {
  const all = Math.max(0, Math.floor(left));
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}

export function travelled(travel: Travel | null): string {
  return travel === null ? "–" : `to ${meters(travel.goal)}, ${travel.manner}, ${travel.pace_m_per_s.toFixed(1)} m/s`;
}

export function gazed(gaze: Gaze | null): string {
  if (gaze === null) return "–";
  if (gaze === "ahead") return "ahead";
  return "at" in gaze ? `at ${meters(gaze.at)}` : `along ${degrees(gaze.along)}`;
}

export function joined(words: readonly string[] | null | undefined, by = ", "): string {
  return words?.join(by) || "–";
}

/** How long ago something was known. */
export function age(belief: Pick<Belief, "is_visible" | "at_tick">, tick: number, rate: number): string {
  return belief.is_visible ? "now" : `${((tick - belief.at_tick) / rate).toFixed(1)} s ago`;
}

/** An event in words, with the name of whom it is about. */
export function told({ key, what }: Pick<Mark, "key" | "what">, nameOf: (key: number) => string): string {
  return key === null ? what : `${nameOf(key)} ${what}`;
}

/** A name of the program as words: `player_shots` is `player shots`. */
export const words = (name: string): string => name.replaceAll("_", " ").replaceAll("-", " ");
/** The same at the beginning of a line. */
export const title = (name: string): string => { const text = words(name); return text.charAt(0).toUpperCase() + text.slice(1); };
