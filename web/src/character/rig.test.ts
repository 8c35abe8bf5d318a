import { describe, expect, it } from "vitest";
import { MODELS } from "./catalog.js";
import { MODEL_NAMES } from "./model.js";
import { ACTIVITIES, advance, newMotion, strideRate, turnBetween, variantOf, type Report } from "./motion.js";
import { FOOT_L, FOOT_R, FORE_L, FORE_R, HEAD, LOWER_M } from "./person.js";
import { compose, MATRIX_STRIDE, POSE_STRIDE, reach, rest, restPose, type Bone } from "./rig.js";

const report = (more: Partial<Report> = {}): Report => ({ key: 7, speed: 0, side: 0, lean: 0, activity: 0, share: 0, pitch: 0, health: 1, crouched: false, yaw: 0, ...more });
const ROOT = { x: 0, y: 0, z: 0, yaw: 0, scale: 1 };

/** Where a point of a bone is in the world. */
function placed(out: Float32Array, bone: number, [x, y, z]: readonly [number, number, number] = [0, 0, 0]): [number, number, number] {
  const row = (at: number) => { const m = out.subarray(bone * MATRIX_STRIDE + at * 4); return m[0]! * x + m[1]! * y + m[2]! * z + m[3]!; };
  return [row(0), row(1), row(2)];
}

/** The matrices of a model after some frames of a report. */
function posed(name: keyof typeof MODELS, it: Report, frames = 60): Float32Array {
  const model = MODELS[name];
  const motion = newMotion(it);
  for (let frame = 0; frame < frames; frame += 1) advance(motion, it, 1 / 60, 1);
  const pose = restPose(model.bones.length);
  model.pose(pose, motion);
  const out = new Float32Array(model.bones.length * MATRIX_STRIDE);
  compose(model.bones, pose, ROOT, out, 0);
  return out;
}

describe("compose", () => {
  /** The slow twin: matrices multiplied one by one. */
  function slow(bones: readonly Bone[], pose: Float32Array, root: typeof ROOT): number[][] {
    const times = (a: number[], b: number[]) => Array.from({ length: 16 }, (_, at) => [0, 1, 2, 3].reduce((sum, k) => sum + a[Math.floor(at / 4) * 4 + k]! * b[k * 4 + (at % 4)]!, 0));
    const move = (x: number, y: number, z: number) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1];
    const about = (axis: 0 | 1 | 2, a: number) => {
      const [s, c] = [Math.sin(a), Math.cos(a)];
      return [[1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0, 0, 0, 0, 1], [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0, 0, 0, 0, 1], [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]][axis]!;
    };
    const size = (s: number) => [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1];
    const made: number[][] = [];
    bones.forEach(({ parent, at }, bone) => {
      const p = pose.subarray(bone * POSE_STRIDE, (bone + 1) * POSE_STRIDE);
      const before = parent < 0 ? [move(root.x, root.y, root.z), about(1, root.yaw), size(root.scale)].reduce(times) : made[parent]!;
      made.push([before, move(at[0] + p[3]!, at[1] + p[4]!, at[2] + p[5]!), about(1, p[1]!), about(0, p[0]!), about(2, p[2]!), size(p[6]!)].reduce(times));
    });
    return made;
  }

  it("gives the matrices that multiplying one by one gives, for every model in random poses", () => {
    let state = 12345;
    const random = () => { state = (Math.imul(state, 1103515245) + 12345) >>> 0; return state / 2 ** 31 - 1; };
    for (const name of MODEL_NAMES) {
      const { bones } = MODELS[name];
      const pose = restPose(bones.length);
      for (let at = 0; at < pose.length; at += 1) pose[at]! += random() * 0.7;
      const root = { x: random() * 9, y: random(), z: random() * 9, yaw: random() * 3, scale: 1.3 };
      const out = new Float32Array(bones.length * MATRIX_STRIDE + 5);
      compose(bones, pose, root, out, 5);
      slow(bones, pose, root).forEach((matrix, bone) => matrix.slice(0, 12).forEach((value, at) => expect(out[5 + bone * MATRIX_STRIDE + at]).toBeCloseTo(value, 3)));
    }
  });

  it("has parents before their children in every model", () => {
    for (const name of MODEL_NAMES) MODELS[name].bones.forEach(({ parent }, at) => expect(parent, name).toBeLessThan(at));
  });
});

describe("reach", () => {
  const bones: Bone[] = [{ name: "upper", parent: -1, at: [0.2, 1, 0] }, { name: "lower", parent: 0, at: [0, -0.28, 0] }];
  const limb = { upper: 0, lower: 1, at: [0.2, 1, 0] as const, upperM: 0.28, lowerM: 0.3 };
  const end = (x: number, y: number, z: number): [number, number, number] => {
    const pose = restPose(2);
    reach(pose, limb, { x, y, z, elbow: [0, -1, 0.2] });
    const out = new Float32Array(2 * MATRIX_STRIDE);
    compose(bones, pose, ROOT, out, 0);
    return placed(out, 1, [0, -0.3, 0]);
  };

  it("brings the hand to what is within reach", () => {
    for (const [x, y, z] of [[0.2, 0.7, -0.3], [0, 1.1, -0.4], [0.5, 1, 0.1], [0.2, 1.4, -0.2]] as const) end(x, y, z).forEach((value, at) => expect(value).toBeCloseTo([x, y, z][at]!, 3));
  });

  it("stretches toward what is not", () => {
    const [x, y, z] = end(0.2, 1, -5);
    expect(Math.hypot(x - 0.2, y - 1, z)).toBeCloseTo(0.58, 2);
    expect(z).toBeLessThan(-0.57);
  });
});

describe("poses of people", () => {
  it("keep a foot on the ground whatever the pace and stance", () => {
    for (const name of ["soldier", "zombie_dummy", "worker", "heavy", "person"] as const) {
      for (const it of [report(), report({ speed: 1.4 }), report({ speed: 2.5 }), report({ speed: -1.5 }), report({ side: 1.5 }), report({ crouched: true })]) {
        for (let frames = 50; frames < 74; frames += 4) {
          const out = posed(name, it, frames);
          const low = Math.min(placed(out, FOOT_R, [0, -0.06, 0])[1], placed(out, FOOT_L, [0, -0.06, 0])[1]);
          expect(Math.abs(low), `${name} ${JSON.stringify(it)}`).toBeLessThan(0.1);
        }
      }
    }
  });

  it("crouch lower than they stand, and lean to the side they are told", () => {
    expect(placed(posed("soldier", report({ crouched: true })), HEAD)[1]).toBeLessThan(placed(posed("soldier", report()), HEAD)[1] - 0.25);
    expect(placed(posed("soldier", report({ lean: 1 })), HEAD)[0]).toBeGreaterThan(0.15);
    expect(placed(posed("soldier", report({ lean: -1 })), HEAD)[0]).toBeLessThan(-0.15);
  });

  it("hold a rifle with both hands before them", () => {
    const out = posed("soldier", report({ activity: 1 }));
    for (const hand of [FORE_R, FORE_L]) expect(placed(out, hand, [0, -LOWER_M, 0])[2]).toBeLessThan(-0.1);
  });

  it("differ by activity from standing idle", () => {
    ACTIVITIES.forEach((activity, number) => {
      if (number === 0) return;
      const [idle, doing] = [posed("worker", report()), posed("worker", report({ activity: number, share: 0.4 }))];
      // Fire, reload of who has no gun shows as a blow or not at all.
      if (activity !== "reload") expect(Math.max(...idle.map((value, at) => Math.abs(value - doing[at]!))), activity).toBeGreaterThan(0.05);
    });
  });

  it("lie down when they are dead", () => {
    const model = MODELS.soldier;
    for (const key of [1, 2, 3, 4, 5]) {
      const motion = { ...newMotion(report({ key })), fall: 1 };
      const pose = restPose(model.bones.length);
      model.pose(pose, motion);
      const out = new Float32Array(model.bones.length * MATRIX_STRIDE);
      compose(model.bones, pose, ROOT, out, 0);
      expect(placed(out, HEAD)[1]).toBeLessThan(0.5);
    }
  });
});

describe("motion", () => {
  it("turns by the shorter way", () => {
    expect(turnBetween(3, -3)).toBeCloseTo(2 * Math.PI - 6);
    expect(turnBetween(-3, 3)).toBeCloseTo(6 - 2 * Math.PI);
    expect(turnBetween(0.1, 0.4)).toBeCloseTo(0.3);
    expect(turnBetween(0, 20 * Math.PI + 0.5)).toBeCloseTo(0.5);
  });

  it("strides backwards for who goes backwards, and does not for who stands", () => {
    const phase = (it: Report) => { const motion = newMotion(it); const begin = motion.phase; for (let frame = 0; frame < 30; frame += 1) advance(motion, it, 1 / 60, 1); return motion.phase - begin; };
    expect(phase(report({ speed: 1.4 }))).toBeGreaterThan(2);
    expect(phase(report({ speed: -1.4 }))).toBeLessThan(-2);
    expect(phase(report())).toBe(0);
  });

  it("takes longer strides the faster one goes", () => {
    expect(strideRate(5)).toBeLessThan(strideRate(1));
  });

  it("shows for a while what happened in one tick only, and lets it go then", () => {
    const motion = newMotion(report());
    advance(motion, report({ activity: 1 }), 1 / 60, 1);
    for (let frame = 0; frame < 10; frame += 1) advance(motion, report(), 1 / 60, 1);
    expect(motion.doing[1]).toBeGreaterThan(0.7);
    for (let frame = 0; frame < 90; frame += 1) advance(motion, report(), 1 / 60, 1);
    expect(motion.doing[1]).toBeLessThan(0.01);
  });

  it("begins an activity anew when its share starts over", () => {
    const motion = newMotion(report());
    for (const share of [0, 0.3, 0.6, 0.9]) advance(motion, report({ activity: 1, share }), 0.05, 1);
    expect(motion.since).toBeGreaterThan(0.1);
    advance(motion, report({ activity: 1, share: 0 }), 0.05, 1);
    expect(motion.since).toBe(0);
  });

  it("flinches when health is lost", () => {
    const motion = newMotion(report());
    advance(motion, report({ health: 0.8 }), 1 / 60, 1);
    expect(motion.flinch).toBe(1);
  });

  it("gives each key a number of its own between 0 and 1", () => {
    const all = Array.from({ length: 200 }, (_, key) => variantOf(key));
    expect(new Set(all).size).toBe(200);
    expect(all.every((value) => value >= 0 && value < 1)).toBe(true);
  });
});

describe("models", () => {
  it("have solids whose corners all hang on bones that there are", () => {
    for (const name of MODEL_NAMES) {
      const model = MODELS[name];
      const marks = model.geometry().getAttribute("mark").array;
      let [bone, side] = [0, 0];
      for (let at = 0; at < marks.length; at += 2) [bone, side] = [Math.max(bone, marks[at]!), Math.max(side, marks[at + 1]!)];
      expect(bone, name).toBeLessThan(model.bones.length);
      expect(side, name).toBeLessThanOrEqual(1);
    }
  });

  it("give finite matrices in every activity", () => {
    for (const name of MODEL_NAMES) ACTIVITIES.forEach((_, activity) => expect(posed(name, report({ activity, speed: 2, share: 0.5 }), 20).every(Number.isFinite), name).toBe(true));
  });

  it("stand at rest after rest", () => {
    const pose = restPose(3).fill(4);
    rest(pose);
    expect([...pose]).toEqual([...restPose(3)]);
  });
});
