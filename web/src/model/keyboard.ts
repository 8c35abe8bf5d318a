// The keys of the page. The help dialog lists them.

import { commandOf, type Command } from "./keymap.js";
import type { Studio } from "./studio.js";
import { viewsOf } from "./view.js";

/** What who commands or walks may do beside the controls of the scene. */
const IN_PLAY: readonly Command[] = ["above", "orbit", "follow", "eyes", "next-view", "nearer", "farther", "help"];
const ARROW = /^arrow(left|right|up|down)$/;

/** A focused control keeps the keys that are its own. */
function isTaken(target: Element, key: string): boolean {
  if (key === " ") return target.matches("button, summary, a, [type=checkbox]");
  if (/^(Arrow|Home|End|Page)/.test(key)) return target.matches("[type=range], aside, aside *, [role=listbox], [role=menu] *");
  return false;
}

export class Keyboard {
  constructor(private studio: Studio) {
    addEventListener("keydown", (event) => this.down(event));
    addEventListener("keyup", (event) => this.up(event));
    addEventListener("blur", () => studio.hand.release());
  }

  private turn(right: number, up: number): void {
    const { stage, hand } = this.studio;
    stage.cameras.nudge(right, up);
    hand.point(null);
    stage.render();
  }

  private zoom(factor: number): void {
    this.studio.stage.cameras.zoom(factor);
    this.studio.stage.render();
  }

  private run(command: Command): void {
    const { studio } = this;
    const { clock, state } = studio;
    switch (command) {
      case "play": return clock.setPlaying(!state.isPlaying);
      case "tick-back": return clock.goBy(-1);
      case "tick": return clock.goBy(1);
      case "second-back": return clock.goBy(-clock.rate);
      case "second": return clock.goBy(clock.rate);
      case "begin": return clock.goTo(0);
      case "known": return clock.goToKnown();
      case "mark-before": return clock.goToMark(-1);
      case "mark": return clock.goToMark(1);
      case "slower": return clock.faster(-1);
      case "faster": return clock.faster(1);
      case "above": case "orbit": case "follow": case "eyes": return studio.look(command);
      case "next-view": { const views = viewsOf(state.scene?.views); return studio.look(views[(views.indexOf(state.view) + 1) % views.length]!); }
      case "agent-before": return studio.selectBy(-1);
      case "agent": return studio.selectBy(1);
      case "fork": return studio.fork();
      case "swap": return studio.swap();
      case "drop": return studio.drop();
      case "left": return this.turn(-1, 0);
      case "right": return this.turn(1, 0);
      case "up": return this.turn(0, 1);
      case "down": return this.turn(0, -1);
      case "nearer": return this.zoom(0.85);
      case "farther": return this.zoom(1 / 0.85);
      case "panel": return studio.setPanel(!studio.hasPanel);
      case "help": return studio.set("hasHelp", true);
      // Only a player has a menu; its keys are caught before.
      case "menu": return undefined;
    }
  }

  /** Groups of who commands: Ctrl keeps one, the number alone selects it again. */
  private group(number: number, isKept: boolean): void {
    const { state, set, hand } = this.studio;
    if (isKept) return set("groups", number, [...(state.play?.selection ?? [])]);
    const kept = state.groups[number];
    if (kept !== undefined && kept.length > 0) hand.regroup(kept);
  }

  private down(event: KeyboardEvent): void {
    const target = event.target instanceof Element ? event.target : document.body;
    const { studio } = this;
    const { state } = studio;
    const isPlay = state.mode !== "off";
    if (state.hasHelp || (isPlay && (state.mode !== "live" || studio.play.isFirstPerson))) return;
    if (target.matches("input:not([type=checkbox], [type=range]), select, textarea") || event.altKey) return;
    if (state.room !== "stage") { if (event.key === "?") studio.set("hasHelp", true); return; }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[1-9]$/.test(key) && studio.isCommand && (isPlay || event.ctrlKey || key in state.groups)) { event.preventDefault(); return this.group(Number(key), event.ctrlKey); }
    if (event.ctrlKey || event.metaKey) return;
    if (this.played(event, key.toLowerCase(), isPlay)) return;
    if (/^[1-9]$/.test(key) && !isPlay) return studio.toggleLayerAt(Number(key) - 1);
    const command = commandOf(key);
    if (command === undefined || isTaken(target, key) || (isPlay && !IN_PLAY.includes(command))) return;
    event.preventDefault();
    this.run(command);
  }

  /** Whether a key is one of the controls of the scene. */
  private played(event: KeyboardEvent, key: string, isPlay: boolean): boolean {
    const { hand, state, isCommand } = this.studio;
    if (isPlay && isCommand && ARROW.test(key)) { event.preventDefault(); hand.held.add(key); return true; }
    if (hand.actionOf(key) === undefined) return false;
    // Shift is also part of other keys; it crouches only while time runs.
    if (!event.repeat && (key !== "shift" || state.isPlaying)) { hand.held.add(key); hand.give(); }
    return true;
  }

  private up(event: KeyboardEvent): void {
    if (this.studio.state.mode !== "off" && this.studio.play.isFirstPerson) return;
    const key = event.key.toLowerCase();
    if (this.studio.hand.held.delete(key) && !ARROW.test(key)) this.studio.hand.give();
  }
}
