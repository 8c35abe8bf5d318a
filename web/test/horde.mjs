// A person plays the horde in the built page, by keys and mouse in a real browser: from the gallery to the end card of a round,
// by nothing but what the screen shows.
// Usage: node horde.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER
// Prints {"record": FILE, "hash": HASH}: what was played, for the native program to play again.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { tools, visit } from "./visit.mjs";

const [folder, program, pictures] = process.argv.slice(2);
if (pictures === undefined) {
  console.error("usage: node horde.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER");
  process.exit(2);
}
const DESK = { width: 1024, height: 600 };
/** How far the view turns with the mouse at sensitivity 1, rad/px, and as far as the mouse moves at once, px. */
const TURN_PER_PX = 0.0022, MOVE_PX = 300;
/** A round that does not end in so many ticks is none to be played. */
const TICKS_MAX = 60 * 240;

await mkdir(pictures, { recursive: true });
const { page, address, complaints, leave } = await visit(folder, program, DESK);
const { until, shoot, open, isAccessible } = tools(page, pictures);
const mode = (name) => until((name) => document.body.dataset.play === name, name);
const tick = async () => Number(await page.evaluate(() => document.body.dataset.tick));

async function pass(ticks) {
  const to = (await tick()) + ticks;
  await until((tick) => Number(document.body.dataset.tick) >= tick || document.body.dataset.play === "over", to);
}

/** What the screen tells: the body, the gauges by their places, from where it hurts. */
const seen = () => page.evaluate(() => {
  const hud = document.getElementById("hud");
  const [x, , z] = (hud?.dataset.eye ?? "0 0 0").split(" ").map(Number);
  const hurt = hud?.querySelector(".hurts i")?.style.transform.match(/rotate\((-?[\d.]+)rad\)/)?.[1];
  const gauges = [...document.querySelectorAll(".gauges")].flatMap((group) => [...group.querySelectorAll(".gauge")].map((gauge) => {
    const { left, right, top, bottom } = group.getBoundingClientRect();
    return { name: gauge.querySelector(".name").textContent, text: gauge.querySelector(".text").textContent, x: (left + right) / 2 / innerWidth, y: (top + bottom) / 2 / innerHeight };
  }));
  return {
    x, north: -z, heading: Number(hud?.dataset.heading), health: Number(hud?.dataset.health), magazine: Number(hud?.dataset.magazine), reserve: Number(hud?.dataset.reserve),
    shots: Number(hud?.dataset.shots), hurt: hurt === undefined ? undefined : Number(hurt), gauges, held: hud?.querySelector(".weapons .held span")?.textContent,
    prompt: document.getElementById("prompt")?.textContent, banner: document.getElementById("banner")?.textContent,
  };
});

let [mouseX, mouseY] = [512, 300];
/** Turns the view by an angle to the left, with the mouse. */
async function turn(left) {
  const dx = Math.max(-MOVE_PX, Math.min(MOVE_PX, -left / TURN_PER_PX));
  // At the edge of the window the mouse is lifted and put down, as on a desk.
  mouseX += dx;
  await page.mouse.move(mouseX, mouseY, { steps: 2 });
}

const wrap = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

/** As a newcomer: finds the scene, reads the card, sets what is to be kept. */
async function arrives() {
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
  await page.fill("#find", "zombies rounds");
  await page.click("[data-scene=horde]");
  await until(() => document.body.dataset.scene === "horde" && document.body.dataset.tick === "0");
  await page.click("#play-it");
  await mode("ready");
  assert.match(await page.locator("#play-card").textContent(), /heal or refill at a point.*noise grenade.*jump.*change weapons/);
  await shoot("horde-card");
  await isAccessible("the card of the horde");
  await page.locator("#play-card .difficulty").selectOption("hard");
  await until(() => location.hash.includes("difficulty%3Dhard"));
  await mode("ready");
  await page.locator("#play-card .volume").fill("0.3");
  await page.reload();
  await mode("ready");
  assert.equal(await page.locator("#play-card .volume").inputValue(), "0.3", "the volume is kept");
  assert.equal(await page.locator("#play-card .difficulty").inputValue(), "hard", "the difficulty is kept");
}

/** The screen is as it should be: who is left on top, health and rounds below, a crosshair. */
async function looks() {
  await open("scene=horde&seed=5&view=eyes&set=player%3Dinput&set=difficulty%3Dhard&set=rounds%3D1&set=director%3Doff");
  await mode("ready");
  await page.click("#play-card .go");
  await mode("live");
  await pass(20);
  const { gauges, banner } = await seen();
  const gauge = (name) => gauges.find((it) => it.name === name) ?? assert.fail(`no gauge '${name}': ${JSON.stringify(gauges)}`);
  const left = gauge("enemies left");
  assert.ok(Math.abs(left.x - 0.5) < 0.1 && left.y < 0.2, `enemies left are told at the top: ${JSON.stringify(left)}`);
  assert.equal(left.text, "30");
  assert.match(gauge("round").text, /^1/);
  assert.match(banner ?? "", /Round 1/);
  const places = await page.evaluate(() => Object.fromEntries([["health", "#hud .health"], ["rounds", "#hud .rounds"], ["cross", "#hud .cross"]].map(([name, at]) => {
    const { left, right, top, bottom } = document.querySelector(at).getBoundingClientRect();
    return [name, [(left + right) / 2 / innerWidth, (top + bottom) / 2 / innerHeight]];
  })));
  assert.ok(places.health[0] < 0.4 && places.health[1] > 0.8, `health is told bottom left: ${places.health}`);
  assert.ok(places.rounds[0] > 0.6 && places.rounds[1] > 0.8, `rounds are told bottom right: ${places.rounds}`);
  assert.ok(Math.hypot(places.cross[0] - 0.5, places.cross[1] - 0.5) < 0.05, `the crosshair is in the middle: ${places.cross}`);
  await shoot("horde-begin");
  await isAccessible("the horde, played");
}

/** The other weapon by Q, and time stands while P is pressed. */
async function changes() {
  const { held } = await seen();
  await page.keyboard.press("q", { delay: 120 });
  await until((before) => document.querySelector("#hud .weapons .held span").textContent !== before, held);
  await pass(4);
  await page.keyboard.press("q", { delay: 120 });
  await until((before) => document.querySelector("#hud .weapons .held span").textContent === before, held);
  await page.keyboard.press("p");
  await mode("paused");
  await page.waitForTimeout(150);
  const at = await tick();
  await page.waitForTimeout(300);
  assert.equal(await tick(), at, "time stands while it is paused");
  await shoot("horde-paused");
  await page.click("#play-card .go");
  await mode("live");
}

/** Fights to the end: turns to where it hurts, fires, reloads by itself; the rest of the time it looks around and walks. */
async function fights() {
  await page.mouse.move(mouseX, mouseY);
  await page.keyboard.down("w");
  let [isFiring, shown] = [false, false];
  for (let step = 0; ; step += 1) {
    const [state, now] = [await page.evaluate(() => document.body.dataset.play), await tick()];
    if (state === "over") break;
    assert.ok(now < TICKS_MAX, `the round is not over after ${now} ticks`);
    const { hurt, shots } = await seen();
    if (hurt === undefined) {
      await turn(step % 40 < 30 ? 0.1 : -0.25);
      if (isFiring && step % 10 === 0) { await page.mouse.up(); isFiring = false; }
    } else {
      // The arc turns clockwise from ahead.
      if (!isFiring) { await page.keyboard.up("w"); await page.mouse.down(); isFiring = true; }
      await turn(-wrap(hurt));
      if (!shown && shots > 3) { shown = true; await shoot("horde-fight"); }
    }
    await pass(6);
  }
  await page.mouse.up();
  await page.keyboard.up("w");
  assert.ok(shown, "it never came to a fight");
}

/** The end: a card with figures, which no key throws away, and a recording. */
async function ends() {
  await mode("over");
  const card = await page.locator("#play-card").textContent();
  assert.match(card, /You (died|survived)/);
  assert.match(card, /Rounds survived.*Kills.*Shots.*Bites taken.*Time/i);
  for (const key of ["r", " ", "w", "e"]) await page.keyboard.press(key);
  await mode("over");
  await shoot("horde-over");
  await isAccessible("the end of the horde");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#play-card .record")]);
  const record = join(pictures, "played-horde.srec");
  await download.saveAs(record);
  return { record, hash: await page.evaluate(() => document.body.dataset.hash), tick: await tick(), card };
}

/** Rounds are spent, and refilled at a point that is looked at, by the key that the prompt says. */
async function refills() {
  await open("scene=horde-battery&seed=2&view=eyes&set=player%3Dinput&set=count%3D1&set=version%3Dv1");
  await mode("ready");
  await page.click("#play-card .go");
  await mode("live");
  await page.mouse.down();
  await until(() => Number(document.getElementById("hud").dataset.shots) >= 5);
  await page.mouse.up();
  await page.keyboard.press("r");
  await until(() => document.getElementById("hud").dataset.reload === "true");
  await until(() => document.getElementById("hud").dataset.reload === "false");
  const before = await seen();
  const goals = [[-24, 19], [24, 19], [-24, -19], [24, -19]];
  const [east, north] = goals.sort((a, b) => Math.hypot(a[0] - before.x, a[1] - before.north) - Math.hypot(b[0] - before.x, b[1] - before.north))[0];
  await page.keyboard.down("w");
  for (let step = 0; step < 120; step += 1) {
    const now = await seen();
    if (/refill/.test(now.prompt ?? "")) break;
    assert.equal(await page.evaluate(() => document.body.dataset.play), "live", "it ended before the point was reached");
    await turn(wrap(Math.atan2(-(east - now.x), north - now.north) - now.heading));
    await pass(5);
  }
  await page.keyboard.up("w");
  await shoot("horde-prompt");
  assert.match((await seen()).prompt ?? "", /E\s*refill ammunition/);
  await page.keyboard.press("e", { delay: 120 });
  await until((reserve) => Number(document.getElementById("hud").dataset.reserve) > reserve, before.reserve);
}

try {
  await arrives();
  await looks();
  await changes();
  await fights();
  const played = await ends();
  await refills();
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify(played));
} catch (error) {
  await shoot("horde-failed").catch(() => undefined);
  if (complaints.length > 0) console.error(complaints.slice(0, 5).join("\n"));
  throw error;
} finally {
  await leave();
}
