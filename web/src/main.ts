// The page: gallery and stage, and who hears what the engine tells.

import type { FamilyAbout, LayerAbout } from "../pkg/sentir.js";
import { AGENT_STRIDE, keyName } from "./agent.js";
import { beginCompare, forgetFork, showCompared } from "./compare.js";
import { letGo } from "./control.js";
import { beginEditor, showEdited, showFile } from "./editor.js";
import { showEyesight } from "./eyesight.js";
import { takeLayers } from "./frame.js";
import { fillGallery } from "./gallery.js";
import { beginInspector, inspect } from "./inspector.js";
import { beginKeys } from "./keyboard.js";
import { linkTo, readLink, writeLink, type Link } from "./link.js";
import { beginPanel, present, restart, saveRecording, showFigures } from "./panel.js";
import { beginPlay, leavePlay, playMoment } from "./play/mode.js";
import { beginPointer } from "./pointer.js";
import { look, takeOver } from "./select.js";
import { beginTime, forget, pace, pump, setPlaying, settle, showMarks, showTime } from "./time.js";
import { ask, fail, one, onTold, ownsPointer, sceneOf, stage, studio } from "./studio.js";
import type { Told } from "./worker.js";

const [scenePick, seedBox] = [one<HTMLSelectElement>("scene"), one<HTMLInputElement>("seed")];
/** How long a figure stands at least, ms. */
const READ_MS = 100;
/** The camera that the link wants, until there is a moment to look at. */
let wantedView: Link["view"] | null = null;

function enter(room: "gallery" | "stage"): void {
  document.body.dataset.room = room;
  one("gallery").hidden = room !== "gallery";
  for (const part of ["stage", "panel", "time-bar", "scene-controls"]) one(part).hidden = room === "gallery";
}

/** Opens what a link says: a scene, or the gallery. */
function follow(to: Link): void {
  setPlaying(false);
  leavePlay();
  forgetFork();
  one("error").hidden = true;
  if (to.scene === null) {
    document.title = "sentir studio";
    document.body.dataset.scene = "";
    return enter("gallery");
  }
  enter("stage");
  forget();
  letGo();
  stage.clear();
  Object.assign(studio, {
    scene: sceneOf(to.scene), seed: to.seed, selected: to.agent, changed: to.settings,
    status: undefined, agents: new Float64Array(), agent: null, hud: null, run: studio.run + 1,
  });
  scenePick.value = studio.scene?.name ?? "";
  seedBox.value = to.seed;
  present();
  showEyesight(null);
  one("panel-content").scrollTop = 0;
  inspect();
  stage.cameras.drags(!ownsPointer());
  look("above");
  wantedView = to.view;
  if (!/^\d{1,19}$/.test(to.seed)) return fail(`'${to.seed}' is no seed: expected a whole number`);
  ask({ kind: "start", run: studio.run, scene: to.scene, seed: BigInt(to.seed), settings: to.settings, tick: to.tick, key: to.agent });
}

let refreshing = 0;
let isRefreshDue = false;

/** Figures and inspector: at once, but not more often than one can read. */
function refresh(): void {
  isRefreshDue = true;
  if (refreshing !== 0) return;
  isRefreshDue = false;
  showFigures();
  inspect();
  refreshing = setTimeout(() => { refreshing = 0; if (isRefreshDue) refresh(); }, READ_MS);
}

function show(told: Extract<Told, { kind: "moment" }>): void {
  if (told.run !== studio.run) return;
  const isFirst = studio.status === undefined;
  Object.assign(studio, { status: told.status, hash: told.hash, agents: told.agents, agent: told.agent, hud: told.hud });
  stage.take(told.picture, told.agents, told.others, studio.selected, { fallen: told.fallen, player: told.status.player, kinds: studio.scene?.kinds ?? [], ground: studio.scene?.ground, when: { tick: told.status.tick, rate_hz: studio.scene?.rate_hz ?? 60, speed: pace() } });
  showEyesight(told.sight);
  if (isFirst) {
    if (wantedView !== null && wantedView !== "above") look(wantedView);
    wantedView = null;
    writeLink();
  }
  // Where nobody is an agent there is nobody to go along with.
  for (const view of ["follow", "eyes"] as const) one(view).toggleAttribute("disabled", told.agents.length === 0);
  takeOver();
  if (told.hasStopped) setPlaying(false);
  showStop();
  showTime();
  playMoment();
  // Who plays sees no figures.
  if (document.body.dataset.play !== "live") refresh();
  Object.assign(document.body.dataset, {
    tick: String(told.status.tick), hash: told.hash ?? "", scene: studio.scene?.name ?? "", agents: String(told.agents.length / AGENT_STRIDE),
    ending: told.status.ending ?? "", player: String(told.status.player ?? ""),
  });
}

/** Says which breakpoint was entered in the tick that is shown. */
function showStop(): void {
  const hit = studio.status?.breakpoint ?? null;
  one("stopped").hidden = hit === null;
  if (hit !== null) one("stopped").textContent = `Breakpoint '${hit.node}', entered by agent ${hit.key === null ? "?" : keyName(hit.key)} in this tick.`;
}

function ready(families: FamilyAbout[], layers: LayerAbout[]): void {
  studio.families = families;
  takeLayers(layers);
  stage.layers = layers;
  scenePick.append(...families.map(({ name, scenes }) => {
    const group = Object.assign(document.createElement("optgroup"), { label: name });
    group.append(...scenes.map((scene) => new Option(`${scene.name}: ${scene.title}`, scene.name)));
    return group;
  }));
  fillGallery(families);
  beginPanel();
  beginTime();
  beginKeys();
  beginPointer();
  beginPlay();
  beginCompare();
  beginInspector();
  beginEditor();
  for (const view of ["above", "orbit", "follow", "eyes"] as const) one(view).onclick = () => look(view);
  scenePick.onchange = () => { location.hash = linkTo(scenePick.value, studio.seed); };
  seedBox.onchange = () => restart(seedBox.value.trim(), studio.changed);
  addEventListener("hashchange", () => follow(readLink()));
  follow(readLink());
}

onTold((told) => {
  switch (told.kind) {
    case "ready": return ready(told.families, told.layers);
    case "moment": return show(told);
    case "marks": return told.run === studio.run ? showMarks(told.marks) : undefined;
    case "file": return told.run === studio.run ? showFile(told.name, told.text) : undefined;
    case "edited": return told.run === studio.run ? showEdited(told.refusal, told.tick) : undefined;
    case "compared": return told.run === studio.run ? showCompared(told.decision, told.ticks) : undefined;
    case "recording": return saveRecording(told.bytes);
    case "error": settle(); return fail(told.error);
  }
}, pump);
