// Hands on the built page in a real browser: a gamepad, groups of who commands, edges of the window, the small map; what is heard,
// rendered without a speaker; and a deep link that comes in parts.
// Usage: node hands.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER [CHECK ...]

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { tools, visit } from "./visit.mjs";

const [folder, program, pictures, ...only] = process.argv.slice(2);
if (pictures === undefined) {
  console.error("usage: node hands.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER [CHECK ...]");
  process.exit(2);
}
const DESK = { width: 1024, height: 600 };

await mkdir(pictures, { recursive: true });
const { page, address, complaints, leave } = await visit(folder, program, DESK);
const { until, shoot, open, isAccessible } = tools(page, pictures);
const mode = (name) => until((name) => document.body.dataset.play === name, name);
const hud = () => page.evaluate(() => {
  const { eye, heading, shots, reload } = document.getElementById("hud").dataset;
  return { eye: eye.split(" ").map(Number), heading: Number(heading), shots: Number(shots), isReloading: reload === "true" };
});

/** Lets the world go on by some ticks. */
async function pass(ticks) {
  const from = Number(await page.evaluate(() => document.body.dataset.tick));
  await until((tick) => Number(document.body.dataset.tick) >= tick, from + ticks);
}

/** A gamepad of the standard layout that rests; what is held is set by `hold`. */
async function plugIn() {
  await page.addInitScript(() => {
    const rest = () => ({ mapping: "standard", axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })) });
    window.pad = null;
    window.hold = (buttons, axes) => {
      window.pad = rest();
      for (const index of buttons) window.pad.buttons[index] = { pressed: true, value: 1 };
      window.pad.axes = axes;
    };
    navigator.getGamepads = () => [window.pad];
  });
  await page.goto("about:blank");
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
}
const hold = (buttons, axes = [0, 0, 0, 0]) => page.evaluate(({ buttons, axes }) => window.hold(buttons, axes), { buttons, axes });

/** In first person: both sticks, the trigger, the buttons, Start as pause and on. */
async function playsByGamepad() {
  await plugIn();
  await open("scene=firefight&seed=7&view=eyes&play=1&set=player%3Dinput");
  await mode("ready");
  await page.click("#play-card .go");
  await mode("live");
  await hold([]);
  await pass(10);
  const begin = await hud();
  await hold([], [0, -1, 0, 0]);
  await pass(40);
  await hold([], [0, 0.1, 0.1, 0]);
  await pass(12);
  const walked = await hud();
  const gone = [walked.eye[0] - begin.eye[0], walked.eye[2] - begin.eye[2]];
  assert.ok(-Math.sin(begin.heading) * gone[0] - Math.cos(begin.heading) * gone[1] > 1, `the left stick goes ahead: ${gone}`);
  assert.equal(walked.heading, begin.heading, "a stick that rests beside its middle does not turn");
  await hold([], [0, 0, -1, 0]);
  await until((heading) => Number(document.getElementById("hud").dataset.heading) > heading + 0.2, walked.heading);
  await hold([7]);
  await until(() => Number(document.getElementById("hud").dataset.shots) >= 3);
  await hold([2]);
  await until(() => document.getElementById("hud").dataset.reload === "true");
  await hold([1]);
  await until((high) => Number(document.getElementById("hud").dataset.eye.split(" ")[1]) < high - 0.4, walked.eye[1]);
  await hold([]);
  await pass(4);
  await hold([1]);
  await until((high) => Number(document.getElementById("hud").dataset.eye.split(" ")[1]) > high - 0.1, walked.eye[1]);
  await hold([0]);
  await until((high) => Number(document.getElementById("hud").dataset.eye.split(" ")[1]) > high + 0.2, walked.eye[1]);
  await hold([9]);
  await mode("paused");
  await hold([]);
  await page.waitForTimeout(200);
  await hold([9]);
  await mode("live");
  await hold([]);
  await page.keyboard.press("Escape");
  await mode("paused");
}

/** Walking by the stick: another run than without it. */
async function walksByGamepad() {
  await plugIn();
  const end = async (axes) => {
    await open("scene=steering-basic&seed=7&play=1");
    await mode("ready");
    await hold([]);
    await page.click("#play-card .go");
    await mode("live");
    await hold([], axes);
    await pass(60);
    await page.keyboard.press("p");
    await mode("paused");
    await page.click("#play-card .leave");
    await page.locator("#time").evaluate((slider) => { slider.value = "50"; slider.dispatchEvent(new Event("input", { bubbles: true })); });
    await until(() => document.body.dataset.tick === "50" && document.body.dataset.hash !== "");
    return page.evaluate(() => document.body.dataset.hash);
  };
  assert.notEqual(await end([1, 0, 0, 0]), await end([0, 0, 0, 0]), "the stick moves nobody");
}

const middle = async () => (await page.locator("#minimap").getAttribute("data-middle")).split(" ").map(Number);
const selected = () => page.evaluate(() => document.querySelector("#selection p")?.textContent ?? "Nobody");

/** The war as a person commands it, live. */
async function command() {
  await open("scene=war&seed=7&play=1&set=blue%3Dinput");
  await mode("ready");
  await isAccessible("the card of who commands");
  await page.click("#play-card .go");
  await mode("live");
  await page.mouse.move(DESK.width / 2, DESK.height / 2);
  await pass(5);
}

/** Drags a box over what is seen. */
async function box(fromX, fromY, toX, toY) {
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move((fromX + toX) / 2, (fromY + toY) / 2, { steps: 3 });
  await page.mouse.move(toX, toY, { steps: 3 });
  await page.mouse.up();
  await pass(6);
}

/** Ctrl and a number keep who is selected; the number alone selects them again, and so does the button of the group. */
async function keepsGroups() {
  await command();
  const stage = await page.locator("#view").boundingBox();
  await box(stage.x + 16, stage.y + 16, stage.x + stage.width * 0.55, stage.y + stage.height - 16);
  const many = await selected();
  assert.match(many, /\d/, `a box selects: ${many}`);
  await shoot("command-selected");
  await isAccessible("who commands");
  await page.keyboard.press("Control+1");
  await page.locator("#selection .buttons button").first().waitFor();
  // Beside everybody: nobody is selected.
  await box(stage.x + stage.width * 0.5, stage.y + 20, stage.x + stage.width * 0.5 + 3, stage.y + 22);
  assert.notEqual(await selected(), many, "another box selects others");
  await page.keyboard.press("1");
  await until((many) => document.querySelector("#selection p")?.textContent === many, many);
  await box(stage.x + stage.width * 0.5, stage.y + 20, stage.x + stage.width * 0.5 + 3, stage.y + 22);
  await page.locator("#selection .buttons button").first().click();
  await until((many) => document.querySelector("#selection p")?.textContent === many, many);
  await shoot("command-group");
}

/** A press on the small map moves the camera, arrows on it too, its right button sends who is selected. */
async function usesTheSmallMap() {
  await command();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await pass(4);
  const map = await page.locator("#minimap").boundingBox();
  const press = async (x, y, button = "left") => { await page.mouse.click(map.x + map.width * x, map.y + map.height * y, { button }); await pass(4); };
  await press(0.2, 0.8);
  const low = await middle();
  await press(0.8, 0.2);
  const high = await middle();
  assert.ok(high[0] > low[0] + 3 && high[1] > low[1] + 3, `the camera goes where the map is pressed: ${low} to ${high}`);
  await page.locator("#minimap").focus();
  await page.keyboard.press("ArrowLeft");
  await pass(4);
  assert.ok((await middle())[0] < high[0], "an arrow on the map moves the camera");
  await shoot("command-map");
  const stage = await page.locator("#view").boundingBox();
  await press(0.2, 0.5);
  await page.locator("#view").focus();
  for (let step = 0; step < 6; step += 1) await page.keyboard.press("-");
  await pass(4);
  await box(stage.x + 16, stage.y + 16, stage.x + stage.width * 0.55, stage.y + stage.height - 16);
  assert.notEqual(await selected(), "Nobody");
  const before = await places();
  await press(0.5, 0.9, "right");
  await pass(120);
  const after = await places();
  const target = after.map;
  const far = (all) => all.chosen.reduce((sum, [x, y]) => sum + Math.hypot(x - target.x, y - target.y), 0) / all.chosen.length;
  assert.ok(far(after) < far(before) - 1, `who is selected goes where the map was pressed: ${far(before)} to ${far(after)} m away`);

  /** Where who is selected is seen on the small map, as shares of it turned into px; and where it was pressed. */
  async function places() {
    return page.evaluate(() => {
      const canvas = document.getElementById("minimap");
      const chosen = (canvas.dataset.chosen ?? "").split(";").filter((pair) => pair !== "").map((pair) => pair.split(" ").map(Number));
      return { chosen, map: { x: canvas.width * 0.5, y: canvas.height * 0.9 } };
    });
  }
}

/** At an edge of the window the view moves that way, and stops in the middle; not where that is turned off. */
async function pansAtEdges() {
  await command();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("+");
  await pass(4);
  const at = async (x, y) => { const from = await middle(); await page.mouse.move(x, y); await pass(20); const to = await middle(); return [to[0] - from[0], to[1] - from[1]]; };
  const half = [DESK.width / 2, DESK.height / 2];
  const [left] = await at(2, half[1]);
  assert.ok(left < -0.5, `the left edge moves the view by ${left}`);
  await at(...half);
  const [right] = await at(DESK.width - 2, half[1]);
  assert.ok(right > 0.5, `the right edge moves the view by ${right}`);
  await at(...half);
  const [, up] = await at(half[0], 2);
  assert.ok(up > 0.5, `the upper edge moves the view by ${up}`);
  await at(...half);
  assert.deepEqual(await at(...half), [0, 0], "the view moves by itself");
  await page.keyboard.down("ArrowRight");
  const [east] = await at(...half);
  await page.keyboard.up("ArrowRight");
  assert.ok(east > 0.5, `the arrow moves the view by ${east}`);
  await page.keyboard.press("p");
  await mode("paused");
  await page.locator("#play-card .edges").uncheck();
  await page.click("#play-card .go");
  await mode("live");
  await pass(4);
  assert.deepEqual(await at(2, half[1]), [0, 0], "edges move the view though they are turned off");
  await page.keyboard.press("p");
  await mode("paused");
  await page.locator("#play-card .edges").check();
}

/** Rendered without a speaker: every kind sounds, from its side, and fainter from afar. */
async function soundsByPlace() {
  await page.goto(`${address}sheet/sound.html`);
  await page.waitForFunction(() => document.title === "ready");
  const kinds = await page.evaluate(() => window.kinds);
  for (const kind of ["step", "shot", "reload", "impact", "voice", "alarm"]) assert.ok(kinds.includes(kind), `nothing sounds like a ${kind}`);
  for (const kind of kinds) {
    const at = (x, z) => page.evaluate(({ kind, x, z }) => window.listen(kind, x, z), { kind, x, z });
    const [left, right, ahead, far] = [await at(-6, 0), await at(6, 0), await at(0, -6), await at(0, -24)];
    assert.ok(ahead.left > 0.002 && ahead.right > 0.002, `${kind} is silent: ${JSON.stringify(ahead)}`);
    assert.ok(left.left > 3 * left.right, `${kind} from the left: ${JSON.stringify(left)}`);
    assert.ok(right.right > 3 * right.left, `${kind} from the right: ${JSON.stringify(right)}`);
    assert.ok(Math.abs(ahead.left - ahead.right) < 0.05 * ahead.left, `${kind} from ahead: ${JSON.stringify(ahead)}`);
    // Four times as far, a quarter as loud.
    assert.ok(Math.abs(far.left / ahead.left - 0.25) < 0.03, `${kind} from afar: ${JSON.stringify({ ahead, far })}`);
  }
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
}

/** A link to a late moment shows the first one, then how far it is, and arrives; another wish on the way need not wait. */
async function linksInParts() {
  await page.evaluate(() => {
    window.seen = { shares: [], ticks: new Set() };
    new MutationObserver(() => {
      const bar = document.querySelector("#progress progress");
      if (bar?.hasAttribute("value")) window.seen.shares.push(bar.value);
      if (document.body.dataset.tick) window.seen.ticks.add(Number(document.body.dataset.tick));
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    location.hash = "#scene=crowd&seed=7&tick=2400";
  });
  await until(() => document.body.dataset.tick === "2400");
  const { shares, ticks } = await page.evaluate(() => ({ shares: window.seen.shares, ticks: [...window.seen.ticks] }));
  assert.ok(shares.some((share) => share > 0 && share < 1), `no progress was told: ${shares}`);
  assert.ok(ticks.includes(0) && ticks.length > 3, `the way there was not shown: ${ticks}`);
  await page.evaluate(() => { location.hash = "#scene=crowd&seed=8&tick=6000"; });
  await until(() => document.body.dataset.scene === "crowd" && location.hash.includes("seed=8") && document.querySelector("#progress progress") !== null);
  await page.evaluate(() => { location.hash = "#scene=patrol&seed=7&tick=60"; });
  await until(() => document.body.dataset.scene === "patrol" && document.body.dataset.tick === "60");
}

try {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
  for (const check of [keepsGroups, usesTheSmallMap, pansAtEdges, soundsByPlace, linksInParts, playsByGamepad, walksByGamepad]) if (only.length === 0 || only.includes(check.name)) await check();
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify({}));
} catch (error) {
  await shoot("failed-hands").catch(() => undefined);
  if (complaints.length > 0) console.error(complaints.slice(0, 5).join("\n"));
  throw error;
} finally {
  await leave();
}
