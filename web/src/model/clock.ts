// Time: play, pause, step, speed, any moment. At most one moment is under way, and the latest wish wins.

import { barEnd, dueTicks, markBy, partOf, speedBy } from "./timeline.js";
import { told } from "./format.js";
import type { Studio } from "./studio.js";

/** How long the engine may be at work before the clock says so, ms. */
const BUSY_MS = 350;

export class Clock {
  private wanted: number | null = null;
  private owed = 0;
  private last = 0;
  private busySince = 0;
  private frames = new Set<(seconds: number) => void>();

  constructor(private studio: Studio) {}

  /** Ticks of a second. */
  get rate(): number { return this.studio.state.scene?.rate_hz ?? 60; }
  get end(): number {
    const { status, scene } = this.studio.state;
    return status === undefined ? 1 : barEnd(status.known_ticks, status.ending !== null, this.rate, scene?.ticks_max ?? Infinity);
  }

  /** Calls back each frame of the page, before time goes on, until what is returned is called. */
  onFrame(then: (seconds: number) => void): () => void {
    this.frames.add(then);
    return () => { this.frames.delete(then); };
  }

  setPlaying(on: boolean): void {
    const { state, set } = this.studio;
    const wasPlaying = state.isPlaying;
    this.owed = 0;
    if (on) this.want(null);
    set("isPlaying", on);
    if (wasPlaying && !on) { this.studio.engine.ask({ kind: "marks" }); this.studio.keepLink(); }
  }

  private want(tick: number | null): void {
    this.wanted = tick;
    const from = this.studio.state.status?.tick ?? 0;
    this.studio.set("goal", tick === null || tick === from ? null : { from, tick });
  }

  /** To a moment, in parts: other wishes need not wait for all of it. */
  goTo(tick: number): void {
    this.setPlaying(false);
    this.want(Math.max(0, Math.min(Math.round(tick), this.studio.state.scene?.ticks_max ?? Infinity)));
    this.pump();
  }

  private get now(): number { return this.wanted ?? this.studio.state.status?.tick ?? 0; }
  /** From where it stands, or is about to. */
  goBy(ticks: number): void { this.goTo(this.now + ticks); }
  /** To the last moment that is known. */
  goToKnown(): void { this.goTo(this.studio.state.status?.known_ticks ?? 0); }

  goToMark(direction: 1 | -1): void {
    const found = markBy(this.studio.state.marks, this.now, direction);
    if (found === undefined) return;
    this.goTo(found.tick);
    this.studio.set("said", `${this.studio.seconds(found.tick)}: ${told(found, (key) => this.studio.nameOf(key))}`);
  }

  faster(by: 1 | -1): void { this.studio.set("speed", (speed) => speedBy(speed, by)); }

  /** Something was refused, or another run begins: what was wanted is not tried again. */
  settle(): void {
    this.want(null);
    this.setPlaying(false);
  }

  /** A moment is shown: whether it was the one that was wanted. */
  arrived(): void {
    const { status, isPlaying } = this.studio.state;
    if (status?.ending !== null && isPlaying) this.setPlaying(false);
  }

  /** Asks for the next thing when the engine is free. */
  pump(): void {
    const { state: { status, isPlaying }, engine } = this.studio;
    if (engine.isBusy || status === undefined) return;
    const { tick, known_ticks: known, ending } = status;
    if (this.wanted !== null) {
      if (this.wanted === tick || (this.wanted > tick && ending !== null)) { this.want(null); this.studio.keepLink(); return; }
      engine.ask({ kind: "seek", tick: partOf(this.wanted, tick, known) });
    } else if (isPlaying && this.owed >= 1) {
      const { ticks, owed } = dueTicks(this.owed, this.rate);
      this.owed = owed;
      this.studio.hand.catchUp();
      engine.ask({ kind: "step", ticks });
    }
  }

  /** Begins the frames. */
  begin(): void {
    const frame = (now: number): void => {
      const passed = Math.min((now - this.last) / 1000, 0.25);
      this.last = now;
      const { state, engine, set, stage } = this.studio;
      if (state.isPlaying) this.owed += passed * this.rate * state.speed;
      if (!engine.isBusy) this.busySince = now;
      set("isBusy", now - this.busySince > BUSY_MS);
      this.frames.forEach((then) => then(passed));
      this.pump();
      stage.tick(passed);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}
