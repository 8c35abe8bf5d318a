// The inspector: one agent, what it believes beside what is true, what it wants and what came of it.

import type { Agent, Belief, Brain, Gaze, Point, Travel } from "../pkg/sentir.js";
import { bodies, keyName } from "./agent.js";
import { brainOutline } from "./brain.js";
import { look, select, selectBy } from "./select.js";
import { lookOf, one, rate, rows, seconds, studio } from "./studio.js";

const BELIEFS_MAX = 24;
const pick = one<HTMLSelectElement>("who");
let listed = "";

const meters = (point: Point): string => point.map((part) => part.toFixed(1)).join(", ");
const ground = ([x, , z]: Point): string => `${x.toFixed(1)}, ${z.toFixed(1)}`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const degrees = (yaw: number): string => `${Math.round((yaw * 180) / Math.PI)}°`;

function travelled(travel: Travel | null): string {
  return travel === null ? "–" : `to ${meters(travel.goal)}, ${travel.manner}, ${travel.pace_m_per_s.toFixed(1)} m/s`;
}

function gazed(gaze: Gaze | null): string {
  if (gaze === null) return "–";
  if (gaze === "ahead") return "ahead";
  return "at" in gaze ? `at ${meters(gaze.at)}` : `along ${degrees(gaze.along)}`;
}

function table(head: readonly string[], body: readonly (readonly string[])[]): HTMLElement {
  const it = document.createElement("table");
  const top = it.createTHead().insertRow();
  top.append(...head.map((text) => Object.assign(document.createElement("th"), { textContent: text, scope: "col" })));
  const rest = it.createTBody();
  body.forEach((cells) => { const row = rest.insertRow(); cells.forEach((text) => { row.insertCell().textContent = text; }); });
  const frame = document.createElement("div");
  frame.className = "wide";
  frame.append(it);
  return frame;
}

function believed(other: Belief, tick: number): string[] {
  return [
    other.key === null ? "?" : keyName(other.key), ground(other.believed), other.real === null ? "gone" : ground(other.real),
    other.error_m === null ? "–" : `${other.error_m.toFixed(1)} m`, other.is_visible ? "now" : `${((tick - other.at_tick) / rate()).toFixed(1)} s`,
    other.is_vanished ? `${other.source}, not there any more` : other.source, percent(other.confidence),
  ];
}

/** A part with a heading, or nothing if there is nothing to say. */
function part(title: string, ...content: HTMLElement[]): HTMLElement[] {
  return [Object.assign(document.createElement("h3"), { textContent: title }), ...content];
}

function listOf(pairs: readonly (readonly [string, string])[]): HTMLElement {
  const list = document.createElement("dl");
  rows(list, pairs);
  return list;
}

/** Its brain, if the scene shows it. */
function brainPart(brain: Brain | null): HTMLElement[] {
  return brain === null ? [] : part(`Brain: ${brain.name}, ${brain.kind}`, brainOutline(brain));
}

function told({ team, squad, body, motion, intents, order, beliefs, brain }: Agent, tick: number): HTMLElement[] {
  const others = beliefs.others.slice(0, BELIEFS_MAX).map((other) => believed(other, tick));
  const left = beliefs.others.length - others.length;
  const parts = [
    ...brainPart(brain),
    ...part("Body", listOf([
      ["position, m", meters(body.position)], ["speed", `${body.speed_m_per_s.toFixed(2)} m/s`], ["faces", degrees(body.yaw)],
      ["health", percent(body.health)], ["stance", body.stance], ["team, squad", `${team}, ${squad}`],
    ])),
    ...part("Wants", listOf([
      ["to go", travelled(intents.travel)], ["to look", gazed(intents.gaze)], ["to do", intents.actions.join(", ") || "–"],
      ["stance", intents.stance], ["behavior", String(intents.behavior)],
    ])),
    ...part("Ordered", listOf(order === null ? [["order", "none"]] : [
      ["to go", travelled(order.travel)], ["to look", gazed(order.gaze)], ["to do", order.actions?.join(", ") || "–"],
    ])),
    ...part("Moves", listOf([
      ["speed asked for", `${Math.hypot(...motion.velocity).toFixed(2)} m/s`], ["turns to", degrees(motion.yaw)], ["does", motion.actions.join(", ") || "–"],
    ])),
    ...part("Believes", others.length === 0 ? Object.assign(document.createElement("p"), { textContent: "Knows of nobody." })
      : table(["who", "believed", "really", "off by", "age", "source", "sure"], others)),
  ];
  if (left > 0) parts.push(Object.assign(document.createElement("p"), { textContent: `and ${left} more` }));
  parts.push(...part("Lately", listOf([
    ["outcomes", beliefs.outcomes.join("; ") || "–"], ["noises heard", beliefs.noises.slice(0, 4).map(meters).join("; ") || "–"],
    ["smells", beliefs.smells.slice(0, 4).map((it) => `${ground(it.position)}, ${percent(it.strength)}, ${((tick - it.left_tick) / rate()).toFixed(0)} s old`).join("; ") || "–"],
    ["hurt by", beliefs.hurts.map((amount) => amount.toFixed(2)).join(", ") || "–"], ["messages", String(beliefs.messages)],
    ["things", beliefs.things.map(({ id, value, source }) => `${id}: ${value} (${source})`).join(", ") || "–"],
  ])));
  return parts;
}

/** Everybody by key, so that the keyboard reaches all. */
function list(): void {
  const all = bodies(studio.agents).map(({ key, team, kind }) => ({ key, team, name: lookOf(kind)?.name ?? "agent" })).sort((a, b) => a.key - b.key);
  const now = all.map(({ key, team, name }) => `${name} ${key} ${team}`).join();
  if (now !== listed) {
    listed = now;
    pick.replaceChildren(new Option("nobody", ""), ...all.map(({ key, team, name }) => new Option(`${name} ${keyName(key)}, team ${team}`, String(key))));
  }
  if (document.activeElement !== pick) pick.value = studio.selected === null ? "" : String(studio.selected);
}

/** Shows who is selected. */
export function inspect(): void {
  list();
  const { agent, selected, status } = studio;
  const box = one("agent");
  const isNobody = selected === null;
  one("watch").hidden = isNobody;
  if (agent === null || agent.key !== selected) {
    box.textContent = isNobody ? "Click somebody, or choose above, to look into an agent." : `Agent ${keyName(selected)} is not there at ${seconds(status?.tick ?? 0)}.`;
    return;
  }
  const [wide, brain] = [box.querySelector(".wide")?.scrollLeft ?? 0, box.querySelector(".brain")?.scrollTop ?? 0];
  box.replaceChildren(...told(agent, status?.tick ?? 0));
  box.querySelector(".wide")?.scrollTo({ left: wide });
  box.querySelector(".brain")?.scrollTo({ top: brain });
}

export function beginInspector(): void {
  pick.onchange = () => select(pick.value === "" ? null : Number(pick.value));
  one("who-before").onclick = () => selectBy(-1);
  one("who-after").onclick = () => selectBy(1);
  one("watch-follow").onclick = () => look("follow");
  one("watch-eyes").onclick = () => look("eyes");
}
