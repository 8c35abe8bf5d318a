// Runs one scene in the wasm probe and prints {"hashes": [...]}, one hash of 16 hex digits per tick.
// Usage: node probe.mjs PROBE.wasm SCENE SEED TICKS [KEY=VALUE...]
// TICKS is where to stop at the latest, 0 for the end of the match.
// The probe imports nothing, so a scene cannot see more here than its own memory.

import { readFile } from "node:fs/promises";

const [path, scene, seed, ticks, ...settings] = process.argv.slice(2);
if (ticks === undefined) {
  console.error("usage: node probe.mjs PROBE.wasm SCENE SEED TICKS [KEY=VALUE...]");
  process.exit(2);
}

const { instance } = await WebAssembly.instantiate(await readFile(path), {});
const { memory, alloc, run, out_ptr, out_len } = instance.exports;

// Pointers come back as signed numbers, and a call may grow the memory: views are made after the call.
const request = new TextEncoder().encode([scene, seed, ticks, ...settings].join("\n"));
const at = alloc(request.length) >>> 0;
new Uint8Array(memory.buffer, at, request.length).set(request);
const failed = run(at, request.length) !== 0;
const answer = new TextDecoder().decode(
  new Uint8Array(memory.buffer, out_ptr() >>> 0, out_len() >>> 0),
);

if (failed) {
  console.error(answer);
  process.exitCode = 1;
} else {
  console.log(JSON.stringify({ hashes: answer.trim().split("\n") }));
}
