// The flow of moments: bodies glide from one moment to the next while the engine makes the one after. What is shown is at most
// one moment behind; where time stands, or jumps, it is shown as it is.

import { between, isWalk, type Body } from "./body.js";

/** Where in time a moment lies, if the page says so: which tick, how many a second, and how fast it plays (0: it stands). */
export interface When { tick: number; rate_hz: number; speed: number }

/** The longest that one moment glides into the next, s: slower than that nobody plays. */
const GLIDE_S_MAX = 1.2;
/** More ticks at once than half a second of the world is a jump of time. */
const JUMP_S = 0.55;
/** Without `When`: moments farther apart than this belong to no flow, s. */
const APART_S = 0.4;

export class Flow {
  private before = new Map<number, Body>();
  private now: Body[] = [];
  private shown: Body[] = [];
  private when: When | undefined;
  private takenAt = -Infinity;
  /** How long the present moment glides, s of the page and of the world; how far it is, s of the page. */
  private glide = 0;
  private worldStep = 0;
  private gone = 0;
  /** Time of the world that was shown, s. */
  seconds = 0;

  clear(): void {
    this.before.clear();
    [this.now, this.shown, this.when, this.takenAt, this.glide, this.gone] = [[], [], undefined, -Infinity, 0, 0];
  }

  /** A new moment. `at` is the time of the page, s. */
  take(all: Body[], when: When | undefined, at: number): void {
    const last = this.when;
    const apart = at - this.takenAt;
    const step = when !== undefined && last !== undefined ? (when.tick - last.tick) / when.rate_hz : apart;
    const flows = when === undefined ? apart < APART_S : last !== undefined && when.speed > 0 && step > 0 && step < JUMP_S;
    this.glide = !flows ? 0 : Math.min(GLIDE_S_MAX, when === undefined ? apart : step / when.speed);
    this.worldStep = flows ? step : 0;
    this.before.clear();
    if (flows) {
      const shown = new Map(this.shown.map((body) => [body.key, body]));
      for (const body of all) {
        const old = shown.get(body.key);
        if (old !== undefined && isWalk(old, body, Math.max(step, 1 / 60))) this.before.set(body.key, { ...old });
      }
    }
    [this.now, this.when, this.takenAt, this.gone] = [all, when, at, 0];
    this.shown = all.map((body) => ({ ...(this.before.get(body.key) ?? body) }));
    if (this.glide === 0) this.settle();
  }

  private settle(): void {
    this.shown = this.now.map((body) => ({ ...body }));
    this.gone = this.glide;
  }

  /** Lets time of the page pass; how much of the world's time was shown by it, s: none while nothing glides. */
  advance(seconds: number): number {
    if (this.gone >= this.glide) return 0;
    const part = Math.min(seconds, this.glide - this.gone);
    this.gone += part;
    const share = Math.min(1, this.gone / this.glide);
    this.now.forEach((body, index) => {
      const from = this.before.get(body.key);
      if (from !== undefined) between(from, body, share, this.shown[index]!);
    });
    const passed = (part / this.glide) * this.worldStep;
    this.seconds += passed;
    return passed;
  }

  /** Whether something still glides. */
  get isGliding(): boolean { return this.gone < this.glide; }

  /** Bodies as they are shown. */
  get bodies(): readonly Body[] { return this.shown; }
}
