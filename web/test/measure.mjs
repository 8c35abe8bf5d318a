// Measures the built page in a real browser: how long it takes until the gallery and a scene are seen, what 300 characters cost
// the main thread, how long a jump to any moment of five minutes takes, and how many ticks a second it plays with many agents.
// Usage: node measure.mjs PAGE_FOLDER CHROMIUM
// Prints one sentence a figure.

import { visit } from "./visit.mjs";

const [folder, program] = process.argv.slice(2);
if (program === undefined) {
  console.error("usage: node measure.mjs PAGE_FOLDER CHROMIUM");
  process.exit(2);
}
const MINUTES_5 = 5 * 60 * 60;
const JUMPS = 40;
const PLAYED_S = 10;

const { page, address, leave } = await visit(folder, program, { width: 1440, height: 900 });
const tick = () => page.evaluate(() => Number(document.body.dataset.tick));

async function open(words) {
  await page.goto("about:blank");
  await page.goto(`${address}#${words}`);
  await page.waitForFunction(() => document.body.dataset.tick === "0", undefined, { timeout: 60_000 });
}

/** Milliseconds from asking for a moment until it is shown, for moments all over the run. */
async function jumps(words) {
  await open(words);
  await page.evaluate((end) => { const slider = document.getElementById("time"); slider.max = String(end); slider.value = String(end); slider.dispatchEvent(new Event("input", { bubbles: true })); }, MINUTES_5);
  // The run may end before.
  let [before, now] = [-1, 0];
  while (now > before) { await page.waitForTimeout(3_000); [before, now] = [now, await tick()]; }
  const took = await page.evaluate(async ({ end, count }) => {
    const slider = document.getElementById("time");
    const all = [];
    for (let jump = 0; jump < count; jump += 1) {
      // A step that has nothing in common with the count visits every part of the run.
      const to = Math.floor(((jump * 0.618034) % 1) * end);
      const begin = performance.now();
      slider.value = String(to);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      while (document.body.dataset.tick !== String(to)) await new Promise((done) => setTimeout(done, 1));
      all.push(performance.now() - begin);
    }
    return all.sort((a, b) => a - b);
  }, { end: now, count: JUMPS });
  return { ticks: now, median: took[JUMPS / 2], most: took.at(-1) };
}

/** Ticks a second while playing at sixteen times the speed: as many as the page can. */
async function pace(words) {
  await open(words);
  await page.selectOption("#speed", "16");
  await page.click("#play");
  await page.waitForTimeout(2_000);
  const [from, begin] = [await tick(), Date.now()];
  await page.waitForTimeout(PLAYED_S * 1_000);
  return ((await tick()) - from) / ((Date.now() - begin) / 1_000);
}

/** Main-thread milliseconds a frame for many characters of all models, animated and not. */
async function characters(count, frames) {
  await page.goto(`${address}sheet/index.html?measure`);
  await page.waitForFunction(() => document.title === "ready", undefined, { timeout: 60_000 });
  for (const isAnimated of [true, false]) {
    const { poses_ms, frame_ms } = await page.evaluate(({ count, frames, isAnimated }) => window.measure(count, frames, isAnimated), { count, frames, isAnimated });
    console.log(`${count} characters ${isAnimated ? "animated" : "standing still"}: ${frame_ms.toFixed(2)} ms of main thread a frame, ${poses_ms.toFixed(2)} ms of it poses`);
  }
}

/** Milliseconds from asking for the page until the first cards of the gallery, or the first moment of a scene, are there. */
async function appears(words) {
  await page.goto("about:blank");
  const begin = performance.now();
  await page.goto(`${address}#${words}`, { waitUntil: "commit" });
  await page.waitForFunction((isScene) => (isScene ? document.body?.dataset.tick === "0" : (document.querySelector("#cards a")?.getBoundingClientRect().height ?? 0) > 0), words !== "", { timeout: 60_000 });
  return performance.now() - begin;
}

try {
  await characters(300, 30);
  await page.emulateMedia({ reducedMotion: "reduce" });
  // The second time, as who comes again: the browser has compiled the engine.
  for (const words of ["", "scene=patrol&seed=7"]) {
    const [first, again] = [await appears(words), await appears(words)];
    console.log(`${words === "" ? "gallery" : "patrol"}: there after ${first.toFixed(0)} ms, again after ${again.toFixed(0)} ms`);
  }
  for (const scene of ["circle", "crowd"]) {
    const { ticks, median, most } = await jumps(`scene=${scene}&seed=7`);
    console.log(`${scene}: ${JUMPS} jumps within ${ticks} ticks: median ${median.toFixed(0)} ms, longest ${most.toFixed(0)} ms`);
  }
  console.log(`circle with 200 agents: ${(await pace("scene=circle&seed=7&set=count%3D200")).toFixed(0)} ticks a second`);
} finally {
  await leave();
}
