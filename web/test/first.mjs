// How long after it is asked for the page shows something, on loopback, served by `sentir studio`: the gallery, and a scene by a deep link.
// Usage: node first.mjs ADDRESS CHROMIUM SCENE...
// Prints one sentence a figure: the median of some visits, each with an empty cache.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { FLAGS } from "./visit.mjs";

const [address, program, ...scenes] = process.argv.slice(2);
if (scenes.length === 0) {
  console.error("usage: node first.mjs ADDRESS CHROMIUM SCENE...");
  process.exit(2);
}
const VISITS = 5;

/** Milliseconds from the start of the navigation until `isThere` holds, and the bytes that came over the wire; each the median. */
async function visits(words, isThere) {
  const all = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const profile = await mkdtemp(join(tmpdir(), "first-"));
    const browser = await chromium.launchPersistentContext(profile, { executablePath: program, args: FLAGS, viewport: { width: 1440, height: 900 } });
    try {
      const page = browser.pages()[0] ?? (await browser.newPage());
      await page.goto(`${address}${words}`, { waitUntil: "commit" });
      const took = await page.waitForFunction(isThere, undefined, { polling: 10, timeout: 60_000 }).then((handle) => handle.jsonValue());
      const bytes = await page.evaluate(() => performance.getEntriesByType("resource").reduce((sum, entry) => sum + entry.transferSize, 0));
      all.push({ took, bytes });
    } finally {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    }
  }
  all.sort((a, b) => a.took - b.took);
  return all[Math.floor(VISITS / 2)];
}

const gallery = await visits("", () => (document.querySelector("#cards > *, .card") !== null ? performance.now() : false));
console.log(`gallery: first picture after ${gallery.took.toFixed(0)} ms, ${gallery.bytes} bytes`);
for (const scene of scenes) {
  const { took, bytes } = await visits(`#scene=${scene}&seed=7`, () => ((document.body.dataset.tick ?? "") !== "" ? performance.now() : false));
  console.log(`${scene} by a link: first picture after ${took.toFixed(0)} ms, ${bytes} bytes`);
}
