// Fork and compare: the run as it was is kept as the original, and time goes on with a fork of it. They can be shown in
// turns, one over the other, and held against each other: the first moment and the first decision that differ.

import type { Decision } from "../pkg/sentir.js";
import { keyName } from "./agent.js";
import { letGo, release } from "./control.js";
import { goTo, setPlaying } from "./time.js";
import { ask, one, seconds, studio } from "./studio.js";

let forkedAt: number | null = null;
let isOriginal = false;

function show(): void {
  one("fork-bar").hidden = forkedAt === null;
  document.body.dataset.fork = forkedAt === null ? "" : isOriginal ? "original" : "fork";
  if (forkedAt === null) return;
  one("fork-where").textContent = isOriginal ? `Original, forked at ${seconds(forkedAt)} (tick ${forkedAt})` : `Fork of tick ${forkedAt} (${seconds(forkedAt)})`;
  one("swap").textContent = isOriginal ? "Show fork" : "Show original";
}

/** The words of a comparison are gone: another run, or another moment of asking. */
const clear = (): void => one("compared").replaceChildren();

export function forkHere(): void {
  if (studio.status === undefined) return;
  setPlaying(false);
  forkedAt = studio.status.tick;
  isOriginal = false;
  clear();
  ask({ kind: "fork" });
  // What was held belongs to the original; what is pressed from now on is the fork's alone.
  release();
  ask({ kind: "ghosts", on: one<HTMLInputElement>("ghosts").checked });
  show();
}

/** Shows the other one at the same tick. */
export function swap(): void {
  if (forkedAt === null) return;
  setPlaying(false);
  isOriginal = !isOriginal;
  letGo();
  ask({ kind: "swap" });
  show();
}

/** The run that is shown stays; the other one is forgotten. */
export function dropFork(): void {
  if (forkedAt === null) return;
  ask({ kind: "drop" });
  forgetFork();
}

/** Another run was started: the engine has dropped both. */
export function forgetFork(): void {
  forkedAt = null;
  isOriginal = false;
  clear();
  show();
}

function goButton(text: string, tick: number): HTMLButtonElement {
  const button = document.createElement("button");
  button.textContent = text;
  button.onclick = () => goTo(tick);
  return button;
}

/** Says where the runs part. */
export function showCompared(decision: Decision | null, ticks: number): void {
  const said = document.createElement("p");
  if (decision === null) {
    said.textContent = `No difference in the ${seconds(ticks)} that both are known: give the fork other inputs, then compare again.`;
    return one("compared").replaceChildren(said);
  }
  const [here, there] = isOriginal ? ["original", "fork"] : ["fork", "original"];
  said.textContent = `The runs first differ at tick ${decision.first_tick} (${seconds(decision.first_tick)}).`;
  const parts: HTMLElement[] = [said, goButton("Go there", decision.first_tick)];
  const what = document.createElement("p");
  if (decision.tick === null) {
    what.textContent = "No decision of an agent differs yet.";
    parts.push(what);
  } else {
    const who = decision.key === null ? "" : ` of agent ${keyName(decision.key)}`;
    what.textContent = `First differing decision${who}, at tick ${decision.tick} (${seconds(decision.tick)}):`;
    const list = document.createElement("dl");
    for (const [name, words] of [[here, decision.here], [there, decision.there]] as const) {
      const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
      dt.textContent = `in the ${name}`;
      dd.textContent = words;
      list.append(dt, dd);
    }
    parts.push(what, goButton("Go to the decision", decision.tick), list);
  }
  one("compared").replaceChildren(...parts);
}

export function beginCompare(): void {
  one("fork").onclick = forkHere;
  one("swap").onclick = swap;
  one("drop").onclick = dropFork;
  one("compare").onclick = () => { setPlaying(false); ask({ kind: "compare" }); };
  const ghosts = one<HTMLInputElement>("ghosts");
  ghosts.onchange = () => ask({ kind: "ghosts", on: ghosts.checked });
  show();
}
