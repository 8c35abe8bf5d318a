// The keys of the page. The help dialog lists them.

import { actionOf, give, held, point, release } from "./control.js";
import { dropFork, forkHere, swap } from "./compare.js";
import { look, lookNext, selectBy } from "./select.js";
import { faster, goBy, goTo, goToKnown, goToMark, isPlaying, setPlaying } from "./time.js";
import { one, rate, stage } from "./studio.js";

const help = one<HTMLDialogElement>("help");

function turn(right: number, up: number): void {
  stage.cameras.nudge(right, up);
  point(null);
  stage.render();
}

function zoom(factor: number): void {
  stage.cameras.zoom(factor);
  stage.render();
}

const COMMANDS: Record<string, () => void> = {
  " ": () => setPlaying(!isPlaying()), ",": () => goBy(-1), ".": () => goBy(1), PageUp: () => goBy(-rate()), PageDown: () => goBy(rate()),
  Home: () => goTo(0), End: goToKnown, k: () => goToMark(-1), l: () => goToMark(1), "[": () => faster(-1), "]": () => faster(1),
  t: () => look("above"), o: () => look("orbit"), p: () => look("follow"), i: () => look("eyes"), "0": lookNext,
  "<": () => selectBy(-1), ">": () => selectBy(1), y: forkHere, u: swap, "#": dropFork,
  ArrowLeft: () => turn(-1, 0), ArrowRight: () => turn(1, 0), ArrowUp: () => turn(0, 1), ArrowDown: () => turn(0, -1),
  "+": () => zoom(0.85), "=": () => zoom(0.85), "-": () => zoom(1 / 0.85), h: () => one("fold").click(), "?": () => help.showModal(),
};

/** A focused control keeps the keys that are its own. */
function isTaken(target: HTMLElement, key: string): boolean {
  if (key === " ") return target.matches("button, summary, a, [type=checkbox]");
  if (/^(Arrow|Home|End|Page)/.test(key)) return target.matches("[type=range], aside, aside *");
  return false;
}

function down(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  // Who plays in first person has keys of his own.
  if (document.body.dataset.play) return;
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.body.dataset.room !== "stage") { if (event.key === "?" && !target.matches("input")) help.showModal(); return; }
  if (target.matches("input:not([type=checkbox], [type=range]), select, textarea")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const played = key.toLowerCase();
  if (actionOf(played) !== undefined) {
    // Shift is also part of other keys; it crouches only while time runs.
    if (!event.repeat && (played !== "shift" || isPlaying())) { held.add(played); give(); }
    return;
  }
  if (/^[1-9]$/.test(key)) return void one("layers").querySelectorAll("input")[Number(key) - 1]?.click();
  const command = COMMANDS[key];
  if (command === undefined || isTaken(target, key)) return;
  event.preventDefault();
  command();
}

export function beginKeys(): void {
  addEventListener("keydown", down);
  addEventListener("keyup", (event) => { if (!document.body.dataset.play && held.delete(event.key.toLowerCase())) give(); });
  addEventListener("blur", release);
  one("help-open").onclick = () => help.showModal();
}
