// The built page in a real browser: the gallery, time, cameras, forks, links, selection, errors, light and dark; pictures
// to look at. Every scene is in scenes.mjs, playing in first person in play.mjs.
// Usage: node browser.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER [CHECK ...]
// Prints {"record": FILE, "edited": FILE}: recordings made in the page, for the native program to play again.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { tools, visit } from "./visit.mjs";

const [folder, program, pictures, ...only] = process.argv.slice(2);
if (pictures === undefined) {
  console.error("usage: node browser.mjs PAGE_FOLDER CHROMIUM PICTURES_FOLDER");
  process.exit(2);
}
const SEED = "7";
const [DESK, LAPTOP, PHONE, SIDEWAYS] = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, { width: 390, height: 844 }, { width: 844, height: 390 }];

await mkdir(pictures, { recursive: true });
const { page, address, complaints, leave } = await visit(folder, program, DESK);

const { until, arrived, shoot, open: openLink, slide, isNarrow, isAccessible } = tools(page, pictures);
/** Seen as a map, unless the words say how: there every body is a dot. */
const open = (scene, words = "") => openLink(`scene=${scene}&seed=${SEED}${words}${words.includes("view=") ? "" : "&view=above"}`);

/** The stage as it looks, handed to a function in the page: its pixels, and how many go into a row. */
async function seen(look) {
  const { x, y, width, height } = await page.locator("#view").boundingBox();
  const png = await page.screenshot({ clip: { x, y, width, height } });
  return page.evaluate(async ({ text, look }) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    return eval(look)(pen.getImageData(0, 0, image.width, image.height).data, image.width);
  }, { text: png.toString("base64"), look: String(look) });
}

/** How many colors the stage has, coarsely: one that shows nothing has one. */
const colors = () => seen((data) => {
  const all = new Set();
  for (let at = 0; at < data.length; at += 4 * 7) all.add((data[at] >> 4) * 256 + (data[at + 1] >> 4) * 16 + (data[at + 2] >> 4));
  return all.size;
});

/** Where on the page something small and strongly colored is: bodies from above. Left to right. */
async function dots() {
  const box = await page.locator("#view").boundingBox();
  // The rim of a focused stage is colored, too.
  await page.locator("#view").blur();
  const found = await seen((data, wide) => {
    const all = [];
    for (let at = 0; at < data.length; at += 4) {
      const [r, g, b] = data.subarray(at, at + 3);
      if (Math.max(r, g, b) - Math.min(r, g, b) < 80) continue;
      const [x, y] = [(at / 4) % wide, Math.floor(at / 4 / wide)];
      const near = all.find((dot) => Math.hypot(dot.x - x, dot.y - y) < 12);
      if (near === undefined) all.push({ x, y, count: 1 });
      else { near.count += 1; near.x += (x - near.x) / near.count; near.y += (y - near.y) / near.count; }
    }
    return all.filter(({ count, y }) => count > 30 && y > 60).sort((a, b) => a.x - b.x);
  });
  return found.map(({ x, y }) => [box.x + x, box.y + y]);
}

async function gallery() {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(address);
  await page.locator("#cards a").first().waitFor();
  const names = await page.locator("#cards [data-scene]").evaluateAll((cards) => cards.map((card) => card.dataset.scene));
  assert.ok(names.length > 0);
  await page.waitForTimeout(300);
  await shoot("gallery");
  await isAccessible("the gallery");
  await page.setViewportSize(PHONE);
  await isNarrow("the gallery", PHONE.width);
  await page.emulateMedia({ colorScheme: "dark" });
  await shoot("gallery-phone-dark");
  await isAccessible("the gallery in the dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(DESK);
  const families = await page.locator("#cards .family h2").allTextContents();
  assert.ok(families.length > 5 && families.length < names.length, `${families.length} families`);
  await page.fill("#find", "patrol");
  const those = await page.locator("#cards .family h2").allTextContents();
  assert.ok(those.includes("Sense") && those.length < families.length, `the search box finds within families: ${those}`);
  await page.fill("#find", "playable formation");
  const found = await page.locator("#cards [data-scene]").evaluateAll((cards) => cards.map((card) => card.dataset.scene));
  assert.ok(found.includes("formation") && found.length < names.length, `found by what can be done: ${found}`);
  await page.fill("#find", "xyzzy");
  await page.locator("#none").waitFor();
  await page.fill("#find", "");
  // A picture moves while one points at it, unless less motion is asked for.
  await page.hover("[data-scene=patrol]");
  assert.equal(await page.locator(".film").count(), 0, "it moves for who asked for less motion");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.mouse.move(0, 0);
  await page.hover("[data-scene=patrol]");
  await page.locator("[data-scene=patrol] .film").waitFor();
  // The hero plays by itself, and stands while it is not seen.
  await page.locator("#gallery").evaluate((it) => it.scrollTo(0, 0));
  await until(() => Number(document.body.dataset.hero) > 5);
  await shoot("gallery-hero");
  await page.locator("#gallery").evaluate((it) => it.scrollTo(0, it.scrollHeight));
  await page.waitForTimeout(400);
  const { hero } = await page.evaluate(() => ({ ...document.body.dataset }));
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => document.body.dataset.hero), hero, "the hero plays while nobody sees it");
  await page.emulateMedia({ reducedMotion: "reduce" });
  // By keys alone into a scene, by the button and the browser's own back to the gallery.
  await page.locator("#cards [data-scene=patrol]").focus();
  await page.keyboard.press("Enter");
  await until(() => document.body.dataset.scene === "patrol" && document.body.dataset.tick === "0");
  const offered = await page.locator("#scene option").evaluateAll((options) => options.map((option) => option.value));
  assert.deepEqual(offered, names, "the stage offers every scene");
  await isAccessible("the stage");
  await page.goBack();
  await page.locator("#gallery").waitFor();
  await page.goForward();
  await until(() => document.body.dataset.scene === "patrol");
  await page.click("#to-gallery");
  await page.locator("#gallery").waitFor();
}

async function playsAndTakesKeys() {
  await open("steering-basic");
  await page.click("#play");
  await until(() => Number(document.body.dataset.tick) > 20);
  await page.click("#play");
  await open("steering-basic", "&tick=30");
  await arrived(30);
  const alone = await slide(90);
  await slide(30);
  await page.locator("#view").focus();
  await page.keyboard.down("d");
  assert.notEqual(await slide(90), alone, "the key D moves nobody");
  await page.keyboard.up("d");
  await page.locator("#view").focus();
  for (const [key, tick] of [[",", 89], [".", 90], ["PageUp", 30], ["PageDown", 90], ["Home", 0], ["End", 90]]) {
    await page.keyboard.press(key);
    await arrived(tick);
  }
  // Many wishes at once: the last one counts.
  await page.locator("#time").evaluate((slider) => {
    for (const tick of [10, 80, 5, 60, 42]) { slider.value = String(tick); slider.dispatchEvent(new Event("input", { bubbles: true })); }
  });
  await arrived(42);
}

async function takesSettings() {
  await open("patrol");
  const stock = await slide(60);
  await page.locator("#settings summary").click();
  await page.getByLabel("guards:").fill("3");
  await page.getByLabel("guards:").press("Tab");
  await until(() => document.body.dataset.tick === "0");
  assert.notEqual(await slide(60), stock, "the number of guards changes nothing");
  assert.match(page.url(), /set=guards%3D3/);
  await page.goto("about:blank");
  await page.goto(`${address}#scene=patrol&set=guards%3Dmany`);
  await page.locator("#error").waitFor({ state: "visible" });
  assert.match(await page.locator("#error").textContent(), /expected a whole number/);
}

/** Just the layers that a scene draws, those of the solver hidden until they are asked for. */
async function offersLayers() {
  const boxes = () => page.locator("#layers label").evaluateAll((all) => all.map((label) => [label.textContent.trim(), label.querySelector("input").checked]));
  await open("circle");
  assert.deepEqual(await boxes(), [["level", true], ["bodies", true], ["names", true], ["avoidance", false]]);
  await page.getByLabel("names").click();
  await open("range");
  assert.deepEqual(await boxes(), [["level", true], ["bodies", true], ["names", false], ["senses", true]], "what was hidden stays so");
  await page.getByLabel("names").click();
}

/** The camera goes along with whom the controls move; keys that the scene does not bind begin no other future. */
async function knowsThePlayer() {
  for (const [scene, words, tick] of [["skirmish", "who%3Dinput", 240], ["patrol", "intruder%3Dinput", 600]]) {
    await open(scene, `&tick=${tick}&set=${words}`);
    await page.locator("#view").focus();
    await page.keyboard.press("v");
    await until(() => document.getElementById("who").value !== "");
    assert.equal(await page.locator("#who option:checked").textContent(), "player");
    const moved = await page.evaluate(() => document.body.dataset.player);
    assert.equal(await page.locator("#who").inputValue(), moved, `${scene}: somebody else is followed`);
    await page.keyboard.press("t");
  }
  await open("steering-basic", "&tick=30");
  const alone = await slide(90);
  await slide(30);
  await page.locator("#view").focus();
  for (const key of ["f", "r", "j", "z"]) await page.keyboard.press(key);
  assert.equal(await slide(90), alone, "a key that means nothing changes the run");
}

async function looksIntoAgents() {
  await open("patrol", "&tick=60&agent=1");
  await arrived(60);
  await until(() => document.getElementById("agent")?.textContent.includes("position"));
  assert.match(page.url(), /scene=patrol&seed=7&tick=\d+&agent=1/);
  assert.equal(await page.locator("#who option:checked").textContent(), "guard 1", "agents have names");
  await isAccessible("an agent");
  await shoot("agent");
  assert.ok((await page.locator("#labels span").count()) > 0, "nobody has a name");
  await page.getByLabel("names").click();
  await until(() => document.querySelectorAll("#labels span").length === 0);
  await page.getByLabel("names").click();
  // By keys alone.
  await open("skirmish", "&tick=300&agent=0");
  await until(() => document.querySelectorAll("#agent tbody tr").length > 0);
  await shoot("beliefs");
  await open("skirmish", "&tick=60");
  await page.locator("#view").focus();
  await page.keyboard.press(">");
  await until(() => document.getElementById("agent")?.textContent.includes("position"));
  const first = await page.locator("#who").inputValue();
  await page.keyboard.press(">");
  await until((first) => document.getElementById("who").value !== first, first);
  await page.keyboard.press("<");
  await until((first) => document.getElementById("who").value === first, first);
  assert.match(page.url(), new RegExp(`agent=${first}`));
}

async function lookAround() {
  for (const scene of ["patrol", "skirmish"]) {
    await open(scene, "&tick=300");
    await page.locator("#view").focus();
    for (const [key, view] of [["v", "follow"], ["i", "eyes"]]) {
      await page.keyboard.press(key);
      await until((view) => document.body.dataset.view === view, view);
      await page.waitForTimeout(250);
      assert.ok((await colors()) > 8, `${view} shows nothing in ${scene}`);
      assert.notEqual(await page.locator("#who").inputValue(), "", "a camera goes along with nobody");
      assert.match(page.url(), new RegExp(`view=${view}`));
      await shoot(`${scene}-${view}`);
    }
    await page.keyboard.press("t");
  }
  await open("patrol", "&tick=300&agent=2&view=follow");
  await until(() => document.body.dataset.view === "follow");
}

async function goesToEvents() {
  await open("patrol");
  await slide(1200);
  await page.locator("#marks .mark").first().waitFor();
  const marks = await page.locator("#marks .mark").evaluateAll((all) => all.map((mark) => ({ tick: Number(mark.dataset.tick), title: mark.title })));
  assert.ok(marks.every(({ title }) => title !== ""), "a mark without words");
  await page.locator("#marks .mark").last().click();
  await arrived(marks.at(-1).tick);
  await page.locator("#view").focus();
  await page.keyboard.press("Home");
  await arrived(0);
  const first = marks.find(({ tick }) => tick > 0).tick;
  await page.keyboard.press("l");
  await arrived(first);
  await shoot("events");
}

/** The brain of who is selected: what runs is lit and goes with time, what was refused says why, and all of it is in its list. */
async function showsBrains() {
  for (const kind of ["bt", "hfsm", "utility", "goap"]) {
    await open("guard", `&tick=60&agent=1&set=${encodeURIComponent(`brain=${kind}`)}`);
    await slide(60);
    const lit = await page.locator(".brain .active").last().getAttribute("aria-label");
    await slide(200);
    // Another part runs when something was heard; the panel follows within the time one needs to read it.
    await until((lit) => [...document.querySelectorAll(".brain .active")].at(-1)?.getAttribute("aria-label") !== lit, lit);
    const [list, row] = [await page.locator(".brain").boundingBox(), await page.locator(".brain .active .sign").first().boundingBox()];
    assert.ok(row.y >= list.y && row.y + row.height <= list.y + list.height + 1 && row.x >= list.x, `the signs of ${kind} are in its list`);
    await shoot(`guard-brain-${kind}`);
  }
  await open("guard", `&tick=60&agent=1&set=${encodeURIComponent("brain=utility")}`);
  assert.match(await page.locator(".brain .refused .note").first().textContent(), /against/);
}

/** The file of a brain, changed while it thinks: it goes on by the new one, where it was; a broken one is told at its line and
    changes nothing; a breakpoint in it stops time. */
async function editsABrain() {
  await open("guard", "&tick=60&agent=1");
  await slide(90);
  const hash = await slide(60);
  await page.locator("#brain-file summary").click();
  const area = page.locator("#file-text");
  const stock = await area.inputValue();
  assert.equal(await page.locator("#file-name").textContent(), "guard/tree.yaml");
  await area.fill(stock.replace("{task: patrol", "{task: patroll"));
  await page.click("#file-apply");
  await until(() => document.getElementById("file-said").textContent.includes("did you mean `patrol`?"));
  assert.match(await page.locator("#file-said").textContent(), /Refused, the old one goes on\. guard\/tree\.yaml:21:16: unknown task/);
  assert.equal(await page.locator("#lines .bad").textContent(), "21");
  assert.equal(await page.evaluate(() => document.body.dataset.hash), hash, "a broken file changes the run");
  await page.locator("#file-said").scrollIntoViewIfNeeded();
  await shoot("brain-file-refused");
  // A branch before the one that runs, by keys alone.
  const lit = () => page.locator(".brain .active").last().getAttribute("aria-label");
  const before = await lit();
  await area.fill(stock.replace("      - {task: patrol", "      - when: {key: $leg, \">\": 7}\n        do: {task: act, name: dance, with: {what: talk}}\n      - {task: patrol"));
  await area.press("Control+Enter");
  await arrived(61);
  await page.locator(".brain .name", { hasText: "dance" }).waitFor();
  assert.equal(await lit(), before, "another part runs after the edit");
  assert.match(await page.locator("#file-said").textContent(), /^Applied: it thinks by this from 1\.00 s on/);
  await shoot("brain-file");
  await page.setViewportSize(PHONE);
  await page.click("#fold");
  await isNarrow("the file of a brain", PHONE.width);
  await page.locator("#editor").scrollIntoViewIfNeeded();
  await shoot("brain-file-phone");
  await page.setViewportSize(DESK);
  await area.fill(stock.replace("{force_failure: {task: act, name: investigate", "{breakpoint: {task: act, name: investigate"));
  await page.click("#file-apply");
  await arrived(62);
  await page.click("#play");
  await page.locator("#stopped").waitFor();
  assert.equal(await page.locator("#stopped").textContent(), "Breakpoint 'task investigate', entered by guard 1 in this tick.");
  assert.equal(await page.locator("#play").getAttribute("aria-label"), "Play", "time goes on after a breakpoint");
  await shoot("breakpoint");
  // Before the edits there is the old file, after them the new one; and a scene without one shows none.
  await slide(30);
  await until((stock) => document.getElementById("file-text").value === stock, stock);
  await slide(80);
  await until(() => document.getElementById("file-text").value.includes("breakpoint"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#record")]);
  const record = join(pictures, "edited.srec");
  await download.saveAs(record);
  await open("patrol", "&tick=30&agent=1");
  await until(() => document.getElementById("brain-file") === null);
  return record;
}

/** Who sees by synthetic vision shows its three views beside the stage, and they go with time; who does not shows none. */
async function showsEyesight() {
  // Read from a copy: a canvas that is read too often complains.
  const views = () => page.locator("#eyesight canvas").evaluateAll((all) => all.map((canvas) => {
    const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const pixels = Array.from({ length: data.length / 4 }, (_, at) => `${data[4 * at]},${data[4 * at + 1]},${data[4 * at + 2]}`);
    return { name: canvas.dataset.view, words: canvas.getAttribute("aria-label"), size: [canvas.width, canvas.height], colors: [...new Set(pixels)], all: pixels.join(";") };
  }));
  await open("bronto", "&tick=30&agent=0");
  await arrived(30);
  await page.locator("#eyesight canvas").nth(2).waitFor();
  const first = await views();
  assert.deepEqual(first.map(({ name }) => name), ["static", "depth", "dynamic"]);
  for (const { words, size } of first) assert.ok(words.includes("view: ") && size[0] === 320 && size[1] === 240, `${words}: ${size}`);
  // One beneath the other, whole on the stage.
  const boxes = await page.locator("#eyesight canvas").evaluateAll((all) => all.map((canvas) => canvas.getBoundingClientRect().toJSON()));
  const stage = await page.locator("#stage").boundingBox();
  boxes.forEach(({ top, bottom, left, right }, at) => {
    assert.ok(right - left > 100 && bottom - top > 75 && right <= stage.x + stage.width && bottom <= stage.y + stage.height, `view ${at} is cut off`);
    assert.ok(at === 0 || top >= boxes[at - 1].bottom, `view ${at} lies on the one before`);
  });
  const [what, depth, motion] = first;
  for (const [name, color] of [["floor", "0,255,0"], ["walls", "0,0,255"]]) assert.ok(what.colors.includes(color), `no ${name} in ${what.colors}`);
  assert.ok(depth.colors.length > 20, `${depth.colors.length} depths`);
  // Nothing moves: not at all, neither to nor fro, all across.
  assert.ok(motion.colors.some((color) => /^0,12[78],255$/.test(color)), `nothing stands still in ${motion.colors}`);
  await shoot("eyesight");
  await slide(90);
  for (let tries = 0; (await views())[0].all === what.all; tries += 1) {
    assert.ok(tries < 50, "what is seen does not go with time");
    await page.waitForTimeout(100);
  }
  await page.setViewportSize(PHONE);
  await isNarrow("what somebody sees");
  await shoot("eyesight-phone");
  await page.setViewportSize(DESK);
  // A gun, a car; not the plane, which has no eyes, and nobody who sees by rays.
  for (const [scene, agent, sees] of [["missile", 3, true], ["driver", 0, true], ["missile", 0, false], ["patrol", 1, false]]) {
    await open(scene, `&tick=60&agent=${agent}`);
    await arrived(60);
    await until((sees) => (document.getElementById("eyesight") !== null) === sees, sees);
    if (sees) await shoot(`eyesight-${scene}`);
  }
}

/** What was played in the page leaves it as a file, for the native program to play again. */
async function recordsARun() {
  await open("steering-basic", "&tick=30");
  await page.locator("#view").focus();
  await page.keyboard.down("d");
  await slide(200);
  await page.keyboard.up("d");
  await slide(400);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#record")]);
  const record = join(pictures, "played.srec");
  await download.saveAs(record);
  return record;
}

/** The example with plain three.js. */
async function playsTheExample() {
  await page.goto(`${address}example/`);
  await until(() => Number(/tick (\d+)/.exec(document.getElementById("line").textContent)?.[1]) > 30);
  await shoot("example");
}

async function forksAndCompares() {
  await open("steering-basic", "&tick=60");
  await slide(240);
  const original = await slide(180);
  await slide(60);
  await page.click("#fork");
  await page.locator("#fork-bar").waitFor();
  await page.click("#compare");
  await page.locator("#compared p").first().waitFor();
  assert.match(await page.locator("#compared").textContent(), /No difference/);
  await page.locator("#view").focus();
  await page.keyboard.down("w");
  assert.notEqual(await slide(180), original, "the fork goes its own way");
  await page.keyboard.up("w");
  await page.click("#compare");
  await until(() => /first differ at tick/.test(document.getElementById("compared").textContent));
  await shoot("fork");
  await page.click("#orbit");
  await shoot("fork-3d");
  await page.setViewportSize(PHONE);
  await page.click("#above");
  await shoot("fork-phone");
  await page.setViewportSize(DESK);
  const at = Number(/differ at tick (\d+)/.exec(await page.locator("#compared").textContent())[1]);
  assert.ok(at >= 60 && at < 180, `they differ from ${at} on`);
  await page.locator("#compared button").first().click();
  await arrived(at);
  await slide(180);
  await page.click("#swap");
  await until((hash) => document.body.dataset.hash === hash, original);
  await page.click("#drop");
  await page.locator("#fork-bar").waitFor({ state: "hidden" });
}

/** A box selects, Ctrl and a click add, a letter forms, the right button sends. */
async function commandsFormations() {
  await open("formation", "&tick=10");
  const alone = await slide(40);
  await slide(10);
  const units = await dots();
  assert.ok(units.length > 4, `${units.length} bodies are seen`);
  const [left, last] = [units.slice(0, 3), units.at(-1)];
  const [xs, ys] = [left.map(([x]) => x), left.map(([, y]) => y)];
  const command = async (keys) => {
    await slide(10);
    await page.mouse.move(Math.min(...xs) - 14, Math.min(...ys) - 14);
    await page.mouse.down();
    await page.mouse.move(Math.max(...xs) + 8, Math.max(...ys) + 14, { steps: 3 });
    await page.locator("#band").waitFor();
    if (keys.length === 0) await shoot("band");
    await page.mouse.up();
    await page.locator("#view").focus();
    await page.keyboard.press(".");
    await arrived(11);
    for (const key of keys) await page.keyboard.down(key);
    await page.mouse.click(...last);
    for (const key of keys) await page.keyboard.up(key);
    await page.keyboard.press(".");
    await arrived(12);
    await page.keyboard.press("c");
    await page.mouse.click(last[0] + 120, last[1] - 40, { button: "right" });
    return slide(160);
  };
  const single = await command([]);
  assert.notEqual(await slide(40), alone, "nobody heeds the hand");
  assert.notEqual(await command(["Control"]), single, "Ctrl adds nobody to the selection");
  await shoot("formation-played");
}

async function helpsAndRefuses() {
  await page.locator("#view").focus();
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help[open]").isVisible());
  await shoot("help");
  await page.setViewportSize(PHONE);
  await shoot("help-phone");
  await page.setViewportSize(DESK);
  await page.keyboard.press("Escape");
  await page.goto("about:blank");
  await page.goto(`${address}#scene=patrl`);
  await page.locator("#error").waitFor({ state: "visible" });
  assert.equal(await page.locator("#error").textContent(), "there is no scene 'patrl', did you mean 'patrol'?");
  await shoot("error");
}

/** Every size, in the dark; what was folded stays so. */
async function inTheDark() {
  await page.emulateMedia({ colorScheme: "dark" });
  await open("guard", "&tick=200&agent=1&view=orbit");
  await isAccessible("the stage in the dark");
  for (const [name, size] of [["desk", DESK], ["laptop", LAPTOP], ["phone", PHONE], ["sideways", SIDEWAYS]]) {
    await page.setViewportSize(size);
    await isNarrow(`the stage on a ${name}`, size.width);
    const stage = await page.locator("#stage").boundingBox();
    assert.ok(stage.width * stage.height > size.width * size.height * 0.4, `${name}: the stage is ${stage.width} by ${stage.height}`);
    await shoot(`guard-dark-${name}`);
  }
  await page.click("#fold");
  await shoot("guard-dark-sideways-panel");
  await page.click("#fold");
  await page.setViewportSize(DESK);
  await page.click("#fold");
  await until(() => document.body.classList.contains("folded"));
  await page.reload();
  await until(() => document.body.classList.contains("folded") && document.body.dataset.tick === "200");
  await page.click("#fold");
  await page.emulateMedia({ colorScheme: "light" });
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, a")]
    .filter((it) => !(it.getAttribute("aria-label") || it.labels?.length || it.textContent.trim())).map((it) => it.outerHTML));
  assert.deepEqual(nameless, [], "controls without a name");
}

try {
  const rest = [gallery, playsAndTakesKeys, offersLayers, knowsThePlayer, looksIntoAgents, lookAround, goesToEvents, showsBrains, showsEyesight, forksAndCompares, commandsFormations, takesSettings,
    helpsAndRefuses, inTheDark, editsABrain, recordsARun, playsTheExample];
  if (only.length > 0) await page.goto(address);
  const told = {};
  for (const check of rest) if (only.length === 0 || only.includes(check.name)) told[check.name] = await check();
  assert.deepEqual(complaints, [], "the console complains");
  console.log(JSON.stringify({ record: told.recordsARun, edited: told.editsABrain }));
} catch (error) {
  await shoot("failed").catch(() => undefined);
  if (complaints.length > 0) console.error(complaints.slice(0, 5).join("\n"));
  throw error;
} finally {
  await leave();
}
