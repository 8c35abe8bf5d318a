// Which parts of the page are folded: kept by the browser, where it lets us.

import type { Keeper } from "../play/option.js";

const KEY = "sentir-folds";

/** Reads what was kept: by part, whether it is open. */
export function parseFolds(text: string | null): Record<string, boolean> {
  try {
    const read: unknown = JSON.parse(text ?? "{}");
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter((pair): pair is [string, boolean] => typeof pair[1] === "boolean"));
  } catch {
    return {};
  }
}

export function loadFolds(keeper: Keeper | undefined): Record<string, boolean> {
  try { return parseFolds(keeper?.getItem(KEY) ?? null); } catch { return {}; }
}

export function keepFolds(keeper: Keeper | undefined, folds: Record<string, boolean>): void {
  try { keeper?.setItem(KEY, JSON.stringify(folds)); } catch { /* Then they open as they do at first. */ }
}
