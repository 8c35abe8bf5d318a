// The built page in a real browser: every scene loads, advances, seeks; keys, links, selection, errors; pictures to look at.
// Usage: node browser.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER
// Prints {"scenes": [{name, seed, ticks, hash}]}: the hash of each scene after ten seconds, to hold against the native one.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const [folder, program, pictures] = process.argv.slice(2);
if (pictures === undefined) {
  console.error("usage: node browser.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER");
  process.exit(2);
}
const FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const SEED = "7";

const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, "http://x").pathname).replace(/^(\.\.[/\\])+/, "");
  try {
    const body = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(body);
  } catch {
    response.writeHead(404).end("not found");
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const address = `http://127.0.0.1:${server.address().port}/`;
await mkdir(pictures, { recursive: true });
const profile = await mkdtemp(join(tmpdir(), "studio-"));
const browser = await chromium.launchPersistentContext(profile, { executablePath: program, args: FLAGS, viewport: { width: 1440, height: 900 } });
const page = browser.pages()[0] ?? (await browser.newPage());
const complaints = [];
page.on("console", (message) => {
  // Software rendering tells of its own slowness; that is no fault of the page.
  if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text())) complaints.push(message.text());
});
page.on("pageerror", (error) => complaints.push(String(error)));

const moment = () => page.evaluate(() => ({ ...document.body.dataset }));
const arrived = (tick) => page.waitForFunction((tick) => document.body.dataset.tick === String(tick), tick, { timeout: 60_000 });

async function open(scene, words = "") {
  await page.goto("about:blank");
  await page.goto(`${address}#scene=${scene}&seed=${SEED}${words}`);
  await page.waitForFunction((scene) => document.body.dataset.scene === scene, scene, { timeout: 60_000 });
}

async function slide(tick) {
  await page.locator("#time").evaluate((slider, tick) => { slider.value = String(tick); slider.dispatchEvent(new Event("input")); }, tick);
  await arrived(tick);
  return (await moment()).hash;
}

/** Ten seconds of a scene, back and forth; pictures at both sizes and in 3D. */
async function watch(name, ticks) {
  await open(name);
  const begin = (await moment()).hash;
  const hash = await slide(ticks);
  assert.notEqual(hash, begin, `${name} does not advance`);
  const middle = await slide(Math.floor(ticks / 3));
  assert.equal(await slide(0), begin, name);
  assert.equal(await slide(Math.floor(ticks / 3)), middle, name);
  assert.equal(await slide(ticks), hash, name);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.click("#orbit");
  await page.screenshot({ path: join(pictures, `${name}-3d.png`) });
  await page.click("#above");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(150);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${name} is ${wide} px wide on a phone`);
  await page.screenshot({ path: join(pictures, `${name}-phone.png`) });
  await page.setViewportSize({ width: 1440, height: 900 });
  return { name, seed: SEED, ticks, hash };
}

async function playsAndTakesKeys() {
  await open("steering-basic");
  await page.click("#play");
  await page.waitForFunction(() => Number(document.body.dataset.tick) > 20, undefined, { timeout: 60_000 });
  await page.click("#play");
  await open("steering-basic", "&tick=30");
  await arrived(30);
  const alone = await slide(90);
  await slide(30);
  await page.locator("#view").focus();
  await page.keyboard.down("d");
  assert.notEqual(await slide(90), alone, "the key D moves nobody");
  await page.keyboard.up("d");
}

async function takesSettings() {
  await open("patrol");
  const stock = await slide(60);
  await page.locator("#settings summary").click();
  await page.getByLabel("guards:").fill("3");
  await page.getByLabel("guards:").press("Tab");
  await page.waitForFunction(() => document.body.dataset.tick === "0");
  assert.notEqual(await slide(60), stock, "the number of guards changes nothing");
  assert.match(page.url(), /set=guards%3D3/);
  await page.goto("about:blank");
  await page.goto(`${address}#scene=patrol&set=guards%3Dmany`);
  await page.locator("#error").waitFor({ state: "visible" });
  assert.match(await page.locator("#error").textContent(), /expected a whole number/);
}

async function looksIntoAgents() {
  await open("patrol", "&tick=60&agent=1");
  await arrived(60);
  await page.waitForFunction(() => document.getElementById("agent").textContent.includes("position"), undefined, { timeout: 10_000 });
  assert.match(page.url(), /scene=patrol&seed=7&tick=\d+&agent=1/);
  await page.screenshot({ path: join(pictures, "agent.png") });
  const before = await page.locator("#labels span").count();
  assert.ok(before > 0, "nobody has a name");
  await page.getByLabel("names").click();
  await page.waitForFunction(() => document.querySelectorAll("#labels span").length === 0);
}

async function helpsAndRefuses() {
  await page.locator("#view").focus();
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.screenshot({ path: join(pictures, "help.png") });
  await page.keyboard.press("Escape");
  await page.goto("about:blank");
  await page.goto(`${address}#scene=patrl`);
  await page.locator("#error").waitFor({ state: "visible" });
  assert.equal(await page.locator("#error").textContent(), "there is no scene 'patrl', did you mean 'patrol'?");
  await page.screenshot({ path: join(pictures, "error.png") });
  await page.emulateMedia({ colorScheme: "dark" });
  await open("patrol", "&tick=200");
  await arrived(200);
  await page.screenshot({ path: join(pictures, "dark.png") });
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select")]
    .filter((it) => !(it.getAttribute("aria-label") || it.labels?.length || it.textContent.trim())).map((it) => it.outerHTML));
  assert.deepEqual(nameless, [], "controls without a name");
}

try {
  await open("patrol");
  const names = await page.locator("#scene option").evaluateAll((options) => options.map((option) => option.value));
  const scenes = [];
  for (const name of names) scenes.push(await watch(name, 600));
  await playsAndTakesKeys();
  await takesSettings();
  await looksIntoAgents();
  await helpsAndRefuses();
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify({ scenes }));
} finally {
  await browser.close();
  server.close();
  await rm(profile, { recursive: true, force: true });
}
