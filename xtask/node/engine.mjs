// Tries the engine for web games as JavaScript meets it, in Node: a world comes out as natively, and whatever is wrong is refused by a
// sentence and changes nothing. Usage: node engine.mjs PACKAGE_FOLDER TESTS_FOLDER NATIVE_HASH

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, tests, native] = process.argv.slice(2);
if (native === undefined) {
  console.error("usage: node engine.mjs PACKAGE_FOLDER TESTS_FOLDER NATIVE_HASH");
  process.exit(2);
}
const { default: init, World } = await import(pathToFileURL(join(folder, "node.js")).href);
await init();
const [level, guard] = await Promise.all(["yard.yaml", "guard.yaml"].map((name) => readFile(join(tests, name), "utf8")));
const yard = (more = {}) => new World({ seed: 7, level, level_name: "yard.yaml", brains: { guard }, ...more });

/** What a call is refused with; not to be refused is a failure. */
function said(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof Error, String(error));
    return error.message;
  }
  throw new assert.AssertionError({ message: `not refused: ${call}` });
}

function fill(world) {
  world.add({ key: 1, team: 1, brain: "guard", position: [-12, 0, 6] });
  world.add({ key: 2, team: 1, brain: "guard", position: [8, 0, 6] });
  world.add({ key: 3, team: 2, position: [-8, 0, 2] });
  return world;
}

// The same steps as in crates/js/examples/yard_hash.rs, in the same precision.
function play(world, ticks) {
  const [f, way] = [Math.fround, [[9, 2], [9, -5], [13, -8], [13, -3]]];
  const bodies = new Map([[1, [-12, 0, 6]], [2, [8, 0, 6]], [3, [-8, 0, 2]]]);
  const [tick, step] = [f(1 / 60), 0.0625];
  const toward = (from, to) => (Math.abs(to - from) < step ? to : f(from + Math.sign(to - from) * step));
  let next = 0;
  for (let count = 0; count < ticks; count += 1) {
    world.step();
    const motions = world.motions();
    assert.deepEqual([motions.length, motions[0], motions[8]], [16, 1, 2]);
    for (const key of [1, 2]) {
      const [x, y, z] = bodies.get(key);
      const [, vx, , vz, yaw] = motions.subarray((key - 1) * 8);
      bodies.set(key, [f(x + f(vx * tick)), y, f(z + f(vz * tick))]);
      world.observe(key, { position: bodies.get(key), yaw });
    }
    const [x, y, z] = bodies.get(3);
    const [toX, toZ] = way[next] ?? [x, z];
    const at = [toward(x, toX), y, toward(z, toZ)];
    if (at[0] === toX && at[2] === toZ && next < way.length) next += 1;
    bodies.set(3, at);
    world.observe(3, { position: at, yaw: 0 });
  }
  return world;
}

const world = play(fill(yard()), 900);
assert.equal(world.hash, native, "the world came out otherwise than natively");
assert.equal(world.tick, 900);

// A saved world goes on as it would have; other files refuse it.
const saved = world.save();
const again = yard();
again.load(saved);
assert.equal(again.hash, world.hash);
const other = new World({ level, level_name: "yard.yaml", brains: { guard: guard.replace("pace_m_per_s: 3", "pace_m_per_s: 2") } });
assert.match(said(() => other.load(saved)), /^the save was made with 'guard' [0-9a-f]{8}, and this world has 'guard' /);
assert.match(said(() => again.load(saved.subarray(0, 20))), /^the save /);
assert.match(said(() => again.load("text")), /^the save /);
assert.match(said(() => again.load(7)), /^`bytes` of what is loaded is 7: expected a text or a Uint8Array/);

// What is asked is answered in the shapes of the types.
const view = world.agent(1);
assert.deepEqual([view.key, view.team, view.brain, view.facts.health], [1, 1, "guard", 1]);
assert.equal(world.agent(99), null);
assert.ok(world.path([0, 0, 4], [0, 0, -4]).length > 2 && world.path([0, 0, 4], [90, 0, 0]) === null);
assert.ok(Math.abs(world.ground([0, 0, 4])) < 0.3 && world.ground([90, 0, 0]) === undefined);
assert.ok(Math.abs(world.ray([0, 1, 4], [0, 1, -4]) - 3.5 / 8) < 0.01 && world.ray([0, 1, 4], [1, 1, 4]) === undefined);
assert.ok(world.triangles() instanceof Float32Array && world.motion(1).velocity.length === 3);
const heard = fill(yard());
heard.listen(true);
let isNoted = false;
for (let count = 0; count < 12; count += 1) {
  heard.step();
  isNoted ||= heard.why(1).parts.some(({ note }) => note.includes("enemy_age_s"));
}
assert.ok(isNoted, "nothing says why");
assert.equal(heard.why(3), null);
assert.ok(world.due(1) === 8 && world.due(0) === 0 && world.alpha >= 0 && world.alpha < 1);

// Whatever is wrong is refused by a sentence, and changes nothing.
const before = world.hash;
for (const [call, expected] of [
  [() => new World({}), "the world needs one ground: expected one of `level`, `triangles` or `flat_m`"],
  [() => new World(), "the world is undefined: expected an object"],
  [() => new World({ flat_m: 20, gravity: 9 }), "the world has an unknown field `gravity`: expected one of seed,"],
  [() => new World({ flat_m: 20, brain: {} }), "the world has an unknown field `brain`, did you mean `brains`?"],
  [() => new World({ flat_m: NaN }), "`flat_m` of the world is NaN: expected a finite number"],
  [() => new World({ flat_m: 20, rate_hz: 0 }), "`rate_hz` of the world is 0"],
  [() => new World({ flat_m: 20, raycast: 3 }), "`raycast` of the world is 3: expected a function"],
  [() => new World({ flat_m: 20, tasks: { ring: 3 } }), "the task 'ring' is 3: expected a function"],
  [() => new World({ flat_m: 20, brains: { a: 3 } }), "the brain 'a' is 3: expected an object"],
  [() => new World({ flat_m: 20, brains: { a: { file: guard, sences: {} } } }), "the brain 'a' has an unknown field `sences`, did you mean `senses`?"],
  [() => new World({ flat_m: 20, brains: { a: "sentir: tree 1\ntrees: {a: {task: gp}}" } }), "a:2:19: unknown task `gp` (did you mean `go`?)"],
  [() => new World({ flat_m: 20, brains: { a: "sentir: tree 1\ntrees: {a: {task: call, with: {name: rang}}}" }, tasks: { ring() {} } }), "a:2:38: unknown task of the page `rang` (did you mean `ring`?)"],
  [() => new World({ triangles: { positions: [0], indices: new Uint32Array(3) } }), "`positions` of the triangles is a list: expected a Float32Array"],
  [() => new World({ level: "name: [", level_name: "a.yaml" }), "a.yaml:"],
  [() => world.add({ key: 1, position: [0, 0, 0] }), "the host key 1 already has agent"],
  [() => world.add({ key: 1.5, position: [0, 0, 0] }), "`key` of the agent is 1.5: expected a whole number"],
  [() => world.add({ key: -1, position: [0, 0, 0] }), "`key` of the agent is -1: expected a whole number"],
  [() => world.add({ key: 9 }), "`position` of the agent is missing: expected a place"],
  [() => world.add({ key: 9, position: [0, NaN, 0] }), "`position` of the agent is a list: expected a place as in [1, 0, 2]"],
  [() => world.add({ key: 9, position: [0, 0, 0], brain: "gard" }), "there is no brain 'gard', did you mean 'guard'?"],
  [() => world.add({ key: 9, position: [0, 0, 0], radius: 1 }), "the agent has an unknown field `radius`, did you mean `radius_m`?"],
  [() => world.observe(99, { position: [0, 0, 0] }), "there is no agent with key 99: add it first"],
  [() => world.observe("one", {}), "the key is the text 'one': expected a whole number"],
  [() => world.observe(1, { yaw: Infinity }), "`yaw` of the body is inf: expected a finite number"],
  [() => world.observe(1, { health: 3 }), "`health` is 3: expected a share of full health, 0 to 1"],
  [() => world.noise({ at: [0, 0, 0] }), "`range_m` of the noise is missing"],
  [() => world.noise({ at: [0, 0, 0], range_m: -1 }), "`range_m` is -1: expected a number above 0"],
  [() => world.hurt({ key: 1, amount: 2, from: [0, 0, 0] }), "`amount` is 2: expected a share of full health"],
  [() => world.tell(1, { enemi: [0, 0, 0] }), "the brain 'guard' has no key `enemi`, did you mean 'enemy'?"],
  [() => world.tell(1, { enemy: true }), "the key `enemy` of the brain 'guard' holds a place: a boolean was given"],
  [() => world.tell(1, { health: 0.5, enemy: NaN }), "the fact `enemy` is NaN: expected true or false, a finite number"],
  [() => world.tell(3, { enemy: null }), "agent 3 has no brain"],
  [() => world.tell(1, [1]), "`facts` of what is told is a list: expected an object"],
  [() => world.motion(99), "there is no agent with key 99"],
  [() => world.edit("guard", "sentir: tree 2"), "guard:1:"],
  [() => world.edit("gard", guard), "there is no brain 'gard', did you mean 'guard'?"],
  [() => world.teleport(1, [0, 0], 0), "`position` is a list: expected a place as in [1, 0, 2]"],
  [() => world.teleport(1, [0, 0, 0], NaN), "`yaw` is NaN: expected a finite number"],
  [() => world.due(NaN), "`seconds` is NaN: expected a time of 0 or more"],
]) assert.ok(said(call).startsWith(expected), `${said(call)}\n  instead of\n${expected}`);
assert.equal(world.hash, before);
assert.ok(world.remove(99) === false && world.remove(3) === true);

// Callbacks: what they throw is thrown by the step, whose tick is done; they cannot break the world that calls them.
const call = "sentir: tree 1\nkeys: {stop: bool}\ntrees: {a: {selector: [{when: {key: $stop, \"==\": true}, aborts: both, do: idle}, {task: call, with: {name: ring, at: [1, 0, 2], text: loud}}]}}";
const calls = [];
let answer = () => "running";
const own = new World({ flat_m: 40, brains: { a: call }, tasks: { ring: (asked) => { calls.push(asked); return answer(asked); } }, raycast: () => { throw new Error("no rays today"); } });
own.add({ key: 1, team: 1, brain: "a", position: [0, 0, 0] });
own.step();
assert.deepEqual([calls[0].phase, calls[0].key, calls[0].at, calls[0].text, calls[0].number, calls[0].enemy], ["start", 1, [1, 0, 2], "loud", null, null]);
for (let count = 0; count < 6; count += 1) own.step();
assert.equal(calls.at(-1).phase, "tick");
const ticks = (count) => { for (let done = 0; done < count; done += 1) own.step(); };
answer = () => 7;
assert.equal(said(() => ticks(6)), "the task 'ring' returned 7: expected 'running', 'success' or 'failure'");
answer = () => { throw new Error("the bell is broken"); };
assert.equal(said(() => ticks(6)), "the bell is broken");
const at = own.tick;
answer = () => { own.step(); return "running"; };
assert.equal(said(() => ticks(6)), "the world is in the middle of a call: ask it after that, not from a callback");
assert.ok(own.tick > at, "the tick is done all the same");
answer = () => "running";
ticks(6);
own.tell(1, { stop: true });
ticks(6);
assert.equal(calls.at(-1).phase, "abort");
own.add({ key: 2, team: 2, position: [0, 0, -5] });
assert.equal(said(() => ticks(12)), "no rays today");
const blind = new World({ flat_m: 40, brains: { a: guard }, raycast: () => NaN });
blind.add({ key: 1, team: 1, brain: "a", position: [0, 0, 0] });
blind.add({ key: 2, team: 2, position: [0, 0, -5] });
assert.equal(said(() => { for (let done = 0; done < 12; done += 1) blind.step(); }), "raycast returned NaN: expected a share from 0 to 1, or null");
assert.deepEqual(blind.agent(1).believes, [], "nobody sees by a mistake");

// Handles that are gone.
own.close();
assert.equal(said(() => own.step()), "the world is closed: make another one");
assert.equal(said(() => own.hash), "the world is closed: make another one");
own.close();
blind.free();
assert.match(said(() => blind.step()), /null pointer|was freed|moved/);
console.log("the engine for web games: the hash is the native one, every refusal is a sentence");
