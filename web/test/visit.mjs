// Serves a folder on loopback and opens Chromium, for what is tried in the page.

import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".png": "image/png", ".gif": "image/gif", ".webp": "image/webp" };

/** A page, its address, what its console complained of, and how to leave. */
export async function visit(folder, program, viewport, { quality = "low" } = {}) {
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
  const profile = await mkdtemp(join(tmpdir(), "studio-"));
  const browser = await chromium.launchPersistentContext(profile, { executablePath: program, args: FLAGS, viewport });
  const page = browser.pages()[0] ?? (await browser.newPage());
  page.setDefaultTimeout(60_000);
  // Shadows in software would take most of the time.
  await page.addInitScript((quality) => { if (location.protocol.startsWith("http") && localStorage.getItem("sentir-play") === null) localStorage.setItem("sentir-play", JSON.stringify({ quality })); }, quality);
  const complaints = [];
  page.on("console", (message) => {
    // Software rendering tells of its own slowness; that is no fault of the page.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const leave = async () => {
    await browser.close();
    server.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { page, address: `http://127.0.0.1:${server.address().port}/`, complaints, leave };
}

/** What every check does with a page: look at the moment, wait, take pictures, open a scene, drag time. */
export function tools(page, pictures) {
  const moment = () => page.evaluate(() => ({ ...document.body.dataset }));
  const until = (test, value) => page.waitForFunction(test, value, { timeout: 120_000 });
  /** At a moment, or at the end of a match that is over before. */
  const arrived = (tick) => until((tick) => {
    const { tick: now, ending } = document.body.dataset;
    return now === String(tick) || (ending !== "" && Number(now) < tick && now !== "");
  }, tick);
  const shoot = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });

  /** Opens what a link says in the page that is there; the moment that it says is shown when this returns. */
  async function open(words) {
    await page.evaluate((hash) => {
      document.body.dataset.tick = "";
      if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange")); else location.hash = hash;
    }, `#${words}`);
    const wanted = new URLSearchParams(words);
    await until((scene) => document.body.dataset.scene === scene && document.body.dataset.tick !== "", wanted.get("scene"));
    // The way there is played in parts.
    if (wanted.has("tick")) await arrived(Number(wanted.get("tick")));
  }

  async function slide(tick) {
    await page.locator("#time").evaluate((slider, tick) => { slider.value = String(tick); slider.dispatchEvent(new Event("input", { bubbles: true })); }, tick);
    await arrived(tick);
    return (await moment()).hash;
  }

  async function isNarrow(what, most) {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > most) throw new Error(`${what} is ${wide} px wide on a phone of ${most}`);
  }

  /** What axe finds wrong for people who hear, zoom or use keys alone; throws with a list of it. */
  async function isAccessible(what) {
    const found = await page.evaluate(async (source) => {
      if (globalThis.axe === undefined) (0, eval)(source);
      const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
      return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join(" | ")}`);
    }, AXE);
    if (found.length > 0) throw new Error(`${what}: ${found.join("\n")}`);
  }

  return { moment, until, arrived, shoot, open, slide, isNarrow, isAccessible };
}
