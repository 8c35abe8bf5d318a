import { describe, expect, it } from "vitest";
import { loadFolds, keepFolds, parseFolds } from "../model/fold.js";
import { keepOptions, loadOptions, parseOptions, STOCK, type Keeper } from "../play/option.js";
import { beyondDead, readPad } from "../play/pad.js";

function memory(): Keeper {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => { kept.set(key, value); } };
}

const broken: Keeper = { getItem: () => { throw new Error("no"); }, setItem: () => { throw new Error("no"); } };

describe("options", () => {
  it("are found again, but for what is not fair", () => {
    const keeper = memory();
    keepOptions(keeper, { ...STOCK, volume: 0.2, sensitivity: 2, quality: "low", minds: true, difficulty: { firefight: "hard" } });
    expect(loadOptions(keeper)).toEqual({ ...STOCK, volume: 0.2, sensitivity: 2, quality: "low", difficulty: { firefight: "hard" } });
  });

  it("are stock where what was kept is not as it should be", () => {
    for (const text of [null, "", "{", "null", "7", "[]", '{"volume":"loud","sensitivity":-1,"inverted":"yes","difficulty":[1]}', '{"volume":2}']) expect(parseOptions(text)).toEqual(STOCK);
    expect(parseOptions('{"difficulty":{"a":"hard","b":3}}').difficulty).toEqual({ a: "hard" });
  });

  it("do without a browser that keeps anything", () => {
    expect(loadOptions(broken)).toEqual(STOCK);
    expect(loadOptions(undefined)).toEqual(STOCK);
    expect(() => keepOptions(broken, STOCK)).not.toThrow();
    expect(loadFolds(broken)).toEqual({});
    expect(() => keepFolds(broken, {})).not.toThrow();
  });
});

describe("folds", () => {
  it("are found again, and only what is one", () => {
    const keeper = memory();
    keepFolds(keeper, { panel: false, about: true });
    expect(loadFolds(keeper)).toEqual({ panel: false, about: true });
    expect(parseFolds('{"panel":1,"about":true}')).toEqual({ about: true });
    expect(parseFolds("nothing")).toEqual({});
  });
});

describe("gamepads", () => {
  it("rest in the middle of their sticks and reach their ends", () => {
    expect(beyondDead(0.1, -0.05)).toEqual([0, 0]);
    expect(beyondDead(1, 0)).toEqual([1, 0]);
    const [x, y] = beyondDead(0.9, 0.9);
    expect(Math.hypot(x, y)).toBeCloseTo(1);
  });

  it("press once where that counts", () => {
    const buttons = (down: number[]) => Array.from({ length: 17 }, (_, index) => ({ pressed: down.includes(index), value: down.includes(index) ? 1 : 0, touched: false }));
    const first = readPad({ axes: [0, -1, 0, 0], buttons: buttons([1, 7]) }, new Set());
    expect(first.pad).toMatchObject({ ahead: 1, fire: true, isNewCrouch: true, isNewPause: false });
    expect(readPad({ axes: [], buttons: buttons([1]) }, first.down).pad).toMatchObject({ isNewCrouch: false, fire: false, right: 0 });
  });
});
