// Which key does what: on the page, in the hands of who plays, and by what names people find them.

import type { Binding, ControlAction } from "../../pkg/sentir.js";

/** What a key of the page does while nobody plays. */
export type Command =
  | "play" | "tick-back" | "tick" | "second-back" | "second" | "begin" | "known" | "mark-before" | "mark" | "slower" | "faster"
  | "above" | "orbit" | "follow" | "eyes" | "next-view" | "agent-before" | "agent" | "fork" | "swap" | "drop"
  | "left" | "right" | "up" | "down" | "nearer" | "farther" | "panel" | "help" | "menu";

const COMMANDS: Record<string, Command> = {
  " ": "play", ",": "tick-back", ".": "tick", PageUp: "second-back", PageDown: "second", Home: "begin", End: "known", k: "mark-before", l: "mark",
  "[": "slower", "]": "faster", t: "above", o: "orbit", v: "follow", i: "eyes", "0": "next-view", "<": "agent-before", ">": "agent",
  y: "fork", u: "swap", "#": "drop", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", "+": "nearer", "=": "nearer",
  "-": "farther", h: "panel", "?": "help", p: "menu",
};

export const commandOf = (key: string): Command | undefined => (Object.hasOwn(COMMANDS, key) ? COMMANDS[key] : undefined);

/** What keys do where the scene binds it; letters that it binds itself come first. */
const KEYS: Record<string, ControlAction> = {
  w: "move", a: "move", s: "move", d: "move", f: "fire", e: "use", r: "reload", q: "melee", g: "throw", j: "jump", shift: "crouch", c: "crouch",
};

/** What a key does by the bindings of a scene; undefined if nothing. */
export function actionOf(key: string, bindings: readonly Binding[]): ControlAction | undefined {
  if (key.length === 1 && bindings.some(({ letter }) => letter === key.toUpperCase())) return "letter";
  const action = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  return action !== undefined && bindings.some((binding) => binding.action === action) ? action : undefined;
}

/** What keys hold in first person, by their place: so that they lie under the same fingers on any keyboard. */
export type Hold =
  | "ahead" | "back" | "left" | "right" | "jump" | "reload" | "crouch" | "soft" | "fire" | "use" | "melee" | "throw"
  | "turn-left" | "turn-right" | "look-up" | "look-down";
const HOLDS: Record<string, Hold> = {
  KeyW: "ahead", KeyS: "back", KeyA: "left", KeyD: "right", Space: "jump", KeyR: "reload", ControlLeft: "crouch", ControlRight: "crouch",
  ShiftLeft: "soft", ShiftRight: "soft", KeyF: "fire", KeyE: "use", KeyQ: "melee", KeyG: "throw",
  ArrowLeft: "turn-left", ArrowRight: "turn-right", ArrowUp: "look-up", ArrowDown: "look-down",
};

export const holdOf = (code: string): Hold | undefined => (Object.hasOwn(HOLDS, code) ? HOLDS[code] : undefined);

/** The letter of a key by its place, for letters that a scene binds: in first person keys go by place. */
export const letterOf = (code: string): string | undefined => /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code)?.slice(1).find((found) => found !== undefined);

type Names = Partial<Record<ControlAction, string>>;
const FIRST_PERSON: Names = {
  move: "W A S D", look: "Mouse, arrows", fire: "Left button, F", use: "E, right button", reload: "R", melee: "Q", throw: "G", crouch: "C, Ctrl", jump: "Space",
};
const WALK: Names = {
  move: "W A S D", look: "Mouse", fire: "Left button, F", use: "E, right button", reload: "R", melee: "Q", throw: "G", crouch: "Shift, C", jump: "J",
  select: "Left button", send: "Right button",
};
const COMMAND: Names = {
  ...WALK, select: "Left button, drag a box", select_more: "Ctrl with it", send: "Right button, also on the small map", move: "W A S D",
};

/** How a scene is played, as pairs of keys and what they do. */
export function keysOf(mode: "first_person" | "walk" | "command", bindings: readonly Binding[]): { keys: string; about: string }[] {
  const names = mode === "first_person" ? FIRST_PERSON : mode === "walk" ? WALK : COMMAND;
  const bound = bindings.map(({ action, letter, about }) => ({ keys: letter ?? names[action] ?? "", about })).filter(({ keys }) => keys !== "");
  const more = mode === "first_person" ? [{ keys: "Shift", about: "walk softly: steps are heard" }]
    : mode === "command" ? [{ keys: "Arrows, edges", about: "move the view" }, { keys: "Ctrl+1 … 9", about: "keep a group; the number alone selects it again" }] : [];
  return [...bound, ...more, { keys: "P, Esc", about: "pause, menu" }];
}

/** The lists of the help dialog. */
export const HELP: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  { title: "Time", keys: [["Space", "play or pause"], [", .", "one tick back, forward"], ["Page up, down", "one second back, forward"],
    ["Home, End", "to the beginning, to the last known moment"], ["K L", "to the event before, to the next"], ["[ ]", "slower, faster"]] },
  { title: "Looking", keys: [["T O V I", "map, 3D, follow, first person"], ["0", "next camera"], ["Arrows, + −", "move or turn the camera, nearer, farther"],
    ["1 … 9", "show or hide a layer"], ["H", "fold or open the panel"], ["Mouse", "wheel: nearer; drag: move or turn; middle button: move"],
    ["Touch", "tap: select; one finger: move or turn; two: move and zoom"]] },
  { title: "Agents and runs", keys: [["Click", "look into an agent"], ["< >", "agent before, next agent"], ["Y", "fork here"], ["U", "show the original or the fork"],
    ["#", "drop the other run"], ["Ctrl+Enter", "in the brain file: apply it"]] },
  { title: "Playing in first person", keys: [["W A S D", "walk; with Shift softly"], ["Mouse, arrows", "look around"], ["Left button, F", "shoot"], ["R", "reload"],
    ["C, Ctrl", "crouch until pressed again; while held"], ["Space", "jump"], ["E Q G", "use, strike, throw"], ["P, Esc", "pause, menu"],
    ["Gamepad", "sticks walk and look, right trigger shoots, X reloads, A jumps, B crouches, Start pauses"]] },
  { title: "Commanding from above", keys: [["Left button", "select; drag a box for many; with Ctrl add"], ["Right button", "send who is selected; also on the small map"],
    ["Letters", "as the scene says: formations"], ["Arrows, edges", "move the view"], ["Ctrl+1 … 9", "keep a group; the number selects it again"], ["P, Esc", "pause, menu"]] },
  { title: "Walking", keys: [["W A S D", "walk; in follow and first person as you look"], ["Mouse", "click the stage in follow or first person to look around, Esc to stop"],
    ["Left button, F", "fire"], ["R Q G E", "reload, strike, throw, use"], ["J", "jump"], ["Shift, C", "crouch"], ["P, Esc", "pause, menu"]] },
];
