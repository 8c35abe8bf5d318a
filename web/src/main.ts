// The page: wires controls, time, inputs and the inspector to the engine in its worker.

import type { Agent, Controls, SceneAbout, Status } from "../pkg/sentir.js";
import { AGENT_STRIDE, Stage } from "./stage.js";
import type { Ask, Told } from "./worker.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
/** How near a click must be, m. */
const PICK_M = 1.2;

const one = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const [scenePick, seedBox, time, speedPick] = [one<HTMLSelectElement>("scene"), one<HTMLInputElement>("seed"), one<HTMLInputElement>("time"), one<HTMLSelectElement>("speed")];
const [play, errorLine, canvas, help] = [one<HTMLButtonElement>("play"), one("error"), one<HTMLCanvasElement>("view"), one<HTMLDialogElement>("help")];
const stage = new Stage(canvas, one("labels"));
const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

let scenes: SceneAbout[] = [];
let scene: SceneAbout | undefined;
let status: Status | undefined;
let agents: Float64Array = new Float64Array();
let selected: number | null = null;
let changed: string[] = [];
let playing = false;
let isBusy = false;
let isFresh = false;
let wantedTick: number | null = null;
let owed = 0;
let last = 0;
const held = new Set<string>();
let fire = false, use = false;
let spot: [number, number] = [0, 0];

function ask(message: Ask): void {
  if (message.kind !== "give" && message.kind !== "record") isBusy = true;
  worker.postMessage(message);
}

function fail(sentence: string): void {
  errorLine.textContent = sentence;
  errorLine.hidden = false;
}

/** What the link says: scene, seed, tick, selection, settings that are not stock. */
function link(): { scene: string; seed: string; tick: number; agent: number | null; settings: string[] } {
  const words = new URLSearchParams(location.hash.slice(1));
  const agent = words.get("agent");
  return { scene: words.get("scene") ?? "patrol", seed: words.get("seed") ?? "7", tick: Number(words.get("tick") ?? 0) || 0, agent: agent === null ? null : Number(agent), settings: words.getAll("set") };
}

function writeLink(): void {
  if (scene === undefined || status === undefined) return;
  const words = new URLSearchParams({ scene: scene.name, seed: seedBox.value, tick: String(status.tick) });
  if (selected !== null) words.set("agent", String(selected));
  changed.forEach((setting) => words.append("set", setting));
  history.replaceState(null, "", `#${words}`);
}

function open(name: string, seed: string, tick: number, agent: number | null, settings: string[]): void {
  errorLine.hidden = true;
  setPlaying(false);
  stage.refit();
  seedBox.value = seed;
  selected = agent;
  changed = settings;
  scene = scenes.find((other) => other.name === name);
  scenePick.value = scene?.name ?? "";
  one("title").textContent = scene?.title ?? "No such scene";
  one("about").textContent = scene?.about ?? "";
  one("controls").textContent = scene?.controls ? `Controls: ${scene.controls}` : "";
  offer();
  if (!/^\d{1,19}$/.test(seed)) return fail(`'${seed}' is no seed: expected a whole number`);
  isFresh = true;
  ask({ kind: "start", scene: name, seed: BigInt(seed), settings });
  ask({ kind: "select", key: agent });
  if (tick > 0) ask({ kind: "seek", tick });
}

/** A field for each setting of the scene; a change starts the scene anew. */
function offer(): void {
  const all = scene?.settings ?? [];
  one("settings").hidden = all.length === 0;
  const fields = all.flatMap(({ name, about, stock, limits }) => {
    const field = limits.kind === "choice" ? document.createElement("select") : document.createElement("input");
    if (limits.kind === "choice") field.append(...limits.words.map((word) => new Option(word)));
    else Object.assign(field, { type: "number", min: String(limits.min), max: String(limits.max), step: limits.kind === "whole" ? "1" : "any" });
    field.value = changed.findLast((setting) => setting.startsWith(`${name}=`))?.slice(name.length + 1) ?? stock;
    field.setAttribute("aria-label", `${name}: ${about}`);
    field.title = about;
    field.onchange = () => {
      const others = changed.filter((setting) => !setting.startsWith(`${name}=`));
      open(scene!.name, seedBox.value, 0, null, field.value === stock ? others : [...others, `${name}=${field.value}`]);
    };
    const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
    dt.textContent = name;
    dd.append(field);
    return [dt, dd];
  });
  one("settings").querySelector("dl")!.replaceChildren(...fields);
}

function setPlaying(on: boolean): void {
  playing = on;
  owed = 0;
  play.textContent = on ? "⏸" : "▶";
  play.setAttribute("aria-label", on ? "Pause" : "Play");
  if (!on) writeLink();
}

function goTo(tick: number): void {
  setPlaying(false);
  wantedTick = Math.max(0, tick);
  pump();
}

/** Asks for the next thing when the engine is free: at most one moment is under way. */
function pump(): void {
  if (isBusy) return;
  if (wantedTick !== null) {
    ask({ kind: "seek", tick: wantedTick });
    wantedTick = null;
  } else if (playing && owed >= 1) {
    // Never more than half a second at once: a slow machine plays slower, it does not stall.
    const ticks = Math.min(Math.floor(owed), Math.ceil((scene?.rate_hz ?? 60) / 2));
    owed = Math.min(owed - ticks, 1);
    ask({ kind: "step", ticks });
  }
}

function frame(now: number): void {
  const seconds = Math.min((now - last) / 1000, 0.25);
  last = now;
  if (playing && scene !== undefined) owed += seconds * scene.rate_hz * Number(speedPick.value);
  pump();
  requestAnimationFrame(frame);
}

function rows(list: HTMLElement, pairs: [string, string][]): void {
  list.replaceChildren(...pairs.flatMap(([name, value]) => {
    const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
    dt.textContent = name;
    dd.textContent = value;
    return [dt, dd];
  }));
}

const meters = (point: readonly number[]): string => `${point[0]!.toFixed(2)}, ${point[1]!.toFixed(2)}, ${point[2]!.toFixed(2)}`;

function inspect(agent: Agent | null): void {
  const box = one("agent");
  if (agent === null) {
    box.textContent = selected === null ? "Click an agent to look into it." : `Agent ${selected} is not there.`;
    return;
  }
  const { body, intents, beliefs } = agent;
  const travel = agent.order?.travel ?? intents.travel;
  const pairs: [string, string][] = [
    ["key", `${agent.key}, team ${agent.team}`], ["position, m", meters(body.position)], ["speed, m/s", body.speed_m_per_s.toFixed(2)],
    ["health", `${Math.round(body.health * 100)} %`], ["stance", body.stance],
    [agent.order?.travel ? "ordered to" : "wants to go to", travel ? meters(travel.goal) : "–"],
    ["does", intents.actions.join(", ") || "–"], ["behavior", String(intents.behavior)],
  ];
  beliefs.others.slice(0, 8).forEach((other) => pairs.push([
    `believes ${other.key ?? "?"} at`, `${meters(other.believed)} (${other.source}, ${Math.round(other.confidence * 100)} %${other.error_m === null ? "" : `, off by ${other.error_m.toFixed(2)} m`})`]));
  const list = document.createElement("dl");
  rows(list, pairs);
  box.replaceChildren(list);
}

function show(told: Extract<Told, { kind: "moment" }>): void {
  status = told.status;
  agents = told.agents;
  stage.take(told.picture, agents, selected);
  time.max = String(Math.max(status.known_ticks, (scene?.rate_hz ?? 60) * 10));
  if (document.activeElement !== time || playing) time.value = String(status.tick);
  one("clock").textContent = `${(status.tick / (scene?.rate_hz ?? 60)).toFixed(2)} s`;
  rows(one("metrics"), [["outcome", status.ending ?? "goes on"], ...status.metrics.map(({ name, value }): [string, string] => [name, value === null ? "–" : value.toFixed(2)]), ["hash", status.hash]]);
  inspect(told.agent);
  if (status.ending !== null && playing) setPlaying(false);
  if (isFresh) { isFresh = false; writeLink(); }
  Object.assign(document.body.dataset, { tick: String(status.tick), hash: status.hash, scene: scene?.name ?? "", agents: String(agents.length / AGENT_STRIDE) });
}

worker.onmessage = (event: MessageEvent<Told>) => {
  const told = event.data;
  switch (told.kind) {
    case "ready": return ready(told.scenes, told.layers);
    case "moment": isBusy = false; show(told); return pump();
    case "error": isBusy = false; return fail(told.error);
    case "recording": {
      const anchor = document.createElement("a");
      anchor.href = URL.createObjectURL(new Blob([told.bytes as BlobPart]));
      anchor.download = `${scene?.name ?? "run"}.srec`;
      anchor.click();
      URL.revokeObjectURL(anchor.href);
    }
  }
};

function ready(all: SceneAbout[], layers: string[]): void {
  scenes = all;
  scenePick.append(...all.map(({ name, title }) => new Option(`${name}: ${title}`, name)));
  speedPick.append(...SPEEDS.map((speed) => new Option(`×${speed}`, String(speed), speed === 1, speed === 1)));
  layers.forEach((name, index) => {
    const [label, box] = [document.createElement("label"), document.createElement("input")];
    box.type = "checkbox";
    box.checked = true;
    box.onchange = () => {
      if (box.checked) stage.hidden.delete(index); else stage.hidden.add(index);
      if (status !== undefined && !playing) ask({ kind: "select", key: selected });
    };
    label.append(box, ` ${name}`);
    one("layers").append(label);
  });
  const from = link();
  open(from.scene, from.seed, from.tick, from.agent, from.settings);
  requestAnimationFrame(frame);
}

function controls(): Controls {
  const axis = (plus: string, minus: string) => Number(held.has(plus)) - Number(held.has(minus));
  const letter = [...held].find((key) => /^[zxcvbnm]$/.test(key));
  return {
    east: axis("d", "a"), north: axis("w", "s"), fire: fire || held.has("f"), use, reload: held.has("r"), crouch: held.has("shift"),
    spot, ...(letter === undefined ? {} : { key: letter }),
  };
}

/** Controls begin another future, so a scene that nobody can play gets none. */
function give(): void {
  if (scene?.controls) ask({ kind: "give", controls: controls() });
}

const PLAYED = /^([wasdfrzxcvbnm]|shift)$/;
const COMMANDS: Record<string, () => void> = {
  " ": () => setPlaying(!playing), ",": () => goTo((status?.tick ?? 0) - 1), ".": () => goTo((status?.tick ?? 0) + 1),
  "[": () => { speedPick.selectedIndex = Math.max(0, speedPick.selectedIndex - 1); },
  "]": () => { speedPick.selectedIndex = Math.min(SPEEDS.length - 1, speedPick.selectedIndex + 1); },
  Home: () => goTo(0), "?": () => help.showModal(), "0": () => look(!stage.isAbove),
};

function look(isAbove: boolean): void {
  stage.look(isAbove);
  one("above").setAttribute("aria-pressed", String(isAbove));
  one("orbit").setAttribute("aria-pressed", String(!isAbove));
}

addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (help.open || event.ctrlKey || event.metaKey || event.altKey || target.matches("input:not([type=checkbox],[type=range]), select")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (PLAYED.test(key.toLowerCase())) {
    if (!event.repeat) { held.add(key.toLowerCase()); give(); }
    return;
  }
  if (/^[1-9]$/.test(key)) return void one("layers").querySelectorAll("input")[Number(key) - 1]?.click();
  // A focused button keeps its space bar, a slider its Home key.
  if ((key === " " && target.matches("button, summary, [type=checkbox]")) || (key === "Home" && target === time)) return;
  const command = COMMANDS[key];
  if (command !== undefined) { event.preventDefault(); command(); }
});
addEventListener("keyup", (event) => { if (held.delete(event.key.toLowerCase())) give(); });
addEventListener("blur", () => { if (held.size > 0) { held.clear(); give(); } });

function pick(at: [number, number]): void {
  let best = PICK_M;
  let key: number | null = null;
  for (let index = 0; index < agents.length; index += AGENT_STRIDE) {
    const far = Math.hypot(agents[index + 3]! - at[0], -agents[index + 5]! - at[1]);
    if (far < best) [best, key] = [far, agents[index]!];
  }
  selected = key;
  ask({ kind: "select", key });
  writeLink();
}

let pressedAt: [number, number] | null = null;
canvas.addEventListener("pointerdown", (event) => {
  const at = stage.ground(event.clientX, event.clientY);
  if (at === null) return;
  spot = at;
  pressedAt = [event.clientX, event.clientY];
  // In 3D the left button turns the camera.
  if (scene?.controls && (stage.isAbove || event.button === 2)) {
    if (event.button === 0) fire = true; else if (event.button === 2) use = true;
    give();
  }
});
canvas.addEventListener("pointerup", (event) => {
  spot = stage.ground(event.clientX, event.clientY) ?? spot;
  if (fire || use) { fire = false; use = false; give(); }
  const moved = pressedAt === null ? 99 : Math.hypot(event.clientX - pressedAt[0], event.clientY - pressedAt[1]);
  if (event.button === 0 && moved < 5) pick(spot);
  pressedAt = null;
});
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

scenePick.onchange = () => open(scenePick.value, seedBox.value, 0, null, []);
seedBox.onchange = () => open(scenePick.value, seedBox.value, 0, null, changed);
play.onclick = () => setPlaying(!playing);
one("back").onclick = () => goTo((status?.tick ?? 0) - 1);
one("forth").onclick = () => goTo((status?.tick ?? 0) + 1);
time.oninput = () => goTo(Number(time.value));
one("above").onclick = () => look(true);
one("orbit").onclick = () => look(false);
one("help-open").onclick = () => help.showModal();
one("record").onclick = () => ask({ kind: "record" });
addEventListener("hashchange", () => { const to = link(); open(to.scene, to.seed, to.tick, to.agent, to.settings); });
