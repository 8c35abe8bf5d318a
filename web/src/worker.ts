// The engine, off the page's thread. One message in, one answer out; the page never waits in a frame.

import init, { layers, scenes, start, type Agent, type Controls, type Picture, type Session, type Status } from "../pkg/sentir.js";

export type Ask =
  | { kind: "start"; scene: string; seed: bigint; settings: string[] }
  | { kind: "step"; ticks: number }
  | { kind: "seek"; tick: number }
  | { kind: "give"; controls: Controls }
  | { kind: "select"; key: number | null }
  | { kind: "record" };
export type Told =
  | { kind: "ready"; scenes: ReturnType<typeof scenes>; layers: string[] }
  | { kind: "moment"; run: number; picture: Picture; agents: Float64Array; status: Status; agent: Agent | null }
  | { kind: "recording"; bytes: Uint8Array }
  | { kind: "error"; error: string };

let session: Session | undefined;
let selected: number | null = null;
let run = 0;

function tell(told: Told, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(told, transfer);
}

function moment(): void {
  if (session === undefined) return;
  const picture = session.draw();
  const agent = selected === null ? null : session.agent(selected);
  const agents = session.agents();
  const moved = [picture.floats.buffer, picture.words.buffer, agents.buffer] as ArrayBuffer[];
  tell({ kind: "moment", run, picture, agents, status: session.status(), agent }, moved);
}

/** The value, unless it is a refusal; that is told. */
function taken<T>(value: T): Exclude<T, { error: string }> | undefined {
  if (typeof value === "object" && value !== null && "error" in value) {
    tell({ kind: "error", error: String(value.error) });
    return undefined;
  }
  return value as Exclude<T, { error: string }>;
}

function answer(ask: Ask): void {
  switch (ask.kind) {
    case "start": {
      session?.free();
      run += 1;
      session = taken(start(ask.scene, ask.seed, ask.settings)) as Session | undefined;
      return moment();
    }
    case "step": session?.step(ask.ticks); return moment();
    case "seek": if (session !== undefined) taken(session.seek(ask.tick)); return moment();
    // After the end of a match, controls have nothing to hold: no error worth a message.
    case "give": if (session?.ending === undefined) session?.give(ask.controls); return;
    case "select": selected = ask.key; return moment();
    case "record": {
      const bytes = session === undefined ? undefined : (taken(session.record()) as Uint8Array | undefined);
      if (bytes !== undefined) tell({ kind: "recording", bytes });
    }
  }
}

await init();
self.onmessage = (event: MessageEvent<Ask>) => answer(event.data);
tell({ kind: "ready", scenes: scenes(), layers: layers() });
