// The link holds scene, seed, tick, selection, camera, settings and whether one plays: whoever opens it sees the same.

import { VIEWS, type View } from "./view.js";

export interface Link {
  /** None means the gallery. */
  scene: string | null;
  seed: string; tick: number; agent: number | null;
  /** None means the first that the scene offers. */
  view: View | null;
  settings: string[];
  /** A person plays from the beginning. */
  isPlay: boolean;
}

const whole = (word: string | null): number | null => (word !== null && /^\d{1,15}$/.test(word) ? Number(word) : null);

/** What the part of an address after `#` says. */
export function readLink(hash: string): Link {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    scene: words.get("scene"), seed: words.get("seed") ?? "7", tick: whole(words.get("tick")) ?? 0, agent: whole(words.get("agent")),
    view: VIEWS.find((view) => view === words.get("view")) ?? null, settings: words.getAll("set"), isPlay: words.get("play") === "1",
  };
}

/** The part of an address after `#`. */
export function writeLink({ scene, seed, tick, agent, view, settings, isPlay }: Partial<Link>): string {
  if (scene === null || scene === undefined) return "#";
  const words = new URLSearchParams({ scene, seed: seed ?? "7" });
  if (tick !== undefined && !isPlay) words.set("tick", String(tick));
  if (agent !== null && agent !== undefined) words.set("agent", String(agent));
  if (view !== null && view !== undefined) words.set("view", view);
  if (isPlay) words.set("play", "1");
  settings?.forEach((setting) => words.append("set", setting));
  return `#${words}`;
}

/** Whether a seed can be one: a whole number of up to 64 bits. */
export const isSeed = (word: string): boolean => /^\d{1,20}$/.test(word) && BigInt(word) < 2n ** 64n;

/** Settings with one of them changed; stock ones are left out. */
export function withSetting(settings: readonly string[], name: string, value: string, stock: string | undefined): string[] {
  const others = settings.filter((setting) => !setting.startsWith(`${name}=`));
  return value === stock ? others : [...others, `${name}=${value}`];
}

/** The value of a setting. */
export function settingOf(settings: readonly string[], name: string): string | undefined {
  return settings.findLast((setting) => setting.startsWith(`${name}=`))?.slice(name.length + 1);
}
