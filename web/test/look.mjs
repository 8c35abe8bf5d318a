// Pictures to be looked at: every scene as a map and in 3D, and twelve of them in four sizes, light and dark. Also contact sheets of
// them, so that one sees all at once. Nothing overflows its window, and the console is silent; what else is wrong only eyes find.
// Usage: node look.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER views|sizes [SCENE ...]
// Prints {"pictures": COUNT, "sheets": [FILE ...]}. With scenes named, only those.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tools, visit } from "./visit.mjs";

const [folder, program, pictures, what, ...only] = process.argv.slice(2);
if (what !== "views" && what !== "sizes") {
  console.error("usage: node look.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER views|sizes [SCENE ...]");
  process.exit(2);
}
const SIZES = { desk: { width: 1440, height: 900 }, laptop: { width: 1024, height: 768 }, phone: { width: 390, height: 844 }, sideways: { width: 844, height: 390 } };
/** One of each family, and those that were pills and false colors once. */
const TWELVE = ["firefight", "horde", "war", "guard", "patrol", "bronto", "missile", "herding", "locomotion", "circle", "unit-tastes", "influence"];
/** Late enough for everybody to be about something, early enough for nobody to be done, ticks. */
const TICK = 300;
/** How wide a picture is on a sheet, px, and how many are on one: across and down. */
const WIDE_PX = 480, ACROSS = 3, DOWN = 4;

const shots = join(pictures, "look");
await mkdir(shots, { recursive: true });
const { page, address, complaints, leave } = await visit(folder, program, SIZES.desk, { quality: what === "views" ? "high" : "low" });
const { open, isNarrow } = tools(page, shots);

/** What was shot, in order: its name and its picture. */
const taken = [];

async function shoot(name) {
  // Figures, labels and light settle.
  await page.waitForTimeout(250);
  taken.push({ name, png: await page.screenshot({ path: join(shots, `${name}.png`) }) });
}

/** Puts pictures side by side with their names under them; returns the files. */
async function sheets(name, all) {
  const files = [];
  for (let first = 0; first < all.length; first += ACROSS * DOWN) {
    const part = all.slice(first, first + ACROSS * DOWN).map(({ name, png }) => ({ name, text: png.toString("base64") }));
    const made = await page.evaluate(async ({ part, wide, across, down }) => {
      const high = Math.round(wide * 0.66);
      const sheet = new OffscreenCanvas(wide * across, (high + 20) * Math.min(down, Math.ceil(part.length / across)));
      const pen = sheet.getContext("2d");
      [pen.fillStyle, pen.font] = ["#222", "14px sans-serif"];
      pen.fillRect(0, 0, sheet.width, sheet.height);
      for (const [at, { name, text }] of part.entries()) {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
        const scale = Math.min(wide / image.width, high / image.height) * 0.98;
        const [x, y] = [(at % across) * wide, Math.floor(at / across) * (high + 20)];
        pen.drawImage(image, x + (wide - image.width * scale) / 2, y, image.width * scale, image.height * scale);
        pen.fillStyle = "#eee";
        pen.fillText(name, x + 6, y + high + 14);
      }
      const bytes = new Uint8Array(await (await sheet.convertToBlob({ type: "image/png" })).arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
      return btoa(text);
    }, { part, wide: WIDE_PX, across: ACROSS, down: DOWN });
    files.push(join(pictures, `sheet-${name}-${files.length + 1}.png`));
    await writeFile(files.at(-1), Buffer.from(made, "base64"));
  }
  return files;
}

/** The views that a scene offers among those that are wanted. */
async function views(wanted) {
  const offered = await page.locator("#camera button").evaluateAll((all) => all.filter((it) => !it.disabled).map((it) => it.id));
  return wanted.filter((view) => offered.includes(view));
}

/** As a map and in 3D, where the scene offers it. */
async function inViews(name) {
  await open(`scene=${name}&seed=7&tick=${TICK}&view=above`);
  for (const view of await views(["above", "orbit"])) {
    await page.click(`#${view}`);
    await shoot(`${name}-${view}`);
  }
}

/** In every size, light and dark. */
async function inSizes(name) {
  await open(`scene=${name}&seed=7&tick=${TICK}&view=orbit`);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await isNarrow(`${name} on a ${size}`, viewport.width);
      await shoot(`${name}-${colorScheme}-${size}`);
    }
  }
  await page.setViewportSize(SIZES.desk);
}

try {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
  const names = await page.locator("#cards [data-scene]").evaluateAll((cards) => cards.map((card) => card.dataset.scene));
  const isWanted = (name) => only.length === 0 || only.includes(name);
  if (what === "views") for (const name of names.filter(isWanted)) await inViews(name);
  else for (const name of TWELVE.filter(isWanted)) { assert.ok(names.includes(name), `there is no scene '${name}'`); await inSizes(name); }
  assert.ok(taken.length > 0, `no scene is named ${only}`);
  const count = taken.length;
  const files = await sheets(what, taken);
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify({ pictures: count, sheets: files }));
} catch (error) {
  await page.screenshot({ path: join(pictures, "failed-look.png") }).catch(() => undefined);
  throw error;
} finally {
  await leave();
}
