// What all rooms of the page share: the scene, the moment that is shown, who is selected, and the engine in its worker.

import type { Agent, ControlAction, FamilyAbout, Hud, KindLook, SceneAbout, Status } from "../pkg/sentir.js";
import { Stage } from "./stage.js";
import type { Ask, Told } from "./worker.js";

export const one = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

export const stage = new Stage(one<HTMLCanvasElement>("view"), one("labels"));

export const studio = {
  families: [] as FamilyAbout[],
  scene: undefined as SceneAbout | undefined,
  seed: "7",
  /** Settings that are not stock, each `KEY=VALUE`. */
  changed: [] as string[],
  status: undefined as Status | undefined,
  /** Of the whole state; null while it plays, as it costs as much as a tick. */
  hash: null as string | null,
  agents: new Float64Array() as Float64Array,
  agent: null as Agent | null,
  /** The body that a person plays, as he knows it. */
  hud: null as Hud | null,
  selected: null as number | null,
  /** Counts the runs that were started, so that what an old one still tells is not taken for the new one's. */
  run: 0,
};

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
let asked = 0;

/** Whether the engine is at work. */
export const isBusy = (): boolean => asked > 0;

export function ask(message: Ask): void {
  if (message.kind !== "give") asked += 1;
  worker.postMessage(message);
}

/** Where what the engine tells goes. */
export function onTold(take: (told: Exclude<Told, { kind: "done" }>) => void, done: () => void): void {
  worker.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind !== "done") return take(data);
    asked -= 1;
    done();
  };
  worker.onerror = (event) => fail(`The engine stopped: ${event.message}. Load the page again.`);
}

export function fail(sentence: string): void {
  const line = one("error");
  line.textContent = sentence;
  line.hidden = false;
}

/** The scene of a name. */
export const sceneOf = (name: string): SceneAbout | undefined => studio.families.flatMap(({ scenes }) => scenes).find((scene) => scene.name === name);

/** Ticks of a second. */
export const rate = (): number => studio.scene?.rate_hz ?? 60;

/** The setting that hands an agent to a person, its value then, and whether it has it. */
export function handed(): { name: string; value: string; on: boolean } | undefined {
  const setting = studio.scene?.controls?.setting ?? undefined;
  if (setting === undefined) return undefined;
  const { name, value } = setting;
  const stock = studio.scene?.settings.find((one) => one.name === name)?.stock;
  const word = studio.changed.findLast((text) => text.startsWith(`${name}=`))?.slice(name.length + 1) ?? stock;
  return { name, value, on: word === value };
}

/** Whether the scene is one that a person plays in first person. */
export const isFirstPerson = (): boolean => studio.scene?.controls?.mode === "first_person";

/** Whether a person can play what is shown: controls begin another future, so a scene that nobody plays gets none. */
export const isPlayed = (): boolean => (studio.scene?.controls ?? null) !== null && (handed()?.on ?? true);

/** Whether the left button draws a box around who is to be selected. */
export const hasBox = (): boolean => isPlayed() && studio.scene?.controls?.mode === "command";

/** Whether one of these means something to what is shown; if not, it must not begin another future. */
export const binds = (...actions: ControlAction[]): boolean =>
  isPlayed() && (studio.scene?.controls?.bindings.some(({ action }) => actions.includes(action)) ?? false);

/** Whether the left button is the player's rather than the camera's. */
export const ownsPointer = (): boolean => binds("fire", "select");

/** What agents of a kind are; undefined where the scene does not say. */
export const lookOf = (kind: number): KindLook | undefined => studio.scene?.kinds.findLast((look) => look.kind <= kind);

export const seconds = (tick: number): string => `${(tick / rate()).toFixed(2)} s`;

/** Names and values as a list. */
export function rows(list: HTMLElement, pairs: readonly (readonly [string, string])[]): void {
  list.replaceChildren(...pairs.flatMap(([name, value]) => {
    const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
    dt.textContent = name;
    dd.textContent = value;
    return [dt, dd];
  }));
}
