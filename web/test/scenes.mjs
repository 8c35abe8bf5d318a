// Scenes in the built page, in a real browser: ten seconds forward, back and forth again, and a picture; all of them also on a phone.
// How they look in every view is in look.mjs.
// Usage: node scenes.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER few|all
// `few` are two of each family. Prints {"scenes": [{name, ticks, hash}]}: the hash of each, to hold against the native program.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { tools, visit } from "./visit.mjs";

const [folder, program, pictures, which] = process.argv.slice(2);
if (which !== "few" && which !== "all") {
  console.error("usage: node scenes.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER few|all");
  process.exit(2);
}
const [DESK, PHONE] = [{ width: 1440, height: 900 }, { width: 390, height: 844 }];
const TICKS = 600;

await mkdir(pictures, { recursive: true });
const { page, address, complaints, leave } = await visit(folder, program, DESK);
const { moment, shoot, open, slide, isNarrow } = tools(page, pictures);

async function watch(name) {
  // The map is the quickest to draw while time goes back and forth.
  await open(`scene=${name}&seed=7&view=above`);
  const begin = (await moment()).hash;
  const hash = await slide(TICKS);
  // A match may be over before.
  const ticks = Number((await moment()).tick);
  assert.notEqual(hash, begin, `${name} does not advance`);
  const middle = await slide(Math.floor(ticks / 3));
  assert.equal(await slide(0), begin, name);
  assert.equal(await slide(Math.floor(ticks / 3)), middle, name);
  assert.equal(await slide(ticks), hash, name);
  await shoot(name);
  if (which === "all") await fits(name);
  return { name, ticks, hash };
}

/** On a phone nothing is wider than it. */
async function fits(name) {
  await page.setViewportSize(PHONE);
  await isNarrow(name, PHONE.width);
  await shoot(`${name}-phone`);
  await page.setViewportSize(DESK);
}

try {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
  const families = await page.locator("#cards .family").evaluateAll((all) => all.map((family) => [...family.querySelectorAll("[data-scene]")].map((card) => card.dataset.scene)));
  const scenes = [];
  for (const name of families.flatMap((names) => (which === "few" ? names.slice(0, 2) : names))) scenes.push(await watch(name));
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify({ scenes }));
} catch (error) {
  await shoot("failed-scene").catch(() => undefined);
  if (complaints.length > 0) console.error(complaints.slice(0, 5).join("\n"));
  throw error;
} finally {
  await leave();
}
