// The hands of who plays in first person: keys by their place on the keyboard, the mouse, a gamepad, and the controls they make.

import type { Given } from "../contract.js";
import { holdOf, letterOf, type Hold } from "../model/keymap.js";
import type { Studio } from "../model/studio.js";
import type { Pad } from "./pad.js";

/** How far the view turns with the mouse at sensitivity 1, rad/px; with an arrow key and with a stick at its end, rad/s. */
const TURN_PER_PX = 0.0022, TURN_PER_S = 2.2, STICK_PER_S = 3.2;
/** Share of the full pace of who walks softly: steps carry less far. */
const SOFT = 0.45;
/** A jump of the pointer that no hand makes: some browsers tell one when it is locked, px. */
const JERK_PX = 400;

export class Hands {
  private held = new Set<Hold>();
  /** What was pressed since the last controls: a tap between two ticks counts. */
  private tapped = new Set<Hold>();
  private letters = new Set<string>();
  private tappedLetter: string | undefined;
  private isLow = false;
  private last = "";
  private pad: Pad | undefined;

  constructor(private studio: Studio) {}

  /** Nothing is held. */
  drop(): void {
    this.held.clear();
    this.tapped.clear();
    this.letters.clear();
    this.tappedLetter = undefined;
    this.pad = undefined;
    this.last = "";
  }

  /** On one's feet again: a new match. */
  stand(): void {
    this.drop();
    this.isLow = false;
  }

  private press(what: Hold): void {
    this.held.add(what);
    this.tapped.add(what);
  }

  /** A key goes down or up; whether it is one of the hands. */
  key(event: KeyboardEvent, isDown: boolean): boolean {
    const letter = letterOf(event.code);
    if (letter !== undefined && this.studio.state.scene?.controls?.bindings.some((binding) => binding.letter === letter)) {
      if (isDown) { this.letters.add(letter); this.tappedLetter = letter; } else this.letters.delete(letter);
      return true;
    }
    if (event.code === "KeyC") { if (isDown && !event.repeat) this.isLow = !this.isLow; return true; }
    const what = holdOf(event.code);
    if (what === undefined) return false;
    if (!isDown) this.held.delete(what); else if (!event.repeat) this.press(what);
    return true;
  }

  /** A button of the mouse. */
  button(event: MouseEvent, isDown: boolean): void {
    const what = (["fire", undefined, "use"] as const)[event.button];
    if (what === undefined) return;
    if (isDown) this.press(what); else this.held.delete(what);
  }

  /** The mouse turns the view. */
  turn(event: MouseEvent): void {
    if (Math.hypot(event.movementX, event.movementY) > JERK_PX) return;
    const { options } = this.studio.state;
    const share = TURN_PER_PX * options.sensitivity;
    this.studio.stage.cameras.rotate(-event.movementX * share, -event.movementY * share * (options.inverted ? -1 : 1));
  }

  /** A frame: arrow keys and the stick turn the view as long as they are held. */
  frame(seconds: number, pad: Pad | undefined): void {
    const axis = (plus: Hold, minus: Hold) => Number(this.held.has(plus)) - Number(this.held.has(minus));
    const { options } = this.studio.state;
    const stick = STICK_PER_S * options.sensitivity;
    const left = axis("turn-left", "turn-right") * TURN_PER_S - (pad?.lookRight ?? 0) * stick;
    const up = axis("look-up", "look-down") * TURN_PER_S * 0.6 + (pad?.lookUp ?? 0) * stick * 0.7 * (options.inverted ? -1 : 1);
    if (left !== 0 || up !== 0) this.studio.stage.cameras.rotate(left * seconds, up * seconds);
    if (pad?.isNewCrouch === true) this.isLow = !this.isLow;
    this.pad = pad;
  }

  /** What the hands do now; undefined if that is what they did before. */
  taken(): Given | undefined {
    const { heading: yaw, turn: { pitch } } = this.studio.stage.cameras;
    const { pad } = this;
    const holds = (what: Hold) => this.held.has(what) || this.tapped.has(what);
    const ahead = Number(holds("ahead")) - Number(holds("back")) + (pad?.ahead ?? 0);
    const right = Number(holds("right")) - Number(holds("left")) + (pad?.right ?? 0);
    const pace = (holds("soft") ? SOFT : 1) / Math.max(1, Math.hypot(ahead, right));
    const letter = this.tappedLetter ?? [...this.letters][0];
    const controls: Given = {
      east: (right * Math.cos(yaw) - ahead * Math.sin(yaw)) * pace, north: (right * Math.sin(yaw) + ahead * Math.cos(yaw)) * pace, yaw, pitch,
      fire: holds("fire") || pad?.fire === true, reload: holds("reload") || pad?.reload === true, jump: holds("jump") || pad?.jump === true,
      use: holds("use") || pad?.use === true, melee: holds("melee") || pad?.melee === true, throw: holds("throw") || pad?.throw === true,
      crouch: this.isLow || holds("crouch"), ...(letter === undefined ? {} : { key: letter }),
    };
    this.tapped.clear();
    this.tappedLetter = undefined;
    const text = JSON.stringify(controls);
    if (text === this.last) return undefined;
    this.last = text;
    return controls;
  }
}
