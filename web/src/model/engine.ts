// The engine in its worker: what is asked and what it tells.

import type { Ask, Told } from "../worker.js";

export class Engine {
  private worker: Worker;
  private asked = 0;

  /** `take` hears what is told, `done` that a question was answered, `fail` that the engine stopped. */
  constructor(take: (told: Exclude<Told, { kind: "done" }>) => void, done: () => void, fail: (why: string) => void) {
    this.worker = new Worker(new URL("../worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.kind !== "done") return take(data);
      this.asked -= 1;
      done();
    };
    this.worker.onerror = (event) => fail(`The engine stopped: ${event.message}. Load the page again.`);
  }

  /** Whether it is at work. */
  get isBusy(): boolean { return this.asked > 0; }

  ask(message: Ask): void {
    if (message.kind !== "give" && message.kind !== "regroup") this.asked += 1;
    this.worker.postMessage(message);
  }
}
