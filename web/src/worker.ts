// The engine, off the page's thread: the run that is shown and, after a fork, the other one. Every question but `give` is
// answered by what it asks for and then `done`; the page never waits in a frame.

import { families, familyOf, layers, loadFamily } from "./engine.js";
import type { Agent, Controls, Decision, Eyesight, FamilyAbout, Hud, LayerAbout, Mark, Picture, Refusal, Session, Status } from "../pkg/sentir.js";

export type Ask =
  | { kind: "start"; run: number; scene: string; seed: bigint; settings: string[]; tick: number; key: number | null }
  | { kind: "step"; ticks: number }
  | { kind: "seek"; tick: number }
  | { kind: "give"; controls: Controls }
  | { kind: "edit"; run: number; name: string; text: string }
  | { kind: "select"; key: number | null }
  | { kind: "marks" }
  | { kind: "fork" }
  | { kind: "swap" }
  | { kind: "ghosts"; on: boolean }
  | { kind: "compare" }
  | { kind: "drop" }
  | { kind: "record" };
export type Told =
  | { kind: "ready"; families: FamilyAbout[]; layers: LayerAbout[] }
  | { kind: "moment"; run: number; picture: Picture; agents: Float64Array; others: Float64Array; status: Status; hash: string | null; agent: Agent | null; sight: Eyesight | null; hud: Hud | null; fallen: Float64Array; hasStopped: boolean }
  | { kind: "file"; run: number; name: string | null; text: string | null }
  | { kind: "edited"; run: number; refusal: Refusal | null; tick: number }
  | { kind: "marks"; run: number; marks: Mark[] }
  | { kind: "compared"; run: number; decision: Decision | null; ticks: number }
  | { kind: "recording"; bytes: Uint8Array }
  | { kind: "error"; error: string }
  | { kind: "done" };

/** How much more of a run must be known before its marks are told again, ticks. */
const MARKS_TICKS = 20;

let session: Session | undefined;
/** The other run: the original while the fork is shown, the fork while the original is. */
let other: Session | undefined;
let hasGhosts = false;
let selected: number | null = null;
let run = 0;
let markedTicks = -1;
/** The file of the selected agent's brain as it was told last. */
let toldFile: { name: string | null; text: string | null } = { name: null, text: null };

function tell(told: Told, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(told, transfer);
}

/** Tells how things stand; after playing, also whether that came to a breakpoint. The hash is of all state: only where time stands. */
function moment(wasPlayed = false): void {
  if (session === undefined) return;
  const status = session.status();
  const picture = session.draw(selected);
  const agent = selected === null ? null : session.agent(selected);
  const sight = selected === null ? null : session.eyesight(selected);
  const [agents, fallen] = [session.agents(), session.fallen()];
  const others = hasGhosts && other !== undefined && meet(other, status.tick) ? other.agents() : new Float64Array();
  const moved = [picture.floats.buffer, picture.words.buffer, picture.colors.buffer, agents.buffer, others.buffer, fallen.buffer, ...(sight?.pictures.map(({ rgba }) => rgba.buffer) ?? [])] as ArrayBuffer[];
  tell({ kind: "moment", run, picture, agents, others, status, hash: wasPlayed ? null : session.hash, agent, sight, hud: session.hud(), fallen, hasStopped: wasPlayed && status.breakpoint !== null }, moved);
  tellFile(agent?.brain_file ?? null);
  if (status.known_ticks < markedTicks || status.known_ticks >= markedTicks + MARKS_TICKS) mark(status.known_ticks);
}

/** Tells the file of a brain when it is another one, or was edited. */
function tellFile(name: string | null): void {
  const text = name === null ? null : session?.asset(name) ?? null;
  if (name === toldFile.name && text === toldFile.text) return;
  toldFile = { name, text };
  tell({ kind: "file", run, name, text });
}

function edit({ run: asked, name, text }: Extract<Ask, { kind: "edit" }>): void {
  if (session === undefined || asked !== run) return;
  const { tick } = session;
  const answer = session.edit(name, text);
  tell({ kind: "edited", run, refusal: answer === true ? null : answer, tick });
  moment();
}

function mark(known: number): void {
  markedTicks = known;
  tell({ kind: "marks", run, marks: session?.marks() ?? [] });
}

/** Brings a run to a tick; false if it ends before. */
function meet(it: Session, tick: number): boolean {
  return it.tick === tick || taken(it.seek(tick)) === tick;
}

/** The value, unless it is a refusal; that is told. */
function taken<T>(value: T): Exclude<T, { error: string }> | undefined {
  if (typeof value === "object" && value !== null && "error" in value) {
    tell({ kind: "error", error: String(value.error) });
    return undefined;
  }
  return value as Exclude<T, { error: string }>;
}

function drop(): void {
  other?.free();
  other = undefined;
}

async function begin(ask: Extract<Ask, { kind: "start" }>): Promise<void> {
  drop();
  session?.free();
  session = undefined;
  [run, selected, markedTicks] = [ask.run, ask.key, -1];
  toldFile = { name: null, text: null };
  tell({ kind: "file", run, ...toldFile });
  const engine = await loadFamily(familyOf(ask.scene));
  session = taken(engine.start(ask.scene, ask.seed, ask.settings)) as Session | undefined;
  if (session !== undefined && ask.tick > 0) taken(session.seek(ask.tick));
  moment();
}

/** Keeps this run as the other one and goes on with a fork of it. */
function fork(): void {
  const made = session === undefined ? undefined : (taken(session.fork()) as Session | undefined);
  if (made === undefined) return;
  drop();
  [other, session] = [session, made];
  moment();
}

function swap(): void {
  if (session === undefined || other === undefined) return;
  taken(other.seek(session.tick));
  [session, other, markedTicks] = [other, session, -1];
  moment();
}

/** Plays both as far as either is known, then holds the fork against the original. */
function compare(): void {
  if (session === undefined || other === undefined) return;
  const [here, there] = [session.tick, other.tick];
  const ticks = Math.max(session.status().known_ticks, other.status().known_ticks);
  for (const it of [session, other]) taken(it.seek(ticks));
  const decision = taken(session.decision(other)) ?? null;
  taken(session.seek(here));
  taken(other.seek(there));
  tell({ kind: "compared", run, decision, ticks });
  moment();
}

function answer(ask: Exclude<Ask, { kind: "give" }>): void | Promise<void> {
  switch (ask.kind) {
    case "start": return begin(ask);
    case "step": session?.play(ask.ticks); return moment(true);
    case "edit": return edit(ask);
    case "seek": if (session !== undefined) taken(session.seek(ask.tick)); return moment();
    case "select": selected = ask.key; return moment();
    case "marks": if (session !== undefined) mark(session.status().known_ticks); return moment();
    case "fork": return fork();
    case "swap": return swap();
    case "ghosts": hasGhosts = ask.on; return moment();
    case "compare": return compare();
    case "drop": drop(); return moment();
    case "record": {
      const bytes = session === undefined ? undefined : (taken(session.record()) as Uint8Array | undefined);
      if (bytes !== undefined) tell({ kind: "recording", bytes });
    }
  }
}

async function hear(data: Ask): Promise<void> {
  if (data.kind === "give") {
    // After the end of a match, controls have nothing to hold: no error worth a message.
    if (session?.ending === undefined) session?.give(data.controls);
    return;
  }
  try {
    await answer(data);
  } catch (error) {
    tell({ kind: "error", error: error instanceof Error ? error.message : String(error) });
  }
  tell({ kind: "done" });
}

/** One after the other: what is asked while a module is being loaded waits for it. */
let last = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<Ask>) => { last = last.then(() => hear(data)); };
tell({ kind: "ready", families, layers });
