// The panel: what the scene shows, what can be set, what is drawn, its figures.

import { howTo } from "./control.js";
import { layers } from "./frame.js";
import { linkTo } from "./link.js";
import { ask, handed, isFirstPerson, one, rows, stage, studio } from "./studio.js";

const fold = one<HTMLButtonElement>("fold");

/** Starts the scene anew in another way, as a step in the history. */
export function restart(seed: string, settings: readonly string[]): void {
  location.hash = linkTo(studio.scene?.name ?? "", seed, settings);
}

function change(name: string, value: string, stock: string): void {
  const others = studio.changed.filter((setting) => !setting.startsWith(`${name}=`));
  restart(studio.seed, value === stock ? others : [...others, `${name}=${value}`]);
}

/** A field for each setting of the scene; a change starts the scene anew. */
function offer(): void {
  const all = studio.scene?.settings ?? [];
  one("settings").hidden = all.length === 0;
  const fields = all.flatMap(({ name, about, stock, limits }) => {
    const field = limits.kind === "choice" ? document.createElement("select") : document.createElement("input");
    if (limits.kind === "choice") field.append(...limits.words.map((word) => new Option(word)));
    else Object.assign(field, { type: "number", min: String(limits.min), max: String(limits.max), step: limits.kind === "whole" ? "1" : "any" });
    field.value = studio.changed.findLast((setting) => setting.startsWith(`${name}=`))?.slice(name.length + 1) ?? stock;
    field.setAttribute("aria-label", `${name}: ${about}`);
    field.title = about;
    field.onchange = () => change(name, field.value, stock);
    const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
    dt.textContent = name;
    dt.title = about;
    dd.append(field);
    return [dt, dd];
  });
  one("settings").querySelector("dl")!.replaceChildren(...fields);
}

/** Tells of the scene that is opened. */
export function present(): void {
  const { scene } = studio;
  one("title").textContent = scene?.title ?? "No such scene";
  one("about").textContent = scene?.about ?? "";
  one("controls").textContent = scene?.controls ? howTo(scene.controls) : "";
  const hand = handed();
  const playIt = one<HTMLButtonElement>("play-it");
  // One that is played in first person can be played from any view: the button goes there.
  playIt.hidden = hand === undefined || (hand.on && !isFirstPerson());
  playIt.textContent = isFirstPerson() ? "Play in first person" : "Play it yourself";
  playIt.onclick = () => {
    if (hand === undefined) return;
    const others = studio.changed.filter((setting) => !setting.startsWith(`${hand.name}=`));
    const hash = `${linkTo(scene?.name ?? "", studio.seed, [...others, `${hand.name}=${hand.value}`])}${isFirstPerson() ? "&view=eyes" : ""}`;
    if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange")); else location.hash = hash;
  };
  document.title = scene === undefined ? "sentir studio" : `${scene.name} · sentir studio`;
  offer();
  offerLayers();
}

/** A box for each layer that the scene draws. */
function offerLayers(): void {
  const drawn = layers.filter(({ name }) => studio.scene?.layers.includes(name));
  one("layers").replaceChildren(...drawn.map(({ name, title }, index) => {
    const [label, box] = [document.createElement("label"), document.createElement("input")];
    Object.assign(box, { type: "checkbox", checked: !stage.hidden.has(name) });
    label.title = index < 9 ? `${title} (key ${index + 1})` : title;
    box.onchange = () => {
      if (box.checked) stage.hidden.delete(name); else stage.hidden.add(name);
      stage.again();
    };
    label.append(box, ` ${name}`);
    return label;
  }));
}

/** Figures of the moment. */
export function showFigures(): void {
  const { status, hash } = studio;
  if (status === undefined) return;
  rows(one("metrics"), [
    ["outcome", status.ending ?? "goes on"], ...status.metrics.map(({ name, value }) => [name, value === null ? "–" : value.toFixed(2)] as const),
    ["tick", String(status.tick)], ["hash", hash ?? "while it stands"],
  ]);
}

function setFolded(on: boolean): void {
  document.body.classList.toggle("folded", on);
  fold.setAttribute("aria-expanded", String(!on));
}

export function beginPanel(): void {
  for (const { name, is_shown } of layers) if (!is_shown) stage.hidden.add(name);
  one("record").onclick = () => ask({ kind: "record" });
  fold.onclick = () => setFolded(!document.body.classList.contains("folded"));
  // On a phone the stage comes first.
  const phone = matchMedia("(max-width: 800px)");
  phone.addEventListener("change", () => setFolded(phone.matches));
  setFolded(phone.matches);
}

export function saveRecording(bytes: Uint8Array): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([bytes as BlobPart]));
  anchor.download = `${studio.scene?.name ?? "run"}.srec`;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}
