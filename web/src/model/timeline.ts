// The time bar in numbers: how long it is, where the next mark lies, how many ticks are due.

import type { Mark } from "../../pkg/sentir.js";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16] as const;
/** What is not known yet is played in parts of so many ticks, so that the page stays live and another wish need not wait. */
export const PART_TICKS = 120;
/** The time bar grows by so many seconds at once. */
const BAR_S = 30;

/** The last tick of the bar: some room after what is known, unless the run is over. */
export function barEnd(known: number, isOver: boolean, rate: number, most: number): number {
  const step = BAR_S * rate;
  const room = isOver ? known : Math.ceil((known + rate) / step) * step;
  return Math.max(1, Math.min(room, most), known);
}

/** The next mark after a tick, or the last one before it. */
export function markBy<M extends Pick<Mark, "tick">>(marks: readonly M[], now: number, direction: 1 | -1): M | undefined {
  return direction > 0 ? marks.find(({ tick }) => tick > now) : marks.findLast(({ tick }) => tick < now);
}

/** Where to go next on the way to a tick: at once within what is known, else a part further. */
export function partOf(wanted: number, tick: number, known: number): number {
  return wanted > known ? Math.min(wanted, Math.max(known, tick) + PART_TICKS) : wanted;
}

/** How many of the ticks that are owed to play now, and how many stay owed. Never more than half a second at once: a slow
 * machine plays slower, it does not stall. */
export function dueTicks(owed: number, rate: number): { ticks: number; owed: number } {
  const ticks = Math.min(Math.floor(owed), Math.ceil(rate / 2));
  return { ticks, owed: Math.min(owed - ticks, 1) };
}

/** The speed one step up or down. */
export function speedBy(speed: number, by: 1 | -1): number {
  const at = SPEEDS.findIndex((one) => one === speed);
  return SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, (at < 0 ? 3 : at) + by))]!;
}

/** Marks that lie on the same pixel columns are one mark: the heaviest, with all their words. */
export function gathered<M extends Pick<Mark, "tick" | "weight">>(marks: readonly M[], end: number, columns: number): { mark: M; all: M[] }[] {
  const found: { at: number; mark: M; all: M[] }[] = [];
  for (const mark of marks) {
    if (mark.tick > end) break;
    const at = Math.round((mark.tick / end) * columns);
    const last = found.at(-1);
    if (last === undefined || last.at !== at) { found.push({ at, mark, all: [mark] }); continue; }
    last.all.push(mark);
    if (mark.weight > last.mark.weight) last.mark = mark;
  }
  return found;
}
