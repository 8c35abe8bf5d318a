// Playing in first person: ready, live, paused, over. A scene can be played so that tells a `Hud`; its link has the view `eyes`.
// While it is live, the page is the view of the player and nothing else: what shows others' minds is for watching.

import type { Hud } from "../../pkg/sentir.js";
import { playBy } from "../control.js";
import { inspect } from "../inspector.js";
import { linkTo } from "../link.js";
import { showFigures } from "../panel.js";
import { look } from "../select.js";
import { ask, one, rows, stage, studio } from "../studio.js";
import { atFullSpeed, goTo, onFrame, setPlaying } from "../time.js";
import { button, drop, key, NAMES, stand, taken, turn, turnBy } from "./hands.js";
import { showHud, turnHud } from "./hud.js";
import { keep, options } from "./option.js";
import { Speaker } from "../sound/speaker.js";

const speaker = new Speaker();

type Mode = "off" | "ready" | "live" | "paused" | "over";

/** Browsers lock the pointer again only some time after it was freed, ms. */
const LOCK_AGAIN_MS = 1400;
/** The view after the last moment of a match, before its card, ms. */
const OVER_MS = 900;

const [canvas, card] = [one<HTMLCanvasElement>("view"), one("play-card")];
const within = <T extends HTMLElement>(name: string): T => card.querySelector<T>(`.${name}`)!;
const [go, again, next, leave, replay, record, wide] = ["go", "again", "next", "leave", "replay", "record", "full"].map((name) => within<HTMLButtonElement>(name)) as HTMLButtonElement[] as
  [HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement];
const touch = matchMedia("(hover: none) and (pointer: coarse)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let mode: Mode = "off";
/** The next match begins without a card: its button was pressed. */
let isHasty = false;
let ending = 0;
let tries = 0;

const isLocked = (): boolean => document.pointerLockElement === canvas;
const isPlayer = (hud: Hud): boolean => stage.cameras.view === "eyes" && studio.selected === hud.key;

function set(to: Mode): void {
  mode = to;
  document.body.dataset.play = to === "off" ? "" : to;
  const isOn = to !== "off";
  stage.setPlay(isOn, options.minds);
  one("hud").hidden = !isOn;
  card.hidden = !isOn || to === "live";
  playBy(to === "live" ? taken : isOn ? () => undefined : null);
  if (!card.hidden) deal(to);
}

/** What the card says and offers. */
function deal(to: Mode): void {
  const { hud, scene } = studio;
  const isOver = to === "over";
  const won = hud?.is_won === true ? "You won" : (hud?.health ?? 0) <= 0 ? "You are dead" : "Time is up";
  within("headline").textContent = to === "ready" ? scene?.title ?? "" : isOver ? won : "Paused";
  card.dataset.result = isOver ? (hud?.is_won === true ? "won" : "lost") : "";
  within("figures").textContent = isOver && hud !== null ? figures(hud) : "";
  within("touch").hidden = !touch.matches;
  const bound = (scene?.controls?.bindings ?? []).map(({ action, about }) => [NAMES[action] ?? "", about] as const);
  rows(within("keys"), [...bound.filter(([name]) => name !== ""), ["Shift", "walk softly: steps are heard"], ["Esc, P", "pause"]]);
  go.hidden = isOver || touch.matches;
  go.textContent = to === "ready" ? "Play" : "Resume";
  again.hidden = to === "ready";
  again.textContent = isOver ? "Play again" : "Restart";
  again.classList.toggle("primary", isOver);
  next.hidden = !isOver;
  replay.hidden = record.hidden = !isOver;
  leave.textContent = to === "ready" ? "Only watch" : "Look around in this moment";
  within("keys").hidden = within("options").hidden = isOver;
  (isOver ? again : touch.matches ? leave : go).focus({ preventScroll: true });
}

function figures({ shots, hits, kills, foes }: Hud): string {
  const share = shots === 0 ? "" : ` (${Math.round((100 * hits) / shots)} %)`;
  const seconds = (studio.status?.tick ?? 0) / (studio.scene?.rate_hz ?? 60);
  return `${seconds.toFixed(0)} s · ${kills} of ${kills + foes} soldiers · ${hits} of ${shots} shots hit${share}`;
}

/** The mouse turns the view until Esc. Where the browser refuses, it turns it without being caught. */
function lock(): void {
  if (isLocked() || mode !== "live") return;
  const asked = canvas.requestPointerLock() as unknown as Promise<void> | undefined;
  asked?.catch(() => { tries += 1; if (tries < 3) setTimeout(lock, LOCK_AGAIN_MS); });
}

function live(): void {
  if (touch.matches) return;
  tries = 0;
  drop();
  speaker.wake();
  canvas.focus({ preventScroll: true });
  set("live");
  lock();
  atFullSpeed();
  setPlaying(true);
}

function pause(): void {
  if (mode !== "live") return;
  drop();
  setPlaying(false);
  set("paused");
  if (isLocked()) document.exitPointerLock();
}

function finish(): void {
  if (mode !== "live" && mode !== "ready" && mode !== "paused") return;
  const run = studio.run;
  drop();
  setPlaying(false);
  const show = () => { ending = 0; if (run === studio.run && mode !== "off") set("over"); if (isLocked()) document.exitPointerLock(); };
  if (mode !== "live") return show();
  // The last moment is seen before the card covers it.
  playBy(() => undefined);
  if (ending === 0) ending = setTimeout(show, OVER_MS);
}

/** The same match from its beginning, or another one. */
function restart(seed: string): void {
  isHasty = true;
  speaker.wake();
  const hash = `${linkTo(studio.scene?.name ?? "", seed, studio.changed)}&view=eyes`;
  if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange")); else location.hash = hash;
}

function watch(from: number | null): void {
  set("off");
  look(from === null ? "orbit" : "above");
  showFigures();
  inspect();
  if (from !== null) { goTo(from); setPlaying(true); }
}

/** Another run begins, or the gallery. */
export function leavePlay(): void {
  clearTimeout(ending);
  ending = 0;
  stand();
  speaker.hush();
  if (mode !== "off") set("off");
  if (isLocked()) document.exitPointerLock();
}

/** A moment is shown. */
export function playMoment(): void {
  const { hud, status } = studio;
  if (hud === null || !isPlayer(hud)) { if (mode !== "off") set("off"); return; }
  if (mode === "off") {
    const isNow = isHasty;
    isHasty = false;
    set((status?.tick ?? 0) > 0 ? "paused" : "ready");
    if (isNow && status?.ending === null) live();
  }
  showHud(hud);
  speaker.volume = options.volume;
  if (mode === "live") speaker.feel(hud);
  if (status !== undefined && status.ending !== null && mode !== "over") finish();
}

/** A frame of the page. */
function frame(seconds: number): void {
  const { hud } = studio;
  if (hud === null) return;
  // Somebody took the eyes of the player while time stands.
  if (mode === "off" && isPlayer(hud)) playMoment();
  if (mode === "off") return;
  if (mode === "live") turnBy(seconds);
  stage.playFrame(hud, seconds, calm.matches);
  turnHud(hud);
}

function pressed(event: KeyboardEvent): void {
  if (mode !== "live") {
    if ((mode === "over" || mode === "paused") && event.code === "KeyR" && !(event.ctrlKey || event.metaKey)) restart(studio.seed);
    return;
  }
  if (event.code === "Escape" || event.code === "KeyP") { event.preventDefault(); return pause(); }
  if (key(event, true)) event.preventDefault();
}

function beginOptions(): void {
  const [sensitivity, volume, inverted, minds] = ["sensitivity", "volume", "inverted", "minds"].map((name) => within<HTMLInputElement>(name)) as
    [HTMLInputElement, HTMLInputElement, HTMLInputElement, HTMLInputElement];
  Object.assign(sensitivity, { value: String(options.sensitivity) });
  Object.assign(volume, { value: String(options.volume) });
  inverted.checked = options.inverted;
  card.querySelectorAll<HTMLInputElement>(".options input").forEach((field) => {
    field.oninput = () => {
      Object.assign(options, { sensitivity: Number(sensitivity.value), volume: Number(volume.value), inverted: inverted.checked, minds: minds.checked });
      keep();
      stage.setPlay(mode !== "off", options.minds);
    };
  });
}

export function beginPlay(): void {
  set("off");
  beginOptions();
  onFrame(frame);
  go.onclick = live;
  again.onclick = () => restart(studio.seed);
  next.onclick = () => restart(String(BigInt(studio.seed) + 1n));
  leave.onclick = () => watch(null);
  replay.onclick = () => watch(0);
  record.onclick = () => ask({ kind: "record" });
  wide.onclick = () => {
    if (document.fullscreenElement !== null) return void document.exitFullscreen();
    const keyboard = (navigator as unknown as { keyboard?: { lock?: (keys: string[]) => Promise<void> } }).keyboard;
    // In full screen some browsers let a page have Ctrl+W: who crouches and walks would else close it.
    document.documentElement.requestFullscreen().then(() => keyboard?.lock?.(["KeyW", "KeyA", "KeyS", "KeyD", "KeyR"])).catch(() => undefined);
  };
  addEventListener("keydown", pressed, true);
  addEventListener("keyup", (event) => { if (mode === "live") key(event, false); }, true);
  addEventListener("mousemove", (event) => { if (mode === "live") turn(event); });
  addEventListener("mousedown", (event) => { if (mode === "live") { event.preventDefault(); button(event, true); if (!isLocked()) lock(); } });
  addEventListener("mouseup", (event) => { if (mode === "live") button(event, false); });
  addEventListener("blur", pause);
  document.addEventListener("visibilitychange", () => { if (document.hidden) pause(); });
  document.addEventListener("pointerlockchange", () => { if (!isLocked()) pause(); });
  addEventListener("beforeunload", (event) => { if (mode === "live") event.preventDefault(); });
}
