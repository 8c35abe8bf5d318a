// The brain of the selected agent as an outline: what runs is lit, what refused says why.

import type { Brain, BrainPart } from "../pkg/sentir.js";

const SIGNS: Record<BrainPart["mood"], string> = { idle: "·", active: "▶", succeeded: "✓", failed: "✗", refused: "⊘", aborted: "↯" };

function text(className: string, content: string): HTMLElement {
  return Object.assign(document.createElement("span"), { className, textContent: content });
}

function bar(share: number): HTMLElement {
  const it = document.createElement("meter");
  it.value = share;
  it.title = share.toFixed(2);
  return it;
}

function row({ depth, kind, label, mood, note, share }: BrainPart): HTMLElement {
  const it = document.createElement("li");
  it.className = mood;
  it.style.setProperty("--depth", String(depth));
  it.setAttribute("aria-label", `${kind} ${label}: ${mood}${note === "" ? "" : `, ${note}`}`);
  it.append(text("sign", SIGNS[mood]), text("kind", kind), text("name", label));
  if (share !== null) it.append(bar(share));
  if (note !== "") it.append(text("note", note));
  return it;
}

/** The parts from the root on, one a line, and what leads where. */
export function brainOutline({ parts, arrows }: Brain): HTMLElement {
  const list = document.createElement("ul");
  list.className = "brain";
  const ways = new Map<number, HTMLElement[]>();
  for (const { from, to, label, is_lit } of arrows) {
    const it = Object.assign(document.createElement("li"), { className: is_lit ? "way lit" : "way", textContent: `${label} → ${parts[to]?.label ?? "?"}` });
    it.style.setProperty("--depth", String((parts[from]?.depth ?? 0) + 1));
    ways.set(from, [...(ways.get(from) ?? []), it]);
  }
  // Only the ways out of what runs: those of a whole machine would hide it.
  parts.forEach((part, place) => list.append(row(part), ...(part.mood === "active" ? ways.get(place) ?? [] : [])));
  return list;
}
