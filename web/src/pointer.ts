// Mouse and fingers on the stage: select, box, send, look around, shoot.

import { give, isSteering, point, pressed, release } from "./control.js";
import { select } from "./select.js";
import { binds, hasBox, one, ownsPointer, stage } from "./studio.js";

/** A press that moves less than this is a click, px. */
const CLICK_PX = 6;
/** How far the view turns with the mouse, rad/px. */
const TURN_PER_PX = 0.0028;

const [canvas, band] = [one<HTMLCanvasElement>("view"), one("band")];
let from: [number, number] | null = null;
let moved = 0;
const fingers = new Set<number>();

const isLocked = (): boolean => document.pointerLockElement === canvas;
/** Whether the left button is the player's and not the camera's. */
const isHand = (): boolean => ownsPointer() && stage.cameras.view === "above";

function turn(event: PointerEvent): void {
  stage.cameras.rotate(-event.movementX * TURN_PER_PX, -event.movementY * TURN_PER_PX);
  point(null);
}

function stretch(event: PointerEvent): void {
  if (from === null) return;
  const box = canvas.getBoundingClientRect();
  const [x, y] = [Math.min(from[0], event.clientX) - box.left, Math.min(from[1], event.clientY) - box.top];
  const [wide, high] = [Math.abs(event.clientX - from[0]), Math.abs(event.clientY - from[1])];
  Object.assign(band.style, { left: `${x}px`, top: `${y}px`, width: `${wide}px`, height: `${high}px` });
  band.hidden = false;
}

const isInPlay = (): boolean => Boolean(document.body.dataset.play);

function down(event: PointerEvent): void {
  if (isInPlay()) return;
  canvas.focus({ preventScroll: true });
  fingers.add(event.pointerId);
  if (fingers.size > 1) return cancel();
  [from, moved] = [[event.clientX, event.clientY], 0];
  pressed.more = event.ctrlKey || event.metaKey;
  if (isLocked()) {
    if (event.button === 0 && binds("fire")) pressed.fire = true; else if (event.button === 2 && binds("use")) pressed.use = true;
    return give();
  }
  point(stage.ground(event.clientX, event.clientY));
  if (event.button === 0 && isHand()) { pressed.fire = true; give(); }
  if (event.button === 2 && binds("use", "send")) { pressed.use = true; give(); }
}

function move(event: PointerEvent): void {
  if (isInPlay()) return;
  if (isLocked()) return turn(event);
  if (from !== null) {
    moved = Math.max(moved, Math.hypot(event.clientX - from[0], event.clientY - from[1]));
    if (stage.cameras.isPersonal && event.buttons === 1) turn(event);
    if (pressed.fire && hasBox() && moved > CLICK_PX) stretch(event);
  }
  if (isHand()) point(stage.ground(event.clientX, event.clientY));
}

function up(event: PointerEvent): void {
  fingers.delete(event.pointerId);
  if (isInPlay()) return;
  if (!isLocked()) point(stage.ground(event.clientX, event.clientY));
  const wasClick = from !== null && moved < CLICK_PX && event.button === 0;
  if (pressed.fire || pressed.use) {
    Object.assign(pressed, { fire: false, use: false, more: event.ctrlKey || event.metaKey });
    give();
  }
  band.hidden = true;
  from = null;
  if (!wasClick || isLocked()) return;
  if (isSteering() && event.pointerType === "mouse") return lock();
  const key = stage.at(event.clientX, event.clientY);
  // Whoever goes along with somebody does not lose them by a click beside.
  if (key !== null || !stage.cameras.isPersonal) select(key);
}

/** The mouse turns the view until Esc. Where the browser does not let it, dragging does. */
function lock(): void {
  const asked = canvas.requestPointerLock() as unknown as Promise<void> | undefined;
  asked?.catch(() => undefined);
}

function cancel(): void {
  from = null;
  band.hidden = true;
  if (pressed.fire || pressed.use) release();
}

export function beginPointer(): void {
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", (event) => { fingers.delete(event.pointerId); cancel(); });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  document.addEventListener("pointerlockchange", () => { document.body.classList.toggle("locked", isLocked()); if (!isLocked()) cancel(); });
}
