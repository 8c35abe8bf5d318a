import { describe, expect, it } from "vitest";
import { barEnd, dueTicks, gathered, markBy, PART_TICKS, partOf, speedBy, SPEEDS } from "../model/timeline.js";

describe("the time bar", () => {
  it("has room after what is known, and none after the end", () => {
    expect(barEnd(0, false, 60, 1e9)).toBe(1800);
    expect(barEnd(1790, false, 60, 1e9)).toBe(3600);
    expect(barEnd(1790, false, 60, 2000)).toBe(2000);
    expect(barEnd(432, true, 60, 1e9)).toBe(432);
    expect(barEnd(0, true, 60, 0)).toBe(1);
  });

  it("goes within what is known at once and beyond it in parts that arrive", () => {
    expect(partOf(900, 0, 1000)).toBe(900);
    let [tick, known, steps] = [0, 50, 0];
    while (tick !== 1000) { tick = partOf(1000, tick, known); known = Math.max(known, tick); steps += 1; expect(steps).toBeLessThan(100); }
    expect(steps).toBe(Math.ceil((1000 - 50) / PART_TICKS));
  });

  it("plays what is owed, never more than half a second at once, and forgets what it cannot catch up with", () => {
    expect(dueTicks(2.5, 60)).toEqual({ ticks: 2, owed: 0.5 });
    expect(dueTicks(500, 60)).toEqual({ ticks: 30, owed: 1 });
    expect(dueTicks(0.4, 60)).toEqual({ ticks: 0, owed: 0.4 });
  });

  it("finds the mark after and before a tick", () => {
    const marks = [{ tick: 3 }, { tick: 7 }, { tick: 7 }, { tick: 9 }];
    expect(markBy(marks, 3, 1)).toBe(marks[1]);
    expect(markBy(marks, 9, 1)).toBeUndefined();
    expect(markBy(marks, 7, -1)).toBe(marks[0]);
    expect(markBy(marks, 3, -1)).toBeUndefined();
  });

  it("gathers marks of a column under the heaviest and loses none up to its end", () => {
    const marks = Array.from({ length: 200 }, (_, index) => ({ tick: index * 3, weight: 1 + (index % 3) }));
    const found = gathered(marks, 300, 20);
    expect(found.flatMap(({ all }) => all)).toEqual(marks.filter(({ tick }) => tick <= 300));
    expect(found.length).toBeLessThanOrEqual(21);
    found.forEach(({ mark, all }) => expect(mark.weight).toBe(Math.max(...all.map(({ weight }) => weight))));
  });

  it("has speeds that end at both ends", () => {
    expect(speedBy(1, 1)).toBe(2);
    expect(speedBy(SPEEDS[0], -1)).toBe(SPEEDS[0]);
    expect(speedBy(16, 1)).toBe(16);
    expect(speedBy(3, 1)).toBe(2);
  });
});
