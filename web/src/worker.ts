// The engine, off the page's thread: the run that is shown and, after a fork, the other one. Every question but those that only
// give inputs is answered by what it asks for and then `done`; the page never waits in a frame.

import { familyOf, loadFamily } from "./engine.js";
import type { Agent, Decision, Eyesight, Mark, Picture, Refusal, Session, Status } from "../pkg/sentir.js";
import { AGENT_STRIDE } from "./agent.js";
import type { Given, HudOf, Play, Sound } from "./contract.js";

export type Ask =
  | { kind: "start"; run: number; scene: string; seed: bigint; settings: string[]; key: number | null }
  | { kind: "step"; ticks: number }
  | { kind: "seek"; tick: number }
  | { kind: "give"; controls: Given }
  /** Selects these by clicks where they stand: the first anew, the others added. */
  | { kind: "regroup"; keys: number[]; held: Given }
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
  | { kind: "ready" }
  /** How much of the scene's module is there, 0 to 1. */
  | { kind: "loading"; run: number; share: number }
  | {
    kind: "moment"; run: number; picture: Picture; agents: Float64Array; others: Float64Array; status: Status; hash: string | null; agent: Agent | null;
    sight: Eyesight | null; hud: HudOf | null; play: Play | null; sounds: Sound[]; fallen: Float64Array; hasStopped: boolean;
  }
  /** What the scene calls its agents; told when it changes. */
  | { kind: "names"; run: number; names: [number, string][] }
  | { kind: "file"; run: number; name: string | null; text: string | null }
  | { kind: "edited"; run: number; refusal: Refusal | null; tick: number }
  | { kind: "marks"; run: number; marks: Mark[] }
  | { kind: "compared"; run: number; decision: Decision | null; ticks: number }
  | { kind: "recording"; bytes: Uint8Array }
  | { kind: "error"; error: string }
  | { kind: "done" };

/** How much more of a run must be known before its marks are told again, ticks. */
const MARKS_TICKS = 20;

/** Up to so many ticks of a step are played one by one, so that what is heard in each is told. */
const HEARD_TICKS = 4;

const here = {
  session: undefined as Session | undefined,
  /** The other run: the original while the fork is shown, the fork while the original is. */
  other: undefined as Session | undefined,
  hasGhosts: false,
  selected: null as number | null,
  run: 0,
  markedTicks: -1,
  /** The file of the selected agent's brain as it was told last. */
  file: { name: null as string | null, text: null as string | null },
  names: "",
  sounds: [] as Sound[],
};

function tell(told: Told, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(told, transfer);
}

/** Tells how things stand; after playing, also whether that came to a breakpoint. The hash is of all state: only where time stands. */
function moment(wasPlayed = false): void {
  const { session, other, selected, run } = here;
  if (session === undefined) return;
  const status = session.status();
  const picture = session.draw(selected);
  const agent = selected === null ? null : session.agent(selected);
  const sight = selected === null ? null : session.eyesight(selected);
  const [agents, fallen, play] = [session.agents(), session.fallen(), session.screen()];
  const others = here.hasGhosts && other !== undefined && meet(other, status.tick) ? other.agents() : new Float64Array();
  const cells = play?.minimap ? [play.minimap.cells.buffer] : [];
  const moved = [picture.floats.buffer, picture.words.buffer, picture.colors.buffer, agents.buffer, others.buffer, fallen.buffer, ...cells, ...(sight?.pictures.map(({ rgba }) => rgba.buffer) ?? [])] as ArrayBuffer[];
  const hud = play?.hud ?? null;
  tellNames();
  tell({ kind: "moment", run, picture, agents, others, status, hash: wasPlayed ? null : session.hash, agent, sight, hud, play, sounds: here.sounds, fallen, hasStopped: wasPlayed && status.breakpoint !== null }, moved);
  here.sounds = [];
  tellFile(agent?.brain_file ?? null);
  if (status.known_ticks < here.markedTicks || status.known_ticks >= here.markedTicks + MARKS_TICKS) mark(status.known_ticks);
}

/** Tells what agents are called when that is not as before. */
function tellNames(): void {
  const names = here.session?.names() ?? [];
  const text = JSON.stringify(names);
  if (text === here.names) return;
  here.names = text;
  tell({ kind: "names", run: here.run, names });
}

/** Plays some ticks; few ones one by one, to hear each. */
function step(ticks: number): void {
  const { session } = here;
  if (session === undefined) return;
  const part = ticks <= HEARD_TICKS ? 1 : ticks;
  for (let left = ticks; left > 0; left -= part) {
    if (session.play(part) < part) break;
    here.sounds.push(...session.sounds());
    if (left > part && session.status().breakpoint !== null) break;
  }
}

/** Clicks that select these, each where it stands. */
function regroup({ keys, held }: Extract<Ask, { kind: "regroup" }>): void {
  const agents = here.session?.agents() ?? new Float64Array();
  let isFirst = true;
  for (let at = 0; at < agents.length; at += AGENT_STRIDE) {
    if (!keys.includes(agents[at]!)) continue;
    const spot: [number, number] = [agents[at + 3]!, -agents[at + 5]!];
    for (const fire of [true, false]) here.session?.give({ ...held, fire, more: !isFirst, spot });
    isFirst = false;
  }
}

/** Tells the file of a brain when it is another one, or was edited. */
function tellFile(name: string | null): void {
  const text = name === null ? null : here.session?.asset(name) ?? null;
  if (name === here.file.name && text === here.file.text) return;
  here.file = { name, text };
  tell({ kind: "file", run: here.run, name, text });
}

function edit({ run: asked, name, text }: Extract<Ask, { kind: "edit" }>): void {
  const { session, run } = here;
  if (session === undefined || asked !== run) return;
  const { tick } = session;
  const answer = session.edit(name, text);
  tell({ kind: "edited", run, refusal: answer === true ? null : answer, tick });
  moment();
}

function mark(known: number): void {
  here.markedTicks = known;
  tell({ kind: "marks", run: here.run, marks: here.session?.marks() ?? [] });
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
  here.other?.free();
  here.other = undefined;
}

async function begin(ask: Extract<Ask, { kind: "start" }>): Promise<void> {
  drop();
  here.session?.free();
  here.session = undefined;
  Object.assign(here, { run: ask.run, selected: ask.key, markedTicks: -1, file: { name: null, text: null }, names: "", sounds: [] });
  tell({ kind: "file", run: here.run, ...here.file });
  const engine = await loadFamily(familyOf(ask.scene), (share) => tell({ kind: "loading", run: ask.run, share }));
  here.session = taken(engine.start(ask.scene, ask.seed, ask.settings)) as Session | undefined;
  moment();
}

/** Keeps this run as the other one and goes on with a fork of it. */
function fork(): void {
  const made = here.session === undefined ? undefined : (taken(here.session.fork()) as Session | undefined);
  if (made === undefined) return;
  drop();
  [here.other, here.session] = [here.session, made];
  moment();
}

function swap(): void {
  const { session, other } = here;
  if (session === undefined || other === undefined) return;
  taken(other.seek(session.tick));
  [here.session, here.other, here.markedTicks] = [other, session, -1];
  moment();
}

/** Plays both as far as either is known, then holds the fork against the original. */
function compare(): void {
  const { session, other, run } = here;
  if (session === undefined || other === undefined) return;
  const [now, then] = [session.tick, other.tick];
  const ticks = Math.max(session.status().known_ticks, other.status().known_ticks);
  for (const it of [session, other]) taken(it.seek(ticks));
  const decision = taken(session.decision(other)) ?? null;
  taken(session.seek(now));
  taken(other.seek(then));
  tell({ kind: "compared", run, decision, ticks });
  moment();
}

function record(): void {
  const bytes = here.session === undefined ? undefined : (taken(here.session.record()) as Uint8Array | undefined);
  if (bytes !== undefined) tell({ kind: "recording", bytes });
}

/** What only gives inputs, and is not answered; false for what is a question. */
function give(ask: Ask): boolean {
  if (ask.kind !== "give" && ask.kind !== "regroup") return false;
  // After the end of a match, controls have nothing to hold: no error worth a message.
  if (here.session?.ending !== undefined) return true;
  if (ask.kind === "give") here.session?.give(ask.controls); else regroup(ask);
  return true;
}

function answer(ask: Exclude<Ask, { kind: "give" | "regroup" }>): void | Promise<void> {
  const { session } = here;
  switch (ask.kind) {
    case "start": return begin(ask);
    case "step": step(ask.ticks); return moment(true);
    case "edit": return edit(ask);
    case "seek": if (session !== undefined) taken(session.seek(ask.tick)); return moment();
    case "select": here.selected = ask.key; return moment();
    case "marks": if (session !== undefined) mark(session.status().known_ticks); return moment();
    case "fork": return fork();
    case "swap": return swap();
    case "ghosts": here.hasGhosts = ask.on; return moment();
    case "compare": return compare();
    case "drop": drop(); return moment();
    case "record": return record();
  }
}

async function hear(ask: Ask): Promise<void> {
  if (give(ask)) return;
  try {
    await answer(ask as Parameters<typeof answer>[0]);
  } catch (error) {
    tell({ kind: "error", error: error instanceof Error ? error.message : String(error) });
  }
  tell({ kind: "done" });
}

/** One after the other: what is asked while a module is being loaded waits for it. */
const queue = { last: Promise.resolve() };
self.onmessage = ({ data }: MessageEvent<Ask>) => { queue.last = queue.last.then(() => hear(data)); };
tell({ kind: "ready" });
