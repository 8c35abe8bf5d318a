// A gamepad, read once a frame. The layout is the standard one that browsers tell.

/** What a gamepad does now: sticks as shares of their way, buttons as they are held. */
export interface Pad {
  right: number; ahead: number; lookRight: number; lookUp: number;
  fire: boolean; reload: boolean; jump: boolean; use: boolean; melee: boolean; throw: boolean;
  /** Pressed since the frame before. */
  isNewCrouch: boolean; isNewPause: boolean;
}

/** Sticks do not rest exactly in their middle: below this share they do. */
const DEAD = 0.15;
/** A trigger counts from this share on. */
const TRIGGER = 0.3;

/** A stick beyond its dead middle, growing from 0. */
export function beyondDead(x: number, y: number): [number, number] {
  const far = Math.hypot(x, y);
  if (far < DEAD) return [0, 0];
  const share = Math.min(1, (far - DEAD) / (1 - DEAD)) / far;
  return [x * share, y * share];
}

/** Reads a gamepad of the standard layout; `before` is what it did the frame before. */
export function readPad(pad: Pick<Gamepad, "axes" | "buttons">, before: ReadonlySet<number>): { pad: Pad; down: Set<number> } {
  const down = new Set<number>();
  pad.buttons.forEach((button, index) => { if (button.pressed || button.value > TRIGGER) down.add(index); });
  const is = (index: number) => down.has(index);
  const isNew = (index: number) => down.has(index) && !before.has(index);
  const [right, back] = beyondDead(pad.axes[0] ?? 0, pad.axes[1] ?? 0);
  const [lookRight, lookDown] = beyondDead(pad.axes[2] ?? 0, pad.axes[3] ?? 0);
  return {
    down,
    pad: {
      right, ahead: -back, lookRight, lookUp: -lookDown, fire: is(7), reload: is(2), jump: is(0), use: is(3), melee: is(5), throw: is(4),
      isNewCrouch: isNew(1), isNewPause: isNew(9),
    },
  };
}

/** The first gamepad there is. */
export class Pads {
  private down: ReadonlySet<number> = new Set();

  read(): Pad | undefined {
    const found = navigator.getGamepads?.().find((one) => one !== null && one.mapping === "standard");
    if (found === null || found === undefined) { this.down = new Set(); return undefined; }
    const { pad, down } = readPad(found, this.down);
    this.down = down;
    return pad;
  }
}
