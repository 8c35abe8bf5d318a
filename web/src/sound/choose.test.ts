import { describe, expect, it } from "vitest";
import { choose, loudnessAt, syllables, VOICES_MAX, type Sound } from "./choose.js";

const EARS = { x: 0, y: 1.7, z: 0, yaw: 0 };
const sound = (kind: Sound["kind"], x: number, loudness = 1): Sound => ({ kind, x, y: 1.7, z: 0, loudness, key: 1, text: null });

describe("which sounds are heard", () => {
  it("fade with distance and end where they do not reach", () => {
    expect(loudnessAt(sound("shot", 2), EARS)).toBeGreaterThan(loudnessAt(sound("shot", 20), EARS));
    expect(loudnessAt(sound("step", 30), EARS)).toBe(0);
    expect(loudnessAt(sound("shot", 30), EARS)).toBeGreaterThan(0);
  });

  it("are the loudest at the ear first", () => {
    expect(choose([sound("step", 10, 0.3), sound("shot", 30), sound("step", 1, 0.3)], EARS, 0).map(({ x }) => x)).toEqual([1, 30, 10]);
  });

  it("are never more voices than there are, nor too many of a kind", () => {
    const many = Array.from({ length: 300 }, (_, at) => sound("step", at % 9));
    expect(choose(many, EARS, 0).length).toBe(6);
    const kinds = (["step", "shot", "reload", "impact", "voice", "alarm", "bite", "door", "blast", "pickup"] as const).flatMap((kind) => Array.from({ length: 9 }, () => sound(kind, 2)));
    expect(choose(kinds, EARS, 0).length).toBe(VOICES_MAX);
    expect(choose(kinds, EARS, 15).length).toBe(VOICES_MAX - 15);
    expect(choose(kinds, EARS, VOICES_MAX)).toEqual([]);
  });

  it("let a shot next to one be heard among a crowd of steps", () => {
    const many = [...Array.from({ length: 300 }, () => sound("step", 2, 0.3)), sound("shot", 4)];
    expect(choose(many, EARS, 0)[0]?.kind).toBe("shot");
  });
});

describe("voices", () => {
  it("have a syllable for each vowel, in order, in the pitch of who speaks", () => {
    const all = syllables("Moving up", 3);
    expect(all.length).toBe(3);
    expect(all.map(({ at }) => at)).toEqual([...all.map(({ at }) => at)].sort((a, b) => a - b));
    expect(syllables("Moving up", 3)).toEqual(all);
    expect(syllables("Moving up", 4)[0]?.pitch).not.toBe(all[0]?.pitch);
    expect(syllables("supercalifragilistic", 1).length).toBe(5);
  });
});
