import { describe, expect, it } from "vitest";
import type { LayerAbout, Picture } from "../../pkg/sentir.js";
import { AGENT_STRIDE, between, bodies, isWalk, lying, standsOf, type Body } from "./body.js";
import { Flow } from "./flow.js";
import { Level } from "./level.js";
import { Paint } from "./paint.js";
import { isCaption } from "./label.js";
import { isInset, isSolid, type Shape } from "./picture.js";
import { placeLabels, type Taken, type Wish } from "./place.js";
import { isWithin, triangles } from "./solid.js";
import { blockOf, terrainOf } from "./surface.js";

const agent = (key: number, x: number, more: Partial<Record<"yaw" | "speed" | "z", number>> = {}): number[] => [key, 0, 0, x, 0, more.z ?? 0, more.yaw ?? 0, 0.3, 1.7, 1, 0, more.speed ?? 0, 0, 0, 0, 0, 0];
const body = (key: number, x: number, more: Partial<Record<"yaw" | "speed" | "z", number>> = {}): Body => bodies(new Float64Array(agent(key, x, more)))[0]!;
const LAYERS = [{ name: "level" }, { name: "bodies" }] as LayerAbout[];

/** A picture of prisms and circles: as the package lays it out. */
function picture(prisms: { foot: number; corners: number[]; color?: number }[], circles: { x: number; z: number; layer: number }[] = []): Picture {
  const head = 8 * 3, floats: number[] = [], words: number[] = [];
  const corners = prisms.map(({ corners: all }) => { const at = floats.length; floats.push(...all); return at; });
  const prismFloats = floats.length;
  prisms.forEach(({ foot }) => floats.push(foot));
  const circleFloats = floats.length;
  circles.forEach(({ x, z }) => floats.push(x, 0, z, 0.3, 1));
  const prismWords = head;
  prisms.forEach(({ corners: all, color = 0x9aa1ad }, at) => words.push(((color << 8) | 255) >>> 0, 0, at, corners[at]!, all.length / 3));
  const circleWords = head + words.length;
  circles.forEach(({ layer }, at) => words.push(0x336699ff, layer, 100 + at));
  const heads = [0, head, 0, 0, head, 0, circleFloats, circleWords, circles.length, 0, head, 0, 0, head, 0, 0, head, 0, 0, head, 0, prismFloats, prismWords, prisms.length];
  return { floats: new Float32Array(floats), words: new Uint32Array([...heads, ...words]), texts: "", colors: new Float64Array() };
}
const block = (x: number, high = 2.5): number[] => [x, high, 0, x + 4, high, 0, x + 4, high, -1, x, high, -1];

describe("what films show and pages do not", () => {
  const shape = (layer: Shape["layer"], alpha: number, kind: Shape["kind"]): Shape => ({ f: new Float32Array(), w: new Uint32Array(), color: 0, alpha, layer, place: 0, kind });
  it("is an opaque picture of what eyes see, not a cone or a map of what was learned", () => {
    expect([shape("senses", 1, "heats"), shape("senses", 1, "polygons")].every(isInset)).toBe(true);
    expect([shape("senses", 0.2, "polygons"), shape("senses", 0.6, "heats"), shape("senses", 1, "lines"), shape("level", 1, "heats")].some(isInset)).toBe(false);
    expect(isSolid(shape("level", 1, "heats"))).toBe(true);
  });

  it("is a line of figures that stand beside the picture, not a name", () => {
    expect(isCaption("patrol, 4 left, 3 s") && isCaption("round 1: 24 left, 6 killed, health 200")).toBe(true);
    expect(["soldier 12", "investigate 100 %", "alarm 1", "follows the alarm"].some(isCaption)).toBe(false);
  });
});

describe("bodies between moments", () => {
  it("are read with all their numbers", () => {
    const [one] = bodies(new Float64Array([5, 1, 2, 3, 4, 5, 0.5, 0.4, 1.6, 0.7, 1, 2, -1, 0.5, 4, 0.25, 0.1]));
    expect(one).toMatchObject({ key: 5, team: 1, kind: 2, x: 3, y: 4, z: 5, yaw: 0.5, radius: 0.4, health: 0.7, crouched: true, speed: 2, side: -1, lean: 0.5, activity: 4, share: 0.25, pitch: 0.1 });
    expect(AGENT_STRIDE).toBe(17);
    expect(standsOf(one!)).toBeGreaterThan(2.5);
    expect(lying(new Float64Array([9, 1, 2, 0, 3, 1.5, 4, 6]))).toEqual([{ key: 9, team: 1, x: 2, y: 0, z: 3, yaw: 1.5, seconds: 4, kind: 6 }]);
  });

  it("turn by the shorter way", () => {
    const out = between(body(1, 0, { yaw: 3 }), body(1, 1, { yaw: -3 }), 0.5, body(1, 0));
    expect(out.x).toBeCloseTo(0.5);
    expect(Math.abs(Math.cos(out.yaw) + 1)).toBeLessThan(0.02);
  });

  it("walk what their pace allows and jump beyond it", () => {
    expect(isWalk(body(1, 0), body(1, 0.5), 1 / 60)).toBe(true);
    expect(isWalk(body(1, 0), body(1, 9), 1 / 60)).toBe(false);
    expect(isWalk(body(1, 0, { speed: 100 }), body(1, 5, { speed: 100 }), 1 / 20)).toBe(true);
  });
});

describe("flow", () => {
  const at = (flow: Flow, key = 1): number => flow.bodies.find((one) => one.key === key)!.x;
  const when = (tick: number, speed: number) => ({ tick, rate_hz: 60, speed });

  it("is smooth at a tenth of the speed: every frame moves a little", () => {
    const flow = new Flow();
    flow.take([body(1, 0)], when(0, 0.1), 0);
    flow.take([body(1, 0.06)], when(1, 0.1), 1 / 6);
    const seen = [at(flow)];
    for (let frame = 0; frame < 10; frame += 1) { flow.advance(1 / 60); seen.push(at(flow)); }
    for (let frame = 1; frame < seen.length; frame += 1) expect(seen[frame]! - seen[frame - 1]!).toBeCloseTo(0.006, 4);
    expect(at(flow)).toBeCloseTo(0.06);
    expect(flow.isGliding).toBe(false);
    expect(flow.seconds).toBeCloseTo(1 / 60);
  });

  it("does not let a teleport slide", () => {
    const flow = new Flow();
    flow.take([body(1, 0), body(2, 0)], when(0, 1), 0);
    flow.take([body(1, 30), body(2, 0.1)], when(1, 1), 0.016);
    flow.advance(0.004);
    expect(at(flow, 1)).toBe(30);
    expect(at(flow, 2)).toBeLessThan(0.05);
  });

  it("shows a moment as it is where time stands or jumps", () => {
    const flow = new Flow();
    flow.take([body(1, 0)], when(0, 1), 0);
    flow.take([body(1, 1)], when(600, 1), 0.02);
    expect(at(flow)).toBe(1);
    flow.take([body(1, 2)], when(601, 0), 0.04);
    expect(at(flow)).toBe(2);
    flow.take([body(1, 1)], when(400, 1), 0.06);
    expect(at(flow)).toBe(1);
    expect(flow.isGliding).toBe(false);
  });

  it("goes on from what is shown when the next moment comes early", () => {
    const flow = new Flow();
    flow.take([body(1, 0)], when(0, 1), 0);
    flow.take([body(1, 0.1)], when(1, 1), 0.016);
    flow.advance(1 / 120);
    const shown = at(flow);
    flow.take([body(1, 0.2)], when(2, 1), 0.024);
    expect(at(flow)).toBeCloseTo(shown);
  });
});

describe("labels", () => {
  const wish = (x: number, y: number, rank: number): Wish => ({ x, y, wide: 60, high: 18, rank });

  it("never cover each other nor what stands there", () => {
    let state = 99;
    const random = () => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 2 ** 32; };
    const wishes = Array.from({ length: 80 }, (_, at) => wish(random() * 500, random() * 300, at));
    const obstacles: Taken[] = Array.from({ length: 30 }, () => ({ x: random() * 500, y: random() * 300, halfWide: 10, halfHigh: 20 }));
    const places = placeLabels(wishes, obstacles);
    expect(places.filter((place) => place !== null).length).toBeGreaterThan(10);
    places.forEach((a, i) => {
      if (a === null) return;
      places.forEach((b, j) => { if (b !== null && i < j) expect(Math.abs(a.x - b.x) >= 60 || Math.abs(a.y - b.y) >= 18).toBe(true); });
      for (const { x, y, halfWide, halfHigh } of obstacles) expect(Math.abs(a.x - x) >= 30 + halfWide || Math.abs(a.y - y) >= 9 + halfHigh).toBe(true);
    });
  });

  it("stand over what they name when there is room, the important one first", () => {
    const [second, first] = placeLabels([wish(100, 100, 5), wish(100, 100, -1)], []);
    expect(first).toEqual({ x: 100, y: 91 });
    expect(second).not.toBeNull();
    expect(second).not.toEqual(first);
  });
});

describe("the level", () => {
  it("is built once, and again only where it changed", () => {
    const level = new Level();
    const shapes = Array.from({ length: 100 }, (_, at) => ({ foot: 0, corners: block(at * 5) }));
    expect(level.take(picture(shapes), LAYERS, false)).toBe(true);
    const first = level.built;
    expect(first).toBe(3);
    expect(level.take(picture(shapes), LAYERS, false)).toBe(false);
    expect(level.built).toBe(first);
    shapes[60] = { foot: 0, corners: block(300, 1) };
    expect(level.take(picture(shapes), LAYERS, false)).toBe(true);
    expect(level.built).toBe(first + 1);
    expect(level.blocks.length).toBe(100);
  });

  it("is gone when it is hidden, and there again", () => {
    const level = new Level();
    level.take(picture([{ foot: 0, corners: block(0) }]), LAYERS, false);
    expect(level.span.max.x).toBe(4);
    expect(level.take(picture([{ foot: 0, corners: block(0) }]), LAYERS, true)).toBe(true);
    expect(level.span.isEmpty()).toBe(true);
  });

  it("tells materials by color and form", () => {
    expect(["water", "forest", "grass", "path"]).toEqual([terrainOf(0x4f94c4), terrainOf(0x5f8f55), terrainOf(0xc9d3b4), terrainOf(0xddd0b0)]);
    expect(blockOf(0x4c5563, { high: 3, wide: 12, rise: 0 })).toBe("wall");
    expect(blockOf(0x8a919d, { high: 1, wide: 1.2, rise: 0 })).toBe("crate");
    expect(blockOf(0xd8d2c4, { high: 1.4, wide: 8, rise: 1.4 })).toBe("ramp");
    expect(blockOf(0xf7f4ec, { high: 0.1, wide: 60, rise: 0 })).toBe("floor");
    expect(blockOf(0xb07d45, { high: 2, wide: 1, rise: 0 })).toBe("door");
  });

  it("grows trees in forests and not on the grass of any scene", () => {
    expect([0x4d7a4e, 0x5f8f57].map(terrainOf)).toEqual(["forest", "forest"]);
    expect([0xa9c98a, 0xa9c985, 0x9bbb78, 0xb4d092].map(terrainOf)).toEqual(["grass", "grass", "grass", "grass"]);
  });

  it("takes a slab of ground for ground, however thick", () => {
    const slab = { high: 0.5, wide: 60, rise: 0 };
    expect([0x9bbb78, 0xb4d092, 0x4c8cbe, 0x6fabd6, 0xd6bd86, 0xe8d5a4].map((hex) => blockOf(hex, slab))).toEqual(["grass", "grass", "water", "water", "path", "path"]);
    expect(blockOf(0x8d7355, { high: 1, wide: 1.2, rise: 0 })).toBe("crate");
  });

  it("fills outlines that do not bulge everywhere", () => {
    const corner = new Float32Array([0, 0, 0, 4, 0, 0, 4, 0, -1, 1, 0, -1, 1, 0, -4, 0, 0, -4]);
    expect(triangles(corner, 0, 6).length).toBe(4);
    expect(isWithin([[0, 0], [4, 0], [4, 4], [0, 4]], 2, 2)).toBe(true);
    expect(isWithin([[0, 0], [4, 0], [4, 4], [0, 4]], 5, 2)).toBe(false);
  });
});

describe("marks", () => {
  const manner = { hidden: new Set<never>(), isBare: false };

  it("go along with the body that they belong to", () => {
    const paint = new Paint();
    const all = [body(1, 2), body(2, 8)];
    paint.take(picture([], [{ x: 2, z: 0, layer: 1 }, { x: 5, z: 0, layer: 1 }]), LAYERS, all, { ...manner, is3d: false });
    paint.show();
    const before = paint.marks.places.slice(0, paint.marks.count * 3);
    paint.follow([{ ...all[0]!, x: 2.5 }, all[1]!]);
    const half = before.length / 2;
    expect(paint.marks.places[0]! - before[0]!).toBeCloseTo(0.5);
    expect(paint.marks.places[half]).toBe(before[half]);
  });

  it("of bodies are left out where the bodies stand themselves", () => {
    const paint = new Paint();
    paint.take(picture([], [{ x: 2, z: 0, layer: 1 }]), LAYERS, [body(1, 2)], { ...manner, is3d: true });
    expect(paint.marks.count).toBe(0);
  });
});
