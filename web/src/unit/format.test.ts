import { describe, expect, it } from "vitest";
import type { Family, Scene } from "../contract.js";
import { age, countdown, degrees, gazed, joined, percent, seconds, title, told, travelled } from "../model/format.js";
import { binds, difficultyOf, handed, heroOf, isFound, isPlayed, nameOf, wordsOf } from "../model/scene.js";
import { viewsOf, VIEWS } from "../model/view.js";

describe("figures", () => {
  it("are as people read them", () => {
    expect(seconds(90, 60)).toBe("1.50 s");
    expect([countdown(-1), countdown(9.9), countdown(61), countdown(600)]).toEqual(["0:00", "0:09", "1:01", "10:00"]);
    expect(percent(0.499)).toBe("50 %");
    expect(degrees(Math.PI / 2)).toBe("90°");
    expect(travelled(null)).toBe("–");
    expect(travelled({ goal: [1, 0, -2.25], manner: "walk", pace_m_per_s: 1.5, arrive_m: 1 })).toBe("to 1.0, 0.0, -2.3, walk, 1.5 m/s");
    expect([gazed(null), gazed("ahead"), gazed({ at: [0, 1, 2] }), gazed({ along: Math.PI })]).toEqual(["–", "ahead", "at 0.0, 1.0, 2.0", "along 180°"]);
    expect([joined([]), joined(null), joined(["a", "b"], "; ")]).toEqual(["–", "–", "a; b"]);
    expect([age({ is_visible: true, at_tick: 0 }, 60, 60), age({ is_visible: false, at_tick: 0 }, 90, 60)]).toEqual(["now", "1.5 s ago"]);
    expect(told({ key: 3, what: "dies" }, (key) => `soldier ${key}`)).toBe("soldier 3 dies");
    expect(told({ key: null, what: "round won" }, String)).toBe("round won");
    expect(title("player_shots")).toBe("Player shots");
  });
});

const scene = (change: Partial<Scene>): Scene => ({
  name: "patrol", title: "A guard on its round", about: "It walks.", controls: null, kinds: [], ground: "concrete", minimap: false, views: ["orbit"], layers: ["level"],
  rate_hz: 60, ticks_max: 1000, settings: [], ...change,
});
const controls: Scene["controls"] = {
  mode: "first_person", setting: { name: "who", value: "input" }, difficulty: "level", opening: "You are the guard", sentence: "", bindings: [{ action: "move", letter: null, about: "walk" }],
};
const settings: Scene["settings"] = [
  { name: "who", about: "", stock: "mind", limits: { kind: "choice", words: ["mind", "input"] } },
  { name: "level", about: "", stock: "easy", limits: { kind: "choice", words: ["easy", "hard"] } },
];

describe("scenes", () => {
  it("are played where the setting says so", () => {
    const played = scene({ controls, settings });
    expect(handed({ scene: played, changed: [] })).toEqual({ name: "who", value: "input", on: false });
    expect(isPlayed({ scene: played, changed: [] })).toBe(false);
    expect(isPlayed({ scene: played, changed: ["who=input"] })).toBe(true);
    expect(binds({ scene: played, changed: ["who=input"] }, "move", "fire")).toBe(true);
    expect(binds({ scene: played, changed: ["who=input"] }, "fire")).toBe(false);
    expect(isPlayed({ scene: scene({}), changed: [] })).toBe(false);
    expect(difficultyOf(played)).toEqual({ name: "level", words: ["easy", "hard"], stock: "easy" });
    expect(difficultyOf(scene({}))).toBeUndefined();
  });

  it("are found by what they show, are and offer", () => {
    const family: Family = { name: "sense", about: "what eyes tell", scenes: [scene({ controls, kinds: [{ kind: 0, name: "wolf", model: "dog", title: "" }] }), scene({ name: "other" })] };
    const words = family.scenes.map((one) => wordsOf(one, family));
    expect(words.map((text) => isFound(text, "wolf GUARD"))).toEqual([true, false]);
    expect(words.map((text) => isFound(text, "playable"))).toEqual([true, false]);
    expect(words.map((text) => isFound(text, "  "))).toEqual([true, true]);
    expect(heroOf([family])?.name).toBe("patrol");
    expect(heroOf([])).toBeUndefined();
  });

  it("name their agents, by themselves, by kind, by key", () => {
    const wolves = scene({ kinds: [{ kind: 2, name: "wolf", model: "dog", title: "" }] });
    expect(nameOf(wolves, { 5: "Akela" }, 5, 2)).toBe("Akela");
    expect(nameOf(wolves, {}, 5, 3)).toBe("wolf 5");
    expect(nameOf(wolves, {}, 2 ** 32 + 5, 0)).toBe("agent 1.5");
  });

  it("offer the cameras that they name, or all", () => {
    expect(viewsOf(["eyes", "above", "sideways"])).toEqual(["eyes", "above"]);
    expect(viewsOf([])).toEqual([...VIEWS]);
    expect(viewsOf(undefined)).toEqual([...VIEWS]);
  });
});
