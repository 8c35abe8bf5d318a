import { describe, expect, it } from "vitest";
import { isSeed, readLink, settingOf, withSetting, writeLink, type Link } from "../model/link.js";

describe("links", () => {
  it("hold what they were written with", () => {
    const link: Link = { scene: "patrol", seed: "12", tick: 300, agent: 4294967297, view: "follow", settings: ["guards=3", "a=b=c"], isPlay: false };
    expect(readLink(writeLink(link))).toEqual(link);
  });

  it("begin at the beginning where one plays", () => {
    const hash = writeLink({ scene: "firefight", seed: "7", tick: 90, view: "eyes", settings: ["player=input"], isPlay: true });
    expect(hash).toBe("#scene=firefight&seed=7&view=eyes&play=1&set=player%3Dinput");
    expect(readLink(hash)).toMatchObject({ tick: 0, isPlay: true });
  });

  it("take what is no number, no view or not there as if it were not said", () => {
    expect(readLink("#scene=patrol&tick=-3&agent=one&view=below")).toEqual({ scene: "patrol", seed: "7", tick: 0, agent: null, view: null, settings: [], isPlay: false });
    expect(readLink("")).toMatchObject({ scene: null });
    expect(writeLink({ scene: null })).toBe("#");
  });

  it("have seeds of up to 64 bits", () => {
    expect(["0", "7", "18446744073709551615"].every(isSeed)).toBe(true);
    expect(["", "-1", "1.5", "seven", "18446744073709551616", "999999999999999999999"].some(isSeed)).toBe(false);
  });

  it("leave out settings that are stock", () => {
    expect(withSetting(["guards=3", "speed=2"], "guards", "5", "1")).toEqual(["speed=2", "guards=5"]);
    expect(withSetting(["guards=3"], "guards", "1", "1")).toEqual([]);
    expect(settingOf(["guards=3", "guards=4"], "guards")).toBe("4");
    expect(settingOf(["guards=3"], "guard")).toBeUndefined();
  });
});
