// Every scene in the built page, in a real browser: ten seconds forward, back and forth again; pictures from above and in 3D, on
// a desk and on a phone.
// Usage: node scenes.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER
// Prints {"scenes": [{name, ticks, hash}]}: the hash of each scene, to hold against the native program.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { tools, visit } from "./visit.mjs";

const [folder, program, pictures] = process.argv.slice(2);
if (pictures === undefined) {
  console.error("usage: node scenes.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER");
  process.exit(2);
}
const [DESK, PHONE] = [{ width: 1440, height: 900 }, { width: 390, height: 844 }];
const TICKS = 600;

await mkdir(pictures, { recursive: true });
const { page, address, complaints, leave } = await visit(folder, program, DESK);
const { moment, shoot, open, slide, isNarrow } = tools(page, pictures);

async function watch(name, most) {
  await open(`scene=${name}&seed=7`);
  const begin = (await moment()).hash;
  const hash = await slide(most);
  // A match may be over before.
  const ticks = Number((await moment()).tick);
  assert.notEqual(hash, begin, `${name} does not advance`);
  const middle = await slide(Math.floor(ticks / 3));
  assert.equal(await slide(0), begin, name);
  assert.equal(await slide(Math.floor(ticks / 3)), middle, name);
  assert.equal(await slide(ticks), hash, name);
  await shoot(name);
  await page.click("#orbit");
  await shoot(`${name}-3d`);
  await page.setViewportSize(PHONE);
  await shoot(`${name}-phone-3d`);
  await page.click("#above");
  await isNarrow(name, PHONE.width);
  await shoot(`${name}-phone`);
  await page.setViewportSize(DESK);
  return { name, ticks, hash };
}

try {
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
  const scenes = [];
  for (const name of await page.locator("#cards h3").allTextContents()) scenes.push(await watch(name, TICKS));
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify({ scenes }));
} catch (error) {
  await shoot("failed-scene").catch(() => undefined);
  if (complaints.length > 0) console.error(complaints.slice(0, 5).join("\n"));
  throw error;
} finally {
  await leave();
}
