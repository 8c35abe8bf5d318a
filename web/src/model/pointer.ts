// Mouse and fingers on the stage: select, box, send, look around, shoot.

import { binds } from "./scene.js";
import type { Studio } from "./studio.js";

/** A press that moves less than this is a click, px. */
const CLICK_PX = 6;
/** How far the view turns with the mouse, rad/px. */
const TURN_PER_PX = 0.0028;

export class Pointer {
  private from: [number, number] | null = null;
  private moved = 0;
  private fingers = new Set<number>();

  constructor(private studio: Studio, private canvas: HTMLCanvasElement) {
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => { this.fingers.delete(event.pointerId); this.cancel(); });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    document.addEventListener("pointerlockchange", () => {
      studio.set("isLocked", studio.isLocked);
      document.body.classList.toggle("locked", studio.isLocked);
      if (!studio.isLocked) this.cancel();
    });
  }

  /** Whether the left button is the player's and not the camera's. */
  private get isHand(): boolean {
    const { view } = this.studio.state;
    return this.studio.ownsPointer && (view === "above" || (view === "orbit" && this.studio.isCommand));
  }

  /** Hands in first person, and the cards of who plays, have the pointer; so has the gallery. */
  private get isTaken(): boolean {
    const { room, mode } = this.studio.state;
    return room !== "stage" || (mode !== "off" && (mode !== "live" || this.studio.play.isFirstPerson));
  }

  private turn(event: PointerEvent): void {
    this.studio.stage.cameras.rotate(-event.movementX * TURN_PER_PX, -event.movementY * TURN_PER_PX);
    this.studio.hand.point(null);
  }

  private stretch(event: PointerEvent): void {
    if (this.from === null) return;
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [Math.min(this.from[0], event.clientX) - box.left, Math.min(this.from[1], event.clientY) - box.top];
    this.studio.set("band", { x, y, wide: Math.abs(event.clientX - this.from[0]), high: Math.abs(event.clientY - this.from[1]) });
  }

  private down(event: PointerEvent): void {
    const { studio } = this;
    const { hand, stage, state } = studio;
    if (this.isTaken) return;
    this.canvas.focus({ preventScroll: true });
    this.fingers.add(event.pointerId);
    if (this.fingers.size > 1) return this.cancel();
    [this.from, this.moved] = [[event.clientX, event.clientY], 0];
    hand.pressed.more = event.ctrlKey || event.metaKey;
    if (studio.isLocked) {
      if (event.button === 0 && binds(state, "fire")) hand.pressed.fire = true; else if (event.button === 2 && binds(state, "use")) hand.pressed.use = true;
      return hand.give();
    }
    hand.point(stage.ground(event.clientX, event.clientY));
    if (event.button === 0 && this.isHand) { this.canvas.setPointerCapture(event.pointerId); hand.pressed.fire = true; hand.give(); }
    if (event.button === 2 && binds(state, "use", "send")) { hand.pressed.use = true; hand.give(); }
  }

  private move(event: PointerEvent): void {
    const { studio } = this;
    const { hand, stage } = studio;
    if (this.isTaken) return;
    if (studio.isLocked) return this.turn(event);
    if (this.from !== null) {
      this.moved = Math.max(this.moved, Math.hypot(event.clientX - this.from[0], event.clientY - this.from[1]));
      if (stage.cameras.isPersonal && event.buttons === 1) this.turn(event);
      if (hand.pressed.fire && studio.isCommand && this.moved > CLICK_PX) this.stretch(event);
    }
    if (this.isHand) hand.point(stage.ground(event.clientX, event.clientY));
  }

  private up(event: PointerEvent): void {
    const { studio } = this;
    const { hand, stage } = studio;
    this.fingers.delete(event.pointerId);
    if (this.isTaken) return;
    if (!studio.isLocked) hand.point(stage.ground(event.clientX, event.clientY));
    const wasClick = this.from !== null && this.moved < CLICK_PX && event.button === 0;
    if (hand.pressed.fire || hand.pressed.use) {
      Object.assign(hand.pressed, { fire: false, use: false, more: event.ctrlKey || event.metaKey });
      hand.give();
    }
    studio.set("band", null);
    this.from = null;
    if (!wasClick || studio.isLocked) return;
    if (hand.isSteering && event.pointerType === "mouse") return this.lock();
    const key = stage.at(event.clientX, event.clientY);
    // Whoever goes along with somebody does not lose them by a click beside.
    if (key !== null || !stage.cameras.isPersonal) studio.select(key);
  }

  /** The mouse turns the view until Esc. Where the browser does not let it, dragging does. */
  private lock(): void {
    const asked = this.canvas.requestPointerLock() as unknown as Promise<void> | undefined;
    asked?.catch(() => undefined);
  }

  private cancel(): void {
    this.from = null;
    this.studio.set("band", null);
    const { pressed } = this.studio.hand;
    if (pressed.fire || pressed.use) this.studio.hand.release();
  }
}
