// The controls of the player: what keys and buttons hold, as the engine takes it.

import type { ControlAction, Controls, SceneControls } from "../pkg/sentir.js";
import { bodyOf } from "./agent.js";
import { ask, binds, hasBox, isPlayed, stage, studio } from "./studio.js";

/** What keys do where the scene binds it; letters that it binds itself come first. */
const KEYS: Record<string, ControlAction> = {
  w: "move", a: "move", s: "move", d: "move", f: "fire", e: "use", r: "reload", q: "melee", g: "throw", j: "jump", shift: "crouch", c: "crouch",
};
/** By what each is done, for people. */
const NAMES: Record<ControlAction, string> = {
  move: "W A S D", look: "mouse", fire: "F or left button", use: "E or right button", reload: "R", melee: "Q", throw: "G", jump: "J", crouch: "Shift or C",
  select: "Left button", select_more: "with Ctrl", send: "right button", letter: "",
};

/** What a key does in the scene that is shown; undefined if nothing. */
export function actionOf(key: string): ControlAction | undefined {
  if (isPlayed() && studio.scene?.controls?.bindings.some(({ letter }) => letter === key.toUpperCase())) return "letter";
  const action = KEYS[key];
  return action !== undefined && binds(action) ? action : undefined;
}

/** How a scene is played with the keys of the stage; in first person the hands have keys of their own. */
export function howTo({ mode, opening, sentence, bindings }: SceneControls): string {
  if (mode === "first_person") return sentence;
  return `${opening}: ${bindings.map(({ action, letter, about }) => `${letter ?? NAMES[action]}: ${about}`).join("; ")}.`;
}

export const held = new Set<string>();
export const pressed = { fire: false, use: false, more: false };
let spot: [number, number] = [0, 0];
let isStale = false;
/** What the hands of who plays in first person do, if it is new; none while nobody does. */
let hands: (() => Controls | undefined) | null = null;

/** From now on the controls come from somebody's hands, and from nothing else; or, with none, as before. */
export function playBy(taken: (() => Controls | undefined) | null): void {
  hands = taken;
}

/** Whether a person walks in the view of the camera: who is played is selected, and the camera goes along. */
export function isSteering(): boolean {
  return isPlayed() && !hasBox() && stage.cameras.isPersonal && studio.selected !== null && studio.selected === stage.player;
}

/** Where a player looks: with the camera that goes along, else at what is pointed at. */
function looks(): { yaw: number; pitch: number } {
  const { cameras } = stage;
  if (isSteering()) return { yaw: cameras.heading, pitch: cameras.turn.pitch };
  const body = binds("look") ? bodyOf(studio.agents, stage.player) : undefined;
  if (body === undefined) return { yaw: 0, pitch: 0 };
  const [east, north] = [spot[0] - body.x, spot[1] + body.z];
  return { yaw: Math.hypot(east, north) > 0.1 ? Math.atan2(-east, north) : body.yaw, pitch: 0 };
}

export function controls(): Controls {
  const axis = (plus: string, minus: string) => Number(held.has(plus)) - Number(held.has(minus));
  const letter = [...held].find((key) => actionOf(key) === "letter");
  const holds = (action: ControlAction) => [...held].some((key) => actionOf(key) === action);
  const { yaw, pitch } = looks();
  let [east, north] = [axis("d", "a"), axis("w", "s")];
  if (isSteering()) [east, north] = [east * Math.cos(yaw) - north * Math.sin(yaw), east * Math.sin(yaw) + north * Math.cos(yaw)];
  const long = Math.max(1, Math.hypot(east, north));
  return {
    east: east / long, north: north / long, yaw, pitch, spot,
    fire: pressed.fire || holds("fire"), use: pressed.use || holds("use"), reload: holds("reload"), melee: holds("melee"), throw: holds("throw"),
    jump: holds("jump"), crouch: holds("crouch"), more: pressed.more,
    ...(letter === undefined ? {} : { key: letter }),
  };
}

/** A key or button went down or up: told at once. Controls begin another future, so a scene that nobody plays gets none. */
export function give(): void {
  isStale = false;
  if (isPlayed() && hands === null) ask({ kind: "give", controls: controls() });
}

/** The pointer points elsewhere, or the view turned: told when time next runs, once. */
export function point(to: [number, number] | null): void {
  if (to !== null) spot = to;
  // Who holds nothing does not play: looking around is no reason for another future.
  isStale ||= isPlayed() && (held.size > 0 || pressed.fire || isSteering());
}

export function catchUp(): void {
  const played = hands?.();
  if (played !== undefined) return ask({ kind: "give", controls: played });
  if (isStale) give();
}

/** Everything is let go of. */
export function release(): void {
  const hadAny = held.size > 0 || pressed.fire || pressed.use;
  held.clear();
  Object.assign(pressed, { fire: false, use: false });
  if (hadAny) give();
}

/** Another run: nothing is held in it. */
export function letGo(): void {
  held.clear();
  Object.assign(pressed, { fire: false, use: false, more: false });
  isStale = false;
}
