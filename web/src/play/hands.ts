// The hands of who plays in first person: keys by their place on the keyboard, the mouse, and the controls they make.

import type { ControlAction, Controls } from "../../pkg/sentir.js";
import { stage } from "../studio.js";
import { options } from "./option.js";

/** What keys hold, by their place: so that they lie under the same fingers on any keyboard. */
const HOLDS: Record<string, string> = {
  KeyW: "ahead", KeyS: "back", KeyA: "left", KeyD: "right", Space: "jump", KeyR: "reload", ControlLeft: "crouch", ControlRight: "crouch",
  ShiftLeft: "soft", ShiftRight: "soft", KeyF: "fire", KeyE: "use", KeyQ: "melee", KeyG: "throw",
  ArrowLeft: "turn-left", ArrowRight: "turn-right", ArrowUp: "look-up", ArrowDown: "look-down",
};
/** By what each is done, for people; what is not here is for other views. */
export const NAMES: Partial<Record<ControlAction, string>> = {
  move: "W A S D", look: "Mouse", fire: "Left button, F", use: "Right button, E", reload: "R", melee: "Q", throw: "G", crouch: "C, Ctrl", jump: "Space",
};
/** How far the view turns with the mouse at sensitivity 1, rad/px, and with an arrow key, rad/s. */
const TURN_PER_PX = 0.0022, TURN_PER_S = 2.2;
/** Share of the full pace of who walks softly: steps carry less far. */
const SOFT = 0.45;
/** A jump of the pointer that no hand makes: some browsers tell one when it is locked, px. */
const JERK_PX = 400;

const held = new Set<string>();
/** What was pressed since the last controls: a tap between two ticks counts. */
const tapped = new Set<string>();
let isLow = false;
let last = "";

/** Nothing is held. */
export function drop(): void {
  held.clear();
  tapped.clear();
  last = "";
}

/** On one's feet again: a new match. */
export function stand(): void {
  drop();
  isLow = false;
}

function press(what: string): void {
  held.add(what);
  tapped.add(what);
}

/** A key goes down or up; whether it is one of the hands. */
export function key(event: KeyboardEvent, isDown: boolean): boolean {
  if (event.code === "KeyC") { if (isDown && !event.repeat) isLow = !isLow; return true; }
  const what = HOLDS[event.code];
  if (what === undefined) return false;
  if (!isDown) held.delete(what); else if (!event.repeat) press(what);
  return true;
}

/** A button of the mouse. */
export function button(event: MouseEvent, isDown: boolean): void {
  const what = ["fire", "", "use"][event.button];
  if (!what) return;
  if (isDown) press(what); else held.delete(what);
}

/** The mouse turns the view. */
export function turn(event: MouseEvent): void {
  if (Math.hypot(event.movementX, event.movementY) > JERK_PX) return;
  const share = TURN_PER_PX * options.sensitivity;
  stage.cameras.rotate(-event.movementX * share, -event.movementY * share * (options.inverted ? -1 : 1));
}

/** Arrow keys turn it, too, as long as they are held. */
export function turnBy(seconds: number): void {
  const axis = (plus: string, minus: string) => Number(held.has(plus)) - Number(held.has(minus));
  const [left, up] = [axis("turn-left", "turn-right"), axis("look-up", "look-down")];
  if (left !== 0 || up !== 0) stage.cameras.rotate(left * TURN_PER_S * seconds, up * TURN_PER_S * 0.6 * seconds);
}

function holds(what: string): boolean { return held.has(what) || tapped.has(what); }

/** What the hands do now; undefined if that is what they did before. */
export function taken(): Controls | undefined {
  const { heading: yaw, turn: { pitch } } = stage.cameras;
  const [ahead, right] = [Number(holds("ahead")) - Number(holds("back")), Number(holds("right")) - Number(holds("left"))];
  const pace = (holds("soft") ? SOFT : 1) / Math.max(1, Math.hypot(ahead, right));
  const controls: Controls = {
    east: (right * Math.cos(yaw) - ahead * Math.sin(yaw)) * pace, north: (right * Math.sin(yaw) + ahead * Math.cos(yaw)) * pace, yaw, pitch,
    fire: holds("fire"), reload: holds("reload"), jump: holds("jump"), use: holds("use"), melee: holds("melee"), throw: holds("throw"),
    crouch: isLow || holds("crouch"),
  };
  tapped.clear();
  const text = JSON.stringify(controls);
  if (text === last) return undefined;
  last = text;
  return controls;
}
