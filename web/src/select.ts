// Who is selected, and from where one looks.

import { bodyOf, bodies } from "./agent.js";
import { VIEWS, type View } from "./camera.js";
import { isSteering } from "./control.js";
import { writeLink } from "./link.js";
import { ask, one, stage, studio } from "./studio.js";

export function select(key: number | null): void {
  if (key === studio.selected) return;
  studio.selected = key;
  stage.cameras.isSteered = false;
  // Out of nobody's eyes nothing can be seen.
  if (key === null && stage.cameras.isPersonal) look("orbit");
  stage.select(key);
  takeOver();
  ask({ kind: "select", key });
  writeLink();
}

/** The next agent by key, or the one before. */
export function selectBy(step: 1 | -1): void {
  const keys = bodies(studio.agents).map(({ key }) => key).sort((a, b) => a - b);
  if (keys.length === 0) return;
  const at = keys.indexOf(studio.selected ?? NaN);
  select(keys[at < 0 ? (step > 0 ? 0 : keys.length - 1) : (at + step + keys.length) % keys.length]!);
}

/** Takes a camera; those that go along with somebody need somebody. */
export function look(view: View): void {
  if (view === "follow" || view === "eyes") {
    if (bodyOf(studio.agents, studio.selected) === undefined) select(stage.somebody);
    if (studio.selected === null) return;
  }
  if (document.pointerLockElement !== null) document.exitPointerLock();
  stage.look(view);
  takeOver();
  VIEWS.forEach((name) => one(name).setAttribute("aria-pressed", String(name === view)));
  document.body.dataset.view = view;
  writeLink();
}

export const lookNext = (): void => look(VIEWS[(VIEWS.indexOf(stage.cameras.view) + 1) % VIEWS.length]!);

/** Who plays the one that the camera goes along with turns it, and not its mind. */
export function takeOver(): void {
  const body = bodyOf(studio.agents, studio.selected);
  if (body !== undefined && isSteering()) stage.cameras.steer(body);
}
