// Plays every scene with the module of its family, in Node, and prints what came of it as JSON.
// Usage: node package.mjs PACKAGE_FOLDER RECORDINGS_FOLDER
// For each scene: the hash after ten seconds, the slowest seek, and a recording with inputs for the native program.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, records] = process.argv.slice(2);
if (records === undefined) {
  console.error("usage: node package.mjs PACKAGE_FOLDER RECORDINGS_FOLDER");
  process.exit(2);
}

const SEED = 7n;
const HEAD_KINDS = 7;
const AGENT_STRIDE = 17;

/** The module of a family. */
async function load(name) {
  const module = await import(pathToFileURL(join(folder, `${name}.js`)).href);
  module.initSync({ module: await readFile(join(folder, `${name}_bg.wasm`)) });
  return module;
}

/** The value, unless it is a refusal. */
function taken(value) {
  assert.equal(value?.error, undefined);
  return value;
}

/** Ten seconds; then back and forth through the run, with the time the slowest seek took. */
function seekAbout(session, ticks) {
  const hash = session.hash;
  let slowest = 0;
  for (const share of [0, 1, 0.5, 0.99, 0.01, 0.75, 1]) {
    const tick = Math.floor(ticks * share);
    const begin = performance.now();
    assert.equal(session.seek(tick), tick);
    slowest = Math.max(slowest, performance.now() - begin);
  }
  assert.equal(session.hash, hash, "seeking back and forth changed the run");
  return slowest;
}

/** Draw data, agents and the inspector. */
function look(session, layers) {
  const { floats, words, texts, colors } = session.draw();
  assert.ok(floats instanceof Float32Array && words instanceof Uint32Array);
  let labels = 0;
  for (let kind = 0; kind < HEAD_KINDS; kind += 1) {
    const [, at, count] = words.subarray(kind * 3);
    for (let shape = 0; shape < count && kind < 4; shape += 1) {
      assert.ok(words[at + shape * 3 + 1] < layers.length, "a layer without a name");
    }
    labels = kind === 5 ? count : labels;
  }
  assert.equal(texts.split("\n").length - 1, labels);
  const agents = session.agents();
  assert.ok(agents.length > 0 && agents.length % AGENT_STRIDE === 0);
  const agent = session.agent(agents[0]);
  assert.equal(agent.key, agents[0]);
  assert.ok(colors.some((key, at) => at % 2 === 0 && key === agents[0]), "a body without a color");
  const [x, y, z] = agent.body.position;
  assert.deepEqual([...agents.subarray(3, 6)], [Math.fround(x), Math.fround(y), Math.fround(z)]);
  assert.equal(session.agent(1e15), null);
}

/** A fork with a player's inputs, recorded. */
async function record(session, name) {
  session.seek(40);
  const fork = taken(session.fork());
  const known = session.status().known_ticks;
  assert.equal(fork.give({ east: 1, north: -0.5, fire: true, key: "c", spot: [1.5, -2] }), true);
  fork.step(90);
  assert.equal(session.status().known_ticks, known, "a fork changed its origin");
  const bytes = taken(fork.record());
  await writeFile(join(records, `${name}.srec`), bytes);
  const differs = session.first_difference(fork);
  assert.ok(differs === undefined || differs >= 40, `the fork differs from its past at ${differs}`);
  fork.free();
}

async function play(sentir, scene, layers) {
  const session = taken(sentir.start(scene.name, SEED, []));
  const begin = performance.now();
  session.step(scene.rate_hz * 10);
  const played_ms = performance.now() - begin;
  const { hash, tick } = session;
  assert.match(hash, /^[0-9a-f]{16}$/);
  const seek_ms = seekAbout(session, tick);
  look(session, layers);
  await record(session, scene.name);
  session.free();
  return { name: scene.name, seed: String(SEED), ticks: tick, hash, seek_ms, played_ms };
}

const catalog = JSON.parse(await readFile(join(folder, "catalog.json"), "utf8"));
const scenes = [];
for (const { bytes, ...family } of catalog.families) {
  const sentir = await load(family.name);
  assert.deepEqual(sentir.catalog(), [family], "the catalog is not what the module says");
  const layers = sentir.layers();
  assert.deepEqual(layers, catalog.layers);
  assert.ok(bytes > 100_000, `the module of ${family.name} has ${bytes} bytes`);
  const [first] = family.scenes;
  assert.equal(sentir.start(`${first.name}x`, SEED, []).error, `there is no scene '${first.name}x', did you mean '${first.name}'?`);
  for (const scene of family.scenes) {
    assert.ok(scene.title && scene.about && Array.isArray(scene.settings), scene.name);
    assert.ok(scene.layers.length > 0 && scene.layers.every((name) => layers.some((layer) => layer.name === name)), scene.name);
    scenes.push(await play(sentir, scene, layers));
  }
}
const sense = await load("sense");
assert.match(sense.start("patrol", SEED, ["guards=none"]).error, /expected a whole number/);
assert.match(sense.start("firefight", SEED, []).error, /there is no scene 'firefight'/, "a module has the scenes of its family alone");
console.log(JSON.stringify({ scenes }));
