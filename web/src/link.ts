// The link holds scene, seed, tick, selection, camera and settings: whoever opens it sees the same.

import { VIEWS, type View } from "./camera.js";
import { stage, studio } from "./studio.js";

export interface Link { scene: string | null; seed: string; tick: number; agent: number | null; view: View; settings: string[] }

const whole = (word: string | null): number | null => (word !== null && /^\d{1,15}$/.test(word) ? Number(word) : null);

/** What the link says; no scene means the gallery. */
export function readLink(): Link {
  const words = new URLSearchParams(location.hash.slice(1));
  return {
    scene: words.get("scene"), seed: words.get("seed") ?? "7", tick: whole(words.get("tick")) ?? 0, agent: whole(words.get("agent")),
    view: VIEWS.find((view) => view === words.get("view")) ?? "above", settings: words.getAll("set"),
  };
}

/** A link to a scene. */
export function linkTo(scene: string, seed: string, settings: readonly string[] = []): string {
  const words = new URLSearchParams({ scene, seed });
  settings.forEach((setting) => words.append("set", setting));
  return `#${words}`;
}

/** Writes what is shown into the address, without a step in the history. */
export function writeLink(): void {
  const { scene, status, selected, seed, changed } = studio;
  if (scene === undefined || status === undefined) return;
  const words = new URLSearchParams({ scene: scene.name, seed });
  // What was played is not in a link: one that plays begins at the beginning.
  if (studio.hud === null || stage.cameras.view !== "eyes") words.set("tick", String(status.tick));
  if (selected !== null) words.set("agent", String(selected));
  if (stage.cameras.view !== "above") words.set("view", stage.cameras.view);
  changed.forEach((setting) => words.append("set", setting));
  history.replaceState(null, "", `#${words}`);
}
