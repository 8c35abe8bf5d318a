// The file of the selected agent's brain: its text, to be changed while it thinks. What is refused is told at its line, and
// the old brain goes on.

import type { Refusal } from "../pkg/sentir.js";
import { ask, one, seconds, studio } from "./studio.js";
import { goBy, isPlaying } from "./time.js";

const [text, lines] = [one<HTMLTextAreaElement>("file-text"), one("lines")];
const [apply, revert] = [one<HTMLButtonElement>("file-apply"), one<HTMLButtonElement>("file-revert")];
/** The file that is shown, and its text as the engine has it. */
let name: string | null = null;
let present = "";
let bad = 0;
/** How high a line is, as the style has it. */
const LINE_PX = 18;

function say(sentence: string, isRefused = false): void {
  one("file-said").textContent = sentence;
  one("file-said").classList.toggle("refused", isRefused);
}

/** Numbers beside the text; the line that is wrong is marked in both. */
function number(): void {
  const count = text.value.split("\n").length;
  if (lines.childElementCount !== count) {
    lines.replaceChildren(...Array.from({ length: count }, (_, at) => Object.assign(document.createElement("span"), { textContent: String(at + 1) })));
  }
  Array.from(lines.children).forEach((line, at) => line.classList.toggle("bad", at + 1 === bad));
  text.classList.toggle("bad", bad > 0);
  text.style.setProperty("--bad", String(bad));
  text.setAttribute("aria-invalid", String(bad > 0));
  revert.disabled = text.value === present;
}

/** The file of who is selected, as it is at the moment that is shown. Changes that were not applied yet are kept. */
export function showFile(file: string | null, content: string | null): void {
  const isKept = file === name && text.value !== present;
  [name, present] = [file, content ?? ""];
  one("brain-file").hidden = file === null;
  one("file-name").textContent = file ?? "";
  if (!isKept) {
    text.value = present;
    bad = 0;
    say("");
  }
  number();
}

/** What came of an edit. */
export function showEdited(refusal: Refusal | null, tick: number): void {
  bad = refusal?.line ?? 0;
  if (refusal === null) {
    say(`Applied: it thinks by this from ${seconds(tick)} on.`);
    // One sees it at once: the tick in which it begins to hold is played.
    if (!isPlaying()) goBy(1);
  } else {
    say(`Refused, the old one goes on. ${refusal.error}`, true);
    if (bad > 0) text.scrollTop = (bad - 1) * LINE_PX - text.clientHeight / 2;
  }
  number();
}

function give(): void {
  if (name !== null) ask({ kind: "edit", run: studio.run, name, text: text.value });
}

export function beginEditor(): void {
  apply.onclick = give;
  revert.onclick = () => { text.value = present; bad = 0; say(""); number(); };
  text.oninput = () => { bad = 0; number(); };
  text.onscroll = () => { lines.scrollTop = text.scrollTop; };
  text.onkeydown = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    give();
  };
}
