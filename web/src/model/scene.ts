// What follows from a scene and its settings: whether a person plays it, as whom, and what its agents are called.

import type { ControlAction, KindLook } from "../../pkg/sentir.js";
import { keyName } from "../agent.js";
import type { Family, Scene } from "../contract.js";
import { settingOf } from "./link.js";

/** A scene with what was set about it. */
export interface Setup { scene: Scene | undefined; changed: readonly string[] }

/** The setting that hands an agent to a person, its value then, and whether it has it. */
export function handed({ scene, changed }: Setup): { name: string; value: string; on: boolean } | undefined {
  const setting = scene?.controls?.setting ?? undefined;
  if (setting === undefined) return undefined;
  const { name, value } = setting;
  const stock = scene?.settings.find((one) => one.name === name)?.stock;
  return { name, value, on: (settingOf(changed, name) ?? stock) === value };
}

/** Whether a person can play what is shown: controls begin another future, so a scene that nobody plays gets none. */
export const isPlayed = (setup: Setup): boolean => (setup.scene?.controls ?? null) !== null && (handed(setup)?.on ?? true);

/** Whether one of these means something to what is shown; if not, it must not begin another future. */
export function binds(setup: Setup, ...actions: ControlAction[]): boolean {
  return isPlayed(setup) && (setup.scene?.controls?.bindings.some(({ action }) => actions.includes(action)) ?? false);
}

/** The setting whose words are difficulties. */
export function difficultyOf(scene: Scene | undefined): { name: string; words: string[]; stock: string } | undefined {
  const name = scene?.controls?.difficulty ?? undefined;
  const setting = scene?.settings.find((one) => one.name === name);
  return setting?.limits.kind === "choice" ? { name: setting.name, words: setting.limits.words, stock: setting.stock } : undefined;
}

/** What agents of a kind are; undefined where the scene does not say. */
export const lookOf = (scene: Scene | undefined, kind: number): KindLook | undefined => scene?.kinds.findLast((look) => look.kind <= kind);

/** What somebody is called: by the scene, else by kind and key. */
export function nameOf(scene: Scene | undefined, names: Record<number, string>, key: number, kind: number | undefined): string {
  return names[key] ?? `${(kind === undefined ? undefined : lookOf(scene, kind)?.name) ?? "agent"} ${keyName(key)}`;
}

/** The scene that plays by itself on top of the gallery: the first that is played in first person. */
export function heroOf(families: readonly Family[]): Scene | undefined {
  return families.flatMap(({ scenes }) => scenes).find(({ controls }) => controls?.mode === "first_person");
}

/** Everything that a scene can be found by, in small letters. */
export function wordsOf(scene: Scene, family: Family): string {
  const bound = scene.controls === null ? "" : `playable play ${scene.controls.mode.replace("_", " ")} ${scene.controls.bindings.map(({ about }) => about).join(" ")}`;
  const kinds = scene.kinds.map(({ name }) => name).join(" ");
  return `${scene.name} ${scene.title} ${scene.about} ${kinds} ${scene.layers.join(" ")} ${bound} ${family.name} ${family.about}`.toLowerCase();
}

/** Whether all words that are looked for are there. */
export function isFound(words: string, wanted: string): boolean {
  return wanted.toLowerCase().split(/\s+/).filter((word) => word !== "").every((word) => words.includes(word));
}
