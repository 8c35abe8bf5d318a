// Time: play, pause, step, speed, any moment by dragging, marks of what happened.

import type { Mark } from "../pkg/sentir.js";
import { keyName } from "./agent.js";
import { catchUp } from "./control.js";
import { writeLink } from "./link.js";
import { ask, isBusy, one, rate, seconds, stage, studio } from "./studio.js";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
/** What is not known yet is played in parts of so many ticks, so that another wish need not wait for all of it. */
const PART_TICKS = 300;
/** The time bar grows by so many seconds at once. */
const BAR_S = 30;
const BUSY_MS = 350;

const [slider, play, speed] = [one<HTMLInputElement>("time"), one<HTMLButtonElement>("play"), one<HTMLSelectElement>("speed")];
let playing = false;
let wanted: number | null = null;
let owed = 0;
let last = 0;
let busySince = 0;
let marks: readonly Mark[] = [];
let end = 0;

const frames: ((seconds: number) => void)[] = [];
/** Calls back each frame of the page, before time goes on. */
export function onFrame(then: (seconds: number) => void): void {
  frames.push(then);
}

/** As fast as it would go there. */
export function atFullSpeed(): void {
  speed.value = "1";
}

export const isPlaying = (): boolean => playing;
/** How fast it plays; 0 while it stands. */
export const pace = (): number => (playing ? Number(speed.value) : 0);

export function setPlaying(on: boolean): void {
  const wasPlaying = playing;
  playing = on;
  owed = 0;
  if (on) wanted = null;
  play.textContent = on ? "⏸" : "▶";
  play.setAttribute("aria-label", on ? "Pause" : "Play");
  if (wasPlaying && !on) { ask({ kind: "marks" }); writeLink(); }
}

export function goTo(tick: number): void {
  setPlaying(false);
  wanted = Math.max(0, Math.min(Math.round(tick), studio.scene?.ticks_max ?? Infinity));
  pump();
}

/** From where it stands, or is about to. */
export const goBy = (ticks: number): void => goTo((wanted ?? studio.status?.tick ?? 0) + ticks);

/** To the last moment that is known. */
export const goToKnown = (): void => goTo(studio.status?.known_ticks ?? 0);

/** To the next mark, or the one before. */
export function goToMark(direction: 1 | -1): void {
  const now = wanted ?? studio.status?.tick ?? 0;
  const found = direction > 0 ? marks.find(({ tick }) => tick > now) : marks.findLast(({ tick }) => tick < now);
  if (found === undefined) return;
  goTo(found.tick);
  one("said").textContent = `${seconds(found.tick)}: ${told(found)}`;
}

/** Something was refused: what was wanted is not tried again. */
export function settle(): void {
  wanted = null;
  setPlaying(false);
}

/** A new run: nothing is wanted of it. */
export function forget(): void {
  wanted = null;
  showMarks([]);
}

/** Asks for the next thing when the engine is free: at most one moment is under way, and the latest wish wins. */
export function pump(): void {
  if (isBusy() || studio.status === undefined) return;
  const { tick, known_ticks: known, ending } = studio.status;
  if (wanted !== null) {
    if (wanted === tick || (wanted > tick && ending !== null)) { wanted = null; writeLink(); return; }
    ask({ kind: "seek", tick: wanted > known ? Math.min(wanted, Math.max(known, tick) + PART_TICKS) : wanted });
  } else if (playing && owed >= 1) {
    // Never more than half a second at once: a slow machine plays slower, it does not stall.
    const ticks = Math.min(Math.floor(owed), Math.ceil(rate() / 2));
    owed = Math.min(owed - ticks, 1);
    catchUp();
    ask({ kind: "step", ticks });
  }
}

function frame(now: number): void {
  const passed = Math.min((now - last) / 1000, 0.25);
  last = now;
  if (playing && studio.scene !== undefined) owed += passed * rate() * Number(speed.value);
  if (!isBusy()) busySince = now;
  one("clock").classList.toggle("busy", now - busySince > BUSY_MS);
  frames.forEach((then) => then(passed));
  pump();
  stage.tick(passed);
  requestAnimationFrame(frame);
}

/** Shows where the moment lies. */
export function showTime(): void {
  const { status, scene } = studio;
  if (status === undefined || scene === undefined) return;
  const step = BAR_S * rate();
  const room = status.ending === null ? Math.ceil((status.known_ticks + rate()) / step) * step : status.known_ticks;
  const before = end;
  end = Math.max(1, Math.min(room, scene.ticks_max), status.known_ticks);
  slider.max = String(end);
  if (document.activeElement !== slider || wanted === null) slider.value = String(status.tick);
  slider.setAttribute("aria-valuetext", seconds(Number(slider.value)));
  one("track").style.setProperty("--known", `${(100 * status.known_ticks) / end}%`);
  one("clock").textContent = seconds(status.tick);
  one("end").textContent = `of ${(status.known_ticks / rate()).toFixed(1)} s ${status.ending === null ? "known" : "in all"}`;
  if (end !== before) showMarks(marks);
  if (status.ending !== null && playing) setPlaying(false);
}

const told = ({ key, what }: Mark): string => (key === null ? what : `agent ${keyName(key)} ${what}`);

/** Small ticks over the bar; the bigger the matter, the taller. A press goes there. */
export function showMarks(all: readonly Mark[]): void {
  marks = all;
  one("marks").replaceChildren(...all.filter(({ tick }) => tick <= end).map((mark) => {
    const button = document.createElement("button");
    button.className = `mark weight-${mark.weight} ${mark.class}`;
    // Keys go from mark to mark; four hundred stops of the Tab key would help nobody.
    button.tabIndex = -1;
    button.title = `${seconds(mark.tick)}: ${told(mark)}`;
    button.setAttribute("aria-label", button.title);
    button.style.left = `${(100 * mark.tick) / end}%`;
    Object.assign(button.dataset, { tick: String(mark.tick), name: mark.name });
    return button;
  }));
  one("earlier").toggleAttribute("disabled", all.length === 0);
  one("later").toggleAttribute("disabled", all.length === 0);
}

export function faster(by: 1 | -1): void {
  speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, speed.selectedIndex + by));
}

/** Wires the bar and begins the frames. */
export function beginTime(): void {
  speed.append(...SPEEDS.map((times) => new Option(`×${times}`, String(times), times === 1, times === 1)));
  play.onclick = () => setPlaying(!playing);
  slider.oninput = () => goTo(Number(slider.value));
  for (const [id, ticks] of [["back", () => -1], ["forth", () => 1], ["back-second", () => -rate()], ["forth-second", () => rate()]] as const) {
    one(id).onclick = () => goBy(ticks());
  }
  one("earlier").onclick = () => goToMark(-1);
  one("later").onclick = () => goToMark(1);
  one("marks").onclick = (event) => {
    const { tick } = (event.target as HTMLElement).dataset;
    if (tick !== undefined) goTo(Number(tick));
  };
  requestAnimationFrame(frame);
}
