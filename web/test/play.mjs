// A person plays the built page in first person, by keys and mouse in a real browser; and what shows the soldiers' minds.
// Usage: node play.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER
// Prints {"record": FILE, "hash": HASH}: what was played, for the native program to play again.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { tools, visit } from "./visit.mjs";

const [folder, program, pictures] = process.argv.slice(2);
if (pictures === undefined) {
  console.error("usage: node play.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER");
  process.exit(2);
}
const DESK = { width: 1024, height: 600 };
/** Moments of a match in which there is something to look at. */
const TICKS = [900, 1200, 1500, 1800, 2100, 2400];

await mkdir(pictures, { recursive: true });
const { page, address, complaints, leave } = await visit(folder, program, DESK);
const { until, shoot, open, isAccessible } = tools(page, pictures);
const mode = (name) => until((name) => document.body.dataset.play === name, name);

/** What the screen tells of the body that is played. */
async function body() {
  const told = await page.evaluate(() => ({ ...document.getElementById("hud").dataset, tick: document.body.dataset.tick, hash: document.body.dataset.hash }));
  const [x, y, z] = told.eye.split(" ").map(Number);
  const number = (name) => Number(told[name]);
  return { x, y, z, heading: number("heading"), health: number("health"), magazine: number("magazine"), reserve: number("reserve"), isReloading: told.reload === "true", shots: number("shots"), foes: number("foes"), tick: number("tick"), hash: told.hash };
}

/** Lets the world go on by some ticks. */
async function pass(ticks) {
  const from = Number(await page.evaluate(() => document.body.dataset.tick));
  await until((tick) => Number(document.body.dataset.tick) >= tick, from + ticks);
}

/** From the panel of the scene into the eyes of the player; the link says so. */
async function begins() {
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
  await open("scene=firefight&seed=7&view=above");
  await page.click("#play-it");
  await mode("ready");
  assert.match(page.url(), /view=eyes/);
  assert.match(page.url(), /play=1/);
  assert.match(page.url(), /set=player%3Dinput/);
  assert.doesNotMatch(page.url(), /tick=/);
  assert.equal(await page.locator("#time-bar").isVisible(), false, "the time bar is no part of the game");
  assert.match(await page.locator("#play-card").textContent(), /reload.*crouch.*jump/);
  await shoot("play-ready");
  await isAccessible("the card before playing");
  await page.click("#play-card .go");
  await mode("live");
  await pass(10);
  await isAccessible("playing");
}

/** Walks, turns, shoots, reloads, crouches, jumps. */
async function moves() {
  const begin = await body();
  await page.keyboard.down("w");
  await pass(40);
  await page.keyboard.up("w");
  await pass(12);
  const walked = await body();
  const [ahead, gone] = [[-Math.sin(begin.heading), -Math.cos(begin.heading)], [walked.x - begin.x, walked.z - begin.z]];
  assert.ok(ahead[0] * gone[0] + ahead[1] * gone[1] > 1, `W goes ahead: ${gone}`);
  await page.mouse.move(320, 200);
  await pass(4);
  const { heading } = await body();
  await page.mouse.move(140, 160, { steps: 6 });
  await pass(4);
  assert.ok((await body()).heading > heading + 0.1, "the mouse turns the view to the left");
  await page.keyboard.press("c");
  await pass(50);
  const low = await body();
  assert.ok(low.y < walked.y - 0.5, `crouches: from ${walked.y} to ${low.y}`);
  await shoot("play-crouched");
  await page.keyboard.press("c");
  await pass(50);
  const before = await body();
  assert.ok(before.y > low.y + 0.5, "stands up again");
  await page.keyboard.press("Space");
  await until((high) => Number(document.getElementById("hud").dataset.eye.split(" ")[1]) > high, before.y + 0.3);
  await pass(50);
}

async function shoots() {
  const before = await body();
  await page.mouse.down();
  await until(() => Number(document.getElementById("hud").dataset.shots) >= 4);
  await shoot("play-shooting");
  await page.mouse.up();
  await pass(20);
  const after = await body();
  assert.equal(before.magazine - after.magazine, after.shots - before.shots, "every shot leaves the magazine");
  assert.equal(await page.locator("#hud .magazine").textContent(), String(after.magazine));
  assert.equal(await page.locator("#hud .reserve").textContent(), String(after.reserve));
  await page.keyboard.press("r");
  await until(() => document.getElementById("hud").dataset.reload === "true");
  await shoot("play-reloading");
  await until(() => document.getElementById("hud").dataset.reload === "false");
  const full = await body();
  assert.equal(full.magazine, before.magazine, "full again");
  assert.equal(after.reserve - full.reserve, full.magazine - after.magazine, "from the reserve");
}

/** Esc stops time; the run goes on from there; what was played is a recording. */
async function pauses() {
  await page.keyboard.press("Escape");
  await mode("paused");
  await page.waitForTimeout(150);
  const { tick } = await body();
  await page.waitForTimeout(300);
  assert.equal((await body()).tick, tick, "time stands while it is paused");
  await shoot("play-paused");
  await isAccessible("the menu");
  // What is set stays set.
  await page.locator("#play-card .volume").fill("0.2");
  assert.match(await page.evaluate(() => localStorage.getItem("sentir-play")), /"volume":0\.2/);
  await page.click("#play-card .go");
  await mode("live");
  await pass(30);
  await page.keyboard.press("p");
  await mode("paused");
  const { shots } = await body();
  // One press on restart asks, and throws nothing away.
  await page.click("#play-card .again");
  assert.equal(await page.locator("#play-card .again").textContent(), "Really restart?");
  assert.equal((await body()).shots, shots);
  await page.click("#play-card .leave");
  await until(() => document.body.dataset.play === "");
  assert.ok(await page.locator("#time-bar").isVisible());
  const figure = await page.evaluate(() => [...document.querySelectorAll("#metrics dt")].find((it) => it.textContent === "player shots").nextElementSibling.textContent);
  assert.equal(Number(figure), shots, "the screen counts what the world counts");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#record")]);
  const record = join(pictures, "played-firefight.srec");
  await download.saveAs(record);
  return { record, hash: await page.evaluate(() => document.body.dataset.hash), tick: Number(await page.evaluate(() => document.body.dataset.tick)) };
}

/** Back into the eyes, and from the beginning. */
async function restarts() {
  await page.click("#eyes");
  await mode("paused");
  await page.click("#play-card .again");
  await page.click("#play-card .again");
  await until(() => document.body.dataset.play === "live" && Number(document.body.dataset.tick) < 60);
  await pass(5);
  assert.equal((await body()).shots, 0, "a restart forgets the shots");
}

/** How it ends: by time, by death; what can be done then. */
async function ends() {
  await open("scene=firefight&seed=7&view=eyes&set=player%3Dinput&set=seconds%3D1");
  await mode("ready");
  await page.keyboard.press("Enter");
  await mode("over");
  assert.match(await page.locator("#play-card .headline").textContent(), /Time is up/);
  // No key throws the result away.
  for (const key of ["r", " ", "Enter", "w", "Escape"]) await page.keyboard.press(key);
  await page.waitForTimeout(200);
  await mode("over");
  assert.match(await page.locator("#play-card .headline").textContent(), /Time is up/);
  await isAccessible("the end");
  await shoot("play-over");
  await page.click("#play-card .again");
  await mode("live");
  await mode("over");
  await page.click("#play-card .next");
  await until(() => document.body.dataset.play === "live" && location.hash.includes("seed=8"));
  await open("scene=firefight&seed=7&view=eyes&set=player%3Dinput&set=health%3D1&tick=10800");
  await mode("over");
  assert.match(await page.locator("#play-card .headline").textContent(), /You are dead/);
  await page.waitForTimeout(700);
  await shoot("play-dead");
  await page.click("#play-card .replay");
  await until(() => document.body.dataset.play === "" && Number(document.body.dataset.tick) > 3);
  await page.click("#play");
}

/** One against one is played just the same. */
async function duels() {
  await open("scene=duel&seed=3&view=above");
  await page.click("#play-it");
  await mode("ready");
  await page.click("#play-card .go");
  await mode("live");
  await pass(10);
  const begin = await body();
  await page.keyboard.down("w");
  await pass(40);
  await page.keyboard.up("w");
  const walked = await body();
  assert.ok(Math.hypot(walked.x - begin.x, walked.z - begin.z) > 0.5, "W goes");
  await page.mouse.down();
  await until(() => Number(document.getElementById("hud").dataset.shots) >= 3);
  await page.mouse.up();
  assert.ok((await body()).magazine < begin.magazine, "shots leave the magazine");
  await shoot("play-duel");
}

/** A phone says what is missing. */
async function needsKeys() {
  const wire = await page.context().newCDPSession(page);
  await wire.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
  await wire.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 1, mobile: true });
  await open("scene=firefight&seed=7&view=eyes&set=player%3Dinput");
  await mode("ready");
  assert.match(await page.locator("#play-card .touch").innerText(), /keyboard/);
  assert.equal(await page.locator("#play-card .go").isVisible(), false);
  await shoot("play-phone");
  await wire.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  await wire.send("Emulation.clearDeviceMetricsOverride");
}

/** The stage as pixels, small. */
async function pixels() {
  const { x, y, width, height } = await page.locator("#view").boundingBox();
  const png = await page.screenshot({ clip: { x, y: y + 60, width, height: height - 60 } });
  return page.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    globalThis.before = globalThis.now;
    globalThis.now = pen.getImageData(0, 0, image.width, image.height).data;
    let count = 0;
    for (let at = 0; globalThis.before?.length === globalThis.now.length && at < globalThis.now.length; at += 4) count += Number(globalThis.now[at] !== globalThis.before[at] || globalThis.now[at + 1] !== globalThis.before[at + 1]);
    return count;
  }, png.toString("base64"));
}

/** Each layer that shows minds draws something, and is gone when it is unticked. */
async function showsMinds() {
  const missing = new Set(["senses", "paths", "influence", "fire", "claims", "queries"]);
  const draws = async (layer) => {
    const box = page.locator("#layers label", { hasText: new RegExp(`^\\s*${layer}$`) }).locator("input");
    await pixels();
    await box.uncheck();
    const changed = await pixels();
    await box.check();
    if (changed <= 12) return false;
    missing.delete(layer);
    await shoot(`overlay-${layer}`);
    return true;
  };
  for (const tick of TICKS) {
    if (missing.size === 0) break;
    await open(`scene=firefight&seed=7&tick=${tick}&view=above`);
    for (const layer of [...missing].filter((layer) => layer !== "queries")) await draws(layer);
    const agents = await page.locator("#who option").evaluateAll((all) => all.map((it) => it.value).filter((key) => key > "0"));
    for (const agent of missing.has("queries") ? agents : []) {
      await page.selectOption("#who", agent);
      await until((key) => document.getElementById("agent").textContent.includes("position") && location.hash.includes(`agent=${key}`), agent);
      if (await draws("queries")) break;
    }
  }
  assert.deepEqual([...missing], [], "layers that draw nothing");
}

try {
  await begins();
  await moves();
  await shoots();
  const played = await pauses();
  await restarts();
  await ends();
  await duels();
  await showsMinds();
  await needsKeys();
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify(played));
} catch (error) {
  await shoot("play-failed").catch(() => undefined);
  if (complaints.length > 0) console.error(complaints.slice(0, 5).join("\n"));
  throw error;
} finally {
  await leave();
}
