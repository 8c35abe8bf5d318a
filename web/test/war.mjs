// A person commands a side of the war in the built page: selection by box and Ctrl, groups, orders by what is under the pointer,
// a formation, an attitude, the small map, pause, and fog.
// Usage: node war.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER
// Prints {"record": FILE, "hash": HASH}: what was played, for the native program to play again.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { tools, visit } from "./visit.mjs";

const [folder, program, pictures] = process.argv.slice(2);
if (pictures === undefined) {
  console.error("usage: node war.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER");
  process.exit(2);
}
const DESK = { width: 1280, height: 800 };

await mkdir(pictures, { recursive: true });
const { page, address, complaints, leave } = await visit(folder, program, DESK);
const { arrived, shoot, open, slide, isAccessible } = tools(page, pictures);
const tick = async () => Number(await page.evaluate(() => document.body.dataset.tick));

/** One tick on, while time stands. */
async function step(count = 1) {
  for (let done = 0; done < count; done += 1) {
    const from = await tick();
    await page.locator("#view").focus();
    await page.keyboard.press(".");
    await arrived(from + 1);
  }
}

/** What the panel of a side or of the selection says: its title, and its rows as text. */
const panel = (id) => page.locator(`[data-panel=${id}]`);
const selected = async () => Number(((await panel("selection").count()) === 0 ? "0" : await panel("selection").locator("h3").textContent()).split(" ")[0]);
const deeds = () => panel("selection").locator("dd").allTextContents();

/** A place of the field as shares of the stage, from the left and from the top. */
async function spot(right, down) {
  const box = await page.locator("#view").boundingBox();
  return [box.x + box.width * right, box.y + box.height * down];
}

async function drag(from, to, isAdding = false) {
  if (isAdding) await page.keyboard.down("Control");
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 4 });
  await page.locator("#band").waitFor();
  await page.mouse.up();
  if (isAdding) await page.keyboard.up("Control");
  await step(2);
}

/** Boxes, Ctrl, groups: all while time stands. */
async function selects() {
  await drag(await spot(0.02, 0.12), await spot(0.45, 0.5));
  const north = await selected();
  assert.ok(north >= 8, `${north} in the box`);
  await shoot("war-selected");
  await isAccessible("commanding");
  await page.locator("#view").focus();
  await page.keyboard.press("Control+1");
  await drag(await spot(0.3, 0.8), await spot(0.45, 0.95));
  assert.equal(await selected(), 0, "nobody stands there");
  await page.keyboard.press("1");
  await step(2 * north + 6);
  assert.equal(await selected(), north, "the group is back");
  return north;
}

/** A formation, then an order to the ground, then one to the enemy's base; the rows say who obeys. */
async function orders() {
  await page.locator("#view").focus();
  await page.keyboard.press("b");
  await step(3);
  await page.mouse.click(...(await spot(0.34, 0.3)), { button: "right" });
  await step(8);
  assert.ok((await deeds()).every((row) => row.includes("obey")), `all obey: ${await deeds()}`);
  await shoot("war-formation");
  const alone = await slide((await tick()) + 200);
  assert.ok(alone !== undefined);
  await shoot("war-marched");
}

/** The attitude of one's own side by its button, not that of the other. */
async function attitudes() {
  const total = panel("blue").getByRole("button", { name: "total" });
  assert.equal(await panel("red").getByRole("button", { name: "total" }).isEnabled(), false, "red is not ours");
  await total.click();
  await step(25);
  assert.equal(await total.getAttribute("aria-pressed"), "true");
  await panel("selection").getByRole("button").first().click();
  await step(12);
  assert.ok((await deeds()).some((row) => !row.includes("obey")), "they go by themselves again");
  await shoot("war-total");
}

/** The small map shows influence, moves the view, and sends. */
async function maps() {
  const map = page.locator("#minimap");
  await map.waitFor();
  const { x, y, width, height } = await map.boundingBox();
  const before = await page.screenshot({ clip: await page.locator("#view").boundingBox() });
  await page.mouse.click(x + width * 0.8, y + height * 0.7);
  await page.waitForTimeout(200);
  const after = await page.screenshot({ clip: await page.locator("#view").boundingBox() });
  assert.ok(!before.equals(after), "the view moved");
  await page.mouse.click(x + width * 0.45, y + height * 0.3, { button: "right" });
  await step(8);
  assert.ok((await deeds()).every((row) => row.includes("obey")), "the small map sends");
}

/** Who is not seen is not shown. */
async function fogs() {
  const bodies = () => page.locator("#who option").count();
  await open("scene=war&seed=4&view=above&tick=40&set=blue%3Dinput&set=red%3Dattack");
  const some = await bodies();
  await open("scene=war&seed=4&view=above&tick=40&set=blue%3Dinput&set=red%3Dattack&set=fog%3Doff");
  assert.ok((await bodies()) > some + 10, `${some} in the fog, ${await bodies()} without`);
}

try {
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
  await fogs();
  await open("scene=war&seed=4&view=above&tick=20&set=blue%3Dinput&set=red%3Dattack");
  await shoot("war-begin");
  await selects();
  await orders();
  await attitudes();
  await maps();
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#record")]);
  const record = join(pictures, "played-war.srec");
  await download.saveAs(record);
  const hash = await page.evaluate(() => document.body.dataset.hash);
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify({ record, hash, tick: await tick() }));
} catch (error) {
  await shoot("war-failed").catch(() => undefined);
  if (complaints.length > 0) console.error(complaints.slice(0, 5).join("\n"));
  throw error;
} finally {
  await leave();
}
