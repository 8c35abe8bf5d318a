import { describe, expect, it } from "vitest";
import type { Binding, ControlAction } from "../../pkg/sentir.js";
import { actionOf, commandOf, HELP, holdOf, keysOf, letterOf } from "../model/keymap.js";

const bound = (action: ControlAction, letter: string | null = null): Binding => ({ action, letter, about: `${action} it` });

describe("keys", () => {
  it("do only what the scene binds, letters of its own first", () => {
    expect(actionOf("w", [bound("move")])).toBe("move");
    expect(actionOf("f", [bound("move")])).toBeUndefined();
    expect(actionOf("c", [bound("crouch")])).toBe("crouch");
    expect(actionOf("c", [bound("crouch"), bound("letter", "C")])).toBe("letter");
    expect(actionOf("shift", [bound("letter", "S")])).toBeUndefined();
    expect(actionOf("constructor", [bound("move")])).toBeUndefined();
  });

  it("of the page are known by name, and none is inherited", () => {
    expect(commandOf(" ")).toBe("play");
    expect(commandOf("p")).toBe("menu");
    expect(commandOf("toString")).toBeUndefined();
    expect(holdOf("KeyW")).toBe("ahead");
    expect(holdOf("constructor")).toBeUndefined();
    expect(letterOf("KeyZ")).toBe("Z");
    expect(letterOf("Digit3")).toBe("3");
    expect(letterOf("Space")).toBeUndefined();
  });

  it("have no command that takes a key of the layers", () => {
    for (const key of "123456789") expect(commandOf(key)).toBeUndefined();
  });

  it("are listed for each way to play, pausing always", () => {
    for (const mode of ["first_person", "walk", "command"] as const) {
      const keys = keysOf(mode, [bound("move"), bound("letter", "Z")]);
      expect(keys).toContainEqual({ keys: "Z", about: "letter it" });
      expect(keys.at(-1)).toEqual({ keys: "P, Esc", about: "pause, menu" });
      expect(keys.every(({ keys: name }) => name !== "")).toBe(true);
    }
    expect(HELP.every(({ keys }) => keys.length > 0)).toBe(true);
  });
});
